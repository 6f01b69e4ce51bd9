import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Step } from "../retention.ts";
import type { Sql } from "../driver/sql.ts";
import { deletePasskeys } from "./passkeys.ts";
import { deleteSecondFactor } from "./second-factors.ts";
import { isFound } from "../driver/rows.ts";

/** A project that keeps its owner's account from being deleted. */
export interface OwnProject {
  id: string;
  name: string;
}

/**
 * Locks an account's row against everything that refers to it, so that it gets no project meanwhile. False if it is
 * deleted.
 */
export const lockWholeAccount = (sql: Sql, accountId: string) =>
  isFound(sql`
    select from accounts where id = ${accountId} and email is not null for update`);

export const listOwnProjects = (sql: Sql, accountId: string) =>
  sql.read<OwnProject>`select id, name from projects where owner_id = ${accountId} order by name, id`;

/**
 * Deletes an account for everybody, at once: nothing signs in to it or calls for it any more, and nobody finds it by
 * its address. What else there is of it is removed by `removeDeletedAccounts`.
 */
export async function markAccountDeleted(sql: Sql, accountId: string): Promise<void> {
  await sql`
    update tokens set revoked_at = now() where account_id = ${accountId} and revoked_at is null`;
  await sql`delete from sessions where account_id = ${accountId}`;
  await sql`delete from networks where account_id = ${accountId}`;
  await deletePasskeys(sql, accountId);
  await deleteSecondFactor(sql, accountId);
  await sql`delete from drafts where account_id = ${accountId}`;
  await sql`delete from acts where account_id = ${accountId}`;
  await sql`
    delete from links
    where account_id = ${accountId} or email = (select email from accounts where id = ${accountId})`;
  await sql`
    delete from invitations where email = (select email from accounts where id = ${accountId})`;
  await sql`update invitations set invited_by = null where invited_by = ${accountId}`;
  // What was offered to it ends with its memberships.
  await sql`delete from memberships where account_id = ${accountId}`;
  await sql`
    update accounts set email = null, password_hash = null, language = null, time_zone = null
    where id = ${accountId}`;
}

/** The tables with rows of accounts, and which of them may go. Checks that run still write their result. */
const TABLES: readonly (readonly [table: Fragment, mayGo: Fragment])[] = [
  [fragment`tokens`, fragment`true`],
  [fragment`checks`, fragment`kind = 'api' and (state <> 'running' or lease_until < now())`],
  [fragment`usage`, fragment`true`],
  [fragment`memberships`, fragment`true`],
  [fragment`sessions`, fragment`true`],
  [fragment`networks`, fragment`true`],
  [fragment`passkeys`, fragment`true`],
  [fragment`second_factors`, fragment`true`],
  [fragment`recovery_codes`, fragment`true`],
  [fragment`links`, fragment`true`],
  [fragment`drafts`, fragment`true`],
  [fragment`acts`, fragment`true`],
];

const MAX_ROWS = 100;

const isEmpty = TABLES.reduce(
  (condition, [table]) =>
    fragment`${condition} and not exists (select from ${table} where ${table}.account_id = accounts.id)`,
  fragment`not exists (select from projects where owner_id = accounts.id)`,
);

/** Another server may be removing the same rows, which are then waited for. */
async function deleteRows(
  sql: Sql,
  [table, mayGo]: (typeof TABLES)[number],
  accountId: string,
): Promise<number> {
  const rows = await sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where account_id = ${accountId} and ${mayGo} limit ${MAX_ROWS}::int for update
    )) returning 1 as one`;
  return rows.length;
}

/**
 * Removes rows of a deleted account, at most 100 a statement, and the account itself once none is left; of what it did
 * its id alone stays, in `events`. The place is the account's id.
 */
export const removeDeletedAccounts: Step = async (sql, place) => {
  const [account] = await sql.read<{ id: string }>`
    select id from accounts where email is null and id >= ${place} order by id limit 1`;
  if (account === undefined) return null;
  const { id } = account;
  for (const table of TABLES) if ((await deleteRows(sql, table, id)) === MAX_ROWS) return id;
  await sql`delete from accounts where id = ${id} and email is null and ${isEmpty}`;
  return `${id} `;
};
