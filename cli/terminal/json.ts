function escapeUnits(text: string): string {
  return text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * A JSON value, indented by two spaces. DEL, the C1 controls and `##[` or `##vso[` (commands to some
 * CI systems) are escaped: the same value to a parser, and safe to print.
 */
export function formatJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return `${json.replace(/[\x7f-\x9f]|##(?=\w*\[)/g, escapeUnits)}\n`;
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
