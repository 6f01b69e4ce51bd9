import type { MessageType } from "../../../shared/message.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { newId } from "../id.ts";
import type { Sql } from "../driver/sql.ts";

/** Most alerts of a project. */
export const MAX_ALERTS = 20;

/** Ids for as many messages as a project can have alerts: SQL takes one for each. */
const newIds = () => JSON.stringify(Array.from({ length: MAX_ALERTS }, () => newId("msg")));

/** A time as JSON has it, to the millisecond, whatever the time zone of the connection. */
export const iso = (time: Fragment) =>
  fragment`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const PROJECT = fragment`jsonb_build_object('id', projects.id, 'name', projects.name, 'url', projects.url)`;

/** What to queue: the row that it is about, with its project, as `source`; for the alerts of which `wanted` is true. */
interface Announcement {
  type: MessageType;
  incidentId: string | null;
  source: Fragment;
  wanted: Fragment;
  incident: Fragment;
  deployment: Fragment;
}

/** Messages of a target that is not active are kept as dead, and can be retried by hand; an ended target gets none. */
async function announce(sql: Sql, { source, wanted, ...message }: Announcement): Promise<void> {
  await sql`
    with queued as (
      insert into messages (id, alert_id, project_id, type, incident_id, data, state, error, ended_at)
      select ${newIds()}::text::jsonb ->> (row_number() over (order by alerts.id) - 1)::int, alerts.id, projects.id,
        ${message.type}, ${message.incidentId}, jsonb_build_object('project', ${PROJECT},
          'incident', ${message.incident}, 'deployment', ${message.deployment}),
        case when alerts.state = 'active' then 'pending' else 'dead' end,
        case when alerts.state <> 'active' then alerts.state end, case when alerts.state <> 'active' then now() end
      from ${source} join alerts on alerts.project_id = projects.id
      where ${wanted} and alerts.state <> 'ended'
      returning alert_id, state
    )
    update alerts set due_at = least(alerts.due_at, now())
    from queued where alerts.id = queued.alert_id and queued.state = 'pending'`;
}

/**
 * Queues what is to be told of an incident that opens or closes, one message for each target that wants it. Belongs into
 * the transaction that opens or closes it, after that.
 */
export const announceIncident = (
  sql: Sql,
  type: "incident.opened" | "incident.closed",
  incidentId: string,
): Promise<void> =>
  announce(sql, {
    type,
    incidentId,
    source: fragment`(select * from incidents where id = ${incidentId}) subject
      join projects on projects.id = subject.project_id`,
    wanted: fragment`tells_incidents`,
    incident: fragment`jsonb_build_object('id', subject.id, 'url', subject.url, 'since', ${iso(fragment`subject.since`)}, 'reason', subject.reason,
      'places', subject.places, 'closedAt', ${iso(fragment`subject.closed_at`)})`,
    deployment: fragment`'null'::jsonb`,
  });

/** How a ship compares with the one before. */
export interface ShipChange {
  previousScore: number | null;
  changed: readonly string[];
  /** Those of all ships that the message stands for. */
  ids: readonly string[];
  /** Whether its score fell by 5 or more, or its verdict got worse. */
  isDrop: boolean;
}

/**
 * Queues what is to be told of a ship, one message for each target that wants ships, or drops if it is one. Belongs into
 * the transaction that stores its verification, after that.
 */
export const announceShip = (
  sql: Sql,
  deploymentId: string,
  { isDrop, ...change }: ShipChange,
): Promise<void> =>
  announce(sql, {
    type: "ship.scored",
    incidentId: null,
    source: fragment`(
      select deployments.*, score, verdict, ruleset
      from deployments join checks on checks.id = check_id where deployments.id = ${deploymentId}
    ) subject join projects on projects.id = subject.project_id`,
    wanted: isDrop ? fragment`(tells_ships or tells_drops)` : fragment`tells_ships`,
    incident: fragment`'null'::jsonb`,
    deployment: fragment`jsonb_build_object('id', subject.id, 'kind', subject.kind, 'url', subject.url, 'environment', subject.environment,
      'commit', subject.commit, 'ref', subject.ref, 'deployedAt', ${iso(fragment`subject.deployed_at`)}, 'score', subject.score,
      'verdict', subject.verdict, 'ruleset', subject.ruleset, 'checkId', subject.check_id)
      || ${JSON.stringify(change)}::text::jsonb`,
  });
