import stringWidth from "string-width";
import type { Screen } from "./io.ts";

const MAX_MEASURED = 1000;

/** Measuring a text as long as a page could take minutes, so its length counts instead. */
function widthOf(text: string): number {
  return text.length > MAX_MEASURED ? text.length : stringWidth(text);
}

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - widthOf(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - widthOf(text))) + text;
}

export function truncate(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let end = 0;
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, MAX_MEASURED))) {
    width += widthOf(segment);
    if (width >= columns) break;
    end += segment.length;
  }
  return `${text.slice(0, end)}…`;
}

/** A word longer than a line stays whole, so that a URL can be copied. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const word of text.split(" ").filter((part) => part !== "")) {
    const added = widthOf(word);
    if (line !== "" && width + 1 + added > columns) {
      lines.push(line);
      line = word;
      width = added;
    } else {
      width += line === "" ? added : added + 1;
      line += line === "" ? word : ` ${word}`;
    }
  }
  return line === "" ? lines : [...lines, line];
}

/** Puts a space in each word that is longer than a line, so that no line is wider than the columns. */
export function breakWords(text: string, columns: number): string {
  let width = 0;
  const pieces = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => {
    const added = widthOf(segment);
    const isLong = segment !== " " && width + added > columns;
    if (segment === " ") width = 0;
    else width = isLong ? added : width + added;
    return isLong ? ` ${segment}` : segment;
  });
  return pieces.join("");
}

export function hang(
  label: string,
  text: string,
  columns: number,
  style: (line: string) => string = (line) => line,
): string[] {
  const indent = widthOf(label);
  return wrap(text, Math.max(10, columns - indent)).map(
    (line, index) => (index === 0 ? label : " ".repeat(indent)) + style(line),
  );
}

export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  const filled = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${filled.join("\n\n")}\n`;
}

/** OSC 8. */
export function link(text: string, url: string, { hasLinks }: Screen): string {
  if (!hasLinks || !/^https?:\/\/[!-~]+$/.test(url)) return text;
  return `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** Empty on a terminal that cannot draw. `share` is 0 to 1. */
export function drawBar(
  share: number,
  columns: number,
  screen: Screen,
  style: (bar: string) => string,
): string {
  if (!screen.canDraw || columns < 5) return "";
  const filled = Math.floor(Math.min(1, Math.max(0, share)) * columns);
  return style("█".repeat(filled)) + screen.chalk.dim("░".repeat(columns - filled));
}

export interface Column {
  readonly title: string;
  readonly align?: "right";
  readonly style?: (text: string) => string;
}

const GAP = 2;

type Rows = readonly (readonly string[])[];

function measureColumns(columns: readonly Column[], rows: Rows): number[] {
  return columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? ""))),
  );
}

function excessOf(widths: readonly number[], { width }: Screen): number {
  return widths.reduce((sum, each) => sum + each, GAP * (widths.length - 1)) - width;
}

export function fitsTable(columns: readonly Column[], rows: Rows, screen: Screen): boolean {
  return excessOf(measureColumns(columns, rows), screen) <= 0;
}

export function formatTable(columns: readonly Column[], rows: Rows, screen: Screen): string {
  const cells = [columns.map(({ title }) => title), ...rows];
  const widths = measureColumns(columns, rows);
  for (let excess = excessOf(widths, screen); excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = Math.max(1, (widths[widest] ?? 1) - 1);
  }
  const lines = cells.map((row, rowIndex) =>
    columns
      .map(({ align, style }, index) => {
        const width = widths[index] ?? 0;
        const isLast = index === columns.length - 1 && align !== "right";
        const text = truncate(row[index] ?? "", width);
        const padded = align === "right" ? padStart(text, width) : padEnd(text, isLast ? 0 : width);
        if (rowIndex === 0) return screen.chalk.dim(padded);
        return style ? style(padded) : padded;
      })
      .join(" ".repeat(GAP)),
  );
  return `${lines.join("\n")}\n`;
}
