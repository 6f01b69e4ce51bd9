import * as z from "zod";

/** The output of the server command: results go to stdout, notes and errors to stderr. */
export interface Output {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** True for a terminal, or if SHIPSCORE_FORCE_TTY is set. */
  readonly isForPeople: boolean;
  readonly columns: number;
}

export type ListedRow = Record<string, unknown>;

type CellOf = (row: ListedRow) => string | number | null | undefined;

/** A table column: its heading (only on a terminal), its cell, and its cell on a terminal if that differs. */
export type Column = readonly [heading: string, cell: CellOf, shown?: CellOf];

const Cell = z.union([z.string(), z.number(), z.null()]);

export const column = (heading: string, key: string): Column => [
  heading,
  (row) => Cell.parse(row[key]),
];

export const dateColumn = (heading: string, key: string, length: "day" | "minute"): Column => [
  heading,
  (row) => Cell.parse(row[key]),
  (row) =>
    (Cell.parse(row[key]) ?? "")
      .toString()
      .slice(0, length === "day" ? 10 : 16)
      .replace("T", " "),
];

export const listColumn = (heading: string, key: string): Column => [
  heading,
  (row) => z.array(z.string()).parse(row[key]).join(", "),
];

const textOf = (value: string | number | null | undefined) =>
  String(value ?? "").replaceAll(/\s+/g, " ");

/** A list is read batch by batch, so that a long one takes no more memory than a short one. */
export type Batches = AsyncIterable<readonly ListedRow[]>;

type Rows = Batches | ListedRow | readonly ListedRow[];

const isBatched = (rows: Rows): rows is Batches => Symbol.asyncIterator in rows;

const batchesOf = (rows: Rows) => (isBatched(rows) ? rows : [[rows].flat()]);

type BatchesOrOne = ReturnType<typeof batchesOf>;

/** Resolves to false once the reader is gone. */
const write = ({ stdout }: Output, text: string) =>
  new Promise<boolean>((resolve) => stdout.write(text, (error) => resolve(!error)));

async function writeEach(output: Output, texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) if (!(await write(output, text))) return;
}

async function printRows(output: Output, rows: Rows, columns: readonly Column[]): Promise<void> {
  const batches = batchesOf(rows);
  await writeEach(
    output,
    output.isForPeople ? align(batches, columns, output.columns) : separate(batches, columns),
  );
}

async function* separate(batches: BatchesOrOne, columns: readonly Column[]) {
  for await (const rows of batches) {
    const lines = rows.map((row) => columns.map(([, cell]) => textOf(cell(row))).join("\t"));
    yield lines.map((line) => `${line}\n`).join("");
  }
}

const GAP = 2;
/** A cut column keeps at least this width. If the columns are still too wide, some are left out. */
const LEAST_WIDTH = 16;

const sumOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + GAP, -GAP);

const cut = (text: string, width: number) =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text;

