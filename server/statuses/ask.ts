import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";
import type { ApiAnswer, ApiRequest, PostFailure } from "../engine/net/post.ts";
import { parseJson } from "../base/syntax/nested-json.ts";
import { oneLine } from "../base/syntax/text.ts";
import { readRetryAfter } from "../base/syntax/http.ts";
import { findUrl } from "../base/syntax/url.ts";

const MAX_REDIRECTS = 3;
const MAX_WAIT_SECONDS = 3600;
const MAX_REASON_LENGTH = 200;

/**
 * The answer of a provider, or why there is none. `host`: the operator does not allow its host; `key`: the app's key cannot
 * be used.
 */
export type Asked = ApiAnswer | { failure: PostFailure | "host" | "key" };

/** A provider's answer other than a good one, while a status or a comment is sent. */
export class NotAnswered extends Error {
  readonly asked: Asked;

  constructor(asked: Asked) {
    super("The provider did not take it.");
    this.asked = asked;
  }

  get isTooLong(): boolean {
    return "failure" in this.asked && this.asked.failure === "too_long";
  }

  is(...statuses: readonly number[]): boolean {
    return "status" in this.asked && statuses.includes(this.asked.status);
  }
}

/** Whether statuses may go to a URL, by its host. */
export const isStatusHost = ({ statusHosts }: Config, { host }: URL): boolean =>
  statusHosts.includes(host);

/** Asks a provider; a redirect within its origin is followed with the same method and body. */
export async function askProvider(
  { config, poster }: Deps,
  ask: ApiRequest,
  signal: AbortSignal,
): Promise<Asked> {
  const first = new URL(ask.url);
  let url = first;
  for (let redirects = 0; ; redirects++) {
    if (url.protocol !== "https:" || !isStatusHost(config, url)) return { failure: "host" };
    const asked = await poster.request({ ...ask, url: url.href }, signal);
    if ("failure" in asked || asked.status < 300 || asked.status > 399) return asked;
    const location = asked.header("location");
    const next = location === undefined ? undefined : findUrl(location, url);
    if (next?.origin !== first.origin || redirects === MAX_REDIRECTS) return asked;
    url = next;
  }
}

export const isGood = (asked: Asked): asked is ApiAnswer =>
  "status" in asked && asked.status >= 200 && asked.status < 300;

export const readJson = ({ body }: ApiAnswer): unknown => parseJson(body);

function messageOf(answer: ApiAnswer): string {
  const { status } = answer;
  if (status >= 300 && status < 400) return "redirects elsewhere";
  const said = (readJson(answer) ?? {}) as Record<string, unknown>;
  const needed =
    answer.header("x-accepted-github-permissions") ??
    (typeof said["scope"] === "string" ? `scope ${said["scope"]}` : undefined);
  if (status === 403 && needed) return `needs ${needed}`;
  const message = said["message"] ?? said["error_description"] ?? said["error"] ?? "";
  return typeof message === "string" ? message : JSON.stringify(message);
}

/** What an app signs. */
const SIGNED = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** Why something was refused, which begins with the status: `422: No commit found`. `secrets` are left out, wherever they are repeated. */
export function describeRefused(asked: Asked, secrets: readonly string[]): string {
  if ("failure" in asked) return asked.failure;
  const written = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const message = written
    .reduce((text, secret) => text.replaceAll(secret, "***"), messageOf(asked))
    .replaceAll(SIGNED, "***");
  return oneLine(`${asked.status}: ${message}`.replace(/: $/, ""), MAX_REASON_LENGTH);
}

/** The seconds that a rate limit lasts, up to an hour; undefined where an answer is none. */
export function findLimit({ status, header }: ApiAnswer, now: Date): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = header("retry-after");
  const isUsedUp = [header("x-ratelimit-remaining"), header("ratelimit-remaining")].includes("0");
  if (after === undefined && !isUsedUp) return undefined;
  const reset = Number(header("x-ratelimit-reset") ?? header("ratelimit-reset"));
  const untilReset = Math.max(0, Math.ceil(reset - now.getTime() / 1000)) || 0;
  const asked = after === undefined ? undefined : readRetryAfter(after, now);
  return Math.min(asked ?? untilReset, MAX_WAIT_SECONDS);
}
