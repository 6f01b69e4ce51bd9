import { Finder } from "./finder.ts";
import { maskText } from "./mask.ts";
import { readPlainly } from "./plain-text.ts";

/** The most of a secret that may remain at the end of a text that was cut. */
const MAX_REST_LENGTH = 8;
/** URLs in the evidence are cut at this length, without an ellipsis. */
const CUT_LENGTH = 1024;

/** Fields with the probe's own words, or with names by which rules find what they read. */
const OWN_WORDS = new Set(
  (
    "phase reason refusal state kind place outcome method of host notBefore notAfter checkedAt sans address addresses " +
    "name agent code protocol cipher type keyType curve signatureAlgorithm sha256 signature challenge emptyRootId"
  ).split(" "),
);

/**
 * The evidence with each of these values masked, however it is escaped; itself if it holds none.
 * @param values as `readPlainly` gives them
 */
export function hideIn<T>(evidence: T, values: readonly string[]): T {
  return values.length === 0 ? evidence : hideWith(new Finder(values), evidence);
}

/** `hideIn` with a finder of the values, which then tells those that it has seen. */
export function hideWith<T>(finder: Finder, value: T): T {
  if (typeof value === "string") return hideInText(value, finder) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return mapOrKeep(value, (one) => hideWith(finder, one)) as T;
  const changed = Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    const hidden = OWN_WORDS.has(key) ? each : hideField(finder, key, each);
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
function hideField(finder: Finder, key: string, value: unknown): unknown {
  if (Array.isArray(value) && key === "headers")
    return mapOrKeep(value as [string, string][], (header): [string, string] => {
      const text = hideInText(header[1], finder);
      return text === header[1] ? header : [header[0], text];
    });
  if (Array.isArray(value) && key === "drawnCookies")
    return mapOrKeep(value as { name: string }[], (cookie) => {
      const name = hideInText(cookie.name, finder);
      return name === cookie.name ? cookie : { ...cookie, name };
    });
  return hideWith(finder, value);
}

/** Never touches a host; at the end of a cut text, the beginning of a secret counts as one too. */
function hideInText(text: string, finder: Finder): string {
  const isMarked = text.endsWith("…");
  const written = isMarked ? text.slice(0, -1) : text;
  const { text: read, starts } = readPlainly(written);
  const { spans, rest } = finder.find(read);
  const isCut = (isMarked || text.length >= CUT_LENGTH) && rest > MAX_REST_LENGTH;
  const start = Math.max(read.length - rest, spans.at(-1)?.[1] ?? 0);
  const hidden = isCut ? [...spans, [start, read.length] as const] : spans;
  if (hidden.length === 0) return text;
  const at = (index: number): number => starts?.[index] ?? index;
  const where = hidden.map(([from, to]) => [at(from), at(to)] as const);
  return maskText(written, where) + (isMarked ? "…" : "");
}
