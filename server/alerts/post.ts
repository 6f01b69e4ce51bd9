import type { VisitDeps } from "../deps.ts";
import type { Post } from "../engine/net/post.ts";
import { readRetryAfter } from "../base/syntax/retry-after.ts";
import type { Sent } from "./sender.ts";

/** The statuses with which a target says that nobody will ever be there. */
const GONE = [404, 410];

/** Posts JSON to a target once: any 2xx counts, a redirect is a failure. */
export async function post(
  { poster }: VisitDeps,
  { headers, ...rest }: Post,
  now: Date,
  signal: AbortSignal,
): Promise<Sent> {
  const json = { ...rest, headers: { "content-type": "application/json", ...headers } };
  const outcome = await poster.post(json, signal);
  if ("failure" in outcome) return { ok: false, error: outcome.failure };
  const { status, retryAfter } = outcome;
  if (status >= 200 && status < 300) return { ok: true };
  if (status >= 300 && status < 400) return { ok: false, error: "redirected" };
  const retryAfterSeconds = retryAfter === null ? undefined : readRetryAfter(retryAfter, now);
  return {
    ok: false,
    error: `status_${status}`,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(GONE.includes(status) && { state: "ended" }),
  };
}
