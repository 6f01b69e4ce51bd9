import type { Text } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";
import type { ApiErrorCode } from "../../shared/errors.ts";
import { networkCode, CliError } from "../terminal/errors.ts";
import { findErrorCode, findRetryAfterS, type HttpResponse, findHeader } from "./response.ts";
import { promises as timers } from "node:timers";
import type * as z from "zod/mini";
import { Check, type CheckRequest } from "../../shared/check.ts";
import { IncidentList } from "../../shared/incident.ts";
import { LastShipResponse } from "../../shared/last-ship.ts";
import { ProjectList } from "../../shared/project.ts";
import { QUOTA_HEADER, readQuotaHeader } from "../../shared/quota.ts";
import type { Opened } from "../../shared/report/reported.ts";
import { findFault, read, readError } from "./api-responses.ts";
import type { Context } from "../terminal/command.ts";
import { isShallow, parseJson } from "../terminal/json.ts";
import { findRefusal, foreignResponseError, timeoutError, unreachableError } from "./errors.ts";
import { openSend, type Call, type Send } from "./http.ts";
import { maskSecrets, maskTokens } from "../terminal/io.ts";
import type { Settings } from "./settings.ts";
import { traceCall } from "./trace.ts";

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
  // A first refusal means that nothing listens there; after other answers, the server may be restarting.
  return LOST_CODES.test(code) || (code === "ECONNREFUSED" && retryCount > 0);
}

const isCode = (outcome: TryOutcome, code: ApiErrorCode): boolean =>
  outcome.kind === "answered" && findErrorCode(outcome.response) === code;

/** Waiting for a turn is not a retry. */
const isBusy = (outcome: TryOutcome): boolean =>
  isCode(outcome, "busy") || isCode(outcome, "too_many_reads");

/** Full jitter; undefined if there is no further attempt. `random` is in [0, 1). */
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

export function describeWait(outcome: TryOutcome, retryCount: number, delayMs: number): Text {
  const seconds = Number((delayMs / 1000).toFixed(1));
  const wait = { fr: String(seconds).replace(".", ","), en: String(seconds) };
  if (isBusy(outcome)) {
    const what = isCode(outcome, "busy")
      ? { fr: "de vérifications", en: "checks" }
      : { fr: "de lectures de ce compte", en: "reads for this account" };
    return {
      fr: `le serveur traite déjà son maximum ${what.fr}. Nouvelle requête dans ${wait.fr} s.`,
      en: `the server is running its maximum of ${what.en}. Trying again in ${wait.en} s.`,
    };
  }
  const count = retryCount + 1;
  const next = {
    fr: `Nouvelle tentative dans ${wait.fr} s (${count} sur ${MAX_RETRIES}).`,
    en: `Trying again in ${wait.en} s (${count} of ${MAX_RETRIES}).`,
  };
  if (outcome.kind === "lost")
    return {
      fr: `la connexion a été perdue. ${next.fr}`,
      en: `the connection was lost. ${next.en}`,
    };
  const { status } = outcome.response;
  return {
    fr: `le serveur a renvoyé ${status}. ${next.fr}`,
    en: `the server returned ${status}. ${next.en}`,
  };
}

/** Each method throws CliError with the exit code of the response. */
export type Api = ReturnType<typeof openApi>;

export interface ResponseContext {
  readonly url: URL;
  readonly now: Date;
}

/** @throws CliError for any response but a 200 */
export function parseResponse<T>(
  response: HttpResponse,
  schema: z.core.$ZodType<T>,
  { url, now }: ResponseContext,
): Opened<T> {
  const json = parseJson(response.text);
  const body = isShallow(json) ? json : undefined;
  const isOk = response.status === 200;
  const value = isOk ? read(schema, body) : undefined;
  if (value !== undefined) return value;
  const fault = isOk ? findFault(schema, body) : undefined;
  if (fault !== undefined) throw foreignResponseError(response, url, fault);
  const refusal = findRefusal(response, readError(body), now);
  throw refusal ?? foreignResponseError(response, url);
}

