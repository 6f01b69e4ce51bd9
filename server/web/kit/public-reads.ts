import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../base/errors.ts";
import { networkOf } from "../../base/syntax/private-hosts.ts";
import type { ProcessDeps } from "../../deps.ts";
import { waitWithClient } from "../../http/requests.ts";
import { findVisitor } from "../../http/visitor.ts";

const MAX_WAIT_MS = 5000;

/**
 * Such reads run one at a time, and networks take turns, so that strangers use at most one database connection.
 * @throws AppError `busy` after five seconds, or once the client has left
 */
export async function readForAnybody<Found>(
  { config, semaphores }: ProcessDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<Found>,
): Promise<Found> {
  const network = networkOf(findVisitor(request.raw, config.trustedProxies));
  const release = await waitWithClient(reply.raw, new AppError("busy", {}), (signal) =>
    semaphores.publicReads.acquire(network, MAX_WAIT_MS, { signal, isStranger: true }),
  );
  try {
    return await read();
  } finally {
    release();
  }
}
