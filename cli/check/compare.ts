import type { ReceivedCheck, ReceivedFinding } from "../client/received.ts";
import { costOf, findCap, listCosts, shareOf } from "../../shared/report/costs.ts";
import { isUnjudged } from "../../shared/report/obstacles.ts";

type Change = "new" | "mended" | "not judged" | "unchanged";

/** What became of a page's findings since its baseline: their ids, in the order of what fixing them gives. */
export interface Comparison {
  readonly before: ReceivedCheck;
  /** Those that earn less than before, or cap the score lower. */
  readonly worse: readonly string[];
  /** Those that were judged before, and earn more or cap the score no longer. */
  readonly mended: readonly string[];
  /** Those that were judged before, and are not now. */
  readonly unjudged: readonly string[];
  readonly unchangedCount: number;
  /** True where the baseline is of a page with another URL. */
  readonly isOtherPage?: boolean;
}

const NO_CAP = 100;

/** Undefined for a rule that the ruleset of the baseline did not have. */
function findChange(
  before: ReceivedCheck,
  now: ReceivedCheck,
  finding: ReceivedFinding,
): Change | undefined {
  const limitOf = (check: ReceivedCheck) => findCap(check, finding)?.limit ?? NO_CAP;
  const earlier = before.findings.find(({ id }) => id === finding.id);
  if (earlier === undefined)
    return before.ruleset === now.ruleset && costOf(finding) > 0 ? "new" : undefined;
  if (limitOf(now) < limitOf(before)) return "new";
  if (isUnjudged(finding)) return isUnjudged(earlier) ? "unchanged" : "not judged";
  // Another ruleset may have changed the points.
  const gain = shareOf(finding) - shareOf(earlier);
  if (gain < 0) return "new";
  const isBetter = gain > 0 || limitOf(now) > limitOf(before);
  return isBetter && !isUnjudged(earlier) ? "mended" : "unchanged";
}

/**
 * Compares a page's findings with those of an earlier check; of another ruleset, those that both have. What was blocked before,
 * and so counted as earned, and fails now is new: the gate fails closed.
 */
export function compareChecks(before: ReceivedCheck, now: ReceivedCheck): Comparison {
  const findings = new Set<ReceivedFinding>([...listCosts(now), ...now.findings]);
  const changes = [...findings].map(
    (finding) => [finding.id, findChange(before, now, finding)] as const,
  );
  const list = (wanted: Change) =>
    changes.flatMap(([id, change]) => (change === wanted ? [id] : []));
  return {
    before,
    worse: list("new"),
    mended: list("mended"),
    unjudged: list("not judged"),
    unchangedCount: list("unchanged").length,
  };
}
