import { BATCH_ROWS } from "../batch.ts";
import type { Recorder, SessionActor } from "./actors.ts";
import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { done } from "../driver/rows.ts";

/** Each action has its text in `web/pages/account/events-words.ts`. */
export type Action =
  | `account.${"created" | "deleted" | "plan_changed" | "quota_changed" | "email_changed" | "password_changed"}`
  | `account.${"language_changed" | "time_zone_changed"}`
  | `link.${"created" | "used"}`
  | `session.${"begun" | "begun_elsewhere" | "confirmed" | "ended" | "others_ended"}`
  | `passkey.${"added" | "renamed" | "removed"}`
  | `second_factor.${"on" | "off" | "codes_renewed" | "recovery_code_used" | "refused"}`
  | `token.${"created" | "revoked" | "all_revoked"}`
  | `project.${"created" | "renamed" | "address_changed" | "pace_changed" | "gate_changed" | "previews_changed" | "deleted" | "badge_on" | "badge_off"}`
  | `project.status_page_${"edited" | "off"}`
  | `url.${"watched" | "unwatched" | "paused" | "resumed"}`
  | `maintenance.${"added" | "ended" | "removed"}`
  | `incident.${"acknowledged" | "silenced" | "published"}`
  | "deployment.recorded"
  | `invitation.${"sent" | "resent" | "withdrawn" | "accepted" | "declined"}`
  | `member.${"removed" | "left"}`
  | `hook.${"added" | "rotated" | "removed" | "reporting" | "reporting_off"}`
  | `alert.${"added" | "edited" | "rotated" | "removed"}`
  | `hand_over.${"offered" | "withdrawn" | "accepted" | "declined"}`;

/** Actions that may harm an account, which is therefore notified. */
const NOTICES = [
  "session.begun_elsewhere",
  "passkey.added",
  "token.created",
  "account.password_changed",
  "account.email_changed",
  "second_factor.on",
  "second_factor.off",
  "second_factor.recovery_code_used",
] as const satisfies readonly Action[];
export type NoticeAction = (typeof NOTICES)[number];

export const isNotice = fragment`action = any(string_to_array(${NOTICES.join(" ")}, ' '))`;

/** `details` never contains secrets or personal data. */
export interface NewEvent {
  action: Action;
  /** The affected account, on whose page the event is shown; owning the project is not enough to set it. */
  accountId?: string;
  projectId?: string;
  /** Ids and counts only: `tokenId`, `passkeyId`, `from`, `to`, `count`. */
  details?: Readonly<Record<string, string | number | null>>;
}

const MAX_EVENTS = fragment`10000`;

/** Must run inside the action's transaction. Deletes the actor's oldest events, but no recent notices. */
export function insertEvent(
  sql: Sql,
  actor: Recorder | (Omit<SessionActor, "sessionId"> & { sessionId: string | null }),
  ...events: readonly NewEvent[]
) {
  const { sessionId = null, address = null } = actor.by === "session" ? actor : {};
  return done(sql`
    with old as (
      delete from events where ctid = any(array(
        select ctid from events where actor_id = ${actor.accountId} and id <= (
          select id from events where actor_id = ${actor.accountId} order by id desc offset ${MAX_EVENTS} - ${events.length}::int limit 1
        ) and not (${isNotice} and at > now() - interval '30 days') limit 1000 for update skip locked
      ))
    )
    insert into events (action, account_id, project_id, actor, actor_id, session_id, browser, address, details, is_untold)
    select action, "accountId", "projectId", ${actor.by}, ${actor.accountId}, ${sessionId},
      (select browser from sessions where id = ${sessionId}), ${address}, coalesce(details, '{}'), ${isNotice}
    from jsonb_to_recordset(${JSON.stringify(events)}::text::jsonb) as event (
      action text, "accountId" text, "projectId" text, details jsonb
    )`);
}

export interface AccountEvent {
  id: string;
  at: Date;
  action: Action;
  by: Recorder["by"];
  /** True if the account itself is the actor. Only then are `browser` and `address` set. */
  isOwn: boolean;
  browser: string | null;
  address: string | null;
  projectId: string | null;
  projectName: string | null;
  tokenName: string | null;
  details: NonNullable<NewEvent["details"]>;
  now: Date;
}

const EVENTS_A_PAGE = 20;

export interface EventPage {
  rows: AccountEvent[];
  /** The `before` of the next, older page; undefined if this is the last. */
  older: string | undefined;
  isFirst: boolean;
}

const isBefore = (id: string | undefined | null) =>
  /^\d{1,18}$/.test(id ?? "") ? fragment`events.id < ${id ?? null}::text::bigint` : fragment`true`;

export async function findEvents(sql: Sql, accountId: string, before?: string): Promise<EventPage> {
  const rows = await sql.read<AccountEvent>`
    select events.id::text, at, action, actor as by, coalesce(actor_id = account_id, false) as is_own,
      case when actor_id = account_id then browser end as browser,
      case when actor_id = account_id then address end as address, project_id, details, now(),
      (select name from tokens where tokens.id = details ->> 'tokenId') as token_name,
      (select name from projects where projects.id = project_id and (owner_id = ${accountId} or exists (
        select from memberships
        where memberships.account_id = ${accountId} and memberships.project_id = projects.id
      ))) as project_name
    from events
    where account_id = ${accountId} and at > now() - interval '90 days'
      and ${isBefore(before)}
    order by events.id desc limit ${EVENTS_A_PAGE + 1}`;
  const isLast = rows.length <= EVENTS_A_PAGE;
  const shown = rows.slice(0, EVENTS_A_PAGE);
  return {
    rows: shown,
    older: isLast ? undefined : shown.at(-1)?.id,
    isFirst: before === undefined,
  };
}

export const forgetClients = (sql: Sql, accountId: string) =>
  done(sql`
    update events set browser = null, address = null
    where actor_id = ${accountId} and address is not null`);

export interface RecordedEvent {
  id: string;
  at: Date;
  action: Action;
  accountId: string | null;
  account: string | null;
  projectId: string | null;
  by: Recorder["by"];
  /** The account that acted. If `by` is the operator: the account for which the operator acted, or null. */
  actorId: string | null;
  actor: string | null;
  sessionId: string | null;
  browser: string | null;
  address: string | null;
  details: NonNullable<NewEvent["details"]>;
}

/** Null members match all events; `accountId` matches events to or by the account. */
export interface EventFilter {
  accountId: string | null;
  projectId: string | null;
}

export async function listEvents(
  sql: Sql,
  { accountId, projectId }: EventFilter,
  after: Pick<RecordedEvent, "id"> | null,
): Promise<RecordedEvent[]> {
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
  return sql.read<RecordedEvent>`
    select chosen.id::text, at, action, account_id, (select email from accounts where id = account_id) as account,
      project_id, actor as by, actor_id, (select email from accounts where id = actor_id) as actor,
      session_id, browser, address, details
    from (${chosen}) chosen
    order by chosen.id desc limit ${BATCH_ROWS}`;
}
