import type { FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../base/syntax/network-prefix.ts";
import type { Deps } from "../deps.ts";
import type { Semaphore } from "../checks/semaphore.ts";
import { announcedBytes, MAX_BODY_BYTES } from "./node-http.ts";
import { findVisitor } from "./visitor.ts";

/** Less than those who send hooks wait for an answer. */
const MAX_WAIT_MS = 5000;

/**
 * Waits, before a body over 16 KB is read, until few others of its network, or of whose it is, are; until the answer it
 * takes one of `places`.
 * Throws `busy`.
 */
export async function boundLongBody(
  { config }: Deps,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  places: Semaphore,
  whose = networkOf(findVisitor(raw, config.trustedProxies)),
): Promise<void> {
  if (announcedBytes(raw) <= MAX_BODY_BYTES) return;
  const release = await places.acquire(whose, MAX_WAIT_MS);
  if (reply.raw.destroyed) release();
  else reply.raw.once("close", release);
}
