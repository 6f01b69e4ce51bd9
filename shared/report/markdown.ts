import { describeMoment } from "./times.ts";
import type { Language, Text } from "../language.ts";
import type { Gate } from "./gate.ts";
import {
  countUnjudged,
  describeObstacles,
  findPageObstacle,
  isUnjudged,
  listObstacles,
  tallyCategory,
  type Obstacle,
} from "./obstacles.ts";
import {
  describeCategory,
  describePoints,
  describeVerdict,
  describeUnchecked,
  labelText,
  say,
  typeset,
  WORDS,
} from "./words.ts";
import type { ReportedCheck, ReportedFinding } from "./reported.ts";
import { listCircumstances } from "./circumstances.ts";
import {
  costOf,
  describeCap,
  describeEarned,
  findCap,
  listCaps,
  listCosts,
  listFixLines,
} from "./costs.ts";
import { findDocsUrl } from "./addresses.ts";
import {
  describeAccepted,
  explainAcceptance,
  withoutAccepted,
  type GatedReport,
} from "./accepted.ts";
import { listChanges } from "./changes.ts";
import { cell, code, codeBlock, formatLabelled, formatTable, prose } from "./markdown-text.ts";

export interface About {
  /** Null if no server documents the rules. */
  readonly docsBase: URL | null;
  readonly language: Language;
  readonly version: string;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

function formatHead({ check, gate }: GatedReport, language: Language): string[] {
  const facts = [
    code(check.url),
    ...(check.finalUrl === check.url
      ? []
      : [`${say(WORDS.readAtInline, language)} ${code(check.finalUrl)}`]),
    ...listCircumstances(check, language),
  ];
  const verdict = prose(describeVerdict(check.verdict, language));
  return [
    labelText(
      `## Ship Score ${check.score}/100${describeAccepted(gate, language)}`,
      verdict,
      language,
    ),
    facts.join(", "),
  ];
}

function formatFixLines(finding: ReportedFinding): string[] {
  const lines = listFixLines(finding);
  return lines.length > 0 ? [codeBlock(lines)] : [];
}

function formatPageObstacle(check: ReportedCheck, language: Language): string[] {
  const root = findPageObstacle(check)?.root;
  if (root === undefined) return [];
  const words = typeset(`${root.evidence} ${root.fix}`, language);
  return [
    formatLabelled(say(WORDS.notChecked, language), words, language),
    ...formatFixLines(root),
  ];
}

function formatCaps(check: ReportedCheck, language: Language): string[] {
  const lines = listCaps(check).map(({ limit, reason, findingId }) => {
    const label = `${say(WORDS.atMost, language)} ${limit}`;
    return `- ${formatLabelled(label, typeset(reason, language), language)} (${code(findingId)})`;
  });
  return lines.length > 0 ? [lines.join("\n")] : [];
}

function formatList(title: Text, lines: readonly string[], language: Language): string[] {
  return lines.length > 0 ? [`### ${say(title, language)}`, lines.join("\n")] : [];
}

function formatGate({ conditions }: Gate, language: Language): string[] {
  const lines = conditions.map(({ isMet, text }) =>
    isMet
      ? `- ✅ ${labelText(say(WORDS.met, language), prose(text), language)}`
      : `- ❌ ${formatLabelled(say(WORDS.notMet, language), text, language)}`,
  );
  return formatList(WORDS.gate, lines, language);
}

function formatAccepted({ accepted }: Gate, language: Language): string[] {
  const lines = (accepted?.findings ?? []).map(
    (one) => `- ${code(one.rule)} ${prose(explainAcceptance(one, language))}`,
  );
  return formatList(WORDS.acceptedList, lines, language);
}

function formatChanges(checked: GatedReport, language: Language): string[] {
  const lines = listChanges(checked, language).map(({ text }) => `- ${prose(text)}`);
  return formatList(WORDS.changes, lines, language);
}

function formatCategories(check: ReportedCheck, language: Language): string {
  const rows = check.categories.map((category) => {
    const { earned, points, unjudgedPoints, isJudged } = tallyCategory(check, category);
    const open = describeUnchecked(unjudgedPoints, language);
    return [
      cell(prose(describeCategory(category.id, language))),
      isJudged ? describePoints(earned, language) : say(WORDS.uncheckedOne, language),
      `${describePoints(points, language)}${isJudged && unjudgedPoints > 0 ? `, ${open}` : ""}`,
    ];
  });
  const head = [WORDS.category, WORDS.pointsColumn, WORDS.maximum].map((words) =>
    say(words, language),
  );
  return formatTable([head, ...rows], "| :-- | --: | --: |");
}

function formatAdvice(finding: ReportedFinding, language: Language) {
  const evidence = prose(typeset(finding.evidence, language));
  const found = labelText(say(WORDS.found, language), evidence, language);
  const advice = formatLabelled(say(WORDS.fix, language), typeset(finding.fix, language), language);
  return [
    ...(finding.evidence === "" ? [] : [`- ${found}`]),
    ...(advice === "" ? [] : [`- ${advice}`]),
    ...formatFixLines(finding).map(indent),
  ].map(indent);
}

function formatFinding(
  check: ReportedCheck,
  finding: ReportedFinding,
  { docsBase, language }: About,
): string {
  const { id, title } = finding;
  const cap = findCap(check, finding);
  const cost = `+${describePoints(costOf(finding), language)}`;
  const gain = [cost, ...(cap ? [describeCap(cap, language)] : [])].join(", ");
  const docsUrl = findDocsUrl(finding, docsBase);
  const link = docsUrl ? `[${code(id)}](<${docsUrl}>)` : code(id);
  return [
    `- **${gain}** ${link} ${prose(typeset(title, language))} (${describeEarned(finding, language)})`,
    ...formatAdvice(finding, language),
  ].join("\n");
}

/** With `isShown`, the root is described elsewhere, so it is only named. */
function formatObstacle(obstacle: Obstacle, isShown: boolean, language: Language): string {
  const { root, findings } = obstacle;
  const ids = findings.map(({ id }) => code(id)).join(", ");
  const why = describeObstacles([obstacle], language);
  return [
    `- ${formatLabelled(countUnjudged(obstacle, language), why, language)} (${ids})`,
    ...(isShown ? [] : formatAdvice(root, language)),
  ].join("\n");
}

function formatCosts(check: ReportedCheck, about: About): string[] {
  const { language } = about;
  const costs = listCosts(check).map((finding) => formatFinding(check, finding, about));
  const shown = findPageObstacle(check)?.root;
  const obstacles = listObstacles(check).map((one) =>
    formatObstacle(one, one.root === shown || !isUnjudged(one.root), language),
  );
  const isNothingLost = check.findings.every(({ status }) => status !== "accepted");
  if (costs.length + obstacles.length === 0)
    return isNothingLost ? [say(WORDS.nothingLost, language)] : [];
  return [
    ...formatList(WORDS.costs, costs, language),
    ...formatList(WORDS.unchecked, obstacles, language),
  ];
}

function formatSignature(check: ReportedCheck, { version, language }: About): string {
  const ruleset = `${say(WORDS.ruleset, language)} ${prose(check.ruleset)}`;
  const time = describeMoment(new Date(check.checkedAt), { language });
  return `shipscore ${version}, ${ruleset}, ${time}, ${code(check.id)}`;
}

export function formatUnchecked(url: string, why: string, language: Language): string {
  return `## ${say(WORDS.notChecked, language)}\n\n${code(url)}: ${prose(why)}\n`;
}

export function formatChecked(checked: GatedReport, about: About): string {
  const { language } = about;
  const { check, gate } = checked;
  const blocks = [
    ...formatHead(checked, language),
    ...formatPageObstacle(check, language),
    ...formatCaps(check, language),
    ...formatGate(gate, language),
    ...formatAccepted(gate, language),
    ...formatChanges(checked, language),
    formatCategories(check, language),
    ...formatCosts(withoutAccepted(checked), about),
    formatSignature(check, about),
  ];
  return `${blocks.join("\n\n")}\n`;
}