function projectPath(id: string): string {
  return `projects/${encodeURIComponent(id)}`;
}

interface Post {
  readonly body: unknown;
  readonly idempotencyKey: string;
  /** The response might repeat these values, so they are masked. */
  readonly secrets: readonly string[];
}

/** `--timeout` limits all calls together. The HTTP client is loaded by the first call. */
export function openApi(settings: Settings, { io, signal, now }: Context) {
  const { baseUrl, timeoutMs, language } = settings;
  const end = performance.now() + timeoutMs;
  const deadline = AbortSignal.timeout(timeoutMs);
  const limit = AbortSignal.any([signal, deadline]);
  let sending: Promise<Send> | undefined;

  async function tryOnce(call: Call, last?: HttpResponse): Promise<TryOutcome> {
    sending ??= openSend(settings.proxy);
    const sendOnce = await sending;
    const tracing = { io, isVerbose: settings.isVerbose };
    try {
      const response = await traceCall(tracing, call, () => sendOnce(call, limit));
      return { kind: "answered", response };
    } catch (error) {
      if (error instanceof CliError) throw error;
      if (deadline.aborted && last) return { kind: "answered", response: last };
      if (deadline.aborted) throw timeoutError(baseUrl, timeoutMs);
      signal.throwIfAborted();
      return { kind: "lost", error };
    }
  }

  /** If the deadline ends a retry, the previous response is final. */
  async function tryUntilDeadline(call: Call): Promise<HttpResponse> {
    let last: HttpResponse | undefined;
    for (let retryCount = 0; ;) {
      const outcome = await tryOnce(call, last);
      if (outcome.kind === "answered") last = outcome.response;
      const delayMs = findRetryDelayMs(outcome, retryCount, Math.random());
      if (delayMs === undefined || deadline.aborted || performance.now() + delayMs >= end) {
        if (outcome.kind === "answered") return outcome.response;
        throw unreachableError(outcome.error, baseUrl, settings.proxy);
      }
      const wait = describeWait(outcome, retryCount, delayMs);
      await io.note(`shipscore: ${say(wait, io.language)}`);
      await timers.setTimeout(delayMs, undefined, { signal });
      if (!isBusy(outcome)) retryCount += 1;
    }
  }

  async function request(path: string, post?: Post): Promise<HttpResponse> {
    const url = new URL(`api/v1/${path}`, baseUrl);
    const headers = {
      authorization: `Bearer ${settings.token}`,
      accept: "application/json",
      "accept-language": language,
      ...(post && {
        "content-type": "application/json",
        "idempotency-key": post.idempotencyKey,
      }),
    };
    const method = post ? "POST" : "GET";
    const body = post ? JSON.stringify(post.body) : null;
    const { text, ...response } = await tryUntilDeadline({ url, method, headers, body });
    return { ...response, text: maskSecrets(maskTokens(text), post?.secrets ?? []) };
  }

  async function send<T>(
    schema: z.core.$ZodType<T>,
    path: string,
    post?: Post,
  ): Promise<Opened<T>> {
    return parseResponse(await request(path, post), schema, { url: baseUrl, now: now() });
  }

  return {
    check: (body: CheckRequest) =>
      send(Check, "check", {
        body,
        idempotencyKey: crypto.randomUUID(),
        secrets: Object.values(body.headers),
      }),
    listProjects: () => send(ProjectList, "projects"),
    /** The request does not count against the quota. Undefined if an older server does not send it. */
    async findQuota() {
      const response = await request("projects");
      parseResponse(response, ProjectList, { url: baseUrl, now: now() });
      return readQuotaHeader(findHeader(response, QUOTA_HEADER));
    },
    listIncidents: (id: string) => send(IncidentList, `${projectPath(id)}/incidents`),
    getLastShip: (id: string) => send(LastShipResponse, `${projectPath(id)}/last-ship`),
  };
}
