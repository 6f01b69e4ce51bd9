function escapeUnits(text: string): string {
  return text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const UNPRINTABLE = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|##(?=\w*\[)/g;

/**
 * A JSON value, indented by two spaces. DEL, the C1 and bidirectional controls, separators of lines, and `##[` or
 * `##vso[` (commands to some CI systems) are escaped: the same value to a parser, and safe to print.
 */
export function formatJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return `${json.replace(UNPRINTABLE, escapeUnits)}\n`;
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_DEPTH = 32;

const isContainer = (value: unknown): value is object =>
  typeof value === "object" && value !== null;

/** False for a value nested more deeply than any of this API, which could take all of the stack to show. */
export function isShallow(value: unknown, depth = 0): boolean {
  if (!isContainer(value)) return true;
  return depth < MAX_DEPTH && Object.values(value).every((one) => isShallow(one, depth + 1));
}
