import type { Incident } from "../../shared/incident.ts";
import type { Language, Text } from "../language.ts";
import type { CallerRow, Read } from "./callers.ts";
import { isVisibleProject } from "./projects.ts";
import { newId } from "./id.ts";
import type { Sql } from "./sql.ts";
import type { ClaimedUrl } from "./watched-urls.ts";

/** The URLs of a visible project that are failing now, longest failing first; undefined without a caller. */
export async function listIncidents(
  sql: Sql,
  caller: CallerRow,
  projectId: string,
  language: Language,
): Promise<Read<Incident[]> | undefined> {
  const rows = await sql<{
    accountId: string;
    projectId: string | null;
    id: string | null;
    url: string;
    since: Date;
    reason: Text;
    lastCheckedAt: Date;
  }>`
    select account_id, projects.id as project_id, incidents.id, incidents.url, since, reason, last_checked_at
    from ${caller}
    left join projects on ${isVisibleProject(projectId)}
    left join incidents on incidents.project_id = projects.id and closed_at is null
    order by since, incidents.id`;
  const [first] = rows;
  if (first === undefined) return undefined;
  if (first.projectId === null) return { accountId: first.accountId, found: undefined };
  const found = rows.flatMap((row) =>
    row.id === null
      ? []
      : {
          id: row.id,
          url: row.url,
          since: row.since.toISOString(),
          reason: row.reason[language],
          lastCheckedAt: row.lastCheckedAt.toISOString(),
        },
  );
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
    insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at)
    values (${newId("inc")}, ${claimed.id}, ${claimed.projectId}, ${claimed.url}, ${since ?? claimed.lookStartedAt},
      ${JSON.stringify(reason)}::text::jsonb, ${claimed.lookStartedAt})`;
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
