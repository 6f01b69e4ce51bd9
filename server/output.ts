/** Where the server command writes: results on stdout, notes and errors on stderr. */
export interface Output {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** A terminal, or SHIPSCORE_FORCE_TTY. */
  readonly isForPeople: boolean;
}

type CellOf<Row> = (row: Row) => string | number | null | undefined;

/** A column of a list: its heading on a terminal, a row's cell, and the cell on a terminal where that differs. */
export type Column<Row> = readonly [heading: string, cell: CellOf<Row>, shown?: CellOf<Row>];

const textOf = (value: string | number | null | undefined) =>
  String(value ?? "").replaceAll(/\s+/g, " ");

/** Aligned columns under headings for people; tab-separated, without headings, for programs. */
export function printList<Row>(
  output: Output,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): void {
  if (!output.isForPeople) {
    const cells = rows.map((row) => columns.map(([, cell]) => textOf(cell(row))));
    output.stdout.write(cells.map((line) => `${line.join("\t")}\n`).join(""));
    return;
  }
  const cells = rows.map((row) => columns.map(([, cell, shown]) => textOf((shown ?? cell)(row))));
  const table = [columns.map(([heading]) => heading), ...cells];
  const widths = columns.map((_, index) =>
    Math.max(...table.map((line) => line[index]?.length ?? 0)),
  );
  const lines = table.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  output.stdout.write(`${lines.join("\n")}\n`);
}

export function printJson(output: Output, value: unknown): void {
  output.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
