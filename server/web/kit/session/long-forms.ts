import type { FastifyReply, FastifyRequest } from "fastify";
import { fingerprintOfSession } from "../../../access/sessions.ts";
import { hasJustEnded } from "../../../db/accounts/sessions.ts";
import type { Deps } from "../../../deps.ts";
import { announcedBytes, boundLongBody, MAX_BODY_BYTES } from "../../../http/requests.ts";
import { findSessionSecret } from "./cookie.ts";

/** True if a request's cookie names a session that ended within the hour. */
export async function wasSignedIn(deps: Deps, request: FastifyRequest): Promise<boolean> {
  const secret = findSessionSecret(request, deps.config);
  return secret !== undefined && hasJustEnded(deps.database.sql, fingerprintOfSession(secret));
}

/**
 * Whether the form of somebody who is signed out is read: up to 16 KB from anybody, and up to `maxBytes` from who was
 * signed in within the hour, whose draft is kept. Throws `busy` if too many long ones of the network are being read.
 */
export async function mayReadForm(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
): Promise<boolean> {
  const bytes = announcedBytes(request.raw);
  if (bytes <= MAX_BODY_BYTES) return true;
  if (bytes > maxBytes || !(await wasSignedIn(deps, request))) return false;
  await boundLongBody(deps, request, reply, deps.longBodies);
  return true;
}
