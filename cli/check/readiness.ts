import { promises as timers } from "node:timers";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { CliError, networkCode, usageError } from "../terminal/errors.ts";
import { openSend } from "../client/http.ts";
import { readProxy } from "../client/settings.ts";
import { TimeLimitError, withTimeLimit } from "../client/time-limit.ts";
import type { Context } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { isUrl } from "../../shared/url.ts";

const PAUSE_MS = 1000;
const TRY_MS = 10_000;
const TELL_MS = 5000;
/** Statuses of a gateway with nobody behind it; 520 to 529 are Cloudflare's. */
const NOBODY_BEHIND = /^(?:50[234]|52\d)$/;
const NO_ANSWER = "no answer";

/** What kept a page from being ready, by how many milliseconds it was seen. */
type Causes = Map<string, number>;

function findLongest(causes: Causes): string {
  const [longest] = [...causes].toSorted(([, a], [, b]) => b - a);
  return longest?.[0] ?? NO_ANSWER;
}

/** Asks for a page once. Returns why it is not ready; undefined where it is. */
async function tryPage(ask: () => Promise<{ readonly status: number }>) {
  try {
    const { status } = await ask();
    return status === 404 || status >= 500 ? String(status) : undefined;
  } catch (error) {
    if (error instanceof TimeLimitError) return NO_ANSWER;
    // What cannot be read here, such as a page that is too large, is an answer.
    return error instanceof CliError ? undefined : networkCode(error);
  }
}

/**
 * Waits until a URL answers, by requests from this machine that carry no secret, and notes every 5 s what it sees. Any
 * certificate will do, and any status but 404 and those from 500 on. A page that answers with one of these to the end is
 * ready too, so that its report says why; but not where nobody answers behind a gateway.
 * @throws CliError 2 for what is not an https URL, 3 when the time is over
 */
export async function waitUntilReady(
  address: string,
  limitMs: number,
  { env, io, signal }: Context,
): Promise<void> {
  const url = isUrl(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:")
    throw usageError(
      `${withoutSecrets(address)} is no https URL to wait for`,
      "Give the address of a page",
    );
  const send = await openSend(readProxy(env, url), { rejectUnauthorized: false });
  const call = { url, method: "GET" as const, headers: {}, body: null };
  const start = performance.now();
  const causes: Causes = new Map();
  let seen = NO_ANSWER;

  const telling = setInterval(() => {
    const passed = `${Math.round((performance.now() - start) / 1000)} of ${limitMs / 1000} s`;
    void io.note(`shipscore: waiting for ${withoutSecrets(address)}: ${seen} (${passed}).`);
  }, TELL_MS);
  try {
    for (;;) {
      const triedAt = performance.now();
      const leftMs = Math.ceil(start + limitMs - triedAt);
      if (leftMs <= 0) break;
      const cause = await tryPage(() =>
        withTimeLimit(signal, Math.min(leftMs, TRY_MS), (limited) => send(call, limited)),
      );
      signal.throwIfAborted();
      if (cause === undefined) return;
      seen = cause;
      const pauseMs = Math.min(PAUSE_MS, Math.max(0, start + limitMs - performance.now()));
      await timers.setTimeout(pauseMs, undefined, { signal });
      causes.set(cause, (causes.get(cause) ?? 0) + performance.now() - triedAt);
    }
  } finally {
    clearInterval(telling);
  }
  if (/^\d+$/.test(seen) && !NOBODY_BEHIND.test(seen))
    return io.note(
      `shipscore: ${withoutSecrets(address)} still answers ${seen} after ${limitMs / 1000} s, and is checked as it is.`,
    );
  throw new CliError(
    EXIT.noAnswer,
    `${withoutSecrets(address)} was not ready within ${limitMs / 1000} s (seen longest: ${findLongest(causes)}); it was not checked`,
    "Look at its deployment, or wait longer with --wait-for-ready SECONDS",
  );
}
