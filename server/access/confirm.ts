import type { SessionActor } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { confirmSession } from "../db/accounts/sessions.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { tryPassword } from "./password-tries.ts";
import { newSessionSecret } from "./sessions.ts";

/**
 * Records that the person at the actor's session has just proved who they are, and returns the session's new secret, for
 * the cookie: whoever had the former one is not confirmed by it. Belongs into a transaction.
 */
export async function confirmIn(sql: Sql, actor: SessionActor): Promise<string> {
  const { accountId, sessionId } = actor;
  const { secret, fingerprint } = newSessionSecret();
  await confirmSession(sql, sessionId, fingerprint);
  await insertEvent(sql, actor, { action: "session.confirmed", accountId });
  return secret;
}

/**
 * Takes the password of the account at `email`, the actor's, for a proof of who they are, and returns the session's new
 * secret. A wrong one counts as a failed sign-in. Throws `password_wrong`, `too_often` and `busy`.
 */
export async function confirmByPassword(
  deps: Deps,
  actor: SessionActor,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const { accountId, address } = actor;
  const stored = await tryPassword(deps, { email, password, address, accountId });
  if (stored?.accountId !== accountId) throw new AppError("password_wrong", {});
  return deps.database.begin((sql) => confirmIn(sql, actor));
}
