import { fragment, type Fragment } from "../driver/fragment.ts";
import { iso } from "./outbox.ts";
import type { Sql, Database } from "../driver/sql.ts";
import { done, firstRow } from "../driver/rows.ts";
import type { ClaimedAlert } from "./alert-claims.ts";
import type { AlertState } from "./alerts.ts";
import { claimEnded, isHeld } from "../claim.ts";
import { newId } from "../id.ts";
import type { MessageType, MessageData } from "../../../shared/message.ts";

/** The most bytes of messages that a summary repeats, so that the summary itself stays under 20 KB. */
const MAX_BYTES = fragment`12000`;

/** Merges messages that waited for the hour to end, and were never attempted, into one. */
const summarize = (sql: Sql, alertId: string, id: string) =>
  done(sql`
    with waited as (
      delete from messages using alerts
      where alerts.id = ${alertId} and alert_id = alerts.id and messages.state = 'pending' and attempts = 0
        and type in ('incident.opened', 'incident.reminder', 'incident.closed', 'ship.scored') and messages.due_at <= now()
        and messages.created_at < hour_began + interval '1 hour'
      returning messages.*
    ), items as (
      select *, jsonb_build_object('type', type, 'timestamp', ${iso(fragment`created_at`)}, 'incident', data -> 'incident',
        'deployment', data -> 'deployment') as item
      from waited
    ), fitting as (
      select item, created_at, id, sum(octet_length(item::text)) over (order by created_at, id) as bytes from items
    ), types as (
      select jsonb_object_agg(type, count) as counts from (select type, count(*) from waited group by type) by_type
    )
    insert into messages (id, alert_id, project_id, type, data)
    select ${id}, ${alertId}, min(project_id), 'summary', jsonb_build_object(
      'project', (select data -> 'project' from waited order by created_at desc, id desc limit 1),
      'incident', null, 'deployment', null,
      'summary', jsonb_build_object('count', count(*), 'types', (select counts from types),
        'first', coalesce((select jsonb_agg(item order by created_at, id) from fitting where bytes <= ${MAX_BYTES}), '[]')))
    from waited having count(*) > 0`);

/** The most messages to a target within an hour of the first of them. */
const MAX_AN_HOUR = 20;
export interface ClaimedMessage {
  id: string;
  type: MessageType;
  createdAt: Date;
  triedAt: Date;
  attempts: number;
  data: MessageData;
}

const ofClaim = ({ id, claimId }: ClaimedAlert) => fragment`id = ${id} and ${isHeld(claimId)}`;

const SENT_THIS_HOUR = fragment`(
  select count(*) from messages where messages.alert_id = alerts.id and messages.tried_at >= alerts.hour_began)`;

interface Hour {
  isOver: boolean;
  isFull: boolean;
  isUnsubscribed: boolean;
}

const lockHour = (sql: Sql, claimed: ClaimedAlert) =>
  firstRow(sql<Hour>`
    select coalesce(hour_began <= now() - interval '1 hour', true) as is_over, ${SENT_THIS_HOUR} >= ${MAX_AN_HOUR}::int as is_full,
      kind = 'email' and state = 'ended' as is_unsubscribed
    from alerts where ${ofClaim(claimed)} for no key update`);

/** If an incident closed before its opening was sent, only the closing is sent, without reminders. */
async function dropClosedOpenings(sql: Sql, alertId: string): Promise<void> {
  await sql`
    delete from messages opened using messages closed
    where opened.alert_id = ${alertId} and opened.state = 'pending' and opened.type in ('incident.opened', 'incident.reminder')
      and closed.alert_id = ${alertId} and closed.state = 'pending' and closed.type = 'incident.closed'
      and closed.incident_id = opened.incident_id`;
}

