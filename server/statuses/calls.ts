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

/** `host` means that the operator does not allow the provider's host. `key` means that the app's key is unusable. */
export type ProviderAnswer = ApiAnswer | { failure: PostFailure | "host" | "key" };

/** Any answer other than 2xx to a request that sends a status or a comment. */
export class ProviderError extends Error {
  readonly answer: ProviderAnswer;

  constructor(answer: ProviderAnswer) {
    super("The provider did not accept the request.");
    this.answer = answer;
  }

  get isTooLong(): boolean {
    return "failure" in this.answer && this.answer.failure === "too_long";
  }

  hasStatus(...statuses: readonly number[]): boolean {
    return "status" in this.answer && statuses.includes(this.answer.status);
  }
}

export const isStatusHost = ({ statusHosts }: Config, { host }: URL): boolean =>
  statusHosts.includes(host);

/** Follows redirects within the origin, with the same method and body. */
export async function callProvider(
  { config, poster }: Deps,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const first = new URL(request.url);
  let url = first;
  for (let redirects = 0; ; redirects++) {
    if (url.protocol !== "https:" || !isStatusHost(config, url)) return { failure: "host" };
    const answer = await poster.request({ ...request, url: url.href }, signal);
    if ("failure" in answer || answer.status < 300 || answer.status > 399) return answer;
    const location = answer.header("location");
    const next = location === undefined ? undefined : findUrl(location, url);
    if (next?.origin !== first.origin || redirects === MAX_REDIRECTS) return answer;
    url = next;
  }
}

export const isSuccess = (answer: ProviderAnswer): answer is ApiAnswer =>
  "status" in answer && answer.status >= 200 && answer.status < 300;

export const readJson = ({ body }: ApiAnswer): unknown => parseJson(body);

function messageOf(answer: ApiAnswer): string {
  const { status } = answer;
  if (status >= 300 && status < 400) return "redirects elsewhere";
  const body = (readJson(answer) ?? {}) as Record<string, unknown>;
  const needed =
    answer.header("x-accepted-github-permissions") ??
    (typeof body["scope"] === "string" ? `scope ${body["scope"]}` : undefined);
  if (status === 403 && needed) return `needs ${needed}`;
  const message = body["message"] ?? body["error_description"] ?? body["error"] ?? "";
  return typeof message === "string" ? message : JSON.stringify(message);
}

/** A JWT, such as those that an app signs. */
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** Returns a text such as `422: No commit found`. Masks `secrets`, which the answer may repeat. */
export function describeAnswer(answer: ProviderAnswer, secrets: readonly string[]): string {
  if ("failure" in answer) return answer.failure;
  const spellings = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const message = spellings
    .reduce((text, secret) => text.replaceAll(secret, "***"), messageOf(answer))
    .replaceAll(JWT, "***");
  return oneLine(`${answer.status}: ${message}`.replace(/: $/, ""), MAX_REASON_LENGTH);
}

/** Returns seconds, at most an hour, or undefined if the answer is not about a rate limit. */
export function findRateLimit({ status, header }: ApiAnswer, now: Date): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = header("retry-after");
  const isUsedUp = [header("x-ratelimit-remaining"), header("ratelimit-remaining")].includes("0");
  if (after === undefined && !isUsedUp) return undefined;
  const reset = Number(header("x-ratelimit-reset") ?? header("ratelimit-reset"));
  const untilReset = Math.max(0, Math.ceil(reset - now.getTime() / 1000)) || 0;
  const untilRetry = after === undefined ? undefined : readRetryAfter(after, now);
  return Math.min(untilRetry ?? untilReset, MAX_WAIT_SECONDS);
}
