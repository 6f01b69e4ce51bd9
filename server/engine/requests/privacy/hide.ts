import { Slice } from "../../net/slice.ts";
import { createSearch, readPlainly } from "./plain-text.ts";

/** The most characters of a secret that may remain where a text was cut. */
const MAX_REST_LENGTH = 8;
/** URLs in the evidence are cut at this length, without an ellipsis. */
const CUT_LENGTH = 1024;
/** The end of a text that was cut, perhaps within an escape. */
const CUT = /(?:%[\da-f]?)?…/g;
const HEX = /^[a-f]*\d[\da-f]*$/i;
/** Without user information, which is not part of an origin. */
const ORIGIN = /[a-z]:\/\/(?![^/?#\s"'<>;,@]*@)[^/?#\s"'<>;,]*/gi;

/** Fields that contain words of this program, or names by which rules find what they read. */
const UNMASKED_FIELDS = new Set(
  (
    "phase reason refusal state kind hostClass outcome method of host notBefore notAfter checkedAt sans address addresses " +
    "name agent code protocol cipher type keyType curve signatureAlgorithm sha256 signature challenge emptyRootId oddities"
  ).split(" "),
);

type Mask = (text: string) => string;
type Span = readonly [start: number, end: number];

/**
 * Masks the values however they are escaped. Returns the same object if it contains none.
 * @param values as `readPlainly` returns them
 */
export async function hideIn<T>(evidence: T, values: readonly string[]): Promise<T> {
  if (values.length === 0) return evidence;
  const slice = new Slice();
  const mask = createMask(values);
  const masked = new Map<string, string>();
  hideWith(evidence, (text) => {
    masked.set(text, text);
    return text;
  });
  for (const text of masked.keys()) {
    if (slice.isOver) await slice.end();
    masked.set(text, mask(text));
  }
  return hideWith(evidence, (text) => masked.get(text) ?? text);
}

function hideWith<T>(value: T, mask: Mask): T {
  if (typeof value === "string") return mask(value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return mapOrKeep(value, (one) => hideWith(one, mask)) as T;
  const changed = Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    const hidden = UNMASKED_FIELDS.has(key) ? each : hideField(key, each, mask);
    return hidden === each ? [] : [[key, hidden] as const];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}

function mapOrKeep<T>(list: T[], change: (one: T) => T): T[] {
  const changed = list.map(change);
  return changed.every((one, index) => one === list[index]) ? list : changed;
}

/** Rules find headers by their names. A cookie's name is masked as in its header, so that rules can match the two. */
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

/** Where a text was cut, the beginning of a value counts as a value too. */
function createMask(values: readonly string[]): Mask {
  const search = createSearch(values);
  const beginnings = new Set(values.flatMap(listBeginnings));
  const longest = Math.max(...values.map(({ length }) => length));

  /** Starts from the previous cut, so that each character is read once. */
  function* findBeginnings(text: string): Generator<Span> {
    let from = 0;
    for (const { 0: mark, index: end } of text.matchAll(CUT)) {
      for (let start = Math.max(from, end - longest); end - start > MAX_REST_LENGTH; start++) {
        const isBegun = beginnings.has(text.slice(start, start + MAX_REST_LENGTH + 1));
        if (!isBegun || !beginnings.has(text.slice(start, end))) continue;
        yield [start, end + mark.length - 1];
        break;
      }
      from = end + mark.length;
    }
  }

  return (text) => {
    const { text: read, starts } = readPlainly(text);
    const spans = [
      ...search(read).map(([start, value]): Span => [start, start + value.length]),
      ...findBeginnings(text.length < CUT_LENGTH ? read : `${read}…`),
    ];
    if (spans.length === 0) return text;
    const at = (index: number): number => starts?.[index] ?? index;
    const where = spans.map(([from, to]): Span => [at(from), at(to)]);
    return maskText(
      text,
      where.toSorted(([one], [other]) => one - other),
    );
  };
}

function listBeginnings(value: string): string[] {
  const count = Math.max(0, value.length - MAX_REST_LENGTH);
  return Array.from({ length: count }, (_, index) => value.slice(0, MAX_REST_LENGTH + 1 + index));
}

/** Masks the letters and digits of the spans, except in an origin. */
function maskText(text: string, spans: readonly Span[]): string {
  let position = 0;
  let masked = "";
  for (const [start, end] of spans) {
    if (end <= position) continue;
    masked += text.slice(position, Math.max(position, start));
    masked += maskValue(text.slice(Math.max(position, start), end));
    position = end;
  }
  masked += text.slice(position);
  return masked.replace(ORIGIN, (origin, at: number) => text.slice(at, at + origin.length));
}

/**
 * Keeps the length and the syntax, and a hexadecimal number stays hexadecimal. Rules read nothing else in a secret value.
 */
function maskValue(value: string): string {
  const letter = HEX.test(value) ? "a" : "x";
  return value
    .replace(/\p{Lu}/gu, (capital) => letter.toUpperCase().repeat(capital.length))
    .replace(/[^\P{L}\p{Lu}]/gu, (small) => letter.repeat(small.length))
    .replace(/\p{N}/gu, (digit) => "0".repeat(digit.length));
}
