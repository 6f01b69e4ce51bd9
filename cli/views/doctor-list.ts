import type { Text } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";
import type { Step } from "../client/doctor.ts";
import type { Screen } from "../terminal/io.ts";
import { cleanText } from "../terminal/json.ts";
import { hang, padEnd } from "../terminal/layout.ts";

const MARKS: Readonly<Record<Step["state"], string>> = {
  good: "✓",
  doubtful: "!",
  failed: "✗",
  skipped: "-",
};
const STATES: Readonly<Record<Step["state"], Text>> = {
  good: { fr: "bon", en: "good" },
  doubtful: { fr: "douteux", en: "doubtful" },
  failed: { fr: "échec", en: "failed" },
  skipped: { fr: "ignoré", en: "skipped" },
};
const SKIPPED: Text = {
  fr: "non testé, car une étape précédente a échoué",
  en: "not tested, because an earlier step failed",
};
const NAME_COLUMNS = 15;

/** A dumb terminal gets a word instead of the mark. */
export function formatStep(
  { name, state, text }: Step,
  { chalk, canDraw, columns, language }: Screen,
): string {
  const { green: good, yellow: doubtful, red: failed, dim: skipped } = chalk;
  const style = { good, doubtful, failed, skipped }[state];
  const mark = canDraw ? MARKS[state] : padEnd(say(STATES[state], language), 8);
  const label = `${style(mark)} ${padEnd(say(name, language), NAME_COLUMNS)}  `;
  const found =
    state === "skipped" ? chalk.dim(say(SKIPPED, language)) : cleanText(say(text, language));
  return `${hang(label, found, columns).join("\n")}\n`;
}
