import type { Cap, CheckResult, Finding } from "../../../shared/check.ts";
import { describePoints, namePoints, say, STATUSES } from "../../../shared/report/words.ts";
import type { Language } from "../../../shared/language.ts";

type Standing = Pick<Finding, "status" | "earned" | "points">;

/** `from` or `to` is null if that ruleset does not contain the rule. */
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

const WHY = {
  absent: { fr: "absente des règles", en: "not in ruleset" },
  judged: { fr: "évaluée", en: "assessed" },
  worth: { fr: "vaut", en: "worth" },
  earns: { fr: "ce qui a été constaté rapporte", en: "what was found earns" },
  instead: { fr: "au lieu de", en: "instead of" },
};

function explainMove(
  from: Standing | null,
  to: Standing | null,
  rulesets: Readonly<Record<"from" | "to", string>>,
  language: Language,
): string | undefined {
  if (from === null || to === null)
    return `${say(WHY.absent, language)} ${from === null ? rulesets.from : rulesets.to}`;
  const instead = say(WHY.instead, language);
  const count = (points: number) =>
    `${describePoints(points, language)} ${namePoints(points, language)}`;
  const reasons = [
    ...(from.status === to.status
      ? []
      : [
          `${say(WHY.judged, language)} ${say(STATUSES[to.status], language)} ${instead} ${say(STATUSES[from.status], language)}`,
        ]),
    ...(from.points === to.points
      ? []
      : [
          `${say(WHY.worth, language)} ${count(to.points)} ${instead} ${describePoints(from.points, language)}`,
        ]),
  ];
  if (reasons.length > 0) return reasons.join(", ");
  return from.earned === to.earned
    ? undefined
    : `${say(WHY.earns, language)} ${count(to.earned)} ${instead} ${describePoints(from.earned, language)}`;
}

function limitOf(caps: readonly Cap[], findingId: string): number | null {
  return caps.find((cap) => cap.findingId === findingId)?.limit ?? null;
}

function summaryOf({ ruleset, score, verdict }: CheckResult): Summary {
  return { ruleset, score, verdict };
}

export function compareResults(
  before: CheckResult,
  after: CheckResult,
  language: Language,
): Changes {
  const ids = new Set([...before.findings, ...after.findings].map(({ id }) => id));
  const findings = [...ids].flatMap((id) => {
    const [from = null, to = null] = [before, after].map((result) =>
      standingOf(result.findings.find((finding) => finding.id === id)),
    );
    const rulesets = { from: before.ruleset, to: after.ruleset };
    const why = explainMove(from, to, rulesets, language);
    return why === undefined ? [] : [{ id, from, to, why }];
  });
  const capped = new Set([...before.caps, ...after.caps].map(({ findingId }) => findingId));
  const caps = [...capped].flatMap((findingId) => {
    const [from, to] = [limitOf(before.caps, findingId), limitOf(after.caps, findingId)];
    return from === to ? [] : [{ findingId, from, to }];
  });
  return { from: summaryOf(before), to: summaryOf(after), findings, caps };
}
