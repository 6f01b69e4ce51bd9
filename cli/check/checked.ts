import type { ReceivedCheck } from "../client/received.ts";
import type { CliError } from "../terminal/errors.ts";
import { maskTokens } from "../terminal/secrets.ts";
import type { GatedReport } from "../../shared/report/accepted.ts";

/** A page of a run. */
export interface Subject {
  /** The URL as typed, without tokens. */
  readonly url: string;
  /** The stable URL under which its findings are reported: that of `--as`, or the one typed. */
  readonly as: string;
}

/** A URL as it was typed, as a page of a run. */
export function subjectOf(typed: string, stable = typed): Subject {
  return { url: maskTokens(typed), as: maskTokens(stable) };
}

/** A URL's check. */
export interface AnsweredCheck extends Subject {
  readonly check: ReceivedCheck;
  /** True for an answer of `--from`, whose quota is that of another day. */
  readonly isSaved?: true;
}

/** A URL's check under the gate that was asked for. */
export interface GatedCheck extends AnsweredCheck, Omit<GatedReport, "check"> {}

/** A URL that could not be checked, and why. */
export interface Unchecked extends Subject {
  readonly error: CliError;
}

/** One URL of a run, and what was answered. */
export type Answered = AnsweredCheck | Unchecked;

/** One URL of a run, and what came of it. */
export type Checked = GatedCheck | Unchecked;

/** The checks of a run, without the URLs that could not be checked. */
export function listChecks(checked: readonly Checked[]): ReceivedCheck[] {
  return checked.flatMap((one) => ("check" in one ? [one.check] : []));
}
