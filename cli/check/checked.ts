import type { ReceivedCheck } from "../client/received.ts";
import type { CliError } from "../terminal/errors.ts";
import type { Gate } from "./gate.ts";

/** A URL's check under the gate that was asked for. */
export interface GatedCheck {
  readonly url: string;
  readonly check: ReceivedCheck;
  readonly gate: Gate;
}

/** A URL that could not be checked, and why. */
export interface Unchecked {
  readonly url: string;
  readonly error: CliError;
}

/** One URL of a run, and what came of it. */
export type Checked = GatedCheck | Unchecked;

/** The checks of a run, without the URLs that could not be checked. */
export function listChecks(checked: readonly Checked[]): ReceivedCheck[] {
  return checked.flatMap((one) => ("check" in one ? [one.check] : []));
}
