import { maskTokens, type OutputStream } from "./io.ts";
import { truncate, wrap } from "./layout.ts";

/** Rows that do not fit the terminal are left out; the foot always stays. */
export interface Drawing {
  readonly heading: string;
  /** The lines of a row are shown together or not at all. */
  readonly rows: readonly (readonly string[])[];
  readonly describeLeft: (count: number) => string;
  readonly foot: string;
  readonly footStyle: (line: string) => string;
}

export type Draw = (columns: number) => Drawing;

export interface Canvas {
  /** Draws now, and again whenever the size of the terminal changes. */
  draw(draw: Draw): Promise<void>;
  /** Restores the terminal, and prints the last drawing on it. */
  close(): Promise<void>;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

// The alternate screen: on the normal one, nobody knows how a terminal reflows a drawing after a resize.
const ENTER = "\u001b[?1049h";
const LEAVE = "\u001b[?1049l";
const ERASE = "\u001b[H\u001b[J";

function selectRows(rows: Drawing["rows"], lines: number): Drawing["rows"] {
  let left = lines;
  const end = rows.findIndex((row) => (left -= row.length) < 0);
  return end < 0 ? rows : rows.slice(0, end);
}

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
  const shown = selectRows(rows, room - titles.length - 1);
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
