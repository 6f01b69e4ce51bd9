import type { Cap, CheckResult, Finding } from "../../shared/check.ts";

type Standing = Pick<Finding, "status" | "earned" | "points">;

/** A finding that differs between two results of the same evidence; null on the side of a ruleset without its rule. */
interface MovedFinding {
  readonly id: string;
  readonly from: Standing | null;
  readonly to: Standing | null;
  readonly why: string;
}

interface MovedCap {
  readonly findingId: string;
  readonly from: number | null;
  readonly to: number | null;
}

type Summary = Pick<CheckResult, "ruleset" | "score" | "verdict">;

/** How two results of the same evidence differ. */
export interface Changes {
  readonly from: Summary;
  readonly to: Summary;
  readonly findings: readonly MovedFinding[];
  readonly caps: readonly MovedCap[];
}

function standingOf(finding: Finding | undefined): Standing | null {
  return finding
    ? { status: finding.status, earned: finding.earned, points: finding.points }
    : null;
}

function explainMove(from: Standing | null, to: Standing | null): string | undefined {
  if (from === null) return "a new rule";
  if (to === null) return "no longer a rule";
  const reasons = [
    ...(from.status === to.status ? [] : [`judged ${to.status} instead of ${from.status}`]),
    ...(from.points === to.points ? [] : [`worth ${to.points} points instead of ${from.points}`]),
  ];
  if (reasons.length > 0) return reasons.join(", ");
  return from.earned === to.earned
    ? undefined
    : `what was seen earns ${to.earned} points instead of ${from.earned}`;
}

function limitOf(caps: readonly Cap[], findingId: string): number | null {
  return caps.find((cap) => cap.findingId === findingId)?.limit ?? null;
}

function summaryOf({ ruleset, score, verdict }: CheckResult): Summary {
  return { ruleset, score, verdict };
}

/** Which points and caps differ between two results of the same evidence, and why, in the order of the findings. */
export function compareResults(before: CheckResult, after: CheckResult): Changes {
  const ids = new Set([...before.findings, ...after.findings].map(({ id }) => id));
  const findings = [...ids].flatMap((id) => {
    const [from, to] = [before, after].map((result) =>
      standingOf(result.findings.find((finding) => finding.id === id)),
    );
    const why = explainMove(from ?? null, to ?? null);
    return why === undefined ? [] : [{ id, from: from ?? null, to: to ?? null, why }];
  });
  const capped = new Set([...before.caps, ...after.caps].map(({ findingId }) => findingId));
  const caps = [...capped].flatMap((findingId) => {
    const [from, to] = [limitOf(before.caps, findingId), limitOf(after.caps, findingId)];
    return from === to ? [] : [{ findingId, from, to }];
  });
  return { from: summaryOf(before), to: summaryOf(after), findings, caps };
}
