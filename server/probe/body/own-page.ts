const MAX_LENGTH = 262_144;
/** Of the visible text. */
export const MAX_SHOWN = 20_000;

/**
 * The first 256 K characters of a page in two parts, each the rest blanked so that positions are the page's:
 * what it writes as markup and text of its own, and the code of its inline scripts. Comments, templates, data and what
 * a text box holds are in neither: a page may quote anything there.
 */
export interface OwnPage {
  markup: string;
  /** Lines of code begin as they do in the page; what is blanked is empty lines. */
  code: string;
  /** Its visible text, line by line, from its beginning. */
  shown: string;
  /** Characters of all of its visible text, white space folded. */
  textLength: number;
}

/** What is no HTML is text, and all of it its own. */
export function plainPage(text: string): OwnPage {
  return {
    markup: text.slice(0, MAX_LENGTH),
    code: "",
    shown: text.slice(0, MAX_SHOWN),
    textLength: text.length,
  };
}

/** Takes the parts of a page that are not its own markup, in the order of the page. */
export class OwnMarkup {
  readonly #page: string;
  readonly #markup: string[] = [];
  readonly #code: string[] = [];
  #markupEnd = 0;
  #codeEnd = 0;

  constructor(page: string) {
    this.#page = page.slice(0, MAX_LENGTH);
  }

  hide(start: number, end: number): void {
    const to = Math.min(end, this.#page.length);
    const from = Math.max(start, this.#markupEnd);
    if (from >= to) return;
    this.#markup.push(this.#page.slice(this.#markupEnd, from), " ".repeat(to - from));
    this.#markupEnd = to;
  }

  hideCode(start: number, end: number): void {
    this.hide(start, end);
    const to = Math.min(end, this.#page.length);
    if (start >= to) return;
    this.#code.push("\n".repeat(start - this.#codeEnd), this.#page.slice(start, to));
    this.#codeEnd = to;
  }

  getParts(): Pick<OwnPage, "markup" | "code"> {
    const rest = this.#page.slice(this.#markupEnd);
    return { markup: this.#markup.join("") + rest, code: this.#code.join("") };
  }
}
