import type { Incident } from "../../../shared/incident.ts";
import type { Language, Text } from "../../../shared/language.ts";
import type { CallerRow, Read } from "../accounts/callers.ts";
import type { OneProject, ProjectChoice } from "../projects/projects.ts";
import { findOnlyProject, joinChosenProjects } from "../projects/projects.ts";
import type { SeenAt } from "../../engine/judge/incident-rules.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { newId, parseId } from "../id.ts";
import type { Sql } from "../driver/sql.ts";
import type { ClaimedUrl } from "./looks.ts";
import { done, firstRow, firstValue } from "../driver/rows.ts";

export interface ProjectIncident extends Incident {
  projectId: string;
}

/** One row for each incident, and one without an incident for each project that has none. */
interface FoundRow {
  accountId: string;
  projectId: string | null;
  id: string | null;
  url: string;
  since: Date;
  reason: Text;
  lastCheckedAt: Date;
}

interface IncidentRow extends FoundRow {
  projectId: string;
  id: string;
}

const isIncident = (row: FoundRow): row is IncidentRow => row.id !== null;

const readIncidents = (sql: Sql, caller: CallerRow, choice: ProjectChoice) => sql.read<FoundRow>`
  select account_id, projects.id as project_id, incidents.id, incidents.url, since, reason, last_checked_at
  from ${caller}
  ${joinChosenProjects(choice)}
  left join incidents on incidents.project_id = projects.id and closed_at is null
  order by since, incidents.id`;

const describeIncident = (row: IncidentRow, language: Language): Incident => ({
  id: row.id,
  url: row.url,
  since: row.since.toISOString(),
  reason: row.reason[language],
  lastCheckedAt: row.lastCheckedAt.toISOString(),
});

export async function listIncidents(
  sql: Sql,
  caller: CallerRow,
  project: OneProject,
  language: Language,
): Promise<Read<Incident[]> | undefined> {
  const rows = await readIncidents(sql, caller, project);
  const [first] = rows;
  if (first === undefined) return undefined;
  const { accountId } = first;
  if (findOnlyProject(rows) === undefined) return { accountId, found: undefined };
  return {
    accountId,
    found: rows.filter(isIncident).map((row) => describeIncident(row, language)),
  };
}

export async function listAllIncidents(
  sql: Sql,
  caller: CallerRow,
  language: Language,
): Promise<Read<ProjectIncident[]> | undefined> {
  const rows = await readIncidents(sql, caller, "all");
  const [first] = rows;
  if (first === undefined) return undefined;
  const found = rows.filter(isIncident).map((row) => {
    return { ...describeIncident(row, language), projectId: row.projectId };
  });
  return { accountId: first.accountId, found };
}

interface LookOfIncident {
  reason: Text | null;
  seen: Omit<SeenAt, "at"> | null;
}

const writeSummary = (seen: LookOfIncident["seen"], at: string): Fragment =>
  fragment`${seen && JSON.stringify({ at, ...seen } satisfies SeenAt)}::text::jsonb`;

/** The partial unique index allows only one open incident. `since` is an ISO time. */
export async function openIncident(
  sql: Sql,
  { id: urlId, projectId, url, beganAt }: ClaimedUrl,
  { since, locations }: { since: string; locations: readonly string[] },
  { reason, seen }: LookOfIncident,
): Promise<string> {
  const id = newId("inc");
  await sql`
    insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at, opened_by, locations, deployment_id)
    select ${id}, ${urlId}, ${projectId}, ${url}, began.since, ${JSON.stringify(reason)}::text::jsonb,
      ${beganAt}::text::timestamptz, ${writeSummary(seen, beganAt)},
      (select array_agg(location) from jsonb_array_elements_text(${JSON.stringify(locations)}::text::jsonb) as failed (location)), (
        select id from deployments
        where project_id = ${projectId} and environment = 'production'
          and deployed_at <= began.since and deployed_at > began.since - interval '1 hour'
        order by deployed_at desc, id desc limit 1)
    from (select ${since}::text::timestamptz as since) began`;
  return id;
}

export const closeIncident = (
  sql: Sql,
  { id: urlId, beganAt }: ClaimedUrl,
  { seen }: LookOfIncident,
) =>
  firstValue(sql<{ id: string }>`
    update incidents set closed_at = now(), closed_by = ${writeSummary(seen, beganAt)}
    where watched_url_id = ${urlId} and closed_at is null returning id`);

/** An e-mail address, or `operator`; null once the account is deleted. */
export const acknowledgedBy = fragment`
  case when acknowledged_by = 'operator' then acknowledged_by else (select email from accounts where accounts.id = acknowledged_by) end`;

export interface IncidentFollowUp {
  acknowledgedAt: Date | null;
  acknowledgedBy: string | null;
  note: string | null;
  publicNote: string | null;
  silencedUntil: Date | null;
}

export interface IncidentOfProject extends IncidentFollowUp {
  id: string;
  url: string;
  since: Date;
  closedAt: Date | null;
  reason: string;
  locations: string[] | null;
}

const CLOSED = 1000;

export function listIncidentsOfProject(
  sql: Sql,
  projectId: string,
  isAll: boolean,
): Promise<IncidentOfProject[]> {
  const ofProject = fragment`select * from incidents where project_id = ${projectId}`;
  const closed = fragment`
    union all (${ofProject} and closed_at is not null order by closed_at desc, id desc limit ${CLOSED}::int)`;
  return sql.read<IncidentOfProject>`
    select id, url, since, closed_at, reason ->> 'en' as reason, to_json(locations) as locations, acknowledged_at,
      ${acknowledgedBy} as acknowledged_by, note, public_note, silenced_until
    from (${ofProject} and closed_at is null ${isAll ? closed : fragment``}) incidents
    order by since desc, id desc`;
}

export interface FoundIncident {
  id: string;
  projectId: string;
  isOpen: boolean;
}

export const findIncident = (sql: Sql, id: string) =>
  firstRow(sql<FoundIncident>`
    select id, project_id, closed_at is null as is_open from incidents where id = ${parseId("inc", id)}`);

/** Members left out stay, and so does the first acknowledgement. */
export type IncidentChange =
  | { acknowledgedBy: string; note: string | null }
  | { silencedUntil: Date }
  | { publicNote: string | null };

export function updateIncident(sql: Sql, id: string, change: IncidentChange) {
  const set =
    "silencedUntil" in change
      ? fragment`silenced_until = ${change.silencedUntil}`
      : "publicNote" in change
        ? fragment`public_note = ${change.publicNote}, published_at = now()`
        : fragment`note = coalesce(${change.note}, note), acknowledged_at = coalesce(acknowledged_at, now()),
            acknowledged_by = coalesce(acknowledged_by, ${change.acknowledgedBy})`;
  return done(sql`update incidents set ${set} where id = ${id}`);
}
