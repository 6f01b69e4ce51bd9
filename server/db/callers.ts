import { AppError } from "../errors.ts";
import type { Plan } from "./accounts.ts";
import { fragment } from "./fragment.ts";
import type { Sql } from "./sql.ts";

/** The account behind a token. */
export interface Caller {
  accountId: string;
  plan: Plan;
}

/**
 * The condition on `tokens` that finds an active token's row. It also keeps the token's last use, exact to the minute,
 * and writes it only when the stored minute is over. Every authenticated query has it, so that authentication and read
 * are one round trip.
 */
export const isActiveToken = (fingerprint: Buffer) => fragment`
  tokens.fingerprint = ${fingerprint} and tokens.revoked_at is null
  and (tokens.last_used_at >= date_trunc('minute', now()) or use_token(tokens.id))`;

export const unauthorized = () => new AppError("unauthorized", "Jeton invalide ou révoqué.");

/** Throws `unauthorized` for a token that is unknown or revoked. */
export async function getCaller(sql: Sql, fingerprint: Buffer): Promise<Caller> {
  const [caller] = await sql<Caller>`
    select account_id, plan from tokens join accounts on accounts.id = account_id
    where ${isActiveToken(fingerprint)}`;
  if (caller === undefined) throw unauthorized();
  return caller;
}
