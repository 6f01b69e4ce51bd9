// Thousands of texts pass here, and this looks at each far quicker.
const PRINTABLE_ASCII = /^[ -~]*$/;
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** The text on one line, without control or bidirectional characters: no escape sequence, tab or line of its own. */
export function cleanText(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : text.replace(UNPRINTABLE, " ");
}

/** A copy of a JSON value whose texts are clean. */
export function cleanValue<T>(value: T): T;
export function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map((item: unknown) => cleanValue(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanValue(item)]));
}
