import { hash, randomBytes } from "node:crypto";
import type { Operator, SessionActor } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { recordNetwork } from "../db/accounts/networks.ts";
import { newId } from "../db/id.ts";
import {
  deleteFormerSession,
  deleteOldestSessions,
  deleteOtherSessions,
  deleteSession,
  insertSession,
  type ClientInfo,
} from "../db/accounts/sessions.ts";
import { lockAccount } from "../db/accounts/tokens.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { networkOf } from "../base/syntax/private-hosts.ts";

const SECRET_BYTES = 32;
/** Limits what a program that signs in again and again leaves behind. */
const MAX_SESSIONS = 50;

/** The secret itself is never stored. */
export const fingerprintOfSession = (secret: string): Buffer => hash("sha256", secret, "buffer");

export function newSessionSecret(): { secret: string; fingerprint: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { secret, fingerprint: fingerprintOfSession(secret) };
}

/** Must run inside a transaction. */
export async function openSession(
  sql: Sql,
  accountId: string,
  { former, browser, address, timeZone }: ClientInfo,
) {
  const { secret, fingerprint } = newSessionSecret();
  const id = newId("ses");
  await lockAccount(sql, accountId);
  if (former !== undefined) await deleteFormerSession(sql, former);
  await insertSession(sql, { id, accountId, fingerprint, browser, address, timeZone });
  await deleteOldestSessions(sql, accountId, MAX_SESSIONS);
  const actor: SessionActor = { by: "session", accountId, sessionId: id, address };
  const isElsewhere = await recordNetwork(sql, accountId, networkOf(address));
  const action = isElsewhere ? "session.begun_elsewhere" : "session.begun";
  await insertEvent(sql, actor, { action, accountId });
  return { secret, actor };
}

export function endSession(
  { database }: StoreDeps,
  actor: SessionActor,
  id: string,
): Promise<void> {
  const { accountId } = actor;
  return database.begin(async (sql) => {
    // Must run before the session is deleted, since the event reads the browser from it.
    await insertEvent(sql, actor, { action: "session.ended", accountId });
    if (!(await deleteSession(sql, accountId, id))) throw new AppError("session_not_found", { id });
  });
}

/** A change of credentials must end the sessions that the old credentials opened. Must run inside a transaction. */
export async function endOtherSessions(
  sql: Sql,
  actor: SessionActor | Operator,
  accountId: string,
): Promise<void> {
  const kept = actor.by === "session" ? actor.sessionId : null;
  const count = await deleteOtherSessions(sql, accountId, kept);
  const event = { action: "session.others_ended", accountId, details: { count } } as const;
  if (count > 0) await insertEvent(sql, actor, event);
}
