import type { Sql } from "../driver/sql.ts";
import { done, firstValue } from "../driver/rows.ts";

/** Offers a project to a member, in place of whomever it was offered to before. */
export const upsertHandOver = (sql: Sql, projectId: string, accountId: string) =>
  done(sql`
    insert into hand_overs (project_id, account_id) values (${projectId}, ${accountId})
    on conflict (project_id) do update set account_id = excluded.account_id, offered_at = now()`);

export const findHandOver = (sql: Sql, projectId: string) =>
  firstValue(sql.read<{ accountId: string }>`
    select account_id from hand_overs where project_id = ${projectId}`);

export const deleteHandOver = (sql: Sql, projectId: string) =>
  done(sql`delete from hand_overs where project_id = ${projectId}`);

/** Makes an account the owner of a project, whose looks then count among the account's. */
export const updateOwner = (sql: Sql, projectId: string, accountId: string) =>
  done(sql`
    with moved as (
      select looks.number from looks join watched_urls using (number) where project_id = ${projectId}
      order by looks.number for no key update of looks
    ), owner as (
      update projects set owner_id = ${accountId} where id = ${projectId} returning owner_id
    )
    update looks set account = accounts.number
    from moved, owner join accounts on accounts.id = owner_id where looks.number = moved.number`);
