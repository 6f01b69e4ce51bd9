import { isUnlistedId, newUnlistedId } from "../id.ts";
import { firstRow } from "../driver/rows.ts";
import type { Sql } from "../driver/sql.ts";

/** What was typed into a form, by the names of its fields. */
export interface Draft {
  action: string;
  fields: Readonly<Record<string, string>>;
}

/** The most drafts of an account: a program that signs in again and again leaves no more. */
const KEPT = 10;

/** Keeps a draft for an hour, in the place of the account's oldest if it has many, and returns its id. The account's row is locked. */
export async function insertDraft(
  sql: Sql,
  accountId: string,
  { action, fields }: Draft,
): Promise<string> {
  const id = newUnlistedId();
  await sql`
    with old as (
      delete from drafts where id in (
        select id from drafts where account_id = ${accountId} order by expires_at desc offset ${KEPT - 1}::int
      )
    )
    insert into drafts (id, account_id, action, fields, expires_at)
    values (${id}, ${accountId}, ${action}, ${JSON.stringify(fields)}::text::jsonb, now() + interval '1 hour')`;
  return id;
}

/** Undefined for a draft that is not the account's, or has expired. */
export async function findDraft(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<Draft | undefined> {
  if (!isUnlistedId(id)) return undefined;
  return firstRow(sql.read<Draft>`
    select action, fields from drafts
    where id = ${id} and account_id = ${accountId} and expires_at > now()`);
}
