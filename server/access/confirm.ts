import type { SessionActor } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { findFactors } from "../db/accounts/second-factors.ts";
import { confirmSession } from "../db/accounts/sessions.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { tryPassword } from "./password-tries.ts";
import { afterPassword, consumeCode } from "./second-factor.ts";
import { newSessionSecret } from "./sessions.ts";

/**
 * Records that the user at this session has proved their identity, and returns the session's new secret for the cookie.
 * The old secret stays unconfirmed. Must run inside a transaction.
 */
export async function recordConfirmation(sql: Sql, actor: SessionActor): Promise<string> {
  const { accountId, sessionId } = actor;
  const { secret, fingerprint } = newSessionSecret();
  await confirmSession(sql, sessionId, fingerprint);
  await insertEvent(sql, actor, { action: "session.confirmed", accountId });
  return secret;
}

/**
 * Confirms the user by password, and by a code if the account has two-factor authentication. Returns the session's new
 * secret. A wrong password or code counts as a failed sign-in. Throws `password_wrong`, `sign_in_code_wrong`,
 * `too_often` and `busy`.
 */
export async function confirmByPassword(
  deps: Deps,
  actor: SessionActor,
  { email, password, code = "" }: { email: string; password: string; code?: string | undefined },
): Promise<string> {
  const { accountId, address } = actor;
  const stored = await tryPassword(deps, { email, password, address, accountId });
  if (stored.accountId !== accountId) throw new AppError("password_wrong", {});
  const work = async (sql: Sql) => {
    await consumeCode(deps, sql, actor, code);
    return recordConfirmation(sql, actor);
  };
  const { hasSecondFactor } = await findFactors(deps.database.sql, accountId);
  return hasSecondFactor
    ? afterPassword(deps, { ...actor, email }, work)
    : deps.database.begin(work);
}
