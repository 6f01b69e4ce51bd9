import type { SessionActor } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { confirmSession } from "../db/accounts/sessions.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { tryPassword } from "./password-tries.ts";

/** Records that the person at the actor's session has just proved who they are. Belongs into a transaction. */
export async function confirmIn(sql: Sql, actor: SessionActor): Promise<void> {
  const { accountId, sessionId } = actor;
  await confirmSession(sql, sessionId);
  await insertEvent(sql, actor, { action: "session.confirmed", accountId });
}

/**
 * Takes the password of the account at `email`, the actor's, for a proof of who they are. A wrong one counts as a
 * failed sign-in. Throws `password_wrong`, `too_often` and `busy`.
 */
export async function confirmByPassword(
  deps: Deps,
  actor: SessionActor,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const { accountId, address } = actor;
  const stored = await tryPassword(deps, { email, password, address, accountId });
  if (stored?.accountId !== accountId) throw new AppError("password_wrong", {});
  await deps.database.begin((sql) => confirmIn(sql, actor));
}