/** Cuts the widest columns until all fit, but never ids, which are often copied. */
function fitWidths(widths: readonly number[], headings: readonly string[], columns: number) {
  const fitted = [...widths];
  const isCut = (index: number) => headings[index] !== "ID" && (fitted[index] ?? 0) > LEAST_WIDTH;
  while (sumOf(fitted) > columns) {
    const cuttable = [...fitted.keys()].filter(isCut);
    const widest = cuttable.toSorted((one, other) => (fitted[other] ?? 0) - (fitted[one] ?? 0))[0];
    if (widest === undefined) return undefined;
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
}

const shownCells = (rows: readonly ListedRow[], columns: readonly Column[]): string[][] =>
  rows.map((row) => columns.map(([, cell, shown]) => textOf((shown ?? cell)(row))));

/** Leaves out empty columns. If the rest does not fit, also leaves out the columns with the most empty cells. */
function chooseColumns(
  rows: readonly ListedRow[],
  all: readonly Column[],
  width: number,
): readonly Column[] {
  const cells = shownCells(rows, all);
  const filled = (index: number) => cells.filter((row) => row[index] !== "").length;
  const widest = all.map(([heading], index) =>
    Math.max(heading.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const order = [...all.keys()].toSorted(
    (one, other) => filled(one) - filled(other) || other - one,
  );
  const left = new Set<number>();
  const isShown = (_: unknown, index: number) =>
    (filled(index) > 0 || rows.length === 0) && !left.has(index);
  for (;;) {
    const columns = all.filter(isShown);
    const headings = columns.map(([heading]) => heading);
    const next = order.find((index) => !left.has(index) && all[index]?.[0] !== "ID");
    if (fitWidths(widest.filter(isShown), headings, width) || next === undefined) return columns;
    left.add(next);
  }
}

/** Aligns columns to the widest cell read so far, within the terminal's width. */
async function* align(batches: BatchesOrOne, all: readonly Column[], width: number) {
  let columns = all;
  let lines: string[][] | undefined;
  let widths = all.map(() => 0);
  const format = (batch: readonly (readonly string[])[]) => {
    const headings = columns.map(([heading]) => heading);
    widths = columns.map((_, index) =>
      Math.max(widths[index] ?? 0, ...batch.map((line) => line[index]?.length ?? 0)),
    );
    const fitted = fitWidths(widths, headings, width) ?? widths;
    const padded = batch.map((line) =>
      line.map((cell, index) => cut(cell, fitted[index] ?? 0).padEnd(fitted[index] ?? 0)),
    );
    return padded.map((line) => `${line.join(" ".repeat(GAP)).trimEnd()}\n`).join("");
  };
  for await (const rows of batches) {
    const isFirst = lines === undefined;
    if (isFirst) columns = chooseColumns(rows, all, width);
    lines = shownCells(rows, columns);
    yield format(isFirst ? [columns.map(([heading]) => heading), ...lines] : lines);
  }
  if (lines === undefined) yield format([columns.map(([heading]) => heading)]);
}

/** Prints a value as JSON; batches become one array. */
export async function printJson(output: Output, value: unknown): Promise<void> {
  if (value !== null && typeof value === "object" && isBatched(value as Rows))
    await writeEach(output, listAsJson(value as Batches));
  else await write(output, `${JSON.stringify(value, undefined, 2)}\n`);
}

async function* listAsJson(batches: Batches) {
  let before = "[\n";
  for await (const rows of batches) {
    for (const row of rows) {
      yield `${before}  ${JSON.stringify(row, undefined, 2).replaceAll("\n", "\n  ")}`;
      before = ",\n";
    }
  }
  yield before === ",\n" ? "\n]\n" : "[]\n";
}

export interface Printer {
  readonly isForPeople: boolean;
  readonly table: (rows: Rows, columns: readonly Column[]) => Promise<void>;
  readonly line: (text: string) => void;
  /** Prints a next step on stderr. */
  readonly note: (text: string) => void;
}

export function createPrinter(output: Output): Printer {
  const { stdout, stderr, isForPeople } = output;
  let tables = 0;
  return {
    isForPeople,
    table(rows, columns) {
      if (tables++ > 0 && isForPeople) stdout.write("\n");
      return printRows(output, rows, columns);
    },
    line: (text) => void stdout.write(`${text}\n`),
    note: (text) => void (text === "" || stderr.write(`${text}\n`)),
  };
}

export const printTable =
  (columns: readonly Column[]) =>
  (result: Rows, { table }: Printer) =>
    table(result, columns);

export const printFields =
  (names: string | readonly string[], noteOf = (_result: ListedRow) => "") =>
  (result: ListedRow, { line, note }: Printer) => {
    const values = [names].flat().flatMap((name) => (result[name] as string | null) ?? []);
    if (values.length > 0) line(values.join("\t"));
    note(noteOf(result));
  };
