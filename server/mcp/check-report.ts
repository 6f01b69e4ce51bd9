import type { Check, Finding } from "../../shared/check.ts";
import type { RunCheckResult } from "../../shared/tools.ts";
import type { Language } from "../language.ts";
import { writeCheck } from "./check-text.ts";
import { fitResult } from "./fit.ts";
import { PAGE_TEXT_LENGTH, pageText } from "./page-text.ts";
import type { ToolResult } from "./tool.ts";

const lossOf = ({ earned, points }: Finding) => points - earned;

/** The check with what costs points first and whole, the ids of the rest, and every text as one line. */
function shortenCheck(check: Check, maxLength: number): RunCheckResult {
  const shorten = (text: string) => pageText(text, maxLength);
  const costly = check.findings.filter((one) => lossOf(one) > 0);
  return {
    ...check,
    finalUrl: pageText(check.finalUrl),
    caps: check.caps.map((cap) => ({ ...cap, reason: shorten(cap.reason) })),
    findings: costly
      .toSorted((one, other) => lossOf(other) - lossOf(one))
      .map((finding) => ({
        ...finding,
        title: shorten(finding.title),
        evidence: shorten(finding.evidence),
        fix: shorten(finding.fix),
      })),
    passed: check.findings.filter((one) => lossOf(one) <= 0).map(({ id }) => id),
  };
}

/**
 * What an assistant is told of a check. In a result that would be too long every text is cut at the same length, and
 * nothing is left out.
 */
export function reportCheck(check: Check, language: Language): ToolResult<RunCheckResult> {
  return fitResult(PAGE_TEXT_LENGTH, (maxLength) => {
    const structured = shortenCheck(check, maxLength);
    return { structured, text: writeCheck(structured, language) };
  });
}
