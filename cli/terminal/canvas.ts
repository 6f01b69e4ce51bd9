import { maskTokens, type OutputStream } from "./io.ts";
import { truncate, wrap } from "./layout.ts";

/** What is drawn on a terminal: rows of which those that do not fit are left out, above a text that always stays. */
export interface Drawing {
  readonly heading: string;
  /** Each of one line or more, of which all are shown or none. */
  readonly rows: readonly (readonly string[])[];
  /** Says how many rows were left out. */
  readonly describeLeft: (count: number) => string;
  readonly foot: string;
  readonly footStyle: (line: string) => string;
}

export type Draw = (columns: number) => Drawing;

/** A terminal that is drawn on as a whole. */
export interface Canvas {
  /** Draws now, and again whenever the terminal changes its size. */
  draw(draw: Draw): Promise<void>;
  /** Gives the terminal back, and leaves on it what was drawn last. */
  close(): Promise<void>;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

// The alternate screen, because after a resize nobody knows how a terminal reflowed what was drawn.
const ENTER = "\u001b[?1049h";
const LEAVE = "\u001b[?1049l";
const ERASE = "\u001b[H\u001b[J";

/** The first rows, which take at most so many lines. */
function takeRows(rows: Drawing["rows"], lines: number): Drawing["rows"] {
  let left = lines;
  const end = rows.findIndex((row) => (left -= row.length) < 0);
  return end < 0 ? rows : rows.slice(0, end);
}

/** The lines of a drawing that fit a terminal. */
export function fitDrawing(drawing: Drawing, size: Size): string[] {
  const { heading, rows, describeLeft, footStyle } = drawing;
  const foot = wrap(drawing.foot, size.columns)
    .slice(0, size.rows)
    .map((line) => footStyle(truncate(line, size.columns)));
  const room = size.rows - foot.length;
  const list = rows.length === 0 ? [] : [heading, ...rows.flat()];
  if (list.length < room) return [...list, ...(list.length > 0 ? [""] : []), ...foot];
  if (list.length === room) return [...list, ...foot];
  const titles = room > 2 ? [heading] : [];
  const shown = takeRows(rows, room - titles.length - 1);
  const note = truncate(describeLeft(rows.length - shown.length), size.columns);
  return [...titles, ...shown.flat(), note, ...foot].slice(-size.rows);
}

export function openCanvas(stdout: OutputStream): Canvas {
  const measure = (): Size => ({ rows: stdout.rows || 24, columns: stdout.columns || 80 });
  let draw: Draw | undefined;
  const describe = () => {
    if (draw === undefined) return "";
    const size = measure();
    return maskTokens(fitDrawing(draw(size.columns), size).join("\n"));
  };
  const write = (text: string) =>
    new Promise<void>((resolve) => {
      stdout.write(text, () => resolve());
    });
  const redraw = () => void write(ERASE + describe());
  stdout.on("resize", redraw);
  return {
    async draw(next) {
      const enter = draw === undefined ? ENTER : "";
      draw = next;
      await write(enter + ERASE + describe());
    },
    async close() {
      stdout.off("resize", redraw);
      if (draw !== undefined) await write(`${LEAVE}${describe()}\n`);
    },
  };
}
