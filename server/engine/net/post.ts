import { type HttpConnection, closeConnection, openHttpConnection } from "./connections.ts";
import { openDeadline } from "./deadline.ts";
import { dial } from "./dial.ts";
import { failureOf } from "./failure.ts";
import { findLookupName, type Network, openGuard, type Target, type Vetting } from "./guard.ts";
import type { Scheme } from "./site.ts";
import { createSecureContexts, type SecureContexts } from "./tls.ts";
import { TOO_LONG, watchAnswer } from "./wire.ts";
import type { Failure } from "../evidence/exchange.ts";

/** A message to deliver to a URL that a user entered. */
export interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface ApiRequest {
  method: "GET" | "POST" | "PATCH" | "PUT";
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

/** `header` returns the first value of a repeated header. */
export interface ApiAnswer {
  status: number;
  header: (name: string) => string | undefined;
  body: string;
}

export type PostFailure =
  | "not_allowed"
  | "unresolved"
  | "unreachable"
  | "untrusted"
  | "cut_off"
  | "too_long"
  | "timeout";

export type PostOutcome = { status: number; retryAfter: string | null } | { failure: PostFailure };

export interface Poster {
  /** Whether alerts may be posted to a URL: https, or http within the networks that alerts may enter. */
  vet(url: string, signal: AbortSignal): Promise<Vetting>;
  /** Follows no redirect and does not read the answer's body. Rejects only if `signal` aborts. */
  post(post: Post, signal: AbortSignal): Promise<PostOutcome>;
  /** Like `post`, but for the networks that statuses may enter. Also reads the answer's body. */
  request(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer | { failure: PostFailure }>;
}

export interface PosterSetting {
  userAgent: string;
  roots?: readonly string[];
}

const POST_MS = 10_000;
/** The limit in bytes of an answer's headers, plus the part of its body that arrives with them. */
const MAX_ANSWER_BYTES = 131_072;
/** The same limit for an API. It is higher, because the client reads its lists whole. */
const MAX_API_BYTES = 1_048_576;

const UNRESOLVED = ["not_found", "dns_failure", "dns_timeout"];

const schemeOf = (url: string): Scheme => (/^\s*http:/i.test(url) ? "http:" : "https:");

export const findTargetName = (network: Network, url: string) =>
  findLookupName(network, url, schemeOf(url));

/** Resolves the name for each post, so that new addresses are also vetted. */
async function vet(network: Network, url: string, signal: AbortSignal): Promise<Vetting> {
  const scheme = schemeOf(url);
  const vetting = await openGuard(network, signal).vet(url, { scheme });
  if (!vetting.ok || scheme === "https:" || vetting.target.allowed) return vetting;
  const { host, addresses, dnsMs } = vetting.target;
  return { ok: false, refusal: { code: "not_https", host, addresses, dnsMs } };
}

interface PreparedRequest {
  target: Target;
  request: ApiRequest;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  maxBytes: number;
}

async function send(http: HttpConnection, sending: PreparedRequest) {
  const { target, request, headers, signal, maxBytes } = sending;
  // undici's own abort waits until the request can be sent, which never happens on a broken connection.
  signal.addEventListener("abort", () => closeConnection(http), { once: true });
  watchAnswer(http.connection.socket, maxBytes);
  const answer = await http.client.request({
    path: target.url.pathname + target.url.search,
    method: request.method,
    headers: { ...headers, ...request.headers },
    body: request.body,
    signal,
  });
  // Without a listener, an error of an unread body would end the process.
  answer.body.on("error", () => undefined);
  return answer;
}

type HttpAnswer = Awaited<ReturnType<typeof send>>;

const readHeader = ({ headers }: HttpAnswer, name: string): string | undefined =>
  [headers[name]].flat()[0];

export function createPoster(
  networks: { alerts: Network; statuses: Network },
  { userAgent, roots }: PosterSetting,
): Poster {
  let contexts: SecureContexts | undefined;
  const headers = { "user-agent": userAgent, accept: "*/*" };

  async function deliver<Result extends object>(
    network: Network,
    request: ApiRequest,
    signal: AbortSignal,
    maxBytes: number,
    read: (answer: HttpAnswer) => Result | Promise<Result>,
  ): Promise<Result | { failure: PostFailure }> {
    const vetting = await vet(network, request.url, signal);
    if (!vetting.ok) {
      const isUnresolved = UNRESOLVED.includes(vetting.refusal.code);
      return { failure: isUnresolved ? "unresolved" : "not_allowed" };
    }
    const { target } = vetting;
    contexts ??= createSecureContexts({ roots });
    const connection = await dial(target, { contexts, offers: new Map() }, signal);
    const http = openHttpConnection(connection, target.url.origin);
    try {
      if (connection.handshake?.trusted === false) return { failure: "untrusted" };
      return await read(await send(http, { target, request, headers, signal, maxBytes }));
    } finally {
      closeConnection(http);
    }
  }

  async function runInTime<Result>(
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | { failure: PostFailure }> {
    const deadline = openDeadline(signal, POST_MS);
    try {
      return await work(deadline.signal);
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.signal.aborted) return { failure: "timeout" };
      return { failure: describe(failureOf(error, "response")) };
    } finally {
      deadline.clear();
    }
  }

  return {
    async vet(url, signal) {
      const deadline = openDeadline(signal, POST_MS);
      return vet(networks.alerts, url, deadline.signal).finally(deadline.clear);
    },
    post: (post, signal) =>
      runInTime(signal, (inTime) =>
        deliver(
          networks.alerts,
          { method: "POST", ...post },
          inTime,
          MAX_ANSWER_BYTES,
          (answer) => ({
            status: answer.statusCode,
            retryAfter: readHeader(answer, "retry-after") ?? null,
          }),
        ),
      ),
    request: (request, signal) =>
      runInTime(signal, (inTime) =>
        deliver(networks.statuses, request, inTime, MAX_API_BYTES, async (answer) => ({
          status: answer.statusCode,
          header: (name) => readHeader(answer, name),
          body: await answer.body.text(),
        })),
      ),
  };
}

function describe({ phase, code }: Failure): PostFailure {
  if (code === TOO_LONG) return "too_long";
  if (phase === "response") return "cut_off";
  return phase === "tls" ? "untrusted" : phase === "guard" ? "not_allowed" : "unreachable";
}
