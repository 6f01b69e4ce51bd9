import type { Acceptance } from "../acceptance.ts";
import { computeVerdict } from "../verdict.ts";
import { costOf, listCaps } from "./costs.ts";
import { sumOf } from "./obstacles.ts";
import type { ReportedCheck, ReportedFinding } from "./reported.ts";

export type Result = Pick<
  ReportedCheck,
  "score" | "scoreRange" | "coverage" | "verdict" | "caps" | "categories" | "findings"
>;

/** What these findings block stays unassessed. */
export function passFindings<T extends Result>(
  check: T,
  ids: ReadonlySet<string>,
  status = "pass",
): T {
  const isPassed = (finding: ReportedFinding) =>
    ids.has(finding.id) && (finding.status === "fail" || finding.status === "partial");
  const passed = check.findings.filter(isPassed);
  if (passed.length === 0) return check;
  const findings = check.findings.map((finding) =>
    isPassed(finding) ? { ...finding, status, earned: finding.points } : finding,
  );
  const categories = check.categories.map((category) => {
    const own = passed.filter((finding) => finding.category === category.id);
    const gain = own.reduce((sum, finding) => sum + costOf(finding), 0);
    return { ...category, earned: category.earned + gain };
  });
  const caps = listCaps(check).filter(({ findingId }) =>
    passed.every(({ id }) => id !== findingId),
  );
  const limit = caps[0]?.limit ?? 100;
  const earned = sumOf(categories, "earned");
  const open = findings.filter((finding) => finding.status === "unknown");
  const openPoints = sumOf(open, "points") - sumOf(open, "earned");
  const score = Math.max(check.score, Math.floor(Math.min(earned, limit)));
  const most = Math.max(score, Math.floor(Math.min(earned + openPoints, limit)));
  return {
    ...check,
    findings,
    categories,
    caps,
    score,
    scoreRange: { min: score, max: most },
    verdict: computeVerdict(score, most, check.coverage, limit),
  };
}

export function acceptFindings<T extends Result>(check: T, accepted: readonly Acceptance[]): T {
  return passFindings(check, new Set(accepted.map(({ rule }) => rule)), "accepted");
}
