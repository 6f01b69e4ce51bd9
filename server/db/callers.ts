import { fragment, type Fragment } from "./fragment.ts";
import type { Sql } from "./sql.ts";

declare const isCallerRow: unique symbol;

/**
 * A table `caller (account_id)`, to stand after `from`: one row for a credential that is good, none for any other. Every
 * read takes one, so that authentication, visibility and read are one statement. Each kind of credential has its function
 * below; nothing else makes one.
 */
export type CallerRow = Fragment & { readonly [isCallerRow]: true };

const callerRow = (select: Fragment) => fragment`(${select}) caller` as CallerRow;

/**
 * The account of an active token, by its fingerprint. It also keeps the token's last use, exact to the minute, and writes
 * it only when the stored minute is over.
 */
export const callerOfToken = (fingerprint: Buffer): CallerRow =>
  callerRow(fragment`
    select account_id from tokens
    where fingerprint = ${fingerprint} and revoked_at is null
      and (last_used_at >= date_trunc('minute', now()) or use_token(id))`);

/** No account: of a request that has brought no credential. */
export const NOBODY: CallerRow = callerRow(fragment`select null::text as account_id where false`);

/** The account behind a credential. */
export interface KnownAccount {
  accountId: string;
}

/** Undefined for a credential that is unknown or revoked. */
export async function findCaller(sql: Sql, caller: CallerRow): Promise<KnownAccount | undefined> {
  const [known] = await sql<KnownAccount>`select account_id from ${caller}`;
  return known;
}

/** What a read says when there is a caller: who it is and what was found, undefined for a project that it may not see. */
export interface Read<Found> extends KnownAccount {
  found: Found | undefined;
}
