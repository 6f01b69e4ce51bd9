import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** What a cell of a file has. */
export type CellValue = string | number | boolean | null;

/** A column as files have it. */
export interface FileColumn<Row> {
  readonly name: string;
  value(row: Row): CellValue;
}

export const FORMATS = ["csv", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** Before what spreadsheets take for the beginning of a formula, also behind the semicolon that some of them split lines at. */
const FORMULA = /(?:^|(?<=;))(?=[=+\-@\t\r\n])/g;
const SPECIAL = /[",\r\n]/;

function writeCell(value: CellValue): string {
  if (typeof value !== "string") return String(value ?? "");
  const text = value.replace(FORMULA, "'");
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function* writeCsv<Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[]) {
  yield `${columns.map(({ name }) => name).join(",")}\r\n`;
  for (const row of rows) yield `${columns.map((one) => writeCell(one.value(row))).join(",")}\r\n`;
}

function* writeJson<Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[], total: number) {
  yield '{"rows":[';
  for (const [index, row] of rows.entries()) {
    const values = Object.fromEntries(columns.map((one) => [one.name, one.value(row)]));
    yield `${index === 0 ? "" : ","}\n${JSON.stringify(values)}`;
  }
  yield `\n],"total":${total}}\n`;
}

/** Sends rows as a file, piece by piece; `total` says how many there are besides, and `name` is without its ending. */
export function sendFile<Row>(
  reply: FastifyReply,
  format: Format,
  name: string,
  columns: readonly FileColumn<Row>[],
  { rows, total }: { rows: readonly Row[]; total: number },
): FastifyReply {
  const pieces = format === "csv" ? writeCsv(columns, rows) : writeJson(columns, rows, total);
  return reply
    .header("content-disposition", `attachment; filename="shipscore-${name}.${format}"`)
    .type(format === "csv" ? "text/csv; charset=utf-8" : "application/json; charset=utf-8")
    .send(Readable.from(pieces, { objectMode: false }));
}
