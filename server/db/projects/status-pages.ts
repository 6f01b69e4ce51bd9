import type { Sql } from "../driver/sql.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { asList } from "../paged-lists.ts";
import { joinLastResult, readResult, type LastResult } from "./badges.ts";
import { selectDays, type HistoryDay } from "./history.ts";
import { isThere } from "./projects.ts";
import {
  concerns,
  isInMaintenance,
  maintainedTimes,
  type MaintainedTime,
} from "../watching/maintenance.ts";
import { done, firstValue, isFound } from "../driver/rows.ts";

export const STATUS_DAYS = 90;
export const MAX_SHOWN_URLS = 20;
const MAX_SHOWN_INCIDENTS = 50;

export interface StatusChoice {
  name: string;
  title: string | null;
  addresses: boolean;
  score: boolean;
  index: boolean;
}

export interface StatusSettings {
  /** Null while the page is off. */
  page: StatusChoice | null;
  /** The URLs on the page, in its order. They stay while the page is off. */
  urls: { url: string; label: string }[];
}

const shownUrls: Fragment = fragment`
  select * from watched_urls where project_id = projects.id and status_label is not null
  order by is_address desc, status_label, url limit ${MAX_SHOWN_URLS}::int`;

export const statusSettings: Fragment = fragment`json_build_object(
  'page', (select to_json(page) from (
    select status_pages.name, title, shows_addresses as addresses, shows_score as score, is_indexed as index
    from status_pages where project_id = projects.id
  ) page),
  'urls', ${asList(fragment`select url, status_label as label from (${shownUrls}) shown`)})`;

export const findStatusSettings = (sql: Sql, projectId: string) =>
  firstValue(sql.read<{ settings: StatusSettings }>`
    select ${statusSettings} as settings from projects where id = ${projectId}`);

/** Returns false if another project's page has the name. */
export async function replaceStatusPage(
  sql: Sql,
  projectId: string,
  { name, title, addresses, score, index }: StatusChoice,
): Promise<boolean> {
  await deleteStatusPage(sql, projectId);
  return isFound(sql`
    insert into status_pages (project_id, name, title, shows_addresses, shows_score, is_indexed)
    values (${projectId}, ${name}, ${title}, ${addresses}, ${score}, ${index})
    on conflict do nothing returning name`);
}

/** The labels of its URLs stay. */
export const deleteStatusPage = (sql: Sql, projectId: string) =>
  done(sql`delete from status_pages where project_id = ${projectId}`);

/** URLs that are not watched are ignored. */
export function updateShownUrls(sql: Sql, projectId: string, labels: ReadonlyMap<string, string>) {
  const shown = JSON.stringify([...labels].map(([url, label]) => ({ url, label })));
  return done(sql`
    with shown as (
      select watched_urls.id, label from watched_urls
      left join jsonb_to_recordset(${shown}::text::jsonb) as shown (url text, label text) using (url)
      where project_id = ${projectId}
    )
    update watched_urls set status_label = label from shown
    where watched_urls.id = shown.id and status_label is distinct from label`);
}

export interface StatusUrl {
  label: string;
  url: string | null;
  isAddress: boolean;
  state: "up" | "down" | "maintenance" | "unknown";
  watchedSince: Date | null;
  maintained: MaintainedTime[];
  /** Only days with data. */
  days: Pick<HistoryDay, "day" | "uptime">[];
}

export interface StatusIncident {
  /** A UUID that does not reveal the incident's id. */
  key: string;
  label: string;
  since: Date;
  closedAt: Date | null;
  note: string | null;
  /** The time of the latest change that the page shows. */
  changedAt: Date;
}

export interface StatusMaintenance {
  from: Date;
  to: Date;
  labels: string[];
  note: string | null;
}

export interface StatusPage {
  projectId: string;
  name: string;
  title: string;
  isIndexed: boolean;
  urls: StatusUrl[];
  incidents: StatusIncident[];
  maintenance: StatusMaintenance[];
  result: LastResult | null;
  now: Date;
}

export async function findStatusPage(sql: Sql, name: string): Promise<StatusPage | undefined> {
  const [found] = await sql.read<Omit<StatusPage, "result"> & LastResult & { showsScore: boolean }>`
    select page.project_id, page.name, coalesce(title, page.name) as title, is_indexed, shows_score, last.score, last.verdict, now(),
      ${asList(
        fragment`
        select status_label as label, case when shows_addresses then address.url end as url, is_address as "isAddress",
          looked.first_looked_at as "watchedSince", case
            when exists (select from incidents where watched_url_id = address.id and closed_at is null) then 'down'
            when ${isInMaintenance(fragment`projects.id`, fragment`address.url`)} then 'maintenance'
            when paused_at is not null or last_outcome is null or failing_since = first_looked_at then 'unknown'
            else 'up'
          end as state, ${asList(selectDays(STATUS_DAYS))} as days,
          ${maintainedTimes(fragment`projects.id`, fragment`address.url`, STATUS_DAYS)} as maintained
        from (${shownUrls}) address left join looks looked on looked.number = address.number`,
        "watchedSince",
      )} as urls,
      ${asList(
        fragment`
        select md5(page.name || past.id)::uuid as key, status_label as label, since, closed_at as "closedAt", public_note as note,
          greatest(since, closed_at, published_at) as "changedAt"
        from (${shownUrls}) shown, lateral (
          select * from incidents
          where watched_url_id = shown.id and coalesce(closed_at, 'infinity') > now() - make_interval(days => ${STATUS_DAYS}::int)
          order by coalesce(closed_at, 'infinity') desc limit ${MAX_SHOWN_INCIDENTS}::int
        ) past
        order by closed_at is not null, since desc, past.id limit ${MAX_SHOWN_INCIDENTS}::int`,
        "since closedAt changedAt",
      )} as incidents,
      ${asList(
        fragment`
        select * from (
          select starts_at as from, ends_at as to, note,
            to_json(array(select status_label from (${shownUrls}) address where ${concerns(fragment`address.url`)})) as labels
          from maintenance where maintenance.project_id = projects.id and ends_at > now() order by starts_at, id
        ) ahead where json_array_length(labels) > 0`,
        "from to",
      )} as maintenance
    from status_pages page join projects on projects.id = page.project_id and ${isThere} ${joinLastResult}
    where page.name = ${name}`;
  if (found === undefined) return undefined;
  const { showsScore, score, verdict, ...page } = found;
  return { ...page, result: showsScore ? readResult({ score, verdict }) : null };
}
