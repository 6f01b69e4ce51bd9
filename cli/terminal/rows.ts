import { cleanText } from "./clean.ts";

/** Tab-separated fields; null is empty. Columns are only ever added at the end. */
export type Row = readonly (string | number | null)[];

function formatField(field: Row[number]): string {
  return field === null ? "" : cleanText(String(field));
}

/** A line a row, whatever the texts hold. */
export function formatRows(rows: readonly Row[]): string {
  return rows.map((row) => `${row.map(formatField).join("\t")}\n`).join("");
}
