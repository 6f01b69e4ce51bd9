import type { Sql } from "../driver/sql.ts";
import { SIGN_IN_METHODS, type SignInMethods } from "./second-factors.ts";
import { done, firstRow, isFound } from "../driver/rows.ts";

export interface StoredPassword {
  accountId: string;
  passwordHash: string | null;
}

export const findPassword = (sql: Sql, email: string) =>
  firstRow(sql.read<StoredPassword>`
    select id as account_id, password_hash from accounts where email = ${email}`);

export interface AccountWithPassword extends StoredPassword, SignInMethods {
  email: string;
}

export const findPasswordOfAccount = (sql: Sql, accountId: string) =>
  firstRow(sql.read<AccountWithPassword>`
    select id as account_id, email, password_hash, ${SIGN_IN_METHODS}
    from accounts where id = ${accountId} and email is not null and password_hash is not null`);

export const exchangePassword = (
  sql: Sql,
  { accountId, passwordHash }: StoredPassword,
  next: string,
) =>
  isFound(sql`
    update accounts set password_hash = ${next}
    where id = ${accountId} and password_hash = ${passwordHash} returning id`);

/**
 * Locks the hash until the transaction ends, because a change of password must end the sessions that the old one
 * opened. A weaker, shared lock could deadlock with `lockAccount`.
 */
export const lockPassword = (sql: Sql, { accountId, passwordHash }: StoredPassword) =>
  isFound(sql`
    select from accounts where id = ${accountId} and password_hash = ${passwordHash} for no key update`);

export const replacePassword = (sql: Sql, accountId: string, next: string) =>
  done(sql`update accounts set password_hash = ${next} where id = ${accountId}`);
