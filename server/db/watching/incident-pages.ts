import type { MessageType } from "../../../shared/message.ts";
import type { Language } from "../../../shared/language.ts";
import type { SeenAt } from "../../engine/judge/incident-rules.ts";
import type { CallerRow } from "../accounts/callers.ts";
import { targetOf, type Delivery } from "../alerts/alerts.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { parseId } from "../id.ts";
import { asList } from "../paged-lists.ts";
import { acknowledgedBy, type IncidentFollowUp } from "./incidents.ts";
import { isVisible, joinCallersProjects } from "../projects/projects.ts";
import { firstRow } from "../driver/rows.ts";

export interface ListedIncident {
  id: string;
  url: string;
  since: Date;
  closedAt: Date | null;
  reason: string;
  /** The locations from which it fails, sorted; null if no server has a location name. */
  locations: readonly string[] | null;
  /** A summary of the probe that opened it; null if it was not stored. */
  openedBy: SeenAt | null;
}

export const incidentColumns = (language: Language): Fragment => fragment`
  incidents.id, incidents.url, since, closed_at as "closedAt", reason ->> ${language} as reason, locations, opened_by as "openedBy"`;

/** The columns that a list must convert to dates. */
export const INCIDENT_TIMES = "since closedAt";

export interface OpenIncidentOfProject extends ListedIncident {
  projectId: string;
  projectName: string;
}

const PAGE_ROWS = 36;

export async function listOpenIncidents(
  sql: Sql,
  caller: CallerRow,
  language: Language,
  after: string,
): Promise<{ rows: readonly OpenIncidentOfProject[]; next: string | undefined }> {
  const last = parseId("inc", after);
  const found = await sql.read<OpenIncidentOfProject>`
    select projects.id as project_id, projects.name as project_name, ${incidentColumns(language)}
    from ${caller}
    ${joinCallersProjects(fragment`true`)}
    join incidents on incidents.project_id = projects.id and closed_at is null
    where (since, incidents.id) > (coalesce((select since from incidents where id = ${last}), '-infinity'), coalesce(${last}, ''))
    order by since, incidents.id limit ${PAGE_ROWS + 1}::int`;
  const rows = found.slice(0, PAGE_ROWS);
  return { rows, next: found.length > rows.length ? rows.at(-1)?.id : undefined };
}

export interface IncidentHour {
  hour: Date;
  looks: number;
  failed: number;
  /** The mean over its good probes. */
  firstByteMs: number | null;
}

export interface IncidentMessage {
  type: MessageType;
  kind: string;
  /** Null for a caller who may not see the target. */
  target: string | null;
  state: Delivery["state"];
  attempts: number;
  error: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

export interface IncidentPage extends ListedIncident, IncidentFollowUp {
  lastCheckedAt: Date;
  closedBy: SeenAt | null;
  /** True if the caller may acknowledge it. */
  isOwn: boolean;
  projectId: string;
  projectName: string;
  shipId: string | null;
  shipCommit: string | null;
  shipRef: string | null;
  shipDeployedAt: Date | null;
  hours: readonly IncidentHour[];
  messages: readonly IncidentMessage[];
}

export const MAX_HOURS = 24;
const MAX_MESSAGES = 60;

export function findIncidentPage(sql: Sql, caller: CallerRow, id: string, language: Language) {
  const end = fragment`coalesce(closed_at, now())`;
  const begin = fragment`date_trunc('hour', greatest(since, ${end} - make_interval(hours => ${MAX_HOURS - 1}::int)), 'UTC')`;
  const figures = (table: Fragment) => fragment`
    select ${table}.hour, ${table}.looks, ${table}.failed,
      ${table}.first_byte_sum / nullif(${table}.looks - ${table}.failed - ${table}.inconclusive, 0) as "firstByteMs"`;
  return firstRow(sql.read<IncidentPage>`
    select ${incidentColumns(language)}, last_checked_at, closed_by, projects.owner_id = caller.account_id as is_own,
      acknowledged_at, ${acknowledgedBy} as acknowledged_by, note, public_note, silenced_until, projects.id as project_id,
      projects.name as project_name, ship.id as ship_id, ship.commit as ship_commit, ship.ref as ship_ref,
      ship.deployed_at as ship_deployed_at,
      ${asList(
        fragment`
        ${figures(fragment`past`)} from generate_series(${begin}, ${end}, interval '1 hour') known (at),
          lateral (select * from hours where hours.hour = known.at and number = watched.number limit 1) past
        union all
        ${figures(fragment`looks`)} from looks
        where looks.number = watched.number and looks.hour between ${begin} and ${end} and looks.looks > 0
        order by 1`,
        "hour",
      )} as hours,
      ${asList(
        fragment`
        select messages.type, kind, case when projects.owner_id = caller.account_id then ${targetOf} end as target, messages.state,
          attempts, error, messages.created_at as "createdAt", ended_at as "endedAt"
        from messages join alerts on alerts.id = alert_id
        where incident_id = incidents.id order by messages.created_at, messages.id limit ${MAX_MESSAGES}::int`,
        "createdAt endedAt",
      )} as messages
    from ${caller}
    join incidents on incidents.id = ${parseId("inc", id)}
    join projects on projects.id = incidents.project_id and ${isVisible}
    left join watched_urls watched on watched.id = watched_url_id
    left join lateral (
      select id, commit, ref, deployed_at from deployments
      where project_id = projects.id and environment = 'production' and deployed_at <= since
      order by deployed_at desc, id desc limit 1
    ) ship on true`);
}
