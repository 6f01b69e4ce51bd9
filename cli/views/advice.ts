import stringWidth from "string-width";
import { partFix } from "../../shared/report/costs.ts";
import type { ReportedFinding } from "../../shared/report/reported.ts";
import { labelText, say, WORDS } from "../../shared/report/words.ts";
import type { Screen } from "../terminal/io.ts";
import { hang, padEnd } from "../terminal/layout.ts";

export const INDENT = "      ";

/** What was seen and how to fix it; the line to paste is never broken. */
export function formatAdvice(
  finding: ReportedFinding,
  { chalk, columns, language }: Screen,
  indent = INDENT,
): string[] {
  const labels = [WORDS.seen, WORDS.fix].map((words) => say(words, language));
  const width = Math.max(...labels.map((label) => stringWidth(label)));
  const [seen = "", fix = ""] = labels.map(
    (label) => `${indent}${chalk.dim(padEnd(label, width))}  `,
  );
  const below = " ".repeat(stringWidth(fix));
  const { before, after } = partFix(finding);
  return [
    ...hang(seen, finding.evidence, columns),
    ...hang(fix, before, columns),
    ...formatFixLine(finding, below, chalk),
    ...hang(below, after, columns),
  ];
}

/** The same as one paragraph. */
export function formatParagraph(
  finding: ReportedFinding,
  { chalk, columns, language }: Screen,
  indent: string,
): string[] {
  const { before, after } = partFix(finding);
  const advice = before === "" ? "" : labelText(say(WORDS.fix, language), before, language);
  return [
    ...hang(indent, `${finding.evidence} ${advice}`, columns),
    ...formatFixLine(finding, indent, chalk),
    ...hang(indent, after, columns),
  ];
}

function formatFixLine({ fixLine }: ReportedFinding, indent: string, chalk: Screen["chalk"]) {
  return fixLine ? [`${indent}${chalk.cyan(fixLine)}`] : [];
}
