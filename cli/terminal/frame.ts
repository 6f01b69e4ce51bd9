import stringWidth from "string-width";

/** What is drawn on a terminal, and the number of rows that it takes. */
export interface Frame {
  readonly text: string;
  readonly rows: number;
}

/** The lines that fit a terminal of this size, with a row to spare. The last line stays; those left out are counted. */
export function fitFrame(text: string, size: { rows: number; columns: number }): Frame {
  const lines = text.trimEnd().split("\n");
  const rowsOf = (line: string) => Math.max(1, Math.ceil(stringWidth(line) / size.columns));
  const last = lines.pop() ?? "";
  const room = size.rows - 2 - rowsOf(last);
  const kept: string[] = [];
  let rows = 0;
  for (const line of lines) {
    if (rows + rowsOf(line) > room) break;
    rows += rowsOf(line);
    kept.push(line);
  }
  const left = lines.length - kept.length;
  const shown = [...kept, ...(left > 0 ? [`... and ${left} more lines`] : []), last];
  return {
    text: `${shown.join("\n")}\n`,
    rows: rows + (left > 0 ? 1 : 0) + rowsOf(last),
  };
}
