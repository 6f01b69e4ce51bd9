import { BoundedList } from "./bounded-list.ts";
import type { Html } from "./evidence.ts";
import { redactUrlsIn } from "./redact.ts";

/** Elements whose whole text is looked at; a word of a table or a list may well be what a page explains. */
const WATCHED = new Set("a button figcaption h1 h2 h3 h4 h5 h6 label legend p summary".split(" "));
const SUSPICIOUS = /\bundefined\b|\bNaN\b|\[object |\{\{|\{%|\$\{|<%|%[A-Za-z][\w.]*%|lorem ipsum/i;
const MAX_TEXT_LENGTH = 120;
const MAX_RAW_LENGTH = 500;

/** The short texts of a page that may be its template's: whole texts of elements that hold nothing else. */
export class TemplateTexts {
  readonly #kept = new BoundedList<NonNullable<Html["templateTexts"]>[number]>(4096, 20);
  #tag = "";
  #line = 0;
  #text = "";

  add(text: string): void {
    if (this.#tag && this.#text.length < MAX_RAW_LENGTH)
      this.#text += text.slice(0, MAX_RAW_LENGTH);
  }

  /** An element within ends what can be told of the one around it, unless that is a link or a button in a heading. */
  enter(tag: string, line: number): void {
    this.#tag = WATCHED.has(tag) ? tag : "";
    this.#line = line;
    this.#text = "";
  }

  leave(tag: string): void {
    if (tag === this.#tag && SUSPICIOUS.test(this.#text)) {
      const text = redactUrlsIn(this.#text, MAX_TEXT_LENGTH);
      this.#kept.offer(() => ({ text, tag, line: this.#line }));
    }
    this.#tag = "";
  }

  get kept(): NonNullable<Html["templateTexts"]> {
    return this.#kept.items;
  }
}
