const NEWLINE = 10;

/** Tells the 1-based lines of offsets into a text that are asked for in their order. */
export class LineCounter {
  readonly #text: string;
  #line = 1;
  #counted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  lineAt(offset: number): number {
    for (; this.#counted < offset; this.#counted++)
      if (this.#text.charCodeAt(this.#counted) === NEWLINE) this.#line += 1;
    return this.#line;
  }
}