/** Prefers `preferred`, else the message that is due longest. After a full hour, the waiting messages become one summary. */
export const claimMessage = (database: Database, claimed: ClaimedAlert, preferred: string | null) =>
  database.begin(async (sql) => {
    const hour = await lockHour(sql, claimed);
    if (hour === undefined) return undefined;
    // Messages queued while the recipient was unsubscribing.
    if (hour.isUnsubscribed) {
      await cancelPending(sql, claimed.id, "ended");
      return undefined;
    }
    await dropClosedOpenings(sql, claimed.id);
    if (hour.isOver && hour.isFull) await summarize(sql, claimed.id, newId("msg"));
    const hasPlace = hour.isOver || !hour.isFull;
    const [message] = await sql<ClaimedMessage>`
      with next as (
        select messages.id from messages join alerts on alerts.id = alert_id
        where alert_id = ${claimed.id} and messages.state = 'pending' and messages.due_at <= now()
          and (${hasPlace}::boolean or tried_at >= hour_began)
        order by messages.id = ${preferred} desc, messages.due_at, messages.created_at, messages.id limit 1
      ), began as (
        update alerts set hour_began = now() from next where alerts.id = ${claimed.id} and ${hour.isOver}::boolean
      )
      update messages set tried_at = now(), attempts = attempts + 1 from next where messages.id = next.id
      returning messages.id, type, created_at, tried_at, attempts, data`;
    return message;
  });

/** `retryInSeconds` is null after the last attempt. `isTargets` is true if the target is to blame. */
export type DeliveryResult =
  | { as: "sent" }
  | { as: "failed"; error: string; retryInSeconds: number | null; isTargets: boolean }
  | { as: "stopped"; error: string; state: "ended" | "waiting" };

/** How long a target may fail before it is paused. */
const PATIENCE = fragment`interval '5 days'`;

const FAILING = fragment`failing_since = coalesce(failing_since, now()),`;

const releaseClaim = (sql: Sql, id: string, change: Fragment = fragment``) => sql`
  update alerts set ${change} ${claimEnded}, due_at = (
    select min(case
      when ${SENT_THIS_HOUR} < ${MAX_AN_HOUR}::int or tried_at >= alerts.hour_began then messages.due_at
      else greatest(messages.due_at, alerts.hour_began + interval '1 hour') end)
    from messages where alert_id = alerts.id and messages.state = 'pending'
  ) where id = ${id}`;

export const releaseAlert = (database: Database, claimed: ClaimedAlert) =>
  database.begin(async (sql) => {
    if (await lockHour(sql, claimed)) await releaseClaim(sql, claimed.id);
  });

/** They can still be sent by hand. */
export const cancelPending = (sql: Sql, alertId: string, why: Exclude<AlertState, "active">) =>
  done(sql`
    update messages set state = 'dead', error = ${why}, ended_at = now()
    where alert_id = ${alertId} and state = 'pending'`);

async function endMessage(sql: Sql, { id }: ClaimedMessage, ended: DeliveryResult): Promise<void> {
  const retry = ended.as === "failed" ? ended.retryInSeconds : null;
  const state = ended.as === "sent" ? "sent" : retry === null ? "dead" : "pending";
  await sql`
    update messages set state = ${state}, error = ${ended.as === "sent" ? null : ended.error},
      ended_at = case when ${state} <> 'pending' then now() end,
      due_at = case when ${state} = 'pending' then greatest(now() + make_interval(secs => ${retry ?? 0}::float8),
        (select silenced_until from incidents where type = 'incident.opened' and incidents.id = incident_id)) else due_at end
    where id = ${id}`;
}

/** Returns the alert's new state; undefined if the claim was over. Only an active target is retried. */
export const finishAttempt = (
  database: Database,
  claimed: ClaimedAlert,
  message: ClaimedMessage,
  ended: DeliveryResult,
) =>
  database.begin(async (sql) => {
    if (!(await lockHour(sql, claimed))) return undefined;
    const { id } = claimed;
    const [alert] = await sql.read<{ isActive: boolean; isHopeless: boolean }>`
      select state = 'active' as is_active, coalesce(failing_since < now() - ${PATIENCE}, false) as is_hopeless
      from alerts where id = ${id}`;
    const isTargets = ended.as === "failed" && ended.isTargets;
    const isPaused = isTargets && alert?.isActive === true && alert.isHopeless;
    const isOver = ended.as === "failed" && (isPaused || !alert?.isActive);
    await endMessage(sql, message, isOver ? { ...ended, retryInSeconds: null } : ended);
    if (ended.as === "sent") {
      await releaseClaim(sql, id, fragment`state = 'active', failing_since = null,`);
      return "active";
    }
    if (ended.as === "stopped" || isPaused) {
      const state = ended.as === "stopped" ? ended.state : "paused";
      await cancelPending(sql, id, state);
      await releaseClaim(sql, id, fragment`state = ${state}, ${FAILING}`);
      return state;
    }
    await releaseClaim(sql, id, isTargets ? FAILING : undefined);
    return "active";
  });
