import type { Text } from "../language.ts";
import { costOf, findCap, listCaps, listCosts, shareOf } from "./costs.ts";
import { isUnjudged, sumOf } from "./obstacles.ts";
import type { ReportedCheck, ReportedFinding } from "./reported.ts";

/** `new`: earns less than before, or caps the score lower. `fixed`: was assessed before, and earns more or no longer caps. */
export type Change = "new" | "fixed" | "unjudged" | "unchanged";

export interface FindingChange {
  readonly finding: ReportedFinding;
  readonly change: Change;
  /** In earned points; negative for a loss. */
  readonly gain: number;
}

/** Ids of the page's findings, in the order of `listCosts`. */
export interface Comparison {
  readonly before: ReportedCheck;
  readonly worse: readonly string[];
  readonly fixed: readonly string[];
  /** Assessed before, but not now. */
  readonly unjudged: readonly string[];
  readonly unchangedCount: number;
  readonly isOtherPage?: boolean;
}

const NO_CAP = 100;

function nameChange(
  before: ReportedCheck,
  now: ReportedCheck,
  earlier: ReportedFinding,
  finding: ReportedFinding,
): Change {
  const limitOf = (check: ReportedCheck) => findCap(check, finding)?.limit ?? NO_CAP;
  if (limitOf(now) < limitOf(before)) return "new";
  if (isUnjudged(finding)) return isUnjudged(earlier) ? "unchanged" : "unjudged";
  // Another ruleset may have other points.
  const gain = shareOf(finding) - shareOf(earlier);
  if (gain < 0) return "new";
  const isBetter = gain > 0 || limitOf(now) > limitOf(before);
  return isBetter && !isUnjudged(earlier) ? "fixed" : "unchanged";
}

/**
 * In the order of `listCosts`. A finding that was blocked before counts as earned. So it is `new` if it fails now, and the gate fails.
 */
export function compareFindings(before: ReportedCheck, now: ReportedCheck): FindingChange[] {
  const findings = new Set<ReportedFinding>([...listCosts(now), ...now.findings]);
  return [...findings].flatMap((finding): FindingChange[] => {
    const earlier = before.findings.find(({ id }) => id === finding.id);
    if (earlier !== undefined) {
      const change = nameChange(before, now, earlier, finding);
      return [{ finding, change, gain: finding.earned - earlier.earned }];
    }
    const isNew = before.ruleset === now.ruleset && costOf(finding) > 0;
    return isNew ? [{ finding, change: "new", gain: -costOf(finding) }] : [];
  });
}

export function compareChecks(before: ReportedCheck, now: ReportedCheck): Comparison {
  const changes = compareFindings(before, now);
  const list = (wanted: Change) =>
    changes.flatMap(({ finding, change }) => (change === wanted ? [finding.id] : []));
  return {
    before,
    worse: list("new"),
    fixed: list("fixed"),
    unjudged: list("unjudged"),
    unchangedCount: list("unchanged").length,
  };
}

function findDecidingCap(check: ReportedCheck) {
  const [cap] = listCaps(check);
  return cap !== undefined && sumOf(check.findings, "earned") > cap.limit ? cap : undefined;
}

function explainCaps(before: ReportedCheck, now: ReportedCheck): Text[] {
  const [was, is] = [findDecidingCap(before), findDecidingCap(now)];
  if (was !== undefined && was.findingId === is?.findingId && was.limit === is.limit) {
    const { findingId: id, limit } = was;
    return [
      {
        fr: `${id} plafonne les deux scores à ${limit}.`,
        en: `${id} caps both scores at ${limit}.`,
      },
    ];
  }
  const reasons: Text[] = [];
  if (was && now.caps.every(({ findingId }) => findingId !== was.findingId))
    reasons.push({
      fr: `${was.findingId} ne plafonne plus le score à ${was.limit}.`,
      en: `${was.findingId} no longer caps the score at ${was.limit}.`,
    });
  else if (was)
    reasons.push({
      fr: `Avant, ${was.findingId} plafonnait le score à ${was.limit}.`,
      en: `Before, ${was.findingId} capped the score at ${was.limit}.`,
    });
  if (is)
    reasons.push({
      fr: `${is.findingId} plafonne maintenant le score à ${is.limit}.`,
      en: `${is.findingId} now caps the score at ${is.limit}.`,
    });
  return reasons;
}

/** Empty if the new and fixed findings explain the whole difference. */
export function explainDifference(
  before: ReportedCheck,
  now: ReportedCheck,
  changes: readonly FindingChange[],
): Text[] {
  const isListed = ({ change }: FindingChange) => change === "new" || change === "fixed";
  const listedGain = changes.filter(isListed).reduce((sum, { gain }) => sum + gain, 0);
  if (now.score - before.score === listedGain) return [];
  const reasons = explainCaps(before, now);
  const others = changes.filter((change) => !isListed(change) && change.gain !== 0);
  const ids = others.map(({ finding }) => finding.id).join(", ");
  if (ids !== "")
    reasons.push({
      fr: `Une seule des deux vérifications a pu évaluer ${ids}.`,
      en: `Only one of the two checks could assess ${ids}.`,
    });
  if (before.ruleset !== now.ruleset)
    reasons.push({
      fr: `Les règles ont changé entre-temps (${before.ruleset}, puis ${now.ruleset}).`,
      en: `The rules changed in the meantime (${before.ruleset}, then ${now.ruleset}).`,
    });
  if (reasons.length === 0)
    reasons.push({
      fr: "Chaque score est arrondi à l'entier inférieur.",
      en: "Each score is rounded down.",
    });
  return reasons;
}
