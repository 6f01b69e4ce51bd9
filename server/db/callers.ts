import { fragment } from "./fragment.ts";
import type { Sql } from "./sql.ts";

/** The account behind a token. */
export interface Caller {
  accountId: string;
}

/**
 * A table `caller (account_id)`: one row for an active token, none for any other. It also keeps the token's last use,
 * exact to the minute, and writes it only when the stored minute is over. Every authenticated query reads from it, so
 * that authentication and read are one round trip.
 */
export const callerOf = (fingerprint: Buffer) => fragment`(
    select account_id from tokens
    where fingerprint = ${fingerprint} and revoked_at is null
      and (last_used_at >= date_trunc('minute', now()) or use_token(id))
  ) caller`;

/** Undefined for a token that is unknown or revoked. */
export async function findCaller(sql: Sql, fingerprint: Buffer): Promise<Caller | undefined> {
  const [caller] = await sql<Caller>`select account_id from ${callerOf(fingerprint)}`;
  return caller;
}

/** What a read says when there is a caller: who it is and what was found, undefined for a project that it may not see. */
export interface Read<Found> extends Caller {
  found: Found | undefined;
}
