/** Parts of a page, in page order; those that touch are one. */
export class TextRegions {
  readonly #page: string;
  /** Where each starts and ends, in turn. */
  readonly #offsets: number[] = [];

  constructor(page: string) {
    this.#page = page;
  }

  add(start: number, end: number): void {
    if (this.#offsets.at(-1) === start) this.#offsets[this.#offsets.length - 1] = end;
    else if (end > start) this.#offsets.push(start, end);
  }

  /** All of them, as the source has them. */
  get text(): string {
    let text = "";
    for (let at = 0; at < this.#offsets.length; at += 2)
      text += this.#page.slice(this.#offsets[at], this.#offsets[at + 1]);
    return text;
  }
}
