import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import { announcedBytes, MAX_BODY_BYTES } from "./node-http.ts";
import { findVisitor } from "./visitor.ts";

/** Less than those who send hooks wait for an answer. */
const MAX_WAIT_MS = 5000;

/**
 * Waits, before a body over 16 KB is read, until few others of its address are; until the answer it counts as one.
 * Throws `busy`.
 */
export async function boundLongBody(
  { config, longBodies }: Deps,
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (announcedBytes(raw) <= MAX_BODY_BYTES) return;
  const release = await longBodies.acquire(findVisitor(raw, config.trustedProxies), MAX_WAIT_MS);
  if (reply.raw.destroyed) release();
  else reply.raw.once("close", release);
}
