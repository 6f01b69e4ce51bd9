import { BoundedList } from "../../evidence/bounded-list.ts";
import type { Html } from "../../evidence/html.ts";
import { redactUrlsIn } from "../privacy/redact.ts";

/** Elements whose whole text is examined; a word in a table or list may be what the page explains. */
const WATCHED = new Set("a button figcaption h1 h2 h3 h4 h5 h6 label legend p summary".split(" "));
/** Elements in which filler is looked for too, whatever elements follow. */
const FILLED = new Set([...WATCHED, ..."article blockquote dd div li section span td".split(" ")]);
const FILLER = /lorem ipsum dolor/i;
const SUSPICIOUS =
  /Invalid Date|\byour (?:company|brand|tagline|text)\b|\btext here\b|\[(?:your|company|site) name\]|\bundefined\b|\bNaN\b|\[object |\{\{|\{%|\$\{|<%|%[A-Za-z][\w.]*%|lorem ipsum/i;
const MAX_TEXT_LENGTH = 120;
const MAX_RAW_LENGTH = 500;

/**
 * Texts that may be left over from the page's template: the whole text of elements that hold nothing else, and filler.
 */
export class TemplateTexts {
  readonly #kept = new BoundedList<Html["templateTexts"][number]>(4096, 20);
  #tag = "";
  #line = 0;
  #text = "";

  add(text: string): void {
    if (this.#tag && this.#text.length < MAX_RAW_LENGTH)
      this.#text += text.slice(0, MAX_RAW_LENGTH);
  }

  /** A nested element ends the text of the one around it, except a link or a button in a heading. */
  enter(tag: string, line: number): void {
    if (FILLER.test(this.#text)) this.#keep();
    this.#tag = FILLED.has(tag) ? tag : "";
    this.#line = line;
    this.#text = "";
  }

  leave(tag: string): void {
    const isWhole = tag === this.#tag && WATCHED.has(tag);
    if ((isWhole ? SUSPICIOUS : FILLER).test(this.#text)) this.#keep();
    this.#tag = "";
    this.#text = "";
  }

  #keep(): void {
    const [text, tag, line] = [redactUrlsIn(this.#text, MAX_TEXT_LENGTH), this.#tag, this.#line];
    this.#kept.offer(() => ({ text, tag, line }));
  }

  get kept(): Html["templateTexts"] {
    return this.#kept.items;
  }
}
