import type { Recorder } from "../accounts/actors.ts";
import type { CallerRow } from "../accounts/callers.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { parseId } from "../id.ts";
import type { KeptRows } from "./removed.ts";
import { done, firstRow } from "../driver/rows.ts";

/** What was done to a project, as its page says afterwards: each has its words in `web/pages/project/acts-words.ts`. */
export type ActKind =
  | "project.saved"
  | "project.moved"
  | "gate.saved"
  | "previews.saved"
  | `url.${"watched" | "unwatched" | "paused" | "resumed"}`
  | `maintenance.${"added" | "ended" | "removed"}`
  | `incident.${"acknowledged" | "silenced" | "published"}`
  | `invitation.${"sent" | "resent" | "withdrawn"}`
  | "member.removed"
  | `hand_over.${"offered" | "withdrawn"}`
  | `hook.${"added" | "rotated" | "removed" | "answers" | "answers_off"}`
  | `alert.${"added" | "asked" | "edited" | "tried" | "removed"}`
  | `badge.${"on" | "off"}`
  | `status_page.${"saved" | "off"}`;

/** What its page calls it: an address, the id and the provider or kind of a hook or an alert, how many URLs. */
export interface ActParameters {
  name?: string;
  id?: string;
  of?: string;
  count?: number;
}

export interface NewAct extends ActParameters {
  kind: ActKind;
  projectId: string;
  removed?: KeptRows;
}

/** The newest of an account. */
const KEPT = 100;
/** True in SQL for what its page still says, and what can be put back. */
export const isRecentAct: Fragment = fragment`acts.at > now() - interval '10 minutes'`;

/**
 * Notes what a signed-in person did, in place of the first of many; belongs into the transaction that does it. Of what one
 * request does the first is noted; of what the operator does, nothing.
 */
export async function insertAct(
  sql: Sql,
  actor: Recorder,
  { kind, projectId, removed, ...parameters }: NewAct,
): Promise<void> {
  const id = actor.by === "session" ? actor.actId : undefined;
  if (id === undefined) return;
  const rows = removed === undefined ? null : JSON.stringify(removed);
  await sql`
    with old as (
      delete from acts where id in (
        select id from acts where account_id = ${actor.accountId} order by at desc offset ${KEPT - 1}::int
      )
    )
    insert into acts (id, account_id, project_id, kind, parameters, removed)
    values (${id}, ${actor.accountId}, ${projectId}, ${kind}, ${JSON.stringify(parameters)}::text::jsonb, ${rows}::text::jsonb)
    on conflict (id) do nothing`;
}

export interface Act {
  id: string;
  kind: ActKind;
  parameters: ActParameters;
  canUndo: boolean;
  isUndone: boolean;
}

/** What the caller did to a project within 10 minutes; undefined for anything else. */
export const findAct = (sql: Sql, caller: CallerRow, projectId: string, id: string) =>
  firstRow(sql.read<Act>`
    select acts.id, kind, parameters, removed is not null as can_undo, parameters ? 'isUndone' as is_undone
    from ${caller} join acts on acts.account_id = caller.account_id
    where acts.id = ${parseId("act", id)} and acts.project_id = ${projectId} and ${isRecentAct}`);

export interface LockedAct {
  id: string;
  kind: ActKind;
  /** The id of what was removed, where its parameters name it. */
  of: string | null;
  isUndone: boolean;
}

/** What an account did that can be undone, or was; its row is locked. Undefined for anything else, and after 10 minutes. */
export const lockAct = (
  sql: Sql,
  { accountId, projectId, id }: { accountId: string; projectId: string; id: string },
) =>
  firstRow(sql<LockedAct>`
    select id, kind, parameters ->> 'id' as of, removed is null as is_undone from acts
    where id = ${parseId("act", id)} and account_id = ${accountId} and project_id = ${projectId}
      and (removed is not null or parameters ? 'isUndone') and ${isRecentAct}
    for update`);

/** Its page then says that it was undone. */
export const markUndone = (sql: Sql, id: string) =>
  done(sql`
    update acts set removed = null, parameters = parameters || '{"isUndone": true}' where id = ${id}`);

/** Forgets that somebody was removed from a project: they have answered for themselves since. */
export const deleteRemovals = (sql: Sql, projectId: string, accountId: string) =>
  done(sql`
    delete from acts where project_id = ${projectId} and removed #>> '{memberships,0,account_id}' = ${accountId}`);

/** Forgets what could be undone: the project has another owner. */
export const deleteActs = (sql: Sql, projectId: string) =>
  done(sql`delete from acts where project_id = ${projectId}`);
