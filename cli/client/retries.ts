import type { ApiErrorCode } from "../../shared/errors.ts";
import { networkCode } from "../terminal/errors.ts";
import { findErrorCode, findRetryAfterS, type HttpResponse } from "./response.ts";

export type TryOutcome =
  | { readonly kind: "answered"; readonly response: HttpResponse }
  | { readonly kind: "lost"; readonly error: unknown };

const MAX_RETRIES = 3;
const FIRST_WAIT_MS = 1000;
const MIN_TURN_MS = 250;
const LOST_CODES = /^(ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN)$/;

function isPassing(outcome: TryOutcome, retryCount: number): boolean {
  if (outcome.kind === "answered") return [502, 503, 504].includes(outcome.response.status);
  const code = networkCode(outcome.error);
  // Refused at first, nothing listens there; refused after that, the server may be restarting.
  return LOST_CODES.test(code) || (code === "ECONNREFUSED" && retryCount > 0);
}

const isCode = (outcome: TryOutcome, code: ApiErrorCode): boolean =>
  outcome.kind === "answered" && findErrorCode(outcome.response) === code;

/**
 * True where the server runs as many checks, or as many reads of the account, as it takes: then the command waits for its
 * turn, which is not a retry.
 */
export const isBusy = (outcome: TryOutcome): boolean =>
  isCode(outcome, "busy") || isCode(outcome, "too_many_reads");

/**
 * Milliseconds to wait before the next try, with full jitter; undefined where there is none.
 * @param random in [0, 1)
 */
export function findRetryDelayMs(
  outcome: TryOutcome,
  retryCount: number,
  random: number,
): number | undefined {
  const asked = outcome.kind === "answered" ? findRetryAfterS(outcome.response) : undefined;
  if (isBusy(outcome)) return Math.max(MIN_TURN_MS, 1000 * (asked ?? 1 + random));
  if (retryCount >= MAX_RETRIES || !isPassing(outcome, retryCount)) return undefined;
  if (asked !== undefined) return asked * 1000;
  return FIRST_WAIT_MS * 2 ** retryCount * random;
}

/** One line for the person who waits. */
export function describeWait(outcome: TryOutcome, retryCount: number, delayMs: number): string {
  const seconds = Number((delayMs / 1000).toFixed(1));
  if (isBusy(outcome)) {
    const what = isCode(outcome, "busy") ? "checks" : "reads of this account";
    return `shipscore: the server has as many ${what} as it takes. Asking again in ${seconds} s.`;
  }
  const next = `Trying again in ${seconds} s (${retryCount + 1} of ${MAX_RETRIES}).`;
  if (outcome.kind === "lost") return `shipscore: the connection was lost. ${next}`;
  return `shipscore: the server answered ${outcome.response.status}. ${next}`;
}
