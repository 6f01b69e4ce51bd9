import type { Screen } from "../terminal/io.ts";
import { hang, padEnd } from "../terminal/layout.ts";

const MARKS: Readonly<Record<string, string>> = {
  good: "✓",
  doubtful: "!",
  failed: "✗",
  skipped: "-",
};
const NAME_COLUMNS = 15;

/** One step of the diagnosis: a mark, or the state in words on a dumb terminal, and what was found. */
export function formatStep(
  { name, state, text }: { name: string; state: string; text: string },
  screen: Screen,
): string {
  const { chalk, canDraw, columns } = screen;
  const styles = { good: chalk.green, doubtful: chalk.yellow, failed: chalk.red };
  const style = styles[state as keyof typeof styles] ?? chalk.dim;
  const mark = canDraw ? (MARKS[state] ?? state) : padEnd(state, 8);
  const label = `${style(mark)} ${padEnd(name, NAME_COLUMNS)}  `;
  const found = state === "skipped" ? chalk.dim("not tried, since an earlier step failed") : text;
  return `${hang(label, found, columns).join("\n")}\n`;
}
