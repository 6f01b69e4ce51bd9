import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { Dispatcher } from "undici";
import type * as z from "zod";
import type { CheckRequest } from "../shared/check.ts";
import { ApiError } from "../shared/error.ts";
import { CheckAnswer, IncidentListAnswer, LastShipAnswer, ProjectListAnswer } from "./answers.ts";
import type { Context } from "./context.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import {
  findHeader,
  findRefusal,
  foreignAnswerError,
  timeoutError,
  unreachableError,
  type Answer,
} from "./failures.ts";
import { describeWait, findRetryDelayMs, isBusy, type Outcome } from "./retries.ts";
import type { Settings } from "./settings.ts";
import { cleanText } from "./views/clean.ts";

/** The HTTP API. Each method throws CliError, with the exit code of what the server answered. */
export interface Api {
  check(request: z.input<typeof CheckRequest>): Promise<CheckAnswer>;
  listProjects(): Promise<ProjectListAnswer>;
  listIncidents(projectId: string): Promise<IncidentListAnswer>;
  getLastShip(projectId: string): Promise<LastShipAnswer>;
}

interface Call {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** `rejectUnauthorized: false` for a request without secrets, to see whether anything answers. */
interface TlsOptions {
  readonly rejectUnauthorized?: boolean;
}

type Send = (call: Call, signal: AbortSignal) => Promise<Answer>;

const MAX_BODY_BYTES = 8_000_000;

async function readBody(body: Dispatcher.ResponseData["body"], url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BODY_BYTES)
      throw new CliError(
        EXIT.noAnswer,
        `${url.origin} sent more than 8 MB`,
        "Check that SHIPSCORE_URL is a shipscore server",
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Opens the way to send one call, through a proxy or not; loads undici. */
export async function openSend(proxy: Settings["proxy"], tls: TlsOptions = {}): Promise<Send> {
  // Else Node waits at exit until V8 has optimised undici's WebAssembly parser, for longer than a request takes.
  setFlagsFromString("--liftoff-only");
  const { Agent, EnvHttpProxyAgent, request } = await import("undici");
  // The one deadline is the signal's.
  const options = { headersTimeout: 0, bodyTimeout: 0, connect: tls, requestTls: tls };
  const dispatcher = proxy
    ? new EnvHttpProxyAgent({ ...options, ...proxy, httpProxy: "" })
    : new Agent(options);
  return async ({ url, ...call }, signal) => {
    const { statusCode, headers, body } = await request(url, { ...call, dispatcher, signal });
    return { status: statusCode, headers, text: await readBody(body, url) };
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a 200. @throws CliError for any other answer */
export function parseAnswer<T>(answer: Answer, url: URL, schema: z.ZodType<T>, now: Date): T {
  const body = parseJson(answer.text);
  const value = answer.status === 200 ? schema.safeParse(body) : undefined;
  if (value?.success) return value.data;
  const error = ApiError.loose().safeParse(body);
  const refusal = error.success ? findRefusal(answer, error.data, now) : undefined;
  throw refusal ?? foreignAnswerError(answer, url);
}

function projectPath(id: string): string {
  return `projects/${encodeURIComponent(id)}`;
}

/** Opens the API until `--timeout`; nothing is sent, nor undici loaded, before a method is called. */
export function openApi(settings: Settings, { io, signal, now }: Context): Api {
  const { baseUrl, timeoutMs } = settings;
  const end = performance.now() + timeoutMs;
  const deadline = AbortSignal.timeout(timeoutMs);
  let sending: Promise<Send> | undefined;

  async function trace(text: string): Promise<void> {
    if (settings.isVerbose) await io.note(cleanText(text));
  }

  async function tryOnce(call: Call): Promise<Outcome> {
    await trace(`> ${call.method} ${call.url.href}, Authorization: Bearer ***`);
    const start = performance.now();
    sending ??= openSend(settings.proxy);
    const sendOnce = await sending;
    try {
      const answer = await sendOnce(call, AbortSignal.any([signal, deadline]));
      const id = findHeader(answer, "x-request-id") ?? "none";
      const durationMs = Math.round(performance.now() - start);
      await trace(`< ${answer.status} in ${durationMs} ms, X-Request-Id: ${id}`);
      return { kind: "answered", answer };
    } catch (error) {
      if (error instanceof CliError) throw error;
      if (deadline.aborted) throw timeoutError(baseUrl, timeoutMs);
      signal.throwIfAborted();
      await trace(`< ${String(error)}`);
      return { kind: "lost", error };
    }
  }

  async function tryUntilDeadline(call: Call): Promise<Answer> {
    for (let retryCount = 0; ;) {
      const outcome = await tryOnce(call);
      const delayMs = findRetryDelayMs(outcome, retryCount, Math.random());
      if (delayMs === undefined || performance.now() + delayMs >= end) {
        if (outcome.kind === "answered") return outcome.answer;
        throw unreachableError(outcome.error, baseUrl, settings.proxy !== null);
      }
      await io.note(describeWait(outcome, retryCount, delayMs));
      await sleep(delayMs, undefined, { signal });
      if (!isBusy(outcome)) retryCount += 1;
    }
  }

  async function send<T>(
    schema: z.ZodType<T>,
    path: string,
    post?: { readonly body: unknown; readonly idempotencyKey: string },
  ): Promise<T> {
    const url = new URL(`api/v1/${path}`, baseUrl);
    const headers = {
      authorization: `Bearer ${settings.token}`,
      accept: "application/json",
      "accept-language": settings.language,
      ...(post && {
        "content-type": "application/json",
        "idempotency-key": post.idempotencyKey,
      }),
    };
    const method = post ? "POST" : "GET";
    const body = post ? JSON.stringify(post.body) : null;
    const answer = await tryUntilDeadline({ url, method, headers, body });
    return parseAnswer(answer, baseUrl, schema, now());
  }

  return {
    check: (request) => send(CheckAnswer, "check", { body: request, idempotencyKey: randomUUID() }),
    listProjects: () => send(ProjectListAnswer, "projects"),
    listIncidents: (id) => send(IncidentListAnswer, `${projectPath(id)}/incidents`),
    getLastShip: (id) => send(LastShipAnswer, `${projectPath(id)}/last-ship`),
  };
}
