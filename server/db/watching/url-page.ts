import type { Language } from "../../../shared/language.ts";
import type { CallerRow } from "../accounts/callers.ts";
import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { parseId } from "../id.ts";
import { asList } from "../paged-lists.ts";
import { DAYS, type WatchedUrl } from "../projects/project-page.ts";
import { selectDays, type HistoryDay } from "../projects/history.ts";
import { isVisibleProject } from "../projects/projects.ts";
import { maintainedTimes, type MaintainedTime } from "./maintenance.ts";
import { INCIDENT_TIMES, incidentColumns, type ListedIncident } from "./incident-pages.ts";
import { firstRow } from "../driver/rows.ts";

export interface UrlPage extends WatchedUrl {
  projectId: string;
  projectName: string;
  isOwn: boolean;
  checkId: string | null;
  watchedSince: Date | null;
  days: readonly HistoryDay[];
  maintained: readonly MaintainedTime[];
  /** Newest first; at most `MAX_INCIDENTS` and one more. */
  incidents: readonly ListedIncident[];
}

export const MAX_INCIDENTS = 10;

export const findUrlPage = (
  sql: Sql,
  caller: CallerRow,
  { projectId, id }: { projectId: string; id: string },
  language: Language,
) =>
  firstRow(sql.read<UrlPage>`
    select address.id, address.url, projects.id as project_id, projects.name as project_name, is_address, last_outcome,
      exists (select from incidents where watched_url_id = address.id and closed_at is null) as has_open_incident,
      fails_from, paused_at is not null as is_paused, projects.owner_id = caller.account_id as is_own,
      ${maintainedTimes(fragment`projects.id`, fragment`address.url`, DAYS)} as maintained,
      address.score, (select id from checks where id = newest_check_id) as check_id,
      first_looked_at as watched_since, looked_at as last_checked_at, ${asList(selectDays(DAYS))} as days,
      ${asList(
        fragment`
        select ${incidentColumns(language)} from incidents where watched_url_id = address.id
        order by coalesce(closed_at, 'infinity') desc, id desc limit ${MAX_INCIDENTS + 1}::int`,
        INCIDENT_TIMES,
      )} as incidents
    from ${caller} join projects on ${isVisibleProject(projectId)}
    join watched_urls address on address.project_id = projects.id and address.id = ${parseId("url", id)}
    left join looks on looks.number = address.number`);
