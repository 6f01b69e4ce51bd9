import type { Language } from "../../shared/language.ts";
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
  // Refused at first, nothing listens there; refused after that, the server may be restarting.
  return LOST_CODES.test(code) || (code === "ECONNREFUSED" && retryCount > 0);
}

const isCode = (outcome: TryOutcome, code: ApiErrorCode): boolean =>
  outcome.kind === "answered" && findErrorCode(outcome.response) === code;

/**
 * True where the server runs as many checks, or as many reads of the account, as it takes: then the command waits for its
 * turn, which is not a retry.
 */
const isBusy = (outcome: TryOutcome): boolean =>
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

/** The HTTP API. Each method throws CliError, with the exit code that stands for the response. */
export type Api = ReturnType<typeof openApi>;

export interface Asked {
  readonly url: URL;
  readonly language: Language;
  readonly now: Date;
}

/** The value of a 200. @throws CliError for any other response */
export function parseResponse<T>(
  response: HttpResponse,
  schema: z.core.$ZodType<T>,
  { url, language, now }: Asked,
): Opened<T> {
  const json = parseJson(response.text);
  const body = isShallow(json) ? json : undefined;
  const isOk = response.status === 200;
  const value = isOk ? read(schema, body) : undefined;
  if (value !== undefined) return value;
  const fault = isOk ? findFault(schema, body) : undefined;
  if (fault !== undefined) throw foreignResponseError(response, url, fault);
  const refusal = findRefusal(response, readError(body), now, language);
  throw refusal ?? foreignResponseError(response, url);
}

function projectPath(id: string): string {
  return `projects/${encodeURIComponent(id)}`;
}

interface Post {
  readonly body: unknown;
  readonly idempotencyKey: string;
  /** Masked in the response, which might repeat them. */
  readonly secrets: readonly string[];
}

/** Opens the API until `--timeout` is over. Nothing is sent, or loaded for it, before a method is called. */
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

  /** Tries until a response stands. Where the deadline cuts a retry short, the response before it does. */
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
      await io.note(describeWait(outcome, retryCount, delayMs));
      await timers.setTimeout(delayMs, undefined, { signal });
      if (!isBusy(outcome)) retryCount += 1;
    }
  }

  async function ask(path: string, post?: Post): Promise<HttpResponse> {
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
    return parseResponse(await ask(path, post), schema, { url: baseUrl, language, now: now() });
  }

  return {
    check: (request: CheckRequest) =>
      send(Check, "check", {
        body: request,
        idempotencyKey: crypto.randomUUID(),
        secrets: Object.values(request.headers),
      }),
    listProjects: () => send(ProjectList, "projects"),
    /** The month's quota, at no cost; undefined where an older server does not tell it. */
    async findQuota() {
      const response = await ask("projects");
      parseResponse(response, ProjectList, { url: baseUrl, language, now: now() });
      return readQuotaHeader(findHeader(response, QUOTA_HEADER));
    },
    listIncidents: (id: string) => send(IncidentList, `${projectPath(id)}/incidents`),
    getLastShip: (id: string) => send(LastShipResponse, `${projectPath(id)}/last-ship`),
  };
}
