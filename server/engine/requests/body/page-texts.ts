const MAX_LENGTH = 262_144;
export const MAX_SHOWN = 20_000;

/**
 * `markup` and `code` keep the page's own offsets: the rest is blanked. Comments, templates, data and text boxes are in
 * neither, because a page may quote anything there.
 */
export interface PageTexts {
  markup: string;
  /** Line breaks replace everything between scripts, so that each script starts a line. */
  code: string;
  shown: string;
  textLength: number;
}

export function plainPage(text: string): PageTexts {
  return {
    markup: text.slice(0, MAX_LENGTH),
    code: "",
    shown: text.slice(0, MAX_SHOWN),
    textLength: text.length,
  };
}

/** Parts must be hidden in page order. */
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

export function findBanner({ markup, textLength }: PageTexts): string | null {
  return textLength > MAX_TEXT ? null : (BANNER.exec(markup)?.[1]?.replace(/\s+/g, " ") ?? null);
}
