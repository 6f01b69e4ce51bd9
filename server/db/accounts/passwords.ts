import type { Sql } from "../driver/sql.ts";
import { WAYS, type Ways } from "./second-factors.ts";
import { done, firstRow, isFound } from "../driver/rows.ts";

/** An account and the hash of its password; null if it has none. */
export interface StoredPassword {
  accountId: string;
  passwordHash: string | null;
}

export const findPassword = (sql: Sql, email: string) =>
  firstRow(sql.read<StoredPassword>`
    select id as account_id, password_hash from accounts where email = ${email}`);

/** An account with a password, and what else it signs in with. */
export interface AccountWithPassword extends StoredPassword, Ways {
  email: string;
}

export const findPasswordOf = (sql: Sql, accountId: string) =>
  firstRow(sql.read<AccountWithPassword>`
    select id as account_id, email, password_hash, ${WAYS}
    from accounts where id = ${accountId} and email is not null and password_hash is not null`);

/** Replaces a hash by another; false if it is no longer the account's. The account's row stays locked. */
export const exchangePassword = (
  sql: Sql,
  { accountId, passwordHash }: StoredPassword,
  next: string,
) =>
  isFound(sql`
    update accounts set password_hash = ${next}
    where id = ${accountId} and password_hash = ${passwordHash} returning id`);

/**
 * True if a hash is still the account's, which it then stays until the end of the transaction: who changes it ends the
 * sessions that were begun with it. The lock is that of `lockAccount`, which no two that share a weaker one could both get.
 */
export const holdPassword = (sql: Sql, { accountId, passwordHash }: StoredPassword) =>
  isFound(sql`
    select from accounts where id = ${accountId} and password_hash = ${passwordHash} for no key update`);

export const replacePassword = (sql: Sql, accountId: string, next: string) =>
  done(sql`update accounts set password_hash = ${next} where id = ${accountId}`);
