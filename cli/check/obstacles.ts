import type { ReceivedCheck, ReceivedFinding } from "../client/received.ts";
import { describePoints } from "../terminal/words.ts";

/** What keeps findings from being judged. */
export interface Obstacle {
  /** The finding to fix first: one that failed, or the first that is unknown for the same reason. */
  readonly root: ReceivedFinding;
  /** All that could not be judged because of it; the root too, where it is unknown itself. */
  readonly findings: readonly ReceivedFinding[];
  readonly points: number;
}

type Result = Pick<ReceivedCheck, "findings" | "caps">;
type Category = ReceivedCheck["categories"][number];

const UNJUDGED: readonly string[] = ["unknown", "blocked"];

/** True where nothing could be seen, or where the failure of another finding left nothing to judge. */
export function isUnjudged({ status }: ReceivedFinding): boolean {
  return UNJUDGED.includes(status);
}

type Points = Pick<ReceivedFinding, "earned" | "points">;

export function sumOf(list: readonly Points[], key: keyof Points): number {
  return list.reduce((sum, one) => sum + one[key], 0);
}

/**
 * The finding that blocks another. Before ruleset 2026.2 none is named: then the one with the lowest cap, or the first
 * that failed.
 */
function findBlocker(
  { findings, caps }: Result,
  { blockedBy }: ReceivedFinding,
): ReceivedFinding | undefined {
  const lowestCap = caps.toSorted((one, other) => one.limit - other.limit)[0];
  return (
    findings.find(({ id }) => id === (blockedBy ?? lowestCap?.findingId)) ??
    findings.find(({ status }) => status === "fail")
  );
}

function findRoot(check: Result, finding: ReceivedFinding): ReceivedFinding {
  if (finding.status === "blocked") return findBlocker(check, finding) ?? finding;
  const alike = check.findings.filter(
    ({ status, evidence }) => status === finding.status && evidence === finding.evidence,
  );
  return alike.find(({ fix }) => fix !== "") ?? alike[0] ?? finding;
}

/** What kept these findings from being judged, most points first; empty where all were judged. */
export function listObstacles(check: Result, findings = check.findings): Obstacle[] {
  const byRoot = new Map<ReceivedFinding, ReceivedFinding[]>();
  for (const finding of findings.filter(isUnjudged)) {
    const root = findRoot(check, finding);
    byRoot.set(root, [...(byRoot.get(root) ?? []), finding]);
  }
  return [...byRoot]
    .map(([root, own]) => ({ root, findings: own, points: sumOf(own, "points") }))
    .toSorted((one, other) => other.points - one.points);
}

/** `reach.status failed, hdr.csp unknown`. */
export function describeObstacles(obstacles: readonly Obstacle[]): string {
  return obstacles
    .map(({ root: { id, status } }) => `${id} ${status === "fail" ? "failed" : status}`)
    .join(", ");
}

/** `4 points not judged`. */
export function countUnjudged({ points }: Obstacle): string {
  return `${describePoints(points)} ${points === 1 ? "point" : "points"} not judged`;
}

/** `4 points not judged: reach.status failed`. */
export function describeObstacle(obstacle: Obstacle): string {
  return `${countUnjudged(obstacle)}: ${describeObstacles([obstacle])}`;
}

/** The findings because of which the page as a whole could not be judged; none where there is a verdict. */
export function listOpenRoots(check: ReceivedCheck): ReceivedFinding[] {
  if (check.verdict !== "inconclusive") return [];
  return listObstacles(check)
    .map(({ root }) => root)
    .filter(isUnjudged);
}

/**
 * What a category earned by what was judged. The API counts the points of a blocked finding as earned, though nothing was
 * seen of it.
 */
export function tallyCategory({ findings }: Result, { id, earned, points }: Category) {
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
