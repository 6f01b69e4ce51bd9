import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";

/** The word of nginx for a client that went away, or was cut off, before its answer. */
const CLIENT_GONE = 499;

/** One line and one count for each request, when its answer is sent or nobody is there any more to send it to. */
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
        accountId: caller.accountId || undefined,
        durationMs: Math.round(performance.now() - started),
      },
      "request",
    );
  });
}
