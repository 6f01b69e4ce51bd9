import stringWidth from "string-width";
import type { ReceivedCheck, ReceivedFinding } from "../client/received.ts";
import { docsUrlOf } from "../check/addresses.ts";
import type { GatedCheck } from "../check/checked.ts";
import { describeCondition, type Gate } from "../check/gate.ts";
import type { Screen } from "../terminal/io.ts";
import {
  describeObstacle,
  describeObstacles,
  isUnjudged,
  listObstacles,
  tallyCategory,
  type Obstacle,
} from "../../shared/report/obstacles.ts";
import { listCircumstances } from "../../shared/report/circumstances.ts";
import { costOf, listCosts } from "../../shared/report/costs.ts";
import { drawBar, hang, padEnd, padStart, wrap } from "../terminal/layout.ts";
import { describePoints, describeVerdict } from "../../shared/report/words.ts";
import { countOf, describeDuration, verdictStyle } from "../terminal/words.ts";
import { scoreStyle } from "./score-style.ts";

const GAP = "  ";

function formatHead(check: ReceivedCheck, screen: Screen): string[] {
  const { chalk, columns } = screen;
  const style = verdictStyle(check.verdict, chalk);
  const verdict = describeVerdict(check.verdict);
  const score = `${check.score}/100`;
  const barColumns = Math.min(50, columns - score.length - stringWidth(verdict) - 6);
  const bar = drawBar(check.score / 100, barColumns, screen, style);
  const facts = [
    `ruleset ${check.ruleset}`,
    ...listCircumstances(check),
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

function formatCaps(check: ReceivedCheck, { chalk, columns }: Screen): string[] {
  return check.caps
    .toSorted((a, b) => a.limit - b.limit)
    .flatMap(({ limit, reason, findingId }) =>
      hang(`${chalk.red.bold(`At most ${limit}`)}  `, `${reason} (${findingId})`, columns),
    );
}

function formatCategories(check: ReceivedCheck, screen: Screen): string[] {
  const rows = check.categories.map((category) => {
    const { earned, points, unjudgedPoints: open } = tallyCategory(check, category);
    return {
      id: category.id,
      share: points > 0 ? earned / points : 1,
      earned: describePoints(earned),
      points: describePoints(points),
      doubt: open > 0 ? `, ${describePoints(open)} not judged` : "",
    };
  });
  const widest = (key: "id" | "earned" | "points" | "doubt") =>
    Math.max(...rows.map((row) => stringWidth(row[key])));
  const barColumns = Math.min(25, screen.columns - widest("id") - widest("doubt") - 16);
  return rows.map(({ id, share, earned, points, doubt }) => {
    const bar = drawBar(share, barColumns, screen, scoreStyle(share * 100, screen.chalk));
    const count = `${padStart(earned, widest("earned"))} of ${padStart(points, widest("points"))}`;
    return [padEnd(id, widest("id")), bar, `${count}${doubt}`].filter(Boolean).join(GAP);
  });
}

function formatFinding(
  finding: ReceivedFinding,
  baseUrl: URL,
  { chalk, columns }: Screen,
): string[] {
  const { id, status, earned, points, title, evidence, fix } = finding;
  const style = status === "fail" ? chalk.red : chalk.yellow;
  const cost = padStart(`+${describePoints(costOf(finding))}`, 4);
  const share = `${describePoints(earned)} of ${describePoints(points)} points`;
  return [
    ...hang(`${style.bold(cost)}  `, `${id}: ${title}`, columns, chalk.bold),
    ...hang(`      ${chalk.dim("Seen")}  `, evidence, columns),
    ...hang(`      ${chalk.dim("Fix")}   `, fix, columns),
    ...hang("      ", `${share}, ${docsUrlOf(finding, baseUrl)}`, columns, chalk.dim),
    "",
  ];
}

function formatFindings(
  check: ReceivedCheck,
  baseUrl: URL,
  screen: Screen,
  isWhole: boolean,
): string[] {
  const judged = listCosts(check);
  const obstacles = listObstacles(check);
  const rest = check.findings.filter((finding) => costOf(finding) <= 0 && !isUnjudged(finding));
  return [
    ...(judged.length > 0 ? [screen.chalk.bold("Points to win, largest first"), ""] : []),
    ...judged.flatMap((finding) => formatFinding(finding, baseUrl, screen)),
    ...obstacles.flatMap((obstacle) => formatObstacle(obstacle, screen)),
    ...(isWhole
      ? [screen.chalk.bold("The rest"), "", ...rest.flatMap((one) => formatRest(one, screen))]
      : wrap(describeRest(judged.length + obstacles.length, rest.length), screen.columns)),
  ];
}

/** What was not judged, and why. A root that failed is described where it costs points. */
function formatObstacle(obstacle: Obstacle, { chalk, columns }: Screen): string[] {
  const { root, findings } = obstacle;
  const ids = findings.map(({ id }) => id).join(", ");
  return [
    ...hang("", describeObstacle(obstacle), columns, chalk.bold),
    ...(isUnjudged(root)
      ? [
          ...hang(`      ${chalk.dim("Seen")}  `, root.evidence, columns),
          ...hang(`      ${chalk.dim("Fix")}   `, root.fix, columns),
        ]
      : []),
    ...hang("      ", ids, columns, chalk.dim),
    "",
  ];
}

function formatRest({ id, status, title, evidence }: ReceivedFinding, screen: Screen): string[] {
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

/** A finding, and the obstacle that kept it from being judged, if any. */
export interface Explained {
  readonly finding: ReceivedFinding;
  readonly obstacle: Obstacle | undefined;
}

/** One finding in full, with the address of its documentation. Where it was not judged, the reason and its fix. */
export function formatExplanation(
  { finding, obstacle }: Explained,
  baseUrl: URL,
  screen: Screen,
): string {
  const { id, status, earned, points, title } = finding;
  const { chalk, columns } = screen;
  const share = `${describePoints(earned)} of ${describePoints(points)} points`;
  const standing = obstacle
    ? `not judged: ${describeObstacles([obstacle])}`
    : `${status.replaceAll("_", " ")}, ${share}`;
  const { evidence, fix } = obstacle?.root ?? finding;
  const sections = [
    wrap(`${id}: ${title}`, columns).map((line) => chalk.bold(line)),
    wrap(standing, columns),
    hang(`${chalk.dim("Seen")}  `, evidence, columns),
    hang(`${chalk.dim("Fix")}   `, fix, columns),
    hang(`${chalk.dim("Docs")}  `, docsUrlOf(finding, baseUrl), columns),
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

function formatQuota({ quota }: ReceivedCheck, { chalk }: Screen): string[] {
  const left = `${quota.remaining} of ${countOf(quota.limit, "check")} left this month.`;
  return [quota.remaining === 0 ? chalk.yellow(left) : chalk.dim(left)];
}

/** The report for people: score, caps, categories, what costs points (with `isWhole`, the rest too), gate and quota. */
export function formatCheckReport(
  { check, gate }: Pick<GatedCheck, "check" | "gate">,
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
