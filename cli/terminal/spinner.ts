import type { OutputStream } from "./io.ts";

const FRAMES = Array.from("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏");
const FRAME_MS = 80;
const PATIENCE_MS = 300;

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const ERASE_LINE = "\r\u001b[K";

export interface Spinner {
  /** Makes room for a line; the spinner goes on below it. */
  clear(): void;
  stop(): void;
}

/** Turns on a terminal's last line, once that lasts longer than a moment. The cursor is hidden meanwhile. */
export function startSpinner(stream: OutputStream, label: string, hasColour: boolean): Spinner {
  const text = label.slice(0, (stream.columns ?? 0) - 4);
  const frames = hasColour ? FRAMES.map((frame) => `\u001b[36m${frame}\u001b[39m`) : FRAMES;
  let count = 0;
  let isDrawn = false;

  function clear(): void {
    if (isDrawn) stream.write(ERASE_LINE);
    isDrawn = false;
  }

  function draw(): void {
    clear();
    stream.write(`${frames[count % frames.length]} ${text}`);
    count += 1;
    isDrawn = true;
    timer = setTimeout(draw, FRAME_MS);
  }

  function stop(): void {
    clearTimeout(timer);
    clear();
    stream.write(SHOW_CURSOR);
    process.off("exit", stop);
  }

  let timer = setTimeout(draw, PATIENCE_MS);
  stream.write(HIDE_CURSOR);
  process.once("exit", stop);
  return { clear, stop };
}
