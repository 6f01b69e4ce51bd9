import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";

/** nginx's status for a client that went away, or was cut off, before it got an answer. */
const CLIENT_GONE = 499;

/** Logs and counts each request once, when its answer has been sent or the client has gone. */
export function logRequest({ log, metrics }: Deps, request: FastifyRequest, reply: FastifyReply) {
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
