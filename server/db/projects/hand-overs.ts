import type { Sql } from "../driver/sql.ts";

/** Offers a project to a member, in place of whomever it was offered to before. */
export async function upsertHandOver(
  sql: Sql,
  projectId: string,
  accountId: string,
): Promise<void> {
  await sql`
    insert into hand_overs (project_id, account_id) values (${projectId}, ${accountId})
    on conflict (project_id) do update set account_id = excluded.account_id, offered_at = now()`;
}

/** To whom a project is offered. */
export async function findHandOver(sql: Sql, projectId: string): Promise<string | undefined> {
  const [offer] = await sql.read<{ accountId: string }>`
    select account_id from hand_overs where project_id = ${projectId}`;
  return offer?.accountId;
}

export async function deleteHandOver(sql: Sql, projectId: string): Promise<void> {
  await sql`delete from hand_overs where project_id = ${projectId}`;
}

/** Makes an account the owner of a project. */
export async function updateOwner(sql: Sql, projectId: string, accountId: string): Promise<void> {
  await sql`update projects set owner_id = ${accountId} where id = ${projectId}`;
}
