import { type Checked, isSaved, listChecks } from "../check/checked.ts";
import { listCommonAccepted, listCommonCosts, sortByScore } from "../check/common.ts";
import { describeCondition } from "../check/gate.ts";
import { describeFinding } from "../../shared/report/costs.ts";
import { describeObstacles, findPageObstacle } from "../../shared/report/obstacles.ts";
import type { ReportLanguage, Words } from "../../shared/report/reported.ts";
import { describeVerdict, isSingular, labelText, say, WORDS } from "../../shared/report/words.ts";
import type { Screen } from "../terminal/io.ts";
import { type Column, formatTable, hang } from "../terminal/layout.ts";
import { withoutAccepted } from "../check/accepted.ts";
import { formatCosts, formatFindings } from "./check-findings.ts";
import type { Reader } from "./check-head.ts";
import { describeQuota, formatGateTotal, WHOLE } from "./check-report.ts";
import { formatComparison } from "./comparison.ts";
import { scoreStyle } from "./score-style.ts";

const ADDRESS: Words = { fr: "ADRESSE", en: "ADDRESS" };

function scoreColumn({ chalk }: Screen): Column {
  const style = (text: string) =>
    /\d/.test(text) ? scoreStyle(Number(text), chalk)(text) : chalk.red(text);
  return { title: "SCORE", align: "right", style };
}

function describeOutcome(checked: Checked, language: ReportLanguage): string {
  return "check" in checked
    ? describeVerdict(checked.check.verdict, language)
    : say(WORDS.notChecked, language);
}

/** Why pages could not be judged, and what to do first. */
function formatObstacles(
  checked: readonly Checked[],
  language: ReportLanguage,
  { columns }: Screen,
): string[] {
  return checked.flatMap((one) => {
    const obstacle = "check" in one ? findPageObstacle(one.check) : undefined;
    if (obstacle === undefined) return [];
    const [name, why] = [describeObstacles([obstacle], language), describeFinding(obstacle.root)];
    return hang("", `${one.url}: ${labelText(name, why, language)}`, columns);
  });
}

function formatGates(
  checked: readonly Checked[],
  language: ReportLanguage,
  screen: Screen,
): string[] {
  const { chalk, canDraw, columns } = screen;
  const gates = checked.flatMap((one) => ("gate" in one ? [one.gate] : []));
  const lines = checked.flatMap((one) =>
    ("gate" in one ? one.gate.conditions : []).flatMap((condition) => {
      const mark = condition.isMet ? chalk.green("✓ ") : chalk.red("✗ ");
      const said = `${one.url}: ${describeCondition(condition, language)}`;
      return hang(canDraw ? mark : "", said, columns);
    }),
  );
  return [...lines, ...formatGateTotal(gates, language, screen)];
}

/** What costs points on each page: the largest costs, a line each, or with `isWhole` everything. */
function formatPages(
  checked: readonly Checked[],
  reader: Reader,
  screen: Screen,
  isWhole: boolean,
): string[] {
  const pages = checked.flatMap((one) => {
    if (!("check" in one)) return [];
    const lines = isWhole
      ? formatFindings(withoutAccepted(one), reader, screen, WHOLE).flat()
      : formatCosts(withoutAccepted(one), reader, screen);
    return lines.length === 0 ? [] : [["", screen.chalk.bold(one.url), ...lines]];
  });
  return pages.flat().slice(1);
}

function formatChanges(
  checked: readonly Checked[],
  language: ReportLanguage,
  screen: Screen,
): string[] {
  return checked.flatMap((one) =>
    "check" in one ? formatComparison(one, language, screen, true, `${one.url}: `) : [],
  );
}

function countChecked(count: number, total: number, language: ReportLanguage): string {
  const isOne = isSingular(count, language);
  return {
    fr: `${count} URL ${isOne ? "vérifiée" : "vérifiées"} sur ${total}`,
    en: `${count} of ${total} ${isSingular(total, language) ? "URL" : "URLs"} checked`,
  }[language];
}

function describeTotals(checked: readonly Checked[], language: ReportLanguage): string {
  const checks = listChecks(checked);
  const count = countChecked(checks.length, checked.length, language);
  const left = Math.min(...checks.map(({ quota }) => quota.remaining));
  const [first] = checks;
  if (first === undefined || checked.some(isSaved)) return `${count}.`;
  const quota = describeQuota(left, first.quota.limit, language);
  return { fr: `${count}. ${quota}`, en: `${count}; ${quota}` }[language];
}

/**
 * The checks of several URLs: a line for each, the worst first, what they have in common, what costs points, the conditions
 * of their gates, and what is left of the quota.
 */
export function formatCheckTable(
  checked: readonly Checked[],
  reader: Reader,
  screen: Screen,
  isWhole = false,
): string {
  const { language } = reader;
  const columns = [scoreColumn(screen), { title: "VERDICT" }, { title: say(ADDRESS, language) }];
  const rows = sortByScore(checked).map((one) => [
    "check" in one ? String(one.check.score) : "-",
    describeOutcome(one, language),
    one.url,
  ]);
  const { columns: width } = screen;
  const common = [...listCommonCosts(checked, language), ...listCommonAccepted(checked, language)];
  const notes = [
    common.flatMap((line) => hang("", line, width)),
    formatPages(checked, reader, screen, isWhole),
    formatObstacles(checked, language, screen),
    formatChanges(checked, language, screen),
    formatGates(checked, language, screen),
  ];
  const blocks = [
    formatTable(columns, rows, screen).trimEnd(),
    ...notes.filter((lines) => lines.length > 0).map((lines) => lines.join("\n")),
    screen.chalk.dim(describeTotals(checked, language)),
  ];
  return `${blocks.join("\n\n")}\n`;
}
