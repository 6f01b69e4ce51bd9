import type { Cap } from "../check.ts";
import { isUnjudged } from "./obstacles.ts";
import type { ReportedCheck, ReportedFinding } from "./reported.ts";

/** The points that a finding costs. */
export function costOf({ earned, points }: Pick<ReportedFinding, "earned" | "points">): number {
  return points - earned;
}

/**
 * The findings that were judged and cost points, in the order of what mending them gives: those that cap the score, lowest
 * limit first, then most points first.
 */
export function listCosts(check: ReportedCheck): ReportedFinding[] {
  const limitOf = (finding: ReportedFinding) => findCap(check, finding)?.limit ?? 100;
  return check.findings
    .filter((finding) => costOf(finding) > 0 && !isUnjudged(finding))
    .toSorted((a, b) => limitOf(a) - limitOf(b) || costOf(b) - costOf(a));
}

/** The lowest cap that a finding puts on the score, if any. */
export function findCap(check: ReportedCheck, { id }: ReportedFinding): Cap | undefined {
  return check.caps
    .filter(({ findingId }) => findingId === id)
    .toSorted((a, b) => a.limit - b.limit)[0];
}

/** What was seen and what to do, in one paragraph. */
export function describeFinding({ evidence, fix }: ReportedFinding): string {
  return [evidence, fix].filter((text) => text !== "").join(" ");
}
