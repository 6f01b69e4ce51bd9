import stringWidth from "string-width";
import type { CheckAnswer } from "../answers.ts";
import { describeCondition, type Gate } from "../gate.ts";
import type { Screen } from "../io.ts";
import { costOf, listCosts, listUnknown, type Finding } from "../reports/costs.ts";
import { drawBar, hang, padEnd, padStart, wrap } from "./layout.ts";
import {
  countOf,
  describeDuration,
  describePoints,
  describeVerdict,
  scoreStyle,
  verdictStyle,
} from "./words.ts";

const GAP = "  ";

function formatHead(check: CheckAnswer, screen: Screen): string[] {
  const { chalk, columns } = screen;
  const style = verdictStyle(check.verdict, chalk);
  const verdict = describeVerdict(check.verdict);
  const score = `${check.score}/100`;
  const barColumns = Math.min(50, columns - score.length - stringWidth(verdict) - 6);
  const bar = drawBar(check.score / 100, barColumns, screen, style);
  const { min, max } = check.scoreRange;
  const facts = [
    `ruleset ${check.ruleset}`,
    ...(check.preview ? ["as a preview"] : []),
    ...(min === max ? [] : [`between ${min} and ${max}`]),
    ...(check.coverage === 100 ? [] : [`${check.coverage}% of the points judged`]),
    describeDuration(check.durationMs),
  ];
  return [
    check.url,
    ...(check.finalUrl === check.url ? [] : [chalk.dim(`read at ${check.finalUrl}`)]),
    "",
    [style.bold(score), bar, style.bold(verdict)].filter(Boolean).join(GAP),
    ...wrap(facts.join(", "), columns).map((line) => chalk.dim(line)),
  ];
}

function formatCaps(check: CheckAnswer, { chalk, columns }: Screen): string[] {
  return check.caps
    .toSorted((a, b) => a.limit - b.limit)
    .flatMap(({ limit, reason, findingId }) =>
      hang(`${chalk.red.bold(`At most ${limit}`)}  `, `${reason} (${findingId})`, columns),
    );
}

function formatCategories({ categories }: CheckAnswer, screen: Screen): string[] {
  const rows = categories.map(({ id, earned, points }) => {
    const share = points > 0 ? earned / points : 1;
    return { id, share, earned: describePoints(earned), points: describePoints(points) };
  });
  const widest = (key: "id" | "earned" | "points") =>
    Math.max(...rows.map((row) => stringWidth(row[key])));
  const barColumns = Math.min(25, screen.columns - widest("id") - 16);
  return rows.map(({ id, share, earned, points }) => {
    const bar = drawBar(share, barColumns, screen, scoreStyle(share * 100, screen.chalk));
    const count = `${padStart(earned, widest("earned"))} of ${padStart(points, widest("points"))}`;
    return [padEnd(id, widest("id")), bar, count].filter(Boolean).join(GAP);
  });
}

function formatFinding(finding: Finding, baseUrl: URL, { chalk, columns }: Screen): string[] {
  const { id, status, earned, points, title, evidence, fix, docsUrl } = finding;
  const style = status === "fail" ? chalk.red : chalk.yellow;
  const cost = padStart(`+${describePoints(costOf(finding))}`, 4);
  const share = `${describePoints(earned)} of ${describePoints(points)} points`;
  const docs = new URL(`.${docsUrl}`, baseUrl).href;
  return [
    ...hang(`${style.bold(cost)}  `, `${id}: ${title}`, columns, chalk.bold),
    ...hang(`      ${chalk.dim("Seen")}  `, evidence, columns),
    ...hang(`      ${chalk.dim("Fix")}   `, fix, columns),
    ...hang("      ", `${share}, ${docs}`, columns, chalk.dim),
    "",
  ];
}

function formatFindings(
  check: CheckAnswer,
  baseUrl: URL,
  screen: Screen,
  isWhole: boolean,
): string[] {
  const judged = listCosts(check);
  const unknown = listUnknown(check);
  const unknownPoints = unknown.reduce((sum, finding) => sum + costOf(finding), 0);
  const unknownCount = `${describePoints(unknownPoints)} ${unknownPoints === 1 ? "point" : "points"}`;
  const unknownIds = unknown.map(({ id }) => id).join(", ");
  const rest = check.findings.filter((finding) => costOf(finding) <= 0);
  return [
    ...(judged.length > 0 ? [screen.chalk.bold("Points to win, dearest first"), ""] : []),
    ...judged.flatMap((finding) => formatFinding(finding, baseUrl, screen)),
    ...(unknown.length > 0
      ? wrap(`${unknownCount} could not be judged: ${unknownIds}.`, screen.columns)
      : []),
    ...(isWhole
      ? ["", screen.chalk.bold("The rest"), "", ...rest.flatMap((one) => formatRest(one, screen))]
      : wrap(describeRest(judged.length + unknown.length, rest.length), screen.columns)),
  ];
}

function formatRest({ id, status, title, evidence }: Finding, screen: Screen): string[] {
  const { chalk, columns } = screen;
  const mark = status === "pass" ? "" : ` (${status.replaceAll("_", " ")})`;
  return [
    ...hang("  ", `${id}: ${title}${mark}`, columns),
    ...hang("      ", evidence, columns, chalk.dim),
  ];
}

function describeRest(costlyCount: number, restCount: number): string {
  if (costlyCount === 0) return "Every rule earns its points (--all shows them).";
  if (restCount === 0) return "";
  return `${countOf(restCount, "other rule costs", "other rules cost")} nothing (--all shows them).`;
}

/** One finding whole, with the address of its documentation. */
export function formatExplanation(finding: Finding, baseUrl: URL, screen: Screen): string {
  const { id, status, earned, points, title, evidence, fix, docsUrl } = finding;
  const { chalk, columns } = screen;
  const share = `${describePoints(earned)} of ${describePoints(points)} points`;
  const sections = [
    wrap(`${id}: ${title}`, columns).map((line) => chalk.bold(line)),
    [`${status.replaceAll("_", " ")}, ${share}`],
    hang(`${chalk.dim("Seen")}  `, evidence, columns),
    hang(`${chalk.dim("Fix")}   `, fix, columns),
    hang(`${chalk.dim("Docs")}  `, new URL(`.${docsUrl}`, baseUrl).href, columns),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

function formatGate({ conditions }: Gate, { chalk, canDraw, columns }: Screen): string[] {
  return conditions.flatMap((condition) => {
    const mark = condition.isMet ? "✓ " : "✗ ";
    const style = condition.isMet ? chalk.green : chalk.red;
    return hang(canDraw ? style(mark) : "", describeCondition(condition), columns, style);
  });
}

function formatQuota({ quota }: CheckAnswer, { chalk }: Screen): string[] {
  const left = `${quota.remaining} of ${countOf(quota.limit, "check")} left this month.`;
  return [quota.remaining === 0 ? chalk.yellow(left) : chalk.dim(left)];
}

/** The report for people: the score, what caps it, the categories, what to win (`isWhole`: and the rest), the gate, the quota. */
export function formatCheckReport(
  check: CheckAnswer,
  gate: Gate,
  baseUrl: URL,
  screen: Screen,
  isWhole = false,
): string {
  const sections = [
    formatHead(check, screen),
    formatCaps(check, screen),
    formatCategories(check, screen),
    formatFindings(check, baseUrl, screen, isWhole),
    formatGate(gate, screen),
    formatQuota(check, screen),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${blocks.join("\n\n")}\n`;
}
