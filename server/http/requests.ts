import type { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySerializerCompiler,
} from "fastify";
import { AppError } from "../base/errors.ts";
import { networkOf } from "../base/syntax/private-hosts.ts";
import type { ProcessDeps } from "../deps.ts";
import { findVisitor } from "./visitor.ts";

/** Two servers could read several Host headers differently (RFC 9112, section 3.2). */
export const hasSeveralHosts = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && /^host$/i.test(text)).length > 1;

const isDecodable = (path: string) => {
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
};

/**
 * Rewrites the request's target to a path that the router can parse. Drops the host that a proxy's client includes, and reads a path with
 * broken escapes literally. `*` and `host:port` are not paths; only programs send them, so they go below `api`. Without this function, the
 * router would answer by itself, before authentication.
 */
export function readTarget({ url = "" }: IncomingMessage, api: string): string {
  const target = url.replace(/^https?:\/\/[^/?#]*\/?/i, "/");
  const rooted = target.startsWith("/") ? target : `${api}/${target}`;
  const [path = ""] = rooted.split(/[?#]/, 1);
  return isDecodable(path) ? rooted : rooted.replaceAll("%", "%25");
}

export const MAX_BODY_BYTES = 16_384;

export const announcedBytes = ({ headers }: IncomingMessage): number =>
  headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;

export const isBodyUnread = (request: IncomingMessage): boolean =>
  !request.complete && announcedBytes(request) > 0;

const awaitsContinue = ({ headers, httpVersion }: IncomingMessage) =>
  httpVersion === "1.1" && /^100-continue$/i.test(headers.expect ?? "");

const isReadable = ({ server, mediaType, headers, routeOptions }: FastifyRequest) =>
  mediaType !== undefined &&
  server.hasContentTypeParser(mediaType) &&
  !(Number(headers["content-length"]) > (routeOptions.bodyLimit ?? Infinity));

export async function continueReadable(request: FastifyRequest, reply: FastifyReply) {
  if (awaitsContinue(request.raw) && isReadable(request)) reply.raw.writeContinue();
}

/** A disconnect of the client aborts only the wait. Code after the wait runs to its end. */
export async function waitWithClient<Result>(
  message: EventEmitter,
  reason: AppError,
  wait: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const left = new AbortController();
  const leave = () => left.abort(reason);
  message.once("close", leave);
  return wait(left.signal).finally(() => message.off("close", leave));
}

/** The wait is shorter than the timeout of webhook senders. */
const MAX_WAIT_MS = 5000;

/** Limits how many bodies over 16 KB an account or a network sends at the same time, until the response is sent. Throws `busy`. */
export async function boundLongBody(
  { config, semaphores }: ProcessDeps,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  sender: { accountId: string } | "hook" | "stranger",
): Promise<void> {
  if (announcedBytes(raw) <= MAX_BODY_BYTES) return;
  const network = networkOf(findVisitor(raw, config.trustedProxies));
  const key = typeof sender === "object" ? sender.accountId : `${sender} ${network}`;
  const isStranger = sender === "stranger";
  const release = await semaphores.bodies.acquire(key, MAX_WAIT_MS, { isStranger });
  if (reply.raw.destroyed) release();
  else reply.raw.once("close", release);
}

/** nginx's status for a client that disconnected before it got an answer. */
const CLIENT_GONE = 499;

export function logRequest(
  { log, metrics }: ProcessDeps,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const started = performance.now();
  reply.raw.once("close", () => {
    const { id, method, caller } = request;
    const route = request.routeOptions.url ?? "none";
    const status = reply.raw.writableFinished ? reply.statusCode : CLIENT_GONE;
    metrics.requests.inc({ method, route, status });
    log.info(
      {
        requestId: id,
        method,
        route,
        status,
        accountId: caller.actor?.accountId,
        durationMs: Math.round(performance.now() - started),
      },
      "request",
    );
  });
}

const noRoute = () => new AppError("route_not_found", {});

/** Answers before a body is received. */
export const refusePaths = (paths: readonly string[]) => async (app: FastifyInstance) => {
  app.addHook("onRequest", (_request, _reply, done) => done(noRoute()));
  for (const path of paths) app.all(path, () => undefined);
};

/** Runs after the hooks registered so far and before the body is received. */
export function refuseUnknownRoutes(door: FastifyInstance): void {
  door.addHook("onRequest", (request, _reply, done) => {
    done(request.is404 ? noRoute() : undefined);
  });
  door.setNotFoundHandler(() => {
    throw noRoute();
  });
}

interface AnswerSchema {
  parse(answer: unknown): unknown;
}

/**
 * Validates and serializes answers; properties missing in the schema are dropped. Replaces the type provider's own compiler, which checks
 * each value twice and took twice as long.
 */
export const compileSerializer: FastifySerializerCompiler<AnswerSchema> =
  ({ schema }) =>
  (answer) =>
    JSON.stringify(schema.parse(answer));
