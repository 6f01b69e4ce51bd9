import type { Readable } from "node:stream";
import { REQUEST_TIMEOUT_MS } from "../../base/bounds.ts";
import { ACCEPT_ENCODING, type Content, type ContentOptions, readContent } from "./content.ts";
import { elapsedMs, openDeadline } from "./deadline.ts";
import { type Connection, dial, type Dialing } from "./dial.ts";
import type { TargetHeaders, Timings } from "../../../shared/check.ts";
import { type Answer, type Failure, LATE, type Oddity, type Tls } from "../evidence/exchange.ts";
import { failureOf, RequestError } from "./failure.ts";
import type { Target } from "./guard.ts";
import type { Connections, HttpConnection } from "./connections.ts";
import { closeConnection, openHttpConnection } from "./connections.ts";
import type { SecureContexts } from "./tls.ts";
import { escapeLocation, REDIRECT_STATUSES } from "../../base/syntax/http.ts";
import { findContradiction, FRAMING_CODES, readAnswer } from "./http1-reader.ts";
import { offersHttp2 } from "./http2-offer.ts";
import { MAX_HEAD_BYTES, ODD_HEAD, watchAnswer } from "./wire.ts";

/**
 * An unwanted body up to this length is read and dropped, so that the connection stays open. A longer body closes the
 * connection.
 */
const MAX_DRAIN_BYTES = 65_536;
/** An answer may take this much on the wire in addition to its body: headers, dropped bytes and chunk framing. */
const MAX_FRAME_BYTES = 262_144 + MAX_HEAD_BYTES;
/** undici's errors for an answer that it cannot parse. Its HTTPParserError has no code. */
const PARSE_ERRORS: readonly string[] = [
  "HTTPParserError",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "UND_ERR_HEADERS_OVERFLOW",
  ODD_HEAD,
  // undici asserts that a status is at least 200.
  "ERR_ASSERTION",
];
/** Browsers do not read a body with this status (RFC 9110, 15.3.6). undici does. */
const RESET_CONTENT = 205;
/** Upgrade Required, and HTTP Version Not Supported. */
const VERSION_STATUSES: readonly number[] = [426, 505];

export interface RequestOptions {
  method?: "GET" | "HEAD";
  accept: string;
  /** The limit of the decoded body. With 0, the request reads no body. */
  maxBytes: number;
  /**
   * The time to the first byte. After it, only the client's signal ends the request, and the part of the body that
   * arrived is kept. By default, the whole exchange may take REQUEST_TIMEOUT_MS, and a late body is dropped.
   */
  firstByteMs?: number;
  /** Returns how much of the body to read. By default this is `maxBytes`, or 0 for a redirect. */
  findLimit?: (received: ReceivedAnswer) => Promise<number>;
  headers?: Record<string, string>;
  /** `isTrusted`: the certificate proves the host. */
  cookiesFor?: (isTrusted: boolean) => string;
}

export type RequestStep = "connection" | "request";

export interface HttpClient {
  connections: Connections;
  secureContexts: SecureContexts;
  offers: Dialing["offers"];
  userAgent: string;
  /** The caller's own headers. They are sent only to this origin, and only if the certificate proves the host. */
  own: { origin: string; headers: TargetHeaders };
  signal: AbortSignal;
  /**
   * Called right before a connection is opened and before a request is sent. If the function throws, the step does not
   * happen.
   */
  onStep?: ((step: RequestStep) => void) | undefined;
  /** Called for each answer, before its body is read. */
  onAnswer(target: Target, received: ReceivedAnswer): void;
  /** Called for each answer that browsers show although its syntax is invalid. */
  onOddAnswer?: (target: Target, oddities: Oddity[], isOfHttp1Alone: boolean) => void;
}

export interface ReceivedAnswer {
  status: number;
  /** Names and values alternate. */
  rawHeaders: readonly string[];
  address: string;
  oddities: ReadonlySet<Oddity>;
  /** Null if no body was requested, if the body did not arrive in time, or for a redirect. */
  content: Content | null;
}

/**
 * If `received` is set, `failure` means that the body did not arrive in time, or in phase `response` that browsers refuse
 * the answer.
 */
export interface Exchange {
  received: ReceivedAnswer | null;
  failure: Failure | null;
  tls: Tls | null;
  trusted: boolean;
  timings: Timings;
}

/**
 * Reads the answer strictly first. After a parse error, the request is sent again, and the answer is read as browsers
 * read it. Never rejects.
 */
