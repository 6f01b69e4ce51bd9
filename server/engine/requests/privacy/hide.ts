import { createSearch, readPlainly } from "./plain-text.ts";

/** The most of a secret that may remain at the end of a text that was cut. */
const MAX_REST_LENGTH = 8;
/** URLs in the evidence are cut at this length, without an ellipsis. */
const CUT_LENGTH = 1024;
/** Without user information, which is no part of it. */
const ORIGIN = /[a-z]:\/\/(?![^/?#\s"'<>;,@]*@)[^/?#\s"'<>;,]*/gi;

/** Fields with the probe's own words, or with names by which rules find what they read. */
const OWN_WORDS = new Set(
  (
    "phase reason refusal state kind hostClass outcome method of host notBefore notAfter checkedAt sans address addresses " +
    "name agent code protocol cipher type keyType curve signatureAlgorithm sha256 signature challenge emptyRootId"
  ).split(" "),
);

type Mask = (text: string) => string;

/**
 * The evidence with each of these values masked, however it is escaped; itself if it holds none.
 * @param values as `readPlainly` gives them
 */
export function hideIn<T>(evidence: T, values: readonly string[]): T {
  return values.length === 0 ? evidence : hideWith(evidence, createMask(values));
}

function hideWith<T>(value: T, mask: Mask): T {
  if (typeof value === "string") return mask(value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return mapOrKeep(value, (one) => hideWith(one, mask)) as T;
  const changed = Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    const hidden = OWN_WORDS.has(key) ? each : hideField(key, each, mask);
    return hidden === each ? [] : [[key, hidden] as const];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}

/** The same list if nothing changes. */
function mapOrKeep<T>(list: T[], change: (one: T) => T): T[] {
  const changed = list.map(change);
  return changed.every((one, index) => one === list[index]) ? list : changed;
}

/** Rules find headers by their names. A cookie's name is masked as in its header, so that they can match the two. */
function hideField(key: string, value: unknown, mask: Mask): unknown {
  if (Array.isArray(value) && key === "headers")
    return mapOrKeep(value as [string, string][], (header): [string, string] => {
      const text = mask(header[1]);
      return text === header[1] ? header : [header[0], text];
    });
  if (Array.isArray(value) && key === "drawnCookies")
    return mapOrKeep(value as { name: string }[], (cookie) => {
      const name = mask(cookie.name);
      return name === cookie.name ? cookie : { ...cookie, name };
    });
  return hideWith(value, mask);
}

/** At the end of a text that was cut, the beginning of a value counts as one too. */
function createMask(values: readonly string[]): Mask {
  const search = createSearch(values);
  return (text) => {
    const isMarked = text.endsWith("…");
    const written = isMarked ? text.slice(0, -1) : text;
    const { text: read, starts } = readPlainly(written);
    const spans = search(read).map(([start, value]) => [start, start + value.length] as const);
    if (isMarked || text.length >= CUT_LENGTH) {
      const rest = Math.max(...values.map((value) => measureBeginning(read, value)));
      if (rest > 0) spans.push([read.length - rest, read.length]);
    }
    if (spans.length === 0) return text;
    const at = (index: number): number => starts?.[index] ?? index;
    const where = spans.map(([from, to]) => [at(from), at(to)] as const);
    return maskText(written, where) + (isMarked ? "…" : "");
  };
}

/** How many characters at the end of the text begin the value; 0 for few. */
function measureBeginning(text: string, value: string): number {
  for (let length = Math.min(value.length, text.length); length > MAX_REST_LENGTH; length--)
    if (text.endsWith(value.slice(0, length))) return length;
  return 0;
}

/**
 * The text with each letter of the spans replaced by `x` and each digit by `0`, except in an origin. Length and grammar stay,
 * which is all that a rule reads in a value whose words mean nothing.
 */
function maskText(text: string, spans: readonly (readonly [start: number, end: number])[]): string {
  let position = 0;
  let masked = "";
  for (const [start, end] of spans) {
    if (end <= position) continue;
    masked += text.slice(position, Math.max(position, start));
    masked += text
      .slice(Math.max(position, start), end)
      .replace(/\p{L}/gu, (letter) => "x".repeat(letter.length))
      .replace(/\p{N}/gu, (digit) => "0".repeat(digit.length));
    position = end;
  }
  masked += text.slice(position);
  return masked.replace(ORIGIN, (origin, at: number) => text.slice(at, at + origin.length));
}
