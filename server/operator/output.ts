/** Where the server command writes: results to stdout, notes and errors to stderr. */
export interface Output {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** True for a terminal, or if SHIPSCORE_FORCE_TTY is set. */
  readonly isForPeople: boolean;
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

/** Prints aligned columns with headings on a terminal, and tab-separated values without headings elsewhere. */
export async function printList<ListedRow>(
  output: Output,
  batches: Batches<ListedRow>,
  columns: readonly Column<ListedRow>[],
): Promise<void> {
  await writeEach(
    output,
    output.isForPeople ? align(batches, columns) : separate(batches, columns),
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

/** Aligns columns to the widest cell read so far. */
async function* align<ListedRow>(
  batches: Batches<ListedRow>,
  columns: readonly Column<ListedRow>[],
) {
  let lines = [columns.map(([heading]) => heading)];
  let widths = columns.map(() => 0);
  const format = () => {
    widths = widths.map((width, index) =>
      Math.max(width, ...lines.map((line) => line[index]?.length ?? 0)),
    );
    const padded = lines.map((line) => line.map((cell, index) => cell.padEnd(widths[index] ?? 0)));
    return padded.map((line) => `${line.join("  ").trimEnd()}\n`).join("");
  };
  for await (const rows of batches) {
    lines.push(
      ...rows.map((row) => columns.map(([, cell, shown]) => textOf((shown ?? cell)(row)))),
    );
    yield format();
    lines = [];
  }
  yield format();
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
