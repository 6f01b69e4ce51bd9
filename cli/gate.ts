import type { CheckAnswer, LastShipAnswer } from "./answers.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

/** What a page must reach; nothing asked is an open gate. */
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
export type Baseline = LastShipAnswer["lastShip"];

export interface Condition {
  readonly isMet: boolean;
  readonly text: string;
}

/** All the conditions asked for, met or not; none is an open gate. */
export interface Gate {
  readonly conditions: readonly Condition[];
  readonly exitCode: ExitCode;
}

type Judged = Pick<CheckAnswer, "score" | "verdict" | "ruleset" | "categories" | "findings">;

export function describeCondition({ isMet, text }: Condition): string {
  return `gate ${isMet ? "met" : "not met"}: ${text}`;
}

const CONCLUSIVE: readonly string[] = ["ship", "ship_with_warnings", "do_not_ship"];
const PASSING: readonly string[] = ["pass", "not_applicable"];

function requireScore({ score }: Judged, minScore: number): Condition {
  return { isMet: score >= minScore, text: `score ${score}, at least ${minScore} asked` };
}

function requireCategory({ categories }: Judged, { id, points }: CategoryMinimum): Condition {
  const category = categories.find((each) => each.id === id);
  if (!category) return { isMet: false, text: `${id} is no category of this result` };
  const text = `${id} ${category.earned} of ${category.points}, at least ${points} asked`;
  return { isMet: category.earned >= points, text };
}

function requirePass({ findings }: Judged, id: string): Condition {
  const asked = findings.filter((finding) => finding.id === id || finding.category === id);
  if (asked.length === 0)
    return { isMet: false, text: `${id} is no finding and no category of this result` };
  const others = asked.filter(({ status }) => !PASSING.includes(status));
  if (others.length === 0) return { isMet: true, text: `${id} passes` };
  const seen = others.map((finding) =>
    finding.id === id ? finding.status : `${finding.id} ${finding.status}`,
  );
  return { isMet: false, text: `${id} must pass: ${seen.join(", ")}` };
}

function requireBaseline(check: Judged, baseline: Baseline, flags: GateFlags): Condition {
  const maxDrop = flags.maxDrop ?? 0;
  const passes = flags.missingBaseline === "pass";
  const missing = (why: string) => ({
    isMet: passes,
    text: `no baseline to compare with, since ${why}`,
  });
  if (baseline === null) return missing("nothing was shipped yet");
  if (baseline.score === null) return missing("the last ship has no score yet");
  if (baseline.ruleset !== check.ruleset)
    return missing(`the last ship was judged by ruleset ${baseline.ruleset}, not ${check.ruleset}`);
  const drop = baseline.score - check.score;
  const text = `score ${check.score} after ${baseline.score}, a drop of at most ${maxDrop} asked`;
  return { isMet: drop <= maxDrop, text };
}

/**
 * Decides exit 0, 1 or 4. A verdict that this version does not know decides nothing, like `inconclusive`.
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
    return { conditions: [...conditions, { isMet: false, text }], exitCode: EXIT.inconclusive };
  }
  const isMet = conditions.every((condition) => condition.isMet);
  return { conditions, exitCode: isMet ? EXIT.done : EXIT.unmet };
}
