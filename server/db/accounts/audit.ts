import { BATCH_ROWS } from "../batch.ts";
import type { Action, Event } from "./events.ts";
import type { Recorder } from "./actors.ts";
import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";

/** An event, as the operator sees it. */
export interface AuditEvent {
  id: string;
  at: Date;
  action: Action;
  accountId: string | null;
  /** The account's e-mail address, while it exists. */
  account: string | null;
  projectId: string | null;
  by: Recorder["by"];
  /** The account that did it; for the operator, the one for which it was done, if for any. */
  actorId: string | null;
  /** Its e-mail address, while it exists. */
  actor: string | null;
  sessionId: string | null;
  browser: string | null;
  address: string | null;
  details: NonNullable<Event["details"]>;
}

/** Which events: all, or those that were done to or by an account, or to a project. */
export interface AuditFilter {
  accountId: string | null;
  projectId: string | null;
}

/** A batch of the events, newest first: those before the event `after`, or the newest. */
export async function listEvents(
  sql: Sql,
  { accountId, projectId }: AuditFilter,
  after: Pick<AuditEvent, "id"> | null,
): Promise<AuditEvent[]> {
  const isOlder = after === null ? fragment`true` : fragment`id < ${after.id}::text::bigint`;
  const isOfProject = projectId === null ? fragment`true` : fragment`project_id = ${projectId}`;
  const newest = fragment`${isOlder} and ${isOfProject} order by id desc limit ${BATCH_ROWS}`;
  const chosen =
    accountId === null
      ? fragment`select * from events where ${newest}`
      : fragment`
        (select * from events where account_id = ${accountId} and ${newest})
        union all
        (select * from events where actor_id = ${accountId} and account_id is distinct from ${accountId} and ${newest})`;
  return sql.read<AuditEvent>`
    select chosen.id::text, at, action, account_id, (select email from accounts where id = account_id) as account,
      project_id, actor as by, actor_id, (select email from accounts where id = actor_id) as actor,
      session_id, browser, address, details
    from (${chosen}) chosen
    order by chosen.id desc limit ${BATCH_ROWS}`;
}
