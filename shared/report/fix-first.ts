import type { Language, Text } from "../language.ts";
import { costOf, listCosts } from "./costs.ts";
import { listObstacles } from "./obstacles.ts";
import { passFindings } from "./passed.ts";
import type { ReportedCheck, ReportedFinding } from "./reported.ts";
import { labelText } from "./words.ts";

export interface FixFirst {
  readonly findings: readonly ReportedFinding[];
  readonly after: ReportedCheck["scoreRange"];
  /** True if the findings block others. Those can be checked only after the fix, so the score is at most `after.max`. */
  readonly isBound: boolean;
}

const FIRST = 3;

/**
 * Finds the set that raises the score most, then earns most points. Such a set removes some of the lowest caps, and otherwise
 * has the largest costs.
 */
export function findFixFirst(check: ReportedCheck): FixFirst | undefined {
  const costs = listCosts(check);
  const sets = [0, 1, 2, 3].map((capped) => {
    const others = costs.slice(capped).toSorted((a, b) => costOf(b) - costOf(a));
    const chosen = new Set([...costs.slice(0, capped), ...others.slice(0, FIRST - capped)]);
    const findings = costs.filter((finding) => chosen.has(finding));
    const points = findings.reduce((sum, finding) => sum + costOf(finding), 0);
    const { scoreRange } = passFindings(check, new Set(findings.map(({ id }) => id)));
    return { findings, points, after: scoreRange };
  });
  const [best] = sets.toSorted(
    (a, b) => b.after.max - a.after.max || b.after.min - a.after.min || b.points - a.points,
  );
  if (best === undefined || best.findings.length === 0) return undefined;
  const isBound = listObstacles(check).some(
    ({ root, findings }) =>
      best.findings.includes(root) && findings.some(({ status }) => status === "blocked"),
  );
  return { findings: best.findings, after: best.after, isBound };
}

const FIX: readonly Text[] = [
  { fr: "Cette correction", en: "Fix this" },
  { fr: "Ces deux corrections", en: "Fix these two" },
  { fr: "Ces trois corrections", en: "Fix these three" },
];

const rangeOf = ({ min, max }: ReportedCheck["scoreRange"]) =>
  min === max ? String(min) : `${min}–${max}`;

/** `Fix these three: 78 to 89`. */
export function describeFixFirst(
  { scoreRange }: Pick<ReportedCheck, "scoreRange">,
  { findings, after, isBound }: FixFirst,
  language: Language,
): string {
  const [from, to] = [rangeOf(scoreRange), rangeOf(after)];
  const change: Text = isBound
    ? {
        fr: `de ${from} à ${after.max} au plus, quand le reste pourra être vérifié`,
        en: `${from} to ${after.max} at most, once the rest can be checked`,
      }
    : { fr: `de ${from} à ${to}`, en: `${from} to ${to}` };
  const stays: Text = {
    fr: `le score reste à ${to}, limité par un autre plafond`,
    en: `the score stays at ${to} because of another cap`,
  };
  const said = !isBound && from === to ? stays : change;
  return labelText(FIX[findings.length - 1]?.[language] ?? "", said[language], language);
}
