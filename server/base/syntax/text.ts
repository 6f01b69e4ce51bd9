const UNSAFE_RUN = /[\s\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu;

/** A fast test that most texts pass: they have only printable Latin characters and single spaces. */
const UNUSUAL = /[^ -~¡-ÿ]|^ | $| {2}/;

/** Strips control and bidirectional characters, and folds white space. */
export function oneLine(text: string, maxLength: number): string {
  const line = UNUSUAL.test(text) ? foldUnsafe(text, maxLength) : text;
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(/\p{Cs}$/u, "")}…`;
}

/** Stops as soon as the result exceeds `maxLength`, because texts of strangers can be long. */
function foldUnsafe(text: string, maxLength: number): string {
  let line = "";
  let read = 0;
  for (const { 0: run, index } of text.matchAll(UNSAFE_RUN)) {
    line += text.slice(read, index) + (/\s/.test(run) ? " " : "");
    read = index + run.length;
    // Allows for one space at each end, which `trim` removes.
    if (line.length > maxLength + 2) return line.trim();
  }
  return (line + text.slice(read)).trim();
}

export function oneLineEach<T>(value: T, maxLength: number): T;
export function oneLineEach(value: unknown, maxLength: number): unknown {
  if (typeof value === "string") return oneLine(value, maxLength);
  if (Array.isArray(value)) return value.map((item: unknown) => oneLineEach(item, maxLength));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, oneLineEach(item, maxLength)]),
  );
}

const MAX_NAME_LENGTH = 60;
const MAX_LENGTH = 300;

/** A stranger's text must not hide anything in these invisible characters. */
const UNSEEN = /[\p{Cf}\p{DI}]+/gu;
/** These characters could form a link to another site, imitate a link, or close the quotation marks around a name. */
const UNSAFE_IN_NAME = /[^\p{L}\p{M}\p{N} '’&()-]+/gu;
const QUOTES = /["\u201C-\u201F\u00AB\u00BB]/g;
/** Matches the signs at which a link, an address or a mention starts or continues, including all forms of the dot. */
const JOINT = /[.。．｡:@](?=\S)/g;
/** This invisible character after a joint keeps programs from making a link. */
const BREAK = "\u200B";

/** Returns the name for use between quotation marks. The result is empty if no part of the name can be shown. */
export const plainName = (name: string): string =>
  oneLine(name.replace(UNSEEN, "").replace(UNSAFE_IN_NAME, " "), MAX_NAME_LENGTH);

/** Mail programs and chats must find no link, mention or closing quotation mark in the text. */
export const defuse = (text: string): string =>
  oneLine(text.replace(UNSEEN, ""), MAX_LENGTH)
    .replace(QUOTES, "'")
    .replace(JOINT, (sign) => `${sign}${BREAK}`);

const NEWLINE = 10;

/** Lines are 1-based. Query the offsets in ascending order. */
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

const PLAIN = /^[\w:/.,@%+=-]+$/;

export function quoteForShell(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
