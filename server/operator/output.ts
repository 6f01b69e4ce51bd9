/** Where the server command writes: results to stdout, notes and errors to stderr. */
export interface Output {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** True for a terminal, or if SHIPSCORE_FORCE_TTY is set. */
  readonly isForPeople: boolean;
  /** How wide a table may be. */
  readonly columns: number;
}

type CellOf<ListedRow> = (row: ListedRow) => string | number | null | undefined;

/** A column of a list: its heading (on a terminal only), its cell, and the cell on a terminal if that differs. */
export type Column<ListedRow> = readonly [
  heading: string,
  cell: CellOf<ListedRow>,
  shown?: CellOf<ListedRow>,
];

const textOf = (value: string | number | null | undefined) =>
  String(value ?? "").replaceAll(/\s+/g, " ");

/** The rows of a list, batch by batch, so that a long list takes no more memory than a short one. */
export type Batches<ListedRow> =
  | AsyncIterable<readonly ListedRow[]>
  | Iterable<readonly ListedRow[]>;

/** Resolves to false once the reader has gone. */
const write = ({ stdout }: Output, text: string) =>
  new Promise<boolean>((resolve) => stdout.write(text, (error) => resolve(!error)));

async function writeEach(output: Output, texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) if (!(await write(output, text))) return;
}

/** Prints aligned columns with headings that fit a terminal, and tab-separated values without headings elsewhere. */
export async function printList<ListedRow>(
  output: Output,
  batches: Batches<ListedRow>,
  columns: readonly Column<ListedRow>[],
): Promise<void> {
  await writeEach(
    output,
    output.isForPeople ? align(batches, columns, output.columns) : separate(batches, columns),
  );
}

async function* separate<ListedRow>(
  batches: Batches<ListedRow>,
  columns: readonly Column<ListedRow>[],
) {
  for await (const rows of batches) {
    const lines = rows.map((row) => columns.map(([, cell]) => textOf(cell(row))).join("\t"));
    yield lines.map((line) => `${line}\n`).join("");
  }
}

const GAP = 2;
/** What is cut is at least this wide; where that is too much, columns are left out. */
const LEAST_WIDTH = 16;

const sumOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + GAP, -GAP);

const cut = (text: string, width: number) =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text;

/** Widths that fit: the widest are cut, but no ids, which somebody may copy. */
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

const shownCells = <ListedRow>(
  rows: readonly ListedRow[],
  columns: readonly Column<ListedRow>[],
): string[][] => rows.map((row) => columns.map(([, cell, shown]) => textOf((shown ?? cell)(row))));

/**
 * The columns that a terminal shows, by the first rows of a list: none that is empty, and where they do not fit, not those
 * that are empty the most.
 */
function chooseColumns<ListedRow>(
  rows: readonly ListedRow[],
  all: readonly Column<ListedRow>[],
  width: number,
): readonly Column<ListedRow>[] {
  const cells = shownCells(rows, all);
  const filled = (index: number) => cells.filter((row) => row[index] !== "").length;
  const isFilled = (_: unknown, index: number) => filled(index) > 0 || rows.length === 0;
  const order = [...all.keys()].toSorted(
    (one, other) => filled(one) - filled(other) || other - one,
  );
  const left = new Set<number>();
  for (;;) {
    const columns = all.filter((column, index) => isFilled(column, index) && !left.has(index));
    const widths = columns.map(([heading], index) =>
      Math.max(heading.length, ...shownCells(rows, columns).map((row) => row[index]?.length ?? 0)),
    );
    const headings = columns.map(([heading]) => heading);
    const next = order.find((index) => !left.has(index) && all[index]?.[0] !== "ID");
    if (fitWidths(widths, headings, width) || next === undefined) return columns;
    left.add(next);
  }
}

/** Aligns columns to the widest cell read so far, as far as the terminal is wide. */
async function* align<ListedRow>(
  batches: Batches<ListedRow>,
  all: readonly Column<ListedRow>[],
  width: number,
) {
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

/** Prints one array, in the same format as `printJson`. */
export async function printJsonList<ListedRow>(
  output: Output,
  batches: Batches<ListedRow>,
): Promise<void> {
  await writeEach(output, listAsJson(batches));
}

async function* listAsJson<ListedRow>(batches: Batches<ListedRow>) {
  let before = "[\n";
  for await (const rows of batches) {
    for (const row of rows) {
      yield `${before}  ${JSON.stringify(row, undefined, 2).replaceAll("\n", "\n  ")}`;
      before = ",\n";
    }
  }
  yield before === ",\n" ? "\n]\n" : "[]\n";
}

export function printJson(output: Output, value: unknown): void {
  output.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
