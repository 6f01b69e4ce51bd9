import type { ReceivedCheck, ReceivedFinding } from "../client/received.ts";
import { WARNINGS_SCORE } from "../../shared/verdict.ts";
import type { Checked, GatedCheck, Unchecked } from "../check/checked.ts";
import { describeCondition } from "../check/gate.ts";
import { isUnjudged } from "../../shared/report/obstacles.ts";
import { formatJson } from "../terminal/json.ts";
import { describeFinding, findCap } from "../../shared/report/costs.ts";
import { urlOf } from "../check/addresses.ts";
import { explainUnchecked, fingerprintOf, listReported, pathOf, UNCHECKED } from "./issues.ts";

interface Issue {
  /** The same in every run. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly severity: "minor" | "major" | "critical" | "blocker";
}

function severityOf(check: ReceivedCheck, finding: ReceivedFinding): Issue["severity"] {
  if (isUnjudged(finding)) return "blocker";
  const cap = findCap(check, finding);
  if (cap) return cap.limit < WARNINGS_SCORE ? "blocker" : "critical";
  return finding.status === "fail" ? "major" : "minor";
}

function listIssues({ check, gate }: GatedCheck): Issue[] {
  const findings = listReported(check).map((finding) => ({
    id: finding.id,
    name: finding.id,
    description: `${finding.title}: ${describeFinding(finding)}`,
    severity: severityOf(check, finding),
  }));
  const unmet = gate.conditions.filter(({ isMet }) => !isMet);
  const conditions = unmet.map((condition) => ({
    id: `gate ${condition.asked}`,
    name: "gate",
    description: `${describeCondition(condition)}.`,
    severity: "blocker" as const,
  }));
  return [...conditions, ...findings];
}

function describeMissing({ error }: Unchecked): Issue {
  const { id } = UNCHECKED;
  return { id, name: id, description: explainUnchecked(error), severity: "blocker" };
}

function formatIssues(checked: Checked) {
  const address = urlOf(checked);
  const issues = "check" in checked ? listIssues(checked) : [describeMissing(checked)];
  return issues.map(({ id, name, description, severity }) => ({
    description,
    check_name: name,
    fingerprint: fingerprintOf(address, { id }),
    severity,
    location: { path: pathOf(address), lines: { begin: 1 } },
  }));
}

/**
 * GitLab's Code Quality report: one issue a finding that costs points, an unmet condition of the gate, or a page that
 * could not be judged or checked.
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function formatGitlabReport(checked: readonly Checked[]): string {
  const issues = checked.flatMap(formatIssues);
  // GitLab drops issues whose fingerprint it has read before, as those of a page that was given twice.
  return formatJson([...new Map(issues.map((issue) => [issue.fingerprint, issue])).values()]);
}
