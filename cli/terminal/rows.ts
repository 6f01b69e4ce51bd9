import { cleanText } from "./clean.ts";

/** Null is an empty field. */
export type Cell = string | number | null;
export type Row = readonly Cell[];

function formatCell(cell: Cell): string {
  return cell === null ? "" : cleanText(String(cell));
}

/** One line a row, whatever the texts hold: fields separated by tabs. */
export function formatRows(rows: readonly Row[]): string {
  return rows.map((row) => `${row.map(formatCell).join("\t")}\n`).join("");
}
