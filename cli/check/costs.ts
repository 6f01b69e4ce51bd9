import type { CheckAnswer, FindingAnswer } from "../client/answers.ts";
import { isUnjudged } from "./obstacles.ts";

/** The points that a finding loses. */
export function costOf({ earned, points }: FindingAnswer): number {
  return points - earned;
}

/** The findings that were judged and lose points, largest loss first. */
export function listCosts({ findings }: CheckAnswer): FindingAnswer[] {
  return findings
    .filter((finding) => costOf(finding) > 0 && !isUnjudged(finding))
    .toSorted((a, b) => costOf(b) - costOf(a));
}

/** The lowest cap that a finding puts on the score, where it puts one. */
export function findCap(
  check: CheckAnswer,
  { id }: FindingAnswer,
): CheckAnswer["caps"][number] | undefined {
  return check.caps
    .filter(({ findingId }) => findingId === id)
    .toSorted((a, b) => a.limit - b.limit)[0];
}

/** What was seen and what to do, in one paragraph. */
export function describeFinding({ evidence, fix }: FindingAnswer): string {
  return [evidence, fix].filter((text) => text !== "").join(" ");
}
