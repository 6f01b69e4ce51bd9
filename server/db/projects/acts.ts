import type { Recorder } from "../accounts/actors.ts";
import type { CallerRow } from "../accounts/callers.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { parseId } from "../id.ts";
import type { KeptRows } from "./removed.ts";

/** What was done to a project, as its page says afterwards: each has its words in `web/pages/project/acts-words.ts`. */
export interface ActParameters {
  "project.saved": { isMoved: boolean };
  "url.watched": { count: number };
  "url.unwatched": { url: string };
  "invitation.sent": { email: string };
  "invitation.resent": { email: string };
  "invitation.withdrawn": { email: string };
  "member.removed": { email: string };
  "hand_over.offered": { email: string };
  "hand_over.withdrawn": object;
  "hook.added": { id: string; provider: string };
  "hook.rotated": { id: string; provider: string };
  "hook.removed": { id: string; provider: string };
  "alert.added": { id: string; kind: string; host: string; isWaiting: boolean };
  "alert.tried": { id: string; kind: string; host: string };
  "alert.removed": { id: string; kind: string; host: string };
  "badge.on": object;
  "badge.off": object;
}
export type ActKind = keyof ActParameters;

export interface NewAct<Kind extends ActKind> {
  kind: Kind;
  projectId: string;
  parameters: ActParameters[Kind];
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
export async function insertAct<Kind extends ActKind>(
  sql: Sql,
  actor: Recorder,
  { kind, projectId, parameters, removed }: NewAct<Kind>,
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

/** What an account did, as its page says it. */
export interface Act<Kind extends ActKind> {
  id: string;
  kind: Kind;
  parameters: ActParameters[Kind] & { isUndone?: true };
  canUndo: boolean;
}

/** What the caller did to a project within 10 minutes; undefined for anything else. */
export async function findAct(
  sql: Sql,
  caller: CallerRow,
  projectId: string,
  id: string,
): Promise<Act<ActKind> | undefined> {
  const [act] = await sql.read<Act<ActKind>>`
    select acts.id, kind, parameters, removed is not null as can_undo
    from ${caller} join acts on acts.account_id = caller.account_id
    where acts.id = ${parseId("act", id)} and acts.project_id = ${projectId} and ${isRecentAct}`;
  return act;
}

export interface LockedAct {
  id: string;
  kind: ActKind;
  /** The id of what was removed, where its parameters name it. */
  of: string | null;
  isUndone: boolean;
}

/** What an account did that can be undone, or was; its row is locked. Undefined for anything else, and after 10 minutes. */
export async function lockAct(
  sql: Sql,
  { accountId, projectId, id }: { accountId: string; projectId: string; id: string },
): Promise<LockedAct | undefined> {
  const [act] = await sql<LockedAct>`
    select id, kind, parameters ->> 'id' as of, removed is null as is_undone from acts
    where id = ${parseId("act", id)} and account_id = ${accountId} and project_id = ${projectId}
      and (removed is not null or parameters ? 'isUndone') and ${isRecentAct}
    for update`;
  return act;
}

/** Its page then says that it was undone. */
export async function markUndone(sql: Sql, id: string): Promise<void> {
  await sql`
    update acts set removed = null, parameters = parameters || '{"isUndone": true}' where id = ${id}`;
}

/** Forgets what could be undone: the project has another owner. */
export async function deleteActs(sql: Sql, projectId: string): Promise<void> {
  await sql`delete from acts where project_id = ${projectId}`;
}
