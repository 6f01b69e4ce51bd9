import { randomUUID } from "node:crypto";
import type { ReceivedCheck, ReceivedFinding } from "../client/received.ts";
import { listChecks, type Checked } from "../check/checked.ts";
import { describeGate } from "../check/json.ts";
import { describeError } from "../terminal/errors.ts";
import type { Env, Io } from "../terminal/io.ts";
import { isUnjudged } from "../../shared/report/obstacles.ts";
import { appendToFile, measureFile } from "./files.ts";
import { cleanChecked, type Reports } from "./report.ts";
import { costOf, describeFinding, findCap } from "../../shared/report/costs.ts";
import { urlOf } from "../check/addresses.ts";
import { listReported, UNCHECKED } from "./issues.ts";
import { describePoints } from "../../shared/report/words.ts";

const MAX_ANNOTATIONS = 10;

/** More than this in a step's summary, and GitHub drops all of it. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** A comment on a pull request takes 65,536 characters. */
const MAX_OUTPUT_BYTES = 60_000;

function escapeMessage(text: string): string {
  return text.replace(/[%\r\n]/g, encodeURIComponent);
}

function escapeProperty(text: string): string {
  return text.replace(/[%\r\n:,]/g, encodeURIComponent);
}

function formatCommand(level: "error" | "warning", title: string, message: string): string {
  return `::${level} title=${escapeProperty(title)}::${escapeMessage(message)}`;
}

function formatAnnotation(check: ReceivedCheck, finding: ReceivedFinding): string {
  const level = isUnjudged(finding) || findCap(check, finding) ? "error" : "warning";
  const cost = isUnjudged(finding) ? "not judged" : `+${describePoints(costOf(finding))}`;
  const message = `${describeFinding(finding)} (${check.url})`;
  return formatCommand(level, `${finding.id} (${cost}): ${finding.title}`, message);
}

function formatUnchecked(checked: Checked): string[] {
  if (!("error" in checked)) return [];
  const message = `${describeError(checked.error)} (${urlOf(checked)})`;
  return [formatCommand("error", UNCHECKED.title, message)];
}

/** The workflow commands for pages without a check or a verdict, then for what costs points, largest loss first. */
function listAnnotations(checked: readonly Checked[]): string[] {
  const rank = (finding: ReceivedFinding) => (isUnjudged(finding) ? Infinity : costOf(finding));
  const findings = listChecks(checked)
    .flatMap((check) => listReported(check).map((finding) => ({ check, finding })))
    .toSorted((a, b) => (rank(a.finding) < rank(b.finding) ? 1 : -1))
    .map(({ check, finding }) => formatAnnotation(check, finding));
  return [...checked.flatMap(formatUnchecked), ...findings].slice(0, MAX_ANNOTATIONS);
}

/** An output between delimiters that no text can foresee. */
function formatOutput(name: string, value: string): string {
  const delimiter = `shipscore-${randomUUID()}`;
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}

/** `met` where every page was checked and its gate met, else `not_met`; nothing where no gate was asked. */
function formatGate(checked: readonly Checked[]): string {
  const gates = checked.map((one) => ("gate" in one ? describeGate(one.gate) : undefined));
  if (gates.every((gate) => gate === undefined)) return "";
  return formatOutput("gate", gates.every((gate) => gate?.met) ? "met" : "not_met");
}

/** The lowest score of the run, and its verdict. */
function formatScore(checked: readonly Checked[]): string {
  const [worst] = listChecks(checked).toSorted((a, b) => a.score - b.score);
  if (worst === undefined) return "";
  return formatOutput("score", String(worst.score)) + formatOutput("verdict", worst.verdict);
}

/**
 * What a check tells GitHub Actions: annotations on stderr, the Markdown report in the step's summary, and the outputs
 * `score`, `verdict`, `gate` and `report`. Undefined where the command does not run in Actions.
 * @throws CliError 74 for a summary or an output that can't be written
 */
export function openActions(env: Env, io: Io): Reports | undefined {
  if (env.GITHUB_ACTIONS !== "true") return undefined;
  const { GITHUB_STEP_SUMMARY: summaryPath, GITHUB_OUTPUT: outputPath } = env;
  for (const path of [summaryPath, outputPath]) if (path) appendToFile(path, "");
  return {
    async write(checked, about) {
      const clean = checked.map(cleanChecked);
      for (const annotation of listAnnotations(clean)) await io.note(annotation);
      if (!summaryPath && !outputPath) return;
      const { formatMarkdownReport } = await import("./markdown.ts");
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
    },
  };
}
