import type { Sql } from "./sql.ts";

/** Makes a pending invitation; an invitation or membership that is there stays as it is. */
export async function inviteMember(sql: Sql, projectId: string, accountId: string): Promise<void> {
  await sql`
    insert into memberships (project_id, account_id) values (${projectId}, ${accountId})
    on conflict (account_id, project_id) do nothing`;
}

/** Accepts an invitation; false when there is none. */
export async function acceptInvitation(
  sql: Sql,
  projectId: string,
  accountId: string,
): Promise<boolean> {
  const rows = await sql`
    update memberships set accepted_at = coalesce(accepted_at, now())
    where project_id = ${projectId} and account_id = ${accountId} returning project_id`;
  return rows.length === 1;
}

/** Takes an invitation or membership back; false when there is none. */
export async function removeMember(
  sql: Sql,
  projectId: string,
  accountId: string,
): Promise<boolean> {
  const rows = await sql`
    delete from memberships where project_id = ${projectId} and account_id = ${accountId} returning project_id`;
  return rows.length === 1;
}
