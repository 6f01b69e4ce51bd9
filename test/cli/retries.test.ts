import { expect, test } from "vitest";
import { describeWait, findRetryDelayMs, type TryOutcome } from "../../cli/client/api.ts";

const answered = (status: number, headers: Record<string, string> = {}): TryOutcome => ({
  kind: "answered",
  response: { status, headers, text: "" },
});

const lost = (code: string): TryOutcome => ({
  kind: "lost",
  error: Object.assign(new Error("lost"), { code }),
});

const BUSY = { "x-shipscore-error": "busy" };
const TOO_MANY = { "x-shipscore-error": "too_many_reads", "retry-after": "1" };
const USED_UP = { "x-shipscore-error": "quota_exceeded", "retry-after": "1" };

test.each([
  ["200", answered(200), 0],
  ["400", answered(400), 0],
  ["429", answered(429, { "retry-after": "1" }), 0],
  ["a quota that is used up", answered(429, USED_UP), 0],
  ["500", answered(500), 0],
  ["a certificate", lost("CERT_HAS_EXPIRED"), 0],
  ["an unknown host", lost("ENOTFOUND"), 0],
  ["nothing listening at first", lost("ECONNREFUSED"), 0],
  ["a fourth 503", answered(503), 3],
])("%s is not retried", (_, outcome, retryCount) => {
  expect(findRetryDelayMs(outcome, retryCount, 0.5)).toBeUndefined();
});

test.each([
  ["502", answered(502), 0, 500],
  ["503", answered(503), 1, 1000],
  ["504", answered(504), 2, 2000],
  ["a reset connection", lost("ECONNRESET"), 0, 500],
  ["a closed connection", lost("EPIPE"), 0, 500],
  ["a server that restarts", lost("ECONNREFUSED"), 1, 1000],
  ["Retry-After", answered(503, { "retry-after": "7" }), 0, 7000],
  ["a busy server, however often", answered(503, BUSY), 9, 1500],
  ["an account that reads too much at once, however often", answered(429, TOO_MANY), 9, 1000],
  ["a busy server that says when", answered(503, { ...BUSY, "retry-after": "3" }), 9, 3000],
])("%s is retried", (_, outcome, retryCount, delayMs) => {
  expect(findRetryDelayMs(outcome, retryCount, 0.5)).toBe(delayMs);
});

test.each([
  [lost("ECONNRESET"), "the connection was lost. Trying again in 0.5 s (1 of 3)."],
  [answered(502), "the server returned 502. Trying again in 0.5 s (1 of 3)."],
  [answered(503, BUSY), "the server is running its maximum of checks. Trying again in 0.5 s."],
  [
    answered(429, TOO_MANY),
    "the server is running its maximum of reads for this account. Trying again in 0.5 s.",
  ],
])("a wait is reported", (outcome, line) => {
  expect(describeWait(outcome, 0, 500).en).toBe(line);
});
