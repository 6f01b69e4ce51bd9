import type { Language } from "../language.ts";
import { groupBy } from "../group-by.ts";
import type { ReportedCategory, ReportedCheck, ReportedFinding } from "./reported.ts";
import { describePoints, describeStatus, labelText, namePoints, nameUnchecked } from "./words.ts";

export interface Obstacle {
  /** The finding to fix first: one that failed, or the first unknown one with this evidence. */
  readonly root: ReportedFinding;
  /** Includes the root if it is unknown. */
  readonly findings: readonly ReportedFinding[];
  readonly points: number;
}

type Result = Pick<ReportedCheck, "findings" | "caps">;

const UNJUDGED: readonly string[] = ["unknown", "blocked"];

export function isUnjudged({ status }: ReportedFinding): boolean {
  return UNJUDGED.includes(status);
}

type Points = Pick<ReportedFinding, "earned" | "points">;

export function sumOf(list: readonly Points[], key: keyof Points): number {
  return list.reduce((sum, one) => sum + one[key], 0);
}

/** The lowest cap, or else the first failure, blocks findings that name no blocker. */
function findUsualBlocker({ findings, caps }: Result): ReportedFinding | undefined {
  const lowestCap = caps.toSorted((one, other) => one.limit - other.limit)[0];
  return (
    findings.find(({ id }) => id === lowestCap?.findingId) ??
    findings.find(({ status }) => status === "fail")
  );
}

function createRootFinder(check: Result): (finding: ReportedFinding) => ReportedFinding {
  const usualBlocker = findUsualBlocker(check);
  const failed = check.findings.find(({ status }) => status === "fail");
  const byId = new Map(check.findings.toReversed().map((finding) => [finding.id, finding]));
  const byEvidence = new Map<string, ReportedFinding>();
  for (const finding of check.findings.filter(({ status }) => status === "unknown")) {
    const known = byEvidence.get(finding.evidence);
    const isFirst = known === undefined || (known.fix === "" && finding.fix !== "");
    if (isFirst) byEvidence.set(finding.evidence, finding);
  }
  return (finding) => {
    const { status, blockedBy, evidence } = finding;
    if (status !== "blocked") return byEvidence.get(evidence) ?? finding;
    const blocker = blockedBy === undefined ? usualBlocker : (byId.get(blockedBy) ?? failed);
    return blocker ?? finding;
  };
}

export function listObstacles(check: Result, findings = check.findings): Obstacle[] {
  const rootOf = createRootFinder(check);
  return [...groupBy(findings.filter(isUnjudged), rootOf)]
    .map(([root, own]) => ({ root, findings: own, points: sumOf(own, "points") }))
    .toSorted((one, other) => other.points - one.points);
}

const FAILED = { fr: "en échec", en: "failed" } as const;

const describeRoot = ({ id, status }: ReportedFinding, language: Language): string =>
  `${id} ${status === "fail" ? FAILED[language] : describeStatus(status, language)}`;

/** `reach.status failed, hdr.csp unknown`. */
export function describeObstacles(
  obstacles: readonly Obstacle[],
  language: Language = "en",
): string {
  return obstacles.map(({ root }) => describeRoot(root, language)).join(", ");
}

export function countUnjudged({ points }: Obstacle, language: Language = "en"): string {
  const figure = describePoints(points, language);
  return `${figure} ${namePoints(points, language)} ${nameUnchecked(points, language)}`;
}

/** `4 points not checked: reach.status failed`. */
export function describeObstacle(obstacle: Obstacle, language: Language = "en"): string {
  const why = describeObstacles([obstacle], language);
  return labelText(countUnjudged(obstacle, language), why, language);
}

/** Empty where there is a verdict. */
export function listOpenRoots(check: ReportedCheck): ReportedFinding[] {
  if (check.verdict !== "inconclusive") return [];
  return listObstacles(check)
    .map(({ root }) => root)
    .filter(isUnjudged);
}

const PAGE_ITSELF = "reach.status";

export function findPageObstacle(check: ReportedCheck): Obstacle | undefined {
  const isOpen = check.verdict === "inconclusive";
  return listObstacles(check).find(
    ({ root, findings }) => isOpen || [root, ...findings].some(({ id }) => id === PAGE_ITSELF),
  );
}

/** The API counts the points of blocked findings as earned. */
export function tallyCategory({ findings }: Result, { id, earned, points }: ReportedCategory) {
  const own = findings.filter(({ category }) => category === id);
  const unjudged = own.filter(isUnjudged);
  return {
    earned: earned - sumOf(unjudged, "earned"),
    points,
    unjudged,
    unjudgedPoints: sumOf(unjudged, "points"),
    isJudged: unjudged.length === 0 || own.some((one) => one.points > 0 && !isUnjudged(one)),
  };
}