export async function fetchOnce(
  client: HttpClient,
  target: Target,
  options: RequestOptions,
): Promise<Exchange> {
  const { oddOrigins } = client.connections;
  const { origin } = target.url;
  let attempt = oddOrigins.has(origin) ? null : await tryRequest(client, target, options, true);
  if (!attempt || attempt.isMisread) attempt = await tryRequest(client, target, options, false);
  const { exchange } = attempt;
  const { received, failure } = exchange;
  const isOdd = received !== null && received.oddities.size > 0;
  const isUnreadable = failure !== null && FRAMING_CODES.includes(failure.code);
  if (isOdd || isUnreadable) oddOrigins.add(origin);
  const isRefused = failure ? isUnreadable : VERSION_STATUSES.includes(received?.status ?? 0);
  if (!isOdd && !isRefused) return exchange;
  const isOfHttp1Alone = !(await offersHttp2(client, dialingOf(client), target));
  if (isOdd) client.onOddAnswer?.(target, [...received.oddities], isOfHttp1Alone);
  if (!isRefused || isOfHttp1Alone) return exchange;
  const code = failure?.code ?? `HTTP_${received?.status}`;
  const detail = failure?.detail ?? "the server requires HTTP/2";
  return { ...exchange, received: null, failure: { phase: "http1", code, detail } };
}

async function tryRequest(
  client: HttpClient,
  target: Target,
  options: RequestOptions,
  isStrict: boolean,
): Promise<{ exchange: Exchange; isMisread: boolean }> {
  const exchange = openExchange(target);
  let isMisread = false;
  const permit = await client.connections
    .acquire(target, client.signal, !isStrict)
    .catch(() => null);
  if (!permit) return { exchange: { ...exchange, failure: lateFailure("deadline") }, isMisread };
  const { firstByteMs = REQUEST_TIMEOUT_MS } = options;
  const { signal, clear, extend } = openDeadline(client.signal, firstByteMs);
  let http: HttpConnection | undefined;
  let draining: Promise<unknown> | undefined;
  const leave = (): void => {
    clear();
    permit.release(http);
  };
  try {
    const { url } = target;
    http =
      permit.idle ?? openHttpConnection(await dial(target, dialingOf(client), signal), url.origin);
    noteConnection(exchange, http.connection);
    const headers = headersFor(client, target, options, http.connection);
    client.onStep?.("request");
    // undici's own abort waits until the request can be sent, which never happens on a broken connection.
    signal.addEventListener("abort", () => http && closeConnection(http), { once: true });
    signal.throwIfAborted();
    const prepared = { target, options, headers, signal };
    const { body, drain } = await (isStrict ? send : sendLeniently)(http, prepared, exchange);
    // Without a listener, an error of an unread body would end the process.
    body.on("error", () => undefined);
    if (exchange.received) client.onAnswer(target, exchange.received);
    const maxBytes = exchange.failure ? 0 : await findLimit(options, exchange);
    if (exchange.failure) closeConnection(http);
    else if (maxBytes > 0) {
      if (options.firstByteMs !== undefined) extend();
      await receive(body, http, { maxBytes, signal }, exchange);
    } else draining = drain?.();
    isMisread = isStrict && isParseError(body.errored);
    if (isChunkError(body.errored)) refuseBody(exchange, body.errored.failure);
    if (signal.aborted && options.firstByteMs === undefined) noteLateBody(exchange);
  } catch (error) {
    // The server may have just closed a connection that was open since an earlier request.
    const isUnclear = isParseError(error) || permit.idle !== null;
    isMisread = isStrict && isUnclear && !signal.aborted;
    exchange.failure = signal.aborted ? lateFailure("deadline") : failureOf(error, "response");
  }
  if (http && (!isStrict || isMisread)) closeConnection(http);
  if (draining) void draining.finally(leave);
  else leave();
  return { exchange, isMisread };
}

function isParseError(error: unknown): boolean {
  const { code, detail } = failureOf(error, "response");
  return PARSE_ERRORS.includes(code) || /^bad (?:response|upgrade)$/.test(detail);
}

function isChunkError(error: unknown): error is RequestError {
  return error instanceof RequestError && error.failure.code === "ERR_CHUNKS";
}

function refuseBody(exchange: Exchange, failure: Failure): void {
  exchange.failure = failure;
  if (exchange.received) exchange.received.content = null;
}

export function dialingOf({ secureContexts, offers, onStep }: HttpClient): Dialing {
  return { contexts: secureContexts, offers, onConnect: () => onStep?.("connection") };
}

export function isWorthRetry({ status, failure }: Pick<Answer, "status" | "failure">): boolean {
  if (failure) return ["connect", "tls", "response"].includes(failure.phase);
  return status !== null && status >= 500;
}

function findHeader(rawHeaders: readonly string[], name: string): string | undefined {
  const index = rawHeaders.findIndex((each, at) => at % 2 === 0 && each.toLowerCase() === name);
  return index < 0 ? undefined : rawHeaders[index + 1];
}

/** Joins repeated headers (RFC 9110, 5.3). */
export function findList(rawHeaders: readonly string[], name: string): string | null {
  const values = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name,
  );
  return values.length > 0 ? values.join(", ") : null;
}

