import type { MessageType } from "../../../shared/message.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { newId } from "../id.ts";
import type { Database, Sql } from "../driver/sql.ts";
import { isInMaintenance } from "../watching/maintenance.ts";

export const MAX_ALERTS = 20;

const MAX_REMINDERS = 100;

/** One id for each message that a statement may queue. */
const newIds = () => JSON.stringify(Array.from({ length: MAX_REMINDERS }, () => newId("msg")));

/** A time in JSON's format, independent of the connection's time zone. */
export const iso = (time: Fragment) =>
  fragment`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const PROJECT = fragment`jsonb_build_object('id', projects.id, 'name', projects.name, 'url', projects.url)`;

/** `source` is the row concerned, joined with its project. */
interface Announcement {
  type: MessageType;
  incidentId: Fragment;
  source: Fragment;
  wanted: Fragment;
  dueAt?: Fragment;
  incident: Fragment;
  deployment: Fragment;
}

/** For an inactive target, messages are stored as dead and can be sent by hand; an ended target gets none. */
async function announce(
  sql: Sql,
  { source, wanted, dueAt = fragment`now()`, ...message }: Announcement,
): Promise<void> {
  await sql`
    with queued as (
      insert into messages (id, alert_id, project_id, type, incident_id, data, state, error, ended_at, due_at)
      select ${newIds()}::text::jsonb ->> (row_number() over (order by alerts.id) - 1)::int, alerts.id, projects.id,
        ${message.type}, ${message.incidentId}, jsonb_build_object('project', ${PROJECT},
          'incident', ${message.incident}, 'deployment', ${message.deployment}),
        case when alerts.state = 'active' then 'pending' else 'dead' end,
        case when alerts.state <> 'active' then alerts.state end, case when alerts.state <> 'active' then now() end, ${dueAt}
      from ${source} join alerts on alerts.project_id = projects.id
      where ${wanted} and alerts.state <> 'ended'
      returning alert_id, state, due_at
    )
    update alerts set due_at = least(alerts.due_at, queued.due_at),
      remind_at = least(remind_at, queued.due_at + make_interval(hours => remind_hours))
    from queued where alerts.id = queued.alert_id and queued.state = 'pending'`;
}

const announceIncidents = (
  sql: Sql,
  incidents: Fragment,
  message: Pick<Announcement, "type" | "wanted" | "dueAt">,
): Promise<void> =>
  announce(sql, {
    ...message,
    incidentId: fragment`subject.id`,
    source: fragment`(${incidents}) subject join projects on projects.id = subject.project_id`,
    wanted: fragment`tells_incidents and ${message.wanted}`,
    incident: fragment`jsonb_build_object('id', subject.id, 'url', subject.url, 'since', ${iso(fragment`subject.since`)}, 'reason', subject.reason,
      'locations', subject.locations, 'closedAt', ${iso(fragment`subject.closed_at`)})`,
    deployment: fragment`'null'::jsonb`,
  });

const ANNOUNCED_AT = fragment`greatest(subject.since + make_interval(mins => coalesce(after_minutes, 0)), subject.silenced_until)`;

/** Senders lock the same rows before they change an incident's messages. */
const lockWaiting = (sql: Sql, incidentId: string) => sql`
  select from alerts
  where id in (select alert_id from messages where incident_id = ${incidentId} and state = 'pending')
  order by id for no key update`;

/** Deletes openings that are delayed or silenced. Returns the ids of their alerts. */
async function deleteUnsentOpenings(sql: Sql, incidentId: string): Promise<string[]> {
  await lockWaiting(sql, incidentId);
  const rows = await sql<{ alertId: string }>`
    delete from messages using incidents
    where incident_id = ${incidentId} and incidents.id = incident_id and messages.type = 'incident.opened'
      and messages.state = 'pending' and (messages.due_at > now() and attempts = 0 or silenced_until > now())
    returning alert_id`;
  return rows.map(({ alertId }) => alertId);
}

/**
 * If the incident closes while an alert's opening is delayed or silenced, the alert gets neither message. While the
 * incident is silenced, only alerts that received the opening get the closing. Must run inside the transaction that
 * opens or closes the incident, after that change.
 */
export async function announceIncident(
  sql: Sql,
  type: "incident.opened" | "incident.closed",
  incidentId: string,
): Promise<void> {
  const incident = fragment`select * from incidents where id = ${incidentId}`;
  if (type === "incident.opened")
    return announceIncidents(sql, incident, {
      type,
      wanted: fragment`true`,
      dueAt: fragment`greatest(now(), ${ANNOUNCED_AT})`,
    });
  const delayed = JSON.stringify(await deleteUnsentOpenings(sql, incidentId));
  return announceIncidents(sql, incident, {
    type,
    wanted: fragment`not ${delayed}::text::jsonb ? alerts.id and (
      coalesce(subject.silenced_until <= now(), true) or exists (
        select from messages opened where opened.incident_id = subject.id and opened.alert_id = alerts.id
          and opened.type = 'incident.opened' and opened.state = 'sent'))`,
  });
}

/** Call after a change of the incident's silence. */
export async function rescheduleMessages(sql: Sql, incidentId: string): Promise<void> {
  await lockWaiting(sql, incidentId);
  await sql`
    delete from messages where incident_id = ${incidentId} and type = 'incident.reminder' and state = 'pending'`;
  await sql`
    with held as (
      update messages set due_at = ${ANNOUNCED_AT} from alerts, incidents subject
      where incident_id = ${incidentId} and subject.id = incident_id and alerts.id = alert_id
        and messages.type = 'incident.opened' and messages.state = 'pending' and silenced_until is not null
      returning alert_id
    )
    update alerts set due_at = now() from held where alerts.id = held.alert_id`;
}

export async function deletePendingMessages(sql: Sql, incidentId: string): Promise<void> {
  await lockWaiting(sql, incidentId);
  await sql`delete from messages where incident_id = ${incidentId} and state = 'pending'`;
}

/** The time from which an alert counts the hours between reminders. */
const COUNTED_FROM = fragment`greatest(subject.since + make_interval(mins => coalesce(after_minutes, 0)),
  (subject.opened_by ->> 'at')::timestamptz)`;

/** Counts the reminders that an alert has had by a time, if none was skipped. */
const remindersBy = (time: Fragment) =>
  fragment`greatest(0, floor(extract(epoch from ${time} - ${COUNTED_FROM}) / 3600 / remind_hours))`;

/** Several servers can run this in parallel. */
export async function queueReminders(database: Database): Promise<void> {
  const isDue = fragment`remind_at <= now()`;
  if ((await database.sql.read`select from alerts where ${isDue} limit 1`).length === 0) return;
  await database.begin(async (sql) => {
    const due = await sql<{ id: string }>`
      select id from alerts where ${isDue} order by remind_at limit 100 for no key update skip locked`;
    for (const { id } of due) {
      const open = fragment`select subject.* from alerts join incidents subject on subject.project_id = alerts.project_id
        where alerts.id = ${id} and closed_at is null and acknowledged_at is null`;
      await announceIncidents(
        sql,
        fragment`${open} and coalesce(silenced_until <= now(), true)
          and ${remindersBy(fragment`now()`)} > ${remindersBy(fragment`coalesce(reminded_at, subject.since)`)}
          and not exists (
            select from messages waiting
            where waiting.alert_id = ${id} and waiting.incident_id = subject.id and waiting.state = 'pending'
          )
          and not ${isInMaintenance(fragment`subject.project_id`, fragment`subject.url`)} limit ${MAX_REMINDERS}::int`,
        {
          type: "incident.reminder",
          wanted: fragment`alerts.id = ${id} and alerts.state = 'active'`,
        },
      );
      await sql`
        update alerts set reminded_at = now(), remind_at = (
          select min(${COUNTED_FROM} + make_interval(hours => ((${remindersBy(fragment`now()`)} + 1) * remind_hours)::int))
          from (${open}) subject
        ) where id = ${id}`;
    }
  });
}

export interface ShipChange {
  previousScore: number | null;
  changed: readonly string[];
  ids: readonly string[];
  /** True if the score fell by 5 or more, or the verdict got worse. */
  isDrop: boolean;
}

/** Must run inside the transaction that stores the verification, after it is stored. */
export const announceShip = (
  sql: Sql,
  deploymentId: string,
  { isDrop, ...change }: ShipChange,
): Promise<void> =>
  announce(sql, {
    type: "ship.scored",
    incidentId: fragment`null`,
    source: fragment`(
      select deployments.*, score, verdict, ruleset
      from deployments join checks on checks.id = check_id where deployments.id = ${deploymentId}
    ) subject join projects on projects.id = subject.project_id`,
    wanted: isDrop ? fragment`(tells_ships or tells_drops)` : fragment`tells_ships`,
    incident: fragment`'null'::jsonb`,
    deployment: fragment`jsonb_build_object('id', subject.id, 'url', subject.url, 'environment', subject.environment,
      'commit', subject.commit, 'ref', subject.ref, 'deployedAt', ${iso(fragment`subject.deployed_at`)}, 'score', subject.score,
      'verdict', subject.verdict, 'ruleset', subject.ruleset, 'checkId', subject.check_id)
      || ${JSON.stringify(change)}::text::jsonb`,
  });
