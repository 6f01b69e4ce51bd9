import { fragment } from "./fragment.ts";
import { newId } from "./id.ts";
import type { Sql } from "./sql.ts";

/** Most alerts of a project. */
export const MAX_ALERTS = 20;

/** Ids for as many messages as a project can have alerts: SQL takes one for each. */
const newIds = () => JSON.stringify(Array.from({ length: MAX_ALERTS }, () => newId("msg")));

const PROJECT = fragment`jsonb_build_object('id', projects.id, 'name', projects.name, 'url', projects.url)`;

/**
 * Queues what is to be told of an incident that opens or closes, one message for each target that wants it. Belongs into
 * the transaction that opens or closes it, after that.
 */
export async function announceIncident(
  sql: Sql,
  type: "incident.opened" | "incident.closed",
  incidentId: string,
): Promise<void> {
  await sql`
    insert into messages (id, alert_id, project_id, type, incident_id, data)
    select ${newIds()}::text::jsonb ->> (row_number() over (order by alerts.id) - 1)::int, alerts.id, projects.id,
      ${type}, incidents.id, jsonb_build_object('project', ${PROJECT}, 'incident', jsonb_build_object(
        'id', incidents.id, 'url', incidents.url, 'since', incidents.since, 'reason', incidents.reason,
        'closedAt', incidents.closed_at), 'deployment', null)
    from incidents join projects on projects.id = incidents.project_id join alerts on alerts.project_id = projects.id
    where incidents.id = ${incidentId} and tells_incidents and alerts.state <> 'ended'`;
}
