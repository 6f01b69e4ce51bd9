import type { Checked } from "../checked.ts";
import { describeCondition } from "../gate.ts";
import type { Screen } from "../io.ts";
import { type Column, formatTable, hang } from "./layout.ts";
import { countOf, describeVerdict, scoreStyle } from "./words.ts";

function scoreColumn({ chalk }: Screen): Column {
  const style = (text: string) =>
    /\d/.test(text) ? scoreStyle(Number(text), chalk)(text) : chalk.red(text);
  return { title: "SCORE", align: "right", style };
}

function describeOutcome(checked: Checked): string {
  return "check" in checked ? describeVerdict(checked.check.verdict) : "Not checked";
}

function formatUnmet(checked: readonly Checked[], { chalk, canDraw, columns }: Screen): string[] {
  return checked.flatMap((one) => {
    const unmet = "gate" in one ? one.gate.conditions.filter(({ isMet }) => !isMet) : [];
    return unmet.flatMap((condition) =>
      hang(canDraw ? chalk.red("✗ ") : "", `${one.url}: ${describeCondition(condition)}`, columns),
    );
  });
}

function describeTotals(checked: readonly Checked[]): string {
  const checks = checked.flatMap((one) => ("check" in one ? [one.check] : []));
  const left = Math.min(...checks.map(({ quota }) => quota.remaining));
  const limit = checks[0]?.quota.limit ?? 0;
  const count = `${checks.length} of ${countOf(checked.length, "URL")} checked`;
  return checks.length === 0
    ? `${count}.`
    : `${count}; ${left} of ${countOf(limit, "check")} left this month.`;
}

/** The checks of several URLs: a line each, the conditions that are not met, and the quota left. */
export function formatCheckTable(checked: readonly Checked[], screen: Screen): string {
  const columns = [scoreColumn(screen), { title: "VERDICT" }, { title: "ADDRESS" }];
  const rows = checked.map((one) => [
    "check" in one ? String(one.check.score) : "-",
    describeOutcome(one),
    one.url,
  ]);
  const unmet = formatUnmet(checked, screen);
  const blocks = [
    formatTable(columns, rows, screen).trimEnd(),
    ...(unmet.length > 0 ? [unmet.join("\n")] : []),
    screen.chalk.dim(describeTotals(checked)),
  ];
  return `${blocks.join("\n\n")}\n`;
}
