const MAX_LENGTH = 262_144;
/** Limit of the visible text. */
export const MAX_SHOWN = 20_000;

/**
 * The first 256 K characters of a page as two texts, each with the rest blanked so that offsets are the page's own:
 * its markup and text, and the code of its inline scripts. Comments, templates, data and text boxes are in neither,
 * since a page may quote anything there.
 */
export interface OwnPage {
  markup: string;
  /** Line starts stay where they are in the page; blanked parts are empty lines. */
  code: string;
  /** The beginning of its visible text, line by line. */
  shown: string;
  /** Length of all its visible text, white space folded. */
  textLength: number;
}

/** A body that is not HTML is all text of its own. */
export function plainPage(text: string): OwnPage {
  return {
    markup: text.slice(0, MAX_LENGTH),
    code: "",
    shown: text.slice(0, MAX_SHOWN),
    textLength: text.length,
  };
}

/** Adds the parts of a page that are not its own markup, in page order. */
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
