import { fragment } from "../driver/fragment.ts";
import { removeDeleted } from "../removal.ts";
import type { Sql } from "../driver/sql.ts";
import { deletePasskeys } from "./passkeys.ts";
import { deleteSecondFactor } from "./second-factors.ts";
import { isFound } from "../driver/rows.ts";

/** The lock also blocks foreign keys, so that the account cannot get a project. */
export const lockWholeAccount = (sql: Sql, accountId: string) =>
  isFound(sql`
    select from accounts where id = ${accountId} and email is not null for update`);

/** `removeDeletedAccounts` removes the rest later. */
export async function markAccountDeleted(sql: Sql, accountId: string): Promise<void> {
  await sql`
    update tokens set revoked_at = now() where account_id = ${accountId} and revoked_at is null`;
  await sql`delete from sessions where account_id = ${accountId}`;
  await sql`delete from networks where account_id = ${accountId}`;
  await deletePasskeys(sql, accountId);
  await deleteSecondFactor(sql, accountId);
  await sql`
    delete from links
    where account_id = ${accountId} or email = (select email from accounts where id = ${accountId})`;
  await sql`
    delete from invitations where email = (select email from accounts where id = ${accountId})`;
  await sql`update invitations set invited_by = null where invited_by = ${accountId}`;
  // Also ends offers to hand a project over to it, which are part of its memberships.
  await sql`delete from memberships where account_id = ${accountId}`;
  await sql`
    update accounts set email = null, password_hash = null, language = null, time_zone = null
    where id = ${accountId}`;
}

const TABLES = [
  fragment`usage`,
  fragment`memberships`,
  fragment`sessions`,
  fragment`networks`,
  fragment`passkeys`,
  fragment`second_factors`,
  fragment`recovery_codes`,
  fragment`links`,
];

/** Running checks can still write their results. `events` keep the account's id only. */
export const removeDeletedAccounts = removeDeleted({
  table: fragment`accounts`,
  isDeleted: fragment`email is null`,
  reference: fragment`account_id`,
  parts: [
    [fragment`tokens`, fragment`true`],
    [fragment`checks`, fragment`kind = 'api' and (state <> 'running' or lease_until < now())`],
    ...TABLES.map((table) => [table, fragment`true`] as const),
  ],
  isUnused: fragment`not exists (select from projects where owner_id = accounts.id)`,
});
