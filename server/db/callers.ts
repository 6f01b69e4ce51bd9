import { AppError } from "../errors.ts";
import type { Plan } from "./accounts.ts";
import { fragment, type Sql } from "./sql.ts";

/** The account behind a token. */
export interface Caller {
  accountId: string;
  plan: Plan;
}

/**
 * The CTE `caller (account_id, plan)` of an active token's account, empty for any other token. The same statement
 * keeps the token's last use, exact to the minute, and writes it only when the stored minute is over. Every
 * authenticated query starts with it, so that authentication and read are one round trip.
 */
export const callerOf = (fingerprint: Buffer) => fragment`
  token as (
    select id, account_id, last_used_at from tokens
    where fingerprint = ${fingerprint} and revoked_at is null
  ),
  used_token as (
    update tokens set last_used_at = now()
    where id = (select id from token where last_used_at is null or last_used_at < date_trunc('minute', now()))
  ),
  caller as (
    select accounts.id as account_id, accounts.plan
    from token join accounts on accounts.id = token.account_id
  )`;

export const unauthorized = () => new AppError("unauthorized", "Jeton invalide ou révoqué.");

/** Throws `unauthorized` for a token that is unknown or revoked. */
export async function getCaller(sql: Sql, fingerprint: Buffer): Promise<Caller> {
  const [caller] =
    await sql<Caller>`with ${callerOf(fingerprint)} select account_id, plan from caller`;
  if (caller === undefined) throw unauthorized();
  return caller;
}
