// Thousands of texts pass here, and this looks at each far quicker.
const PLAIN = /^(?!.*(?:::|#\w*\[))[ -~]*$/;
/** Where a command to a CI system begins: `::error` of GitHub's, `##[` and `##vso[` of others. */
const COMMAND = /(?<=^|\s)(?=::)|(?<=#)(?=#\w*\[)/gu;

const WORD_JOINER = "\u2060";

/**
 * Characters that a line or an XML document may not hold, and lone surrogates: \p{Cc}, \p{Cs}, \p{Zl}, \p{Zp} and
 * \p{Bidi_Control}, by whose names V8 takes far longer to find them.
 */
const UNPRINTABLE =
  /[\0-\x1F\x7F-\x9F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uD800-\uDFFF\uFFFE\uFFFF]+/gu;

/**
 * The text on one line, without control or bidirectional characters: no escape sequence, tab or line break.
 * Commands to CI systems are broken by a character without width.
 */
export function cleanText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNPRINTABLE, " ").replace(COMMAND, WORD_JOINER);
}

/** A copy of a JSON value whose texts are clean. */
export function cleanValue<T>(value: T): T;
export function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map((item: unknown) => cleanValue(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanValue(item)]));
}
