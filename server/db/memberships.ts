import type { Sql } from "./sql.ts";

/** Adds a pending invitation; an existing invitation or membership stays as it is. */
export async function insertInvitation(
  sql: Sql,
  projectId: string,
  accountId: string,
): Promise<void> {
  await sql`
    insert into memberships (project_id, account_id) values (${projectId}, ${accountId})
    on conflict (account_id, project_id) do nothing`;
}

/** Accepts an account's invitation. Returns whether there was one, and the account's e-mail address. */
export async function markInvitationAccepted(
  sql: Sql,
  projectId: string,
  accountId: string,
): Promise<{ email: string; isAccepted: boolean }> {
  const [row] = await sql<{ email: string; isAccepted: boolean }>`
    with accepted as (
      update memberships set accepted_at = coalesce(accepted_at, now())
      where project_id = ${projectId} and account_id = ${accountId} returning account_id
    )
    select email, exists (select from accepted) as is_accepted from accounts where id = ${accountId}`;
  if (row === undefined) throw new Error(`There is no account ${accountId}.`);
  return row;
}

/** Deletes the invitation or membership of an e-mail address; false if there is none. */
export async function deleteMembership(
  sql: Sql,
  projectId: string,
  email: string,
): Promise<boolean> {
  const rows = await sql`
    delete from memberships
    where project_id = ${projectId} and account_id = (select id from accounts where email = ${email})
    returning project_id`;
  return rows.length === 1;
}
