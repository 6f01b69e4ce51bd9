import type { Sql } from "../driver/sql.ts";
import { WAYS, type Ways } from "./second-factors.ts";

/** An account and the hash of its password; null if it has none. */
export interface StoredPassword {
  accountId: string;
  passwordHash: string | null;
}

export async function findPassword(sql: Sql, email: string): Promise<StoredPassword | undefined> {
  const [stored] = await sql.read<StoredPassword>`
    select id as account_id, password_hash from accounts where email = ${email}`;
  return stored;
}

/** An account with a password, and what else it signs in with. */
export interface AccountWithPassword extends StoredPassword, Ways {
  email: string;
}

export async function findPasswordOf(
  sql: Sql,
  accountId: string,
): Promise<AccountWithPassword | undefined> {
  const [stored] = await sql.read<AccountWithPassword>`
    select id as account_id, email, password_hash, ${WAYS}
    from accounts where id = ${accountId} and email is not null and password_hash is not null`;
  return stored;
}

/** Replaces a hash by another; false if it is no longer the account's. The account's row stays locked. */
export async function exchangePassword(
  sql: Sql,
  { accountId, passwordHash }: StoredPassword,
  next: string,
): Promise<boolean> {
  const rows = await sql`
    update accounts set password_hash = ${next}
    where id = ${accountId} and password_hash = ${passwordHash} returning id`;
  return rows.length === 1;
}

/**
 * True if a hash is still the account's, which it then stays until the end of the transaction: who changes it ends the
 * sessions that were begun with it. The lock is that of `lockAccount`, which no two that share a weaker one could both get.
 */
export async function holdPassword(
  sql: Sql,
  { accountId, passwordHash }: StoredPassword,
): Promise<boolean> {
  const rows = await sql`
    select from accounts where id = ${accountId} and password_hash = ${passwordHash} for no key update`;
  return rows.length === 1;
}

/** Gives an account a password, whatever it had. */
export async function replacePassword(sql: Sql, accountId: string, next: string): Promise<void> {
  await sql`update accounts set password_hash = ${next} where id = ${accountId}`;
}
