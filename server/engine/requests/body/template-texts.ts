import { BoundedList } from "../../evidence/bounded-list.ts";
import type { Html } from "../../evidence/html.ts";
import { findKeyForm } from "../../evidence/translation-key.ts";
import type { Tag } from "./html-tokens.ts";
import { redactUrlsIn } from "../privacy/redact.ts";

/** In a table or list, the page may be explaining the word. */
const WATCHED = new Set("a button figcaption h1 h2 h3 h4 h5 h6 label legend p summary".split(" "));
/** In these elements, filler counts even next to nested elements. */
const FILLED = new Set([...WATCHED, ..."article blockquote dd div li section span td".split(" ")]);
const FILLER = /lorem ipsum dolor/i;
const SUSPICIOUS =
  /Invalid Date|\byour (?:company|brand|tagline|text)\b|\btext here\b|\[(?:your|company|site) name\]|\bundefined\b|\bNaN\b|\[object |\{\{|\{%|\$\{|<%|%[A-Za-z][\w.]*%|lorem ipsum/i;
/** A script replaces the text of such an element by its translation. */
const TRANSLATED =
  /\s(?:data-(?:i18n|l10n|lang|locali[sz]e|translat|key)|translate[\s=>]|v-t[\s=>])/i;
const MAX_TEXT_LENGTH = 120;
const MAX_RAW_LENGTH = 500;

export class TemplateTexts {
  readonly #kept = new BoundedList<Html["templateTexts"][number]>(4096, 20);
  readonly #page: string;
  #tag: Tag | null = null;
  #text = "";

  constructor(page: string) {
    this.#page = page;
  }

  add(text: string): void {
    if (this.#tag && this.#text.length < MAX_RAW_LENGTH)
      this.#text += text.slice(0, MAX_RAW_LENGTH);
  }

  enter(tag: Tag): void {
    if (FILLER.test(this.#text)) this.#keep();
    this.#tag = FILLED.has(tag.name) ? tag : null;
    this.#text = "";
  }

  leave(name: string): void {
    const isWhole = name === this.#tag?.name && WATCHED.has(name);
    if ((isWhole ? SUSPICIOUS : FILLER).test(this.#text) || (isWhole && this.#isKey()))
      this.#keep();
    this.#tag = null;
    this.#text = "";
  }

  #isKey(): boolean {
    if (!this.#tag || findKeyForm(this.#text.trim()) === undefined) return false;
    return !TRANSLATED.test(this.#page.slice(this.#tag.start, this.#tag.end + 1));
  }

  #keep(): void {
    if (!this.#tag) return;
    const { name: tag, line } = this.#tag;
    const text = redactUrlsIn(this.#text, MAX_TEXT_LENGTH);
    this.#kept.offer(() => ({ text, tag, line }));
  }

  get kept(): Html["templateTexts"] {
    return this.#kept.items;
  }
}
