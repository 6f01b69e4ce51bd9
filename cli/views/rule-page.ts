import type { ExplainedRule } from "../client/json-output.ts";
import { describeCap, listFixLines } from "../../shared/report/costs.ts";
import type { Opened } from "../../shared/report/reported.ts";
import {
  describeCategory,
  describePoints,
  labelText,
  namePoints,
  say,
  typeset,
  WORDS,
} from "../../shared/report/words.ts";
import type { Screen } from "../terminal/io.ts";
import { hang, joinBlocks, padEnd, wrap } from "../terminal/layout.ts";

const LABELS = { measures: WORDS.measures, why: WORDS.why, fix: WORDS.fix };
const GAP = 2;

/** Lines to paste are not wrapped. */
export function formatRule(
  rule: Opened<ExplainedRule>,
  { chalk, columns, language }: Screen,
): string {
  const { id, category, points, cap, title } = rule;
  const width = Math.max(...Object.values(LABELS).map((label) => say(label, language).length));
  const standing = `${describeCategory(category, language)}, ${describePoints(points, language)} ${namePoints(points, language)}`;
  const limit = cap === null ? "" : `, ${describeCap({ limit: cap }, language)}`;
  const explain = (key: keyof typeof LABELS): string[] => {
    const label = padEnd(say(LABELS[key], language), width + GAP);
    return hang(chalk.dim(label), typeset(rule[key], language), columns);
  };
  return joinBlocks([
    wrap(labelText(id, typeset(title, language), language), columns).map((line) =>
      chalk.bold(line),
    ),
    wrap(`${standing}${limit}`, columns),
    explain("measures"),
    explain("why"),
    explain("fix"),
    listFixLines(rule).map((line) => chalk.cyan(line)),
  ]);
}
