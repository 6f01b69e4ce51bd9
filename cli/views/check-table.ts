import { listChecks, type Checked } from "../check/checked.ts";
import { describeCondition } from "../check/gate.ts";
import type { Screen } from "../terminal/io.ts";
import { listOpenRoots } from "../../shared/report/obstacles.ts";
import { describeFinding } from "../../shared/report/costs.ts";
import { type Column, formatTable, hang } from "../terminal/layout.ts";
import { describeVerdict } from "../../shared/report/words.ts";
import { countOf } from "../terminal/words.ts";
import { scoreStyle } from "./score-style.ts";

function scoreColumn({ chalk }: Screen): Column {
  const style = (text: string) =>
    /\d/.test(text) ? scoreStyle(Number(text), chalk)(text) : chalk.red(text);
  return { title: "SCORE", align: "right", style };
}

function describeOutcome(checked: Checked): string {
  return "check" in checked ? describeVerdict(checked.check.verdict) : "Not checked";
}

/** Why pages could not be judged, and what to do first. */
function formatOpenRoots(checked: readonly Checked[], { columns }: Screen): string[] {
  return checked.flatMap((one) =>
    ("check" in one ? listOpenRoots(one.check) : []).flatMap((root) =>
      hang("", `${one.url}: ${root.id} ${root.status}: ${describeFinding(root)}`, columns),
    ),
  );
}

function formatGates(checked: readonly Checked[], screen: Screen): string[] {
  const { chalk, canDraw, columns } = screen;
  return checked.flatMap((one) =>
    ("gate" in one ? one.gate.conditions : []).flatMap((condition) => {
      const mark = condition.isMet ? chalk.green("✓ ") : chalk.red("✗ ");
      return hang(canDraw ? mark : "", `${one.url}: ${describeCondition(condition)}`, columns);
    }),
  );
}

function describeTotals(checked: readonly Checked[]): string {
  const checks = listChecks(checked);
  const left = Math.min(...checks.map(({ quota }) => quota.remaining));
  const limit = checks[0]?.quota.limit ?? 0;
  const count = `${checks.length} of ${countOf(checked.length, "URL")} checked`;
  return checks.length === 0
    ? `${count}.`
    : `${count}; ${left} of ${countOf(limit, "check")} left this month.`;
}

/** The checks of several URLs: a line for each, the conditions of their gates, and what is left of the quota. */
export function formatCheckTable(checked: readonly Checked[], screen: Screen): string {
  const columns = [scoreColumn(screen), { title: "VERDICT" }, { title: "ADDRESS" }];
  const rows = checked.map((one) => [
    "check" in one ? String(one.check.score) : "-",
    describeOutcome(one),
    one.url,
  ]);
  const notes = [formatOpenRoots(checked, screen), formatGates(checked, screen)];
  const blocks = [
    formatTable(columns, rows, screen).trimEnd(),
    ...notes.filter((lines) => lines.length > 0).map((lines) => lines.join("\n")),
    screen.chalk.dim(describeTotals(checked)),
  ];
  return `${blocks.join("\n\n")}\n`;
}
