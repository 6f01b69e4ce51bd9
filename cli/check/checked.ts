import type { ReceivedCheck } from "../client/received.ts";
import type { CliError } from "../terminal/errors.ts";
import { maskTokens } from "../terminal/secrets.ts";
import type { GatedReport } from "../../shared/report/accepted.ts";

export interface Subject {
  /** The URL as typed, without tokens. */
  readonly url: string;
  /** The stable URL under which its findings are reported: that of `--as`, or the one typed. */
  readonly as: string;
}

export function subjectOf(typed: string, stable = typed): Subject {
  return { url: maskTokens(typed), as: maskTokens(stable) };
}

export interface AnsweredCheck extends Subject {
  readonly check: ReceivedCheck;
  /** True for an answer of `--from`, whose quota is that of another day. */
  readonly isSaved?: true;
}

export interface GatedCheck extends AnsweredCheck, Omit<GatedReport, "check"> {}

export interface Unchecked extends Subject {
  readonly error: CliError;
}

export type Answered = AnsweredCheck | Unchecked;

export type Checked = GatedCheck | Unchecked;

export const listGated = (checked: readonly Checked[]): GatedCheck[] =>
  checked.filter((one) => "check" in one);

export const listChecks = (checked: readonly Checked[]): ReceivedCheck[] =>
  listGated(checked).map(({ check }) => check);
