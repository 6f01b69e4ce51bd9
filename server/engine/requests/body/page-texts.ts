const MAX_LENGTH = 262_144;
export const MAX_SHOWN = 20_000;

/**
 * The first 256 Ki characters of a page as two texts: its markup and text, and the code of its inline scripts. In
 * each, the rest is blanked so that offsets stay the page's own. Comments, templates, data and text boxes are in
 * neither, because a page may quote anything there.
 */
export interface PageTexts {
  markup: string;
  /** Lines start at the same offsets as in the page; blanked parts are empty lines. */
  code: string;
  /** The beginning of its visible text, line by line. */
  shown: string;
  /** Length of all its visible text, white space folded. */
  textLength: number;
}

/** A body that is not HTML counts as visible text. */
export function plainPage(text: string): PageTexts {
  return {
    markup: text.slice(0, MAX_LENGTH),
    code: "",
    shown: text.slice(0, MAX_SHOWN),
    textLength: text.length,
  };
}

/** Collects a page's own markup and code. Parts must be hidden in page order. */
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

  getParts(): Pick<PageTexts, "markup" | "code"> {
    const rest = this.#page.slice(this.#markupEnd);
    return { markup: this.#markup.join("") + rest, code: this.#code.join("") };
  }
}

/** A server's own error page has little other text; a page about servers has more. */
const MAX_TEXT = 1000;
const BANNER =
  /<(?:center|address|h3|small|i|a [^<>]{0,200})>\s{0,10}(?:Powered by )?((?:nginx|openresty|tengine|angie|freenginx|Apache(?: Tomcat)?|JBoss ?Web|GlassFish Server[a-z ]{0,30}|Payara Server|Jetty:|CherryPy|WEBrick|Resin|mini_httpd|thttpd)[ /]{1,3}\d[\w.+-]{0,30})/i;

/** The product and version in the server's own error page, such as `nginx/1.24.0`; null for any other page. */
export function findBanner({ markup, textLength }: PageTexts): string | null {
  return textLength > MAX_TEXT ? null : (BANNER.exec(markup)?.[1]?.replace(/\s+/g, " ") ?? null);
}
