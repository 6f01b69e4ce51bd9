/** `essence` is a type such as `text/html`. Both fields are in lower case. */
export interface MediaType {
  readonly essence: string;
  readonly charset: string | null;
}

export const HTML_TYPE = "text/html";
export const XHTML_TYPE = "application/xhtml+xml";
export const HTML_TYPES: readonly string[] = [HTML_TYPE, XHTML_TYPE];

/** The JavaScript MIME types (MIME Sniffing, 4.6). */
export const JAVASCRIPT =
  /^(?:(?:application|text)\/(?:x-)?(?:java|ecma)script|text\/(?:javascript1\.[0-5]|jscript|livescript))$/;

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const QUOTABLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const WHITE_SPACE = "\t\n\r ";

/** Reads each character once. */
class Scanner {
  position = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  isOver(): boolean {
    return this.position >= this.#text.length;
  }

  peek(): string {
    return this.#text[this.position] ?? "";
  }

  readUntil(ends: string): string {
    const start = this.position;
    while (!this.isOver() && !ends.includes(this.peek())) this.position += 1;
    return this.#text.slice(start, this.position);
  }

  skipWhiteSpace(): void {
    while (!this.isOver() && WHITE_SPACE.includes(this.peek())) this.position += 1;
  }

  /** See Fetch, 2.2. The closing quote may be missing. */
  readQuoted(): { raw: string; value: string } {
    const start = this.position;
    let value = "";
    this.position += 1;
    while (!this.isOver() && this.peek() !== '"') {
      value += this.readUntil('"\\');
      if (this.peek() !== "\\") continue;
      this.position += 1;
      value += this.isOver() ? "\\" : this.peek();
      this.position += 1;
    }
    this.position += 1;
    return { raw: this.#text.slice(start, this.position), value };
  }
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && WHITE_SPACE.includes(text[end - 1] ?? "")) end -= 1;
  return text.slice(0, end);
}

/** Splits at the commas outside quoted strings (Fetch, 2.2.2). */
function splitList(list: string): string[] {
  const members = [""];
  const scanner = new Scanner(list);
  while (!scanner.isOver()) {
    const member = members.length - 1;
    if (scanner.peek() === '"') members[member] += scanner.readQuoted().raw;
    else members[member] += scanner.readUntil('",');
    if (scanner.peek() !== ",") continue;
    scanner.position += 1;
    members.push("");
  }
  return members;
}

function readParameters(scanner: Scanner): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  while (!scanner.isOver()) {
    scanner.position += 1;
    scanner.skipWhiteSpace();
    const name = scanner.readUntil(";=").toLowerCase();
    if (scanner.peek() !== "=") continue;
    scanner.position += 1;
    const isQuoted = scanner.peek() === '"';
    const value = isQuoted ? scanner.readQuoted().value : trimEnd(scanner.readUntil(";"));
    if (isQuoted) scanner.readUntil(";");
    const isValid = TOKEN.test(name) && QUOTABLE.test(value) && (isQuoted || value !== "");
    if (isValid && !parameters.has(name)) parameters.set(name, value);
  }
  return parameters;
}

/** See MIME Sniffing, 4.4. */
function parseMediaType(text: string): MediaType | null {
  const scanner = new Scanner(trimEnd(text));
  scanner.skipWhiteSpace();
  const type = scanner.readUntil("/");
  if (!TOKEN.test(type) || scanner.isOver()) return null;
  scanner.position += 1;
  const subtype = trimEnd(scanner.readUntil(";"));
  if (!TOKEN.test(subtype)) return null;
  const charset = readParameters(scanner).get("charset")?.toLowerCase() ?? null;
  return { essence: `${type}/${subtype}`.toLowerCase(), charset };
}

/**
 * Extracts a MIME type (Fetch, 2.2.2). whatwg-mimetype does not extract, and its trimming is quadratic in white space. `contentType` has
 * the values of all Content-Type headers, joined by commas.
 */
export function extractMediaType(contentType: string): MediaType | null {
  let found: MediaType | null = null;
  for (const member of splitList(contentType)) {
    const read = parseMediaType(member);
    if (read !== null && read.essence !== "*/*") found = inheritCharset(read, found);
  }
  return found;
}

/** A repeated type keeps the charset of its first occurrence. */
function inheritCharset(read: MediaType, earlier: MediaType | null): MediaType {
  const charset = read.essence === earlier?.essence ? earlier.charset : null;
  return { ...read, charset: read.charset ?? charset };
}
