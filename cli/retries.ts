import { findHeader, findRetryAfterS, networkCode, type Answer } from "./failures.ts";

/** How one try of a request ended. */
export type Outcome =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "lost"; readonly error: unknown };

const MAX_RETRIES = 3;
const LOST_CODES =
  /^(ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT)$/;

function isPassing(outcome: Outcome, retryCount: number): boolean {
  if (outcome.kind === "answered") return [502, 503, 504].includes(outcome.answer.status);
  const code = networkCode(outcome.error);
  // Refused at first, nothing listens there; refused after that, the server may be restarting.
  return LOST_CODES.test(code) || (code === "ECONNREFUSED" && retryCount > 0);
}

/** Milliseconds to wait before the next try; undefined when there is to be none. `random` is in [0, 1). */
export function findRetryDelayMs(
  outcome: Outcome,
  retryCount: number,
  random: number,
): number | undefined {
  if (retryCount >= MAX_RETRIES || !isPassing(outcome, retryCount)) return undefined;
  const asked = outcome.kind === "answered" ? findRetryAfterS(outcome.answer) : undefined;
  if (asked !== undefined) return asked * 1000;
  return 500 * 2 ** retryCount * (0.75 + random / 2);
}

/** One line for a person who waits. */
export function describeWait(outcome: Outcome, retryCount: number, delayMs: number): string {
  const seconds = Number((delayMs / 1000).toFixed(1));
  const next = `Trying again in ${seconds} s (${retryCount + 1} of ${MAX_RETRIES}).`;
  if (outcome.kind === "lost") return `shipscore: the connection was lost. ${next}`;
  const { answer } = outcome;
  const isBusy = findHeader(answer, "x-shipscore-busy") !== undefined;
  const state = isBusy ? "has as many checks as it takes" : `answered ${answer.status}`;
  return `shipscore: the server ${state}. ${next}`;
}
