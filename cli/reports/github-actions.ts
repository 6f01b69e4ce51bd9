import type { Language } from "../../shared/language.ts";
import { explainAcceptance, findAcceptance } from "../../shared/report/accepted.ts";
import {
  type Checked,
  type GatedCheck,
  listChecks,
  describeGate,
  urlOf,
} from "../check/results.ts";
import type { Condition } from "../../shared/report/gate.ts";
import { describeCondition } from "../../shared/report/gate-words.ts";
import type { ReportedFinding } from "../../shared/report/reported.ts";
import { formatAnnotation, markAnnotated, describeError } from "../terminal/errors.ts";
import type { Env, Io } from "../terminal/io.ts";
import { isUnjudged } from "../../shared/report/obstacles.ts";
import { appendToFile, measureFile } from "./files.ts";
import { formatMarkdownReport } from "./markdown.ts";
import { cleanChecked, type WriteReports } from "./report.ts";
import {
  costOf,
  describeAdvice,
  describeCap,
  findCap,
  listFixLines,
} from "../../shared/report/costs.ts";
import { listReported, UNCHECKED } from "./issues.ts";
import {
  capitalize,
  describePoints,
  labelText,
  say,
  typeset,
  WORDS,
} from "../../shared/report/words.ts";

const MAX_ANNOTATIONS = 10;

/** GitHub drops the whole summary of a step if it is larger. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** A comment on a pull request takes 65,536 characters. */
const MAX_OUTPUT_BYTES = 60_000;

interface Annotation {
  readonly rank: number;
  readonly cost: number;
  readonly line: string;
}

/** Annotations are sorted by rank, lowest first. The rank of a cap is its limit, from 0 to 100. */
const RANKS = { unchecked: -3, unjudged: -2, gate: -1, free: 101, accepted: 102 };

function annotateFinding(
  checked: GatedCheck,
  finding: ReportedFinding,
  language: Language,
): Annotation {
  const isOpen = isUnjudged(finding);
  const acceptance = findAcceptance(checked, finding.id);
  const cap = findCap(checked.check, finding);
  const cost = `+${describePoints(costOf(finding), language)}`;
  const standing = `${finding.id} (${isOpen ? say(WORDS.uncheckedRule, language) : cost})`;
  const title = labelText(standing, typeset(finding.title, language), language);
  if (acceptance) {
    const accepted = capitalize(explainAcceptance(acceptance, language, acceptance.until));
    const message = `${accepted} (${urlOf(checked)})`;
    const line = formatAnnotation("notice", title, message);
    return { rank: RANKS.accepted, cost: costOf(finding), line };
  }
  const reason = cap
    ? `${labelText(capitalize(describeCap(cap, language)), typeset(cap.reason, language), language)} `
    : "";
  const words = `${reason}${describeAdvice(finding, language)} (${urlOf(checked)})`;
  const message = [words, ...listFixLines(finding)].join("\n");
  return {
    rank: isOpen ? RANKS.unjudged : (cap?.limit ?? RANKS.free),
    cost: costOf(finding),
    line: formatAnnotation(isOpen || cap ? "error" : "warning", title, message),
  };
}

function annotateCondition(
  checked: GatedCheck,
  condition: Condition,
  language: Language,
): Annotation {
  const message = `${describeCondition(condition, language)} (${urlOf(checked)})`;
  const line = formatAnnotation("error", condition.asked, message);
  return { rank: RANKS.gate, cost: 0, line };
}

function annotatePage(checked: Checked, language: Language): Annotation[] {
  if ("error" in checked) {
    const message = `${describeError(checked.error, language)} (${urlOf(checked)})`;
    const line = formatAnnotation("error", say(UNCHECKED.title, language), message);
    return [{ rank: RANKS.unchecked, cost: 0, line }];
  }
  const unmet = checked.gate.conditions.filter(({ isMet }) => !isMet);
  return [
    ...unmet.map((condition) => annotateCondition(checked, condition, language)),
    ...listReported(checked.check).map((finding) => annotateFinding(checked, finding, language)),
  ];
}

/** GitHub shows no more workflow commands. */
function listAnnotations(checked: readonly Checked[], language: Language): string[] {
  return checked
    .flatMap((one) => annotatePage(one, language))
    .toSorted((a, b) => a.rank - b.rank || b.cost - a.cost)
    .slice(0, MAX_ANNOTATIONS)
    .map(({ line }) => line);
}

/** No text can predict the delimiter. */
function formatOutput(name: string, value: string): string {
  const delimiter = `shipscore-${crypto.randomUUID()}`;
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}

function formatGate(checked: readonly Checked[]): string {
  const gates = checked.map((one) => ("gate" in one ? describeGate(one.gate) : undefined));
  if (gates.every((gate) => (gate?.conditions ?? []).length === 0)) return "";
  return formatOutput("gate", gates.every((gate) => gate?.met) ? "met" : "not_met");
}

function formatScore(checked: readonly Checked[]): string {
  const [worst] = listChecks(checked).toSorted((a, b) => a.score - b.score);
  if (worst === undefined) return "";
  return formatOutput("score", String(worst.score)) + formatOutput("verdict", worst.verdict);
}

/** @throws CliError 74 for a summary or an output that cannot be written */
export function openActions(env: Env, io: Io): WriteReports {
  const { GITHUB_STEP_SUMMARY: summaryPath, GITHUB_OUTPUT: outputPath } = env;
  for (const path of [summaryPath, outputPath]) if (path) appendToFile(path, "");
  return async (checked, about) => {
    const clean = checked.map(cleanChecked);
    const annotations = io.isQuiet ? [] : listAnnotations(clean, about.language);
    for (const annotation of annotations) await io.write(annotation);
    for (const one of checked) if ("error" in one) markAnnotated(one.error);
    if (!summaryPath && !outputPath) return;
    if (summaryPath) {
      const room = MAX_SUMMARY_BYTES - measureFile(summaryPath) - "\n".length;
      const summary = `${formatMarkdownReport(clean, about, room)}\n`;
      if (Buffer.byteLength(summary) <= room) appendToFile(summaryPath, summary);
    }
    if (outputPath) {
      const report = formatMarkdownReport(clean, about, MAX_OUTPUT_BYTES).trimEnd();
      const outputs = [formatScore(clean), formatGate(clean), formatOutput("report", report)];
      appendToFile(outputPath, outputs.join(""));
    }
  };
}
