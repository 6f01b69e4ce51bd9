import { setTimeout as sleep } from "node:timers/promises";
import { CliError, usageError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { networkCode } from "../client/failures.ts";
import { openSend } from "../client/http.ts";
import type { Env } from "../terminal/io.ts";
import { readProxy } from "../client/settings.ts";
import { TimeLimitError, withTimeLimit } from "../client/time-limit.ts";

const PAUSE_MS = 1000;
const TRY_MS = 10_000;
const NOBODY_BEHIND = [502, 503, 504];

/**
 * Waits until a URL answers, by requests from this machine that carry no secret. Any certificate will do, and any status
 * but a gateway's 502, 503 and 504.
 * @throws CliError 2 for what is not an https URL, 3 when the time is over
 */
export async function waitUntilReady(
  address: string,
  limitMs: number,
  env: Env,
  signal: AbortSignal,
): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:")
    throw usageError(`${address} is no https URL to wait for`, "Give the address of a page");
  const send = await openSend(readProxy(env, url), { rejectUnauthorized: false });
  const end = performance.now() + limitMs;
  for (let last: string | undefined; ;) {
    const leftMs = Math.ceil(end - performance.now());
    if (leftMs <= 0)
      throw new CliError(
        EXIT.noAnswer,
        `${address} was not ready within ${limitMs / 1000} s (the last try: ${last ?? "nothing"}); it was not checked`,
        "Look at its deployment, or wait longer with --wait-for-ready SECONDS",
      );
    const call = { url, method: "GET" as const, headers: {}, body: null };
    try {
      const { status } = await withTimeLimit(signal, Math.min(leftMs, TRY_MS), (limited) =>
        send(call, limited),
      );
      if (!NOBODY_BEHIND.includes(status)) return;
      last = String(status);
    } catch (error) {
      signal.throwIfAborted();
      // A try that the end of the wait cut short tells less than the one before it.
      if (!(error instanceof TimeLimitError)) last = networkCode(error);
      else if (leftMs >= TRY_MS) last = "no answer";
      else last ??= "no answer";
      if (error instanceof CliError) return;
    }
    await sleep(Math.min(PAUSE_MS, Math.max(0, end - performance.now())), undefined, { signal });
  }
}
