import type { Step } from "../client/json-output.ts";
import type { Screen } from "../terminal/io.ts";
import { hang, padEnd } from "../terminal/layout.ts";

const MARKS: Readonly<Record<Step["state"], string>> = {
  good: "✓",
  doubtful: "!",
  failed: "✗",
  skipped: "-",
};
const NAME_COLUMNS = 15;

/** One step of the diagnosis: a mark, or the state in words on a dumb terminal, and what was found. */
export function formatStep(
  { step, state, text }: Step,
  { chalk, canDraw, columns }: Screen,
): string {
  const { green: good, yellow: doubtful, red: failed, dim: skipped } = chalk;
  const style = { good, doubtful, failed, skipped }[state];
  const mark = canDraw ? MARKS[state] : padEnd(state, 8);
  const label = `${style(mark)} ${padEnd(step, NAME_COLUMNS)}  `;
  const found = state === "skipped" ? chalk.dim("not tried, since an earlier step failed") : text;
  return `${hang(label, found, columns).join("\n")}\n`;
}
