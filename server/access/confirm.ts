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

/** Must run inside a transaction. The old secret stays unconfirmed. */
export async function recordConfirmation(sql: Sql, actor: SessionActor): Promise<string> {
  const { accountId, sessionId } = actor;
  const { secret, fingerprint } = newSessionSecret();
  await confirmSession(sql, sessionId, fingerprint);
  await insertEvent(sql, actor, { action: "session.confirmed", accountId });
  return secret;
}

/** Throws `password_wrong`, `sign_in_code_wrong`, `too_often` and `busy`. */
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