/** Browsers treat an empty Location as if it were missing. */
export function findLocation({ status, rawHeaders }: ReceivedAnswer): string | undefined {
  if (!REDIRECT_STATUSES.includes(status)) return undefined;
  return escapeLocation(findHeader(rawHeaders, "location") ?? "") || undefined;
}

function openExchange({ dnsMs }: Target): Exchange {
  const timings = { connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null };
  const failure = null;
  return {
    received: null,
    failure,
    tls: null,
    trusted: false,
    timings: { dnsMs: Math.round(dnsMs * 10) / 10, ...timings },
  };
}

export function lateFailure(phase: Failure["phase"]): Failure {
  return { phase, code: LATE, detail: "the time for it was over" };
}

function noteLateBody(exchange: Exchange): void {
  exchange.failure = lateFailure("body");
  if (exchange.received) exchange.received.content = null;
}

function noteConnection(exchange: Exchange, { handshake, connectMs, tlsMs }: Connection): void {
  exchange.tls = handshake?.readFacts() ?? null;
  exchange.trusted = handshake?.trusted === true;
  Object.assign(exchange.timings, { connectMs, tlsMs });
}

function headersFor(
  { userAgent, own }: HttpClient,
  { url }: Target,
  options: RequestOptions,
  { handshake }: Connection,
): Record<string, string> {
  const isTrusted = handshake?.trusted === true;
  const isSafe = url.origin === own.origin && isTrusted;
  const cookie = options.cookiesFor?.(isTrusted);
  return {
    "user-agent": userAgent,
    accept: options.accept,
    "accept-encoding": ACCEPT_ENCODING,
    ...options.headers,
    ...(cookie ? { cookie } : {}),
    ...(isSafe ? own.headers : {}),
  };
}

interface PreparedRequest {
  target: Target;
  options: RequestOptions;
  headers: Record<string, string>;
  signal: AbortSignal;
}

interface Sent {
  body: Readable;
  /** Reads and drops a short body. */
  drain?: () => Promise<unknown>;
}

async function send(
  http: HttpConnection,
  { target, options, headers, signal }: PreparedRequest,
  exchange: Exchange,
): Promise<Sent> {
  const { client, connection } = http;
  watchAnswer(connection.socket, maxWireBytes(options));
  const sentAt = performance.now();
  const answer = await client.request({
    path: target.url.pathname + target.url.search,
    method: options.method ?? "GET",
    headers,
    signal,
    // By default undici closes the connection after a HEAD, because the answer may wrongly have a body. If such a body
    // breaks the next request, the visit sends that request again.
    reset: false,
    responseHeaders: "raw",
  });
  exchange.timings.firstByteMs = elapsedMs(sentAt);
  const raw: unknown = answer.headers;
  const rawHeaders: string[] = Array.isArray(raw) ? raw : [];
  const { address } = connection;
  const oddities = new Set<Oddity>();
  exchange.received = { status: answer.statusCode, rawHeaders, address, oddities, content: null };
  exchange.failure = findContradiction(rawHeaders);
  return { body: answer.body, drain: () => answer.body.dump({ limit: MAX_DRAIN_BYTES }) };
}

function maxWireBytes({ maxBytes }: RequestOptions): number {
  return 2 * maxBytes + MAX_FRAME_BYTES;
}

async function sendLeniently(
  { connection: { socket, address } }: HttpConnection,
  { target: { url }, options, headers }: PreparedRequest,
  exchange: Exchange,
): Promise<Sent> {
  const { method = "GET" } = options;
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    "connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const head = lines.map((line) => `${line.replaceAll(/[\r\n\0]/g, "")}\r\n`).join("");
  const sentAt = performance.now();
  socket.write(`${head}\r\n`, "latin1");
  const isSecure = url.protocol === "https:";
  const reading = { method, isSecure, maxBytes: maxWireBytes(options) };
  const { refusal, body, status, rawHeaders, oddities } = await readAnswer(socket, reading);
  exchange.timings.firstByteMs = elapsedMs(sentAt);
  exchange.received = { status, rawHeaders, address, oddities, content: null };
  exchange.failure = refusal;
  return { body };
}

async function findLimit(options: RequestOptions, { received }: Exchange): Promise<number> {
  if (options.maxBytes === 0 || !received || findLocation(received) !== undefined) return 0;
  if (received.status === RESET_CONTENT) return 0;
  return options.findLimit ? options.findLimit(received) : options.maxBytes;
}

async function receive(
  body: Readable,
  http: HttpConnection,
  limits: Pick<ContentOptions, "maxBytes" | "signal">,
  { received, timings }: Exchange,
): Promise<void> {
  if (!received) return;
  const { rawHeaders } = received;
  const startedAt = performance.now();
  const content = await readContent(body, {
    contentEncoding: findList(rawHeaders, "content-encoding"),
    length: findHeader(rawHeaders, "content-length") ?? null,
    ...limits,
  });
  timings.downloadMs = elapsedMs(startedAt);
  if (content.state !== "whole") closeConnection(http);
  received.content = content;
}
