import type { CheckAnswer } from "./answers.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

export interface GateFlags {
  readonly minScore?: number;
}

export interface Condition {
  readonly isMet: boolean;
  readonly text: string;
}

/** All the conditions asked for, met or not; none is an open gate. */
export interface Gate {
  readonly conditions: readonly Condition[];
  readonly exitCode: ExitCode;
}

export function describeCondition({ isMet, text }: Condition): string {
  return `gate ${isMet ? "met" : "not met"}: ${text}`;
}

const CONCLUSIVE: readonly string[] = ["ship", "ship_with_warnings", "do_not_ship"];

/** Decides exit 0, 1 or 4. A verdict that this version does not know decides nothing, like `inconclusive`. */
export function evaluateGate(
  check: Pick<CheckAnswer, "score" | "verdict">,
  flags: GateFlags,
): Gate {
  const conditions: Condition[] = [];
  if (flags.minScore !== undefined) {
    const isMet = check.score >= flags.minScore;
    conditions.push({ isMet, text: `score ${check.score}, at least ${flags.minScore} asked` });
  }
  if (conditions.length === 0) return { conditions, exitCode: EXIT.done };
  if (!CONCLUSIVE.includes(check.verdict)) {
    const text = `verdict ${check.verdict}, which decides nothing`;
    return { conditions: [...conditions, { isMet: false, text }], exitCode: EXIT.inconclusive };
  }
  const isMet = conditions.every((condition) => condition.isMet);
  return { conditions, exitCode: isMet ? EXIT.done : EXIT.unmet };
}
