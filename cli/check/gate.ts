import type { ReceivedCheck, ReceivedLastShip } from "../client/received.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import {
  describeObstacles,
  isUnjudged,
  listObstacles,
  sumOf,
  tallyCategory,
} from "../../shared/report/obstacles.ts";
import { describePoints } from "../../shared/report/words.ts";

/** What is asked of a page. With no condition, the gate is open. */
export interface GateFlags {
  readonly minScore?: number;
  readonly minCategory?: readonly CategoryMinimum[];
  readonly require?: readonly string[];
  readonly maxDrop?: number;
  readonly missingBaseline?: "fail" | "pass";
}

export interface CategoryMinimum {
  readonly id: string;
  readonly points: number;
}

/** The last ship that `--max-drop` compares with; null where nothing was shipped. */
export type Baseline = ReceivedLastShip["lastShip"];

/** One thing that was asked for, as its flag says it, and what came of it. */
export interface Condition {
  readonly asked: string;
  readonly isMet: boolean;
  readonly text: string;
}

/** All conditions, met or not, and the exit code that they decide. */
export interface Gate {
  readonly conditions: readonly Condition[];
  readonly exitCode: ExitCode;
}

type Judged = Pick<
  ReceivedCheck,
  "score" | "scoreRange" | "verdict" | "ruleset" | "categories" | "findings" | "caps"
>;

export function describeCondition({ isMet, text }: Condition): string {
  return `gate ${isMet ? "met" : "not met"}: ${text}`;
}

const CONCLUSIVE: readonly string[] = ["ship", "ship_with_warnings", "do_not_ship"];
const PASSING: readonly string[] = ["pass", "not_applicable"];

/** The score without the points of findings that a failure blocks, since nothing was seen of them. */
function countScore({ score, categories, findings }: Judged): number {
  const blocked = sumOf(findings.filter(isUnjudged), "earned");
  return blocked > 0 ? Math.min(score, Math.floor(sumOf(categories, "earned") - blocked)) : score;
}

/** What points that were not judged mean for a score that is too low. */
function describeDoubt(check: Judged, leastAsked: number): string {
  const { score, scoreRange } = check;
  const counted = countScore(check);
  if (counted >= leastAsked) return "";
  const why = describeObstacles(listObstacles(check));
  if (counted < score) return `; ${counted} without what was not judged: ${why}`;
  const isOpen = scoreRange.max > score && scoreRange.max >= leastAsked;
  return isOpen ? `; up to ${scoreRange.max} once all is judged: ${why}` : "";
}

function requireScore(check: Judged, minScore: number): Condition {
  return {
    asked: `--min-score ${minScore}`,
    isMet: countScore(check) >= minScore,
    text: `score ${check.score}, at least ${minScore} asked${describeDoubt(check, minScore)}`,
  };
}

function requireCategory(check: Judged, minimum: CategoryMinimum): Condition {
  const { id } = minimum;
  const asked = `--min-category ${id}=${minimum.points}`;
  const category = check.categories.find((each) => each.id === id);
  if (!category) return { asked, isMet: false, text: `${id} is no category of this result` };
  const { earned, points, unjudged, unjudgedPoints, isJudged } = tallyCategory(check, category);
  const isMet = earned >= minimum.points;
  const why = describeObstacles(listObstacles(check, unjudged));
  if (!isJudged) return { asked, isMet, text: `${id} not judged: ${why}` };
  const doubt = `; ${describePoints(unjudgedPoints)} not judged: ${why}`;
  const text = `${id} ${describePoints(earned)} of ${describePoints(points)}, at least ${minimum.points} asked`;
  return { asked, isMet, text: text + (isMet || unjudged.length === 0 ? "" : doubt) };
}

function requirePass(check: Judged, id: string): Condition {
  const asked = `--require ${id}`;
  const own = check.findings.filter((finding) => finding.id === id || finding.category === id);
  if (own.length === 0)
    return { asked, isMet: false, text: `${id} is no finding and no category of this result` };
  const others = own.filter(({ status }) => !PASSING.includes(status));
  if (others.length === 0) return { asked, isMet: true, text: `${id} passes` };
  const obstacles = listObstacles(check, own);
  if (own.every(isUnjudged) && obstacles.every(({ root }) => root.id !== id))
    return { asked, isMet: false, text: `${id} not judged: ${describeObstacles(obstacles)}` };
  const seen = others.map((finding) =>
    finding.id === id ? finding.status : `${finding.id} ${finding.status}`,
  );
  return { asked, isMet: false, text: `${id} must pass: ${seen.join(", ")}` };
}

function requireBaseline(check: Judged, baseline: Baseline, flags: GateFlags): Condition {
  const maxDrop = flags.maxDrop ?? 0;
  const asked = `--max-drop ${maxDrop}`;
  const missing = (why: string) => ({
    asked,
    isMet: flags.missingBaseline === "pass",
    text: `no baseline to compare with, since ${why}`,
  });
  if (baseline === null) return missing("nothing was shipped yet");
  const { score, verdict, ruleset } = baseline;
  if (score === null) return missing("the last ship has no score yet");
  if (verdict !== null && !CONCLUSIVE.includes(verdict))
    return missing(`the last ship's verdict is ${verdict}`);
  if (ruleset !== check.ruleset)
    return missing(`the last ship was judged by ruleset ${ruleset}, not ${check.ruleset}`);
  const text = `score ${check.score} after ${score}, a drop of at most ${maxDrop} asked`;
  return {
    asked,
    isMet: score - countScore(check) <= maxDrop,
    text: text + describeDoubt(check, score - maxDrop),
  };
}

/**
 * Decides between exit 0, 1 and 4. What was not judged earns nothing. A verdict that this version does not know decides
 * nothing, as `inconclusive` does.
 * @param baseline what `maxDrop` compares with
 */
export function evaluateGate(check: Judged, flags: GateFlags, baseline: Baseline = null): Gate {
  const conditions = [
    ...(flags.minScore === undefined ? [] : [requireScore(check, flags.minScore)]),
    ...(flags.minCategory ?? []).map((minimum) => requireCategory(check, minimum)),
    ...(flags.require ?? []).map((id) => requirePass(check, id)),
    ...(flags.maxDrop === undefined ? [] : [requireBaseline(check, baseline, flags)]),
  ];
  if (conditions.length === 0) return { conditions, exitCode: EXIT.done };
  if (!CONCLUSIVE.includes(check.verdict)) {
    const text = `verdict ${check.verdict}, which decides nothing`;
    const undecided = { asked: "verdict", isMet: false, text };
    return { conditions: [...conditions, undecided], exitCode: EXIT.inconclusive };
  }
  const isMet = conditions.every((condition) => condition.isMet);
  return { conditions, exitCode: isMet ? EXIT.done : EXIT.unmet };
}
