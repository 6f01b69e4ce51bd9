import type { Check, Finding } from "../../shared/check.ts";
import type { RunCheckResult } from "../../shared/tools.ts";
import type { Language } from "../base/language.ts";
import { writeCheck } from "./check-text.ts";
import { fitResult } from "./fit.ts";
import { cutLine, PAGE_TEXT_LENGTH, pageText } from "./page-text.ts";
import type { ToolResult } from "./tool.ts";

const lossOf = ({ earned, points }: Finding) => points - earned;

type ShownFinding = RunCheckResult["findings"][number];
type Texts = Pick<RunCheckResult, "caps" | "findings">;

/** A line to paste that would be changed is left out. */
const mapTexts = ({ caps, findings }: Texts, change: (text: string) => string): Texts => ({
  caps: caps.map((cap) => ({ ...cap, reason: change(cap.reason) })),
  findings: findings.map((finding) => ({
    ...finding,
    title: change(finding.title),
    evidence: change(finding.evidence),
    fix: change(finding.fix),
    fixLine:
      finding.fixLine && finding.fixLine === change(finding.fixLine) ? finding.fixLine : null,
  })),
});

const withoutEmptyLine = ({ fixLine, ...finding }: ShownFinding): ShownFinding =>
  fixLine ? { ...finding, fixLine } : finding;

/** The check with what costs points first and whole, the ids of the rest, and the page's texts as data. */
function sortCheck(check: Check): RunCheckResult {
  const costly = check.findings
    .filter((one) => lossOf(one) > 0)
    .toSorted((one, other) => lossOf(other) - lossOf(one));
  return {
    ...check,
    finalUrl: pageText(check.finalUrl),
    ...mapTexts({ caps: check.caps, findings: costly }, pageText),
    passed: check.findings.filter((one) => lossOf(one) <= 0).map(({ id }) => id),
  };
}

/** The id of the failure that left nothing to judge, by the id of each finding that it blocks. */
const listBlocked = ({ findings }: Check): Map<string, string> =>
  new Map(
    findings.flatMap(({ id, status, blockedBy }) =>
      status === "blocked" && blockedBy !== undefined ? [[id, blockedBy] as const] : [],
    ),
  );

/**
 * What an assistant is told of a check. In a result that would be too long every text is cut at the same length; nothing
 * is left out but lines to paste.
 */
export function reportCheck(check: Check, language: Language): ToolResult<RunCheckResult> {
  const [sorted, blocked] = [sortCheck(check), listBlocked(check)];
  return fitResult(PAGE_TEXT_LENGTH, (maxLength) => {
    const { caps, findings } = mapTexts(sorted, (text) => cutLine(text, maxLength));
    const isWhole = maxLength === PAGE_TEXT_LENGTH;
    const structured = {
      ...sorted,
      caps,
      findings: isWhole ? findings : findings.map(withoutEmptyLine),
    };
    return { structured, text: writeCheck(structured, blocked, language) };
  });
}
