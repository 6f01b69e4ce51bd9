import { hash, randomBytes } from "node:crypto";
import type { SessionActor } from "../db/actors.ts";
import { newId } from "../db/id.ts";
import { deleteSession, insertSession, type Whereabouts } from "../db/sessions.ts";
import type { Sql } from "../db/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";

const SECRET_BYTES = 32;

/** The SHA-256 of a session's secret, 32 bytes; nothing else of it is ever stored. */
export const fingerprintOfSession = (secret: string): Buffer => hash("sha256", secret, "buffer");

/** Begins a session of the account and returns its secret, for the cookie: 256 random bits, base64url. */
export async function beginSession(
  sql: Sql,
  accountId: string,
  whereabouts: Whereabouts,
): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const fingerprint = fingerprintOfSession(secret);
  await insertSession(sql, { id: newId("ses"), accountId, fingerprint, ...whereabouts });
  return secret;
}

/** Ends a session of the actor's account, from the next request on. Throws `session_not_found`. */
export async function endSession(
  { database }: Deps,
  { accountId }: SessionActor,
  id: string,
): Promise<void> {
  if (!(await deleteSession(database.sql, accountId, id)))
    throw new AppError("session_not_found", { id });
}
