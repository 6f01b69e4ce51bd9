import type { CheckAnswer } from "../answers.ts";
import type { Checked } from "../checked.ts";
import { formatJson } from "../views/json.ts";
import {
  describeFinding,
  findCap,
  fingerprintOf,
  listCosts,
  pathOf,
  type Finding,
} from "./costs.ts";

function severityOf(check: CheckAnswer, finding: Finding): string {
  const cap = findCap(check, finding);
  if (cap) return cap.limit < 60 ? "blocker" : "critical";
  return finding.status === "fail" ? "major" : "minor";
}

function listIssues(check: CheckAnswer) {
  return listCosts(check).map((finding) => ({
    description: `${finding.title}: ${describeFinding(finding)}`,
    check_name: finding.id,
    fingerprint: fingerprintOf(check.url, finding),
    severity: severityOf(check, finding),
    location: { path: pathOf(check.url), lines: { begin: 1 } },
  }));
}

/**
 * GitLab's Code Quality report: what costs points, one issue a finding.
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function formatGitlabReport(checked: readonly Checked[]): string {
  const issues = checked.flatMap((each) => ("check" in each ? listIssues(each.check) : []));
  // GitLab drops issues whose fingerprint it has read before, as those of a page that was given twice.
  return formatJson([...new Map(issues.map((issue) => [issue.fingerprint, issue])).values()]);
}
