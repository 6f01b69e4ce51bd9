import type { ReceivedCheck, ReceivedFinding } from "../client/received.ts";
import { listChanges } from "../check/changes.ts";
import type { Checked, GatedCheck } from "../check/checked.ts";
import { describeError } from "../terminal/errors.ts";
import type { Gate } from "../check/gate.ts";
import {
  countUnjudged,
  describeObstacles,
  isUnjudged,
  listObstacles,
  tallyCategory,
  type Obstacle,
} from "../../shared/report/obstacles.ts";
import { describePoints, describeTime, describeVerdict, say } from "../../shared/report/words.ts";
import type { ReportLanguage, Words } from "../../shared/report/reported.ts";
import { countOf } from "../terminal/words.ts";
import { listCircumstances } from "../../shared/report/circumstances.ts";
import { costOf, listCosts } from "../../shared/report/costs.ts";
import { docsUrlOf, urlOf } from "../check/addresses.ts";
import { cell, code, prose } from "./markdown-text.ts";
import type { About } from "./report.ts";

const SINCE_BASELINE: Words = { fr: "Depuis la référence", en: "Since the baseline" };

function formatHead(check: ReceivedCheck): string[] {
  const facts = [
    code(check.url),
    ...(check.finalUrl === check.url ? [] : [`read at ${code(check.finalUrl)}`]),
    ...listCircumstances(check),
  ];
  return [
    `## Ship Score ${check.score}/100: ${prose(describeVerdict(check.verdict))}`,
    facts.join(", "),
  ];
}

function formatGate({ conditions }: Gate): string[] {
  const lines = conditions.map(({ isMet, text }) =>
    isMet ? `- ✅ met: ${prose(text)}` : `- ❌ **not met:** ${prose(text)}`,
  );
  return lines.length > 0 ? ["### Gate", lines.join("\n")] : [];
}

function formatChanges(checked: GatedCheck, language: ReportLanguage): string[] {
  const lines = listChanges(checked, language).map(({ text }) => `- ${prose(text)}`);
  return lines.length > 0 ? [`### ${say(SINCE_BASELINE, language)}`, lines.join("\n")] : [];
}

function formatCaps({ caps }: ReceivedCheck): string[] {
  const lines = caps
    .toSorted((a, b) => a.limit - b.limit)
    .map(
      ({ limit, reason, findingId }) =>
        `- **At most ${limit}:** ${prose(reason)} (${code(findingId)})`,
    );
  return lines.length > 0 ? [lines.join("\n")] : [];
}

function formatCategories(check: ReceivedCheck): string[] {
  const rows = check.categories.map((category) => {
    const { earned, points, unjudgedPoints: open } = tallyCategory(check, category);
    const of = `${describePoints(points)}${open > 0 ? `, ${describePoints(open)} not judged` : ""}`;
    return `| ${cell(prose(category.id))} | ${describePoints(earned)} | ${of} |`;
  });
  return [["| Category | Points | of |", "| :-- | --: | --: |", ...rows].join("\n")];
}

function formatAdvice({ evidence, fix }: ReceivedFinding): string[] {
  return [
    ...(evidence === "" ? [] : [`  - Seen: ${prose(evidence)}`]),
    ...(fix === "" ? [] : [`  - **Fix:** ${prose(fix)}`]),
  ];
}

function formatFinding(finding: ReceivedFinding, { baseUrl }: About): string {
  const { id, title, earned, points } = finding;
  const share = `${describePoints(earned)} of ${describePoints(points)} points`;
  const link = `[${code(id)}](<${docsUrlOf(finding, baseUrl)}>)`;
  return [
    `- **+${describePoints(costOf(finding))}** ${link} ${prose(title)} (${share})`,
    ...formatAdvice(finding),
  ].join("\n");
}

/** What was not judged, and why. A root that failed is described where it costs points. */
function formatObstacle(obstacle: Obstacle): string {
  const { root, findings } = obstacle;
  const ids = findings.map(({ id }) => code(id)).join(", ");
  return [
    `- **${countUnjudged(obstacle)}:** ${prose(describeObstacles([obstacle]))} (${ids})`,
    ...(isUnjudged(root) ? formatAdvice(root) : []),
  ].join("\n");
}

function formatCosts(check: ReceivedCheck, about: About): string[] {
  const costs = listCosts(check).map((finding) => formatFinding(finding, about));
  const obstacles = listObstacles(check).map(formatObstacle);
  if (costs.length + obstacles.length === 0) return ["Every rule earns its points."];
  return [
    ...(costs.length > 0 ? ["### Points to win, largest first", costs.join("\n")] : []),
    ...(obstacles.length > 0 ? ["### Not judged", obstacles.join("\n")] : []),
  ];
}

function formatPage(checked: Checked, about: About): string[] {
  if ("error" in checked)
    return ["## Not checked", `${code(urlOf(checked))}: ${prose(describeError(checked.error))}`];
  const { check, gate } = checked;
  const signature = `shipscore ${about.version}, ruleset ${prose(check.ruleset)}, ${describeTime(check.checkedAt)}, ${code(check.id)}`;
  return [
    ...formatHead(check),
    ...formatCaps(check),
    ...formatGate(gate),
    ...formatChanges(checked, about.language),
    ...formatCategories(check),
    ...formatCosts(check, about),
    signature,
  ];
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

/**
 * Markdown for a step summary or a comment. Pages that do not fit into `maxBytes` of UTF-8 are left out as a whole, and
 * counted.
 */
export function formatMarkdownReport(
  checked: readonly Checked[],
  about: About,
  maxBytes: number = NO_LIMIT,
): string {
  const pages = checked.map((each) => `${formatPage(each, about).join("\n\n")}\n`);
  const whole = pages.join("\n");
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  const note = (left: number) =>
    `${countOf(left, "page")} of ${checked.length} left out, for want of room. \`--report markdown=FILE\` has all of them.\n`;
  let text = "";
  let count = 0;
  for (const page of pages) {
    if (Buffer.byteLength(`${text}${page}\n${note(pages.length)}`) > maxBytes) break;
    text += `${page}\n`;
    count++;
  }
  return text + note(pages.length - count);
}
