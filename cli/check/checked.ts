import type { CheckAnswer } from "../client/answers.ts";
import type { CliError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import type { Gate } from "./gate.ts";

/** A URL's check under the gate that was asked. */
export interface GatedCheck {
  readonly url: string;
  readonly check: CheckAnswer;
  readonly gate: Gate;
}

/** A URL that could not be checked, and why. */
export interface Unchecked {
  readonly url: string;
  readonly error: CliError;
}

/** One URL of a run, and what came of it. */
export type Checked = GatedCheck | Unchecked;

/** What came of a gate, as JSON: the conditions that were asked for, and whether all are met; undefined without one. */
export function describeGate({ conditions, exitCode }: Gate) {
  if (conditions.length === 0) return undefined;
  return {
    met: exitCode === EXIT.done,
    conditions: conditions.map(({ asked, isMet, text }) => ({ asked, met: isMet, text })),
  };
}

/** A check as JSON: the API's own value, and `gate` where one was asked for. */
export function valueOf({ check, gate }: GatedCheck): CheckAnswer {
  const described = describeGate(gate);
  return described ? { ...check, gate: described } : check;
}

/** The checks of a run, without the URLs that could not be checked. */
export function listChecks(checked: readonly Checked[]): CheckAnswer[] {
  return checked.flatMap((one) => ("check" in one ? [one.check] : []));
}
