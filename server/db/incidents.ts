import type { Incident } from "../../shared/incident.ts";
import type { Language, Text } from "../language.ts";
import type { CallerRow, Read } from "./callers.ts";
import {
  findOnlyProject,
  joinChosenProjects,
  type OneProject,
  type ProjectChoice,
} from "./projects.ts";
import { newId } from "./id.ts";
import type { Sql } from "./sql.ts";
import type { ClaimedUrl } from "./watched-urls.ts";

/** An incident, and the project whose URL is failing. */
export interface ProjectIncident extends Incident {
  projectId: string;
}

/** One row for each incident, and one without for each project that has none. */
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

const readIncidents = (sql: Sql, caller: CallerRow, choice: ProjectChoice) => sql<FoundRow>`
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

/** The URLs of a visible project that are failing now, longest failing first; undefined without a caller. */
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

/** The failing URLs of all visible projects, longest failing first; undefined without a caller. */
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

/**
 * Opens an incident for the URL, unless one is open: the partial unique index allows only one. `since` is an ISO time.
 */
export async function openIncident(
  sql: Sql,
  claimed: ClaimedUrl,
  since: string | null,
  reason: Text | null,
): Promise<void> {
  await sql`
    insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at, deployment_id)
    select ${newId("inc")}, ${claimed.id}, ${claimed.projectId}, ${claimed.url}, began.since,
      ${JSON.stringify(reason)}::text::jsonb, ${claimed.lookStartedAt}, (
        select id from deployments
        where project_id = ${claimed.projectId} and environment = 'production'
          and deployed_at <= began.since and deployed_at > began.since - interval '1 hour'
        order by deployed_at desc, id desc limit 1)
    from (select ${since ?? claimed.lookStartedAt}::timestamptz as since) began`;
}

/** Updates the URL's open incident after a look, and closes it if the look decided so. */
export async function updateIncident(
  sql: Sql,
  claimed: ClaimedUrl,
  reason: Text | null,
  closes: boolean,
): Promise<void> {
  const newReason = reason === null ? null : JSON.stringify(reason);
  await sql`
    update incidents set last_checked_at = ${claimed.lookStartedAt},
      reason = coalesce(${newReason}::text::jsonb, reason), closed_at = case when ${closes}::boolean then now() end
    where watched_url_id = ${claimed.id} and closed_at is null`;
}
