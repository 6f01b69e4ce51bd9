import { isOf, type Manager } from "./actors.ts";
import { fragment } from "./fragment.ts";
import { BATCH_ROWS } from "./batch.ts";
import type { Sql } from "./sql.ts";

/**
 * Locks an account's row, so that of several concurrent token creations each counts the tokens of those before it.
 * Foreign keys are not blocked. Returns the account's e-mail address.
 */
export async function lockAccount(sql: Sql, accountId: string): Promise<string> {
  const [account] = await sql<{ email: string }>`
    select email from accounts where id = ${accountId} for no key update`;
  if (account === undefined) throw new Error(`There is no account ${accountId}.`);
  return account.email;
}

/** Stores a new token's fingerprint; false if the account already has `limit` active tokens. */
export async function insertToken(
  sql: Sql,
  token: { id: string; accountId: string; name: string; fingerprint: Buffer },
  limit: number,
): Promise<boolean> {
  const rows = await sql`
    insert into tokens (id, account_id, name, fingerprint)
    select ${token.id}, ${token.accountId}, ${token.name}, ${token.fingerprint}
    where (select count(*) from tokens where account_id = ${token.accountId} and revoked_at is null) < ${limit}
    returning id`;
  return rows.length === 1;
}

export interface TokenSummary {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** A batch of an account's tokens, oldest first: those after the token `after`, or the first. */
export async function listTokens(
  sql: Sql,
  accountId: string,
  after: string | null,
): Promise<TokenSummary[]> {
  return sql<TokenSummary>`
    select id, name, created_at, last_used_at, revoked_at from tokens
    where account_id = ${accountId}
      and ${after === null ? fragment`true` : fragment`(created_at, id) > (select created_at, id from tokens where id = ${after})`}
    order by created_at, id limit ${BATCH_ROWS}`;
}

/** A token that was asked to be revoked. */
export interface Revocation {
  accountId: string;
  /** False if it was revoked before. */
  isNew: boolean;
}

/** Revokes a token for good; undefined if there is none with this id that the actor may revoke. */
export async function markTokenRevoked(
  sql: Sql,
  actor: Manager,
  id: string,
): Promise<Revocation | undefined> {
  const isActors = isOf(actor, fragment`account_id`);
  const [revocation] = await sql<Revocation>`
    with revoked as (
      update tokens set revoked_at = now()
      where id = ${id} and revoked_at is null and ${isActors} returning id
    )
    select account_id, exists (select from revoked) as is_new from tokens
    where id = ${id} and ${isActors}`;
  return revocation;
}

/** Revokes all active tokens of an account for good; returns how many there were. */
export async function markAllTokensRevoked(sql: Sql, accountId: string): Promise<number> {
  const rows = await sql`
    update tokens set revoked_at = now() where account_id = ${accountId} and revoked_at is null
    returning id`;
  return rows.length;
}
