import { fragment, type Fragment } from "../driver/fragment.ts";
import { firstRow, isFound, onlyValue } from "../driver/rows.ts";
import { parseId } from "../id.ts";
import { asList } from "../paged-lists.ts";
import type { CleanUpStep } from "../retention.ts";
import type { Sql } from "../driver/sql.ts";

/** The most windows of a project that are planned or running, and the most that are stored once they are over. */
export const MAX_WINDOWS = 20;
const MAX_OVER = 200;

/** `urls` is null for all URLs of the project. */
export interface NewWindow {
  id: string;
  projectId: string;
  from: Date;
  to: Date;
  zone: string | null;
  weekly: { day: string; from: string; to: string } | null;
  urls: readonly string[] | null;
  note: string | null;
}

/** `from` and `to` are its current or next time, or the last one if it is over. */
export interface Window extends NewWindow {
  state: "planned" | "running" | "over";
}

const WINDOW = fragment`
  maintenance.id, project_id, starts_at as "from", ends_at as "to", zone, weekly, urls, note,
  case when ends_at <= now() then 'over' when starts_at <= now() then 'running' else 'planned' end as state`;

const IN_TURN = fragment`ends_at <= now(), case when ends_at > now() then starts_at end, ends_at desc, id`;

export const WINDOWS_SHOWN = MAX_WINDOWS + 10;

export const concerns = (url: Fragment): Fragment =>
  fragment`(maintenance.urls is null or maintenance.urls ? ${url})`;

const windowsOf = (projectId: Fragment, url: Fragment) => fragment`
  maintenance where maintenance.project_id = ${projectId} and ${concerns(url)}`;

export const isInMaintenance = (projectId: Fragment, url: Fragment): Fragment => fragment`
  exists (select from ${windowsOf(projectId, url)} and ends_at > now() and starts_at <= now())`;

export const maintenanceOf = (projectId: Fragment, url: Fragment): Fragment => fragment`(
  select coalesce(range_agg(times), '{}') from (
    select unnest(past + tstzmultirange(tstzrange(starts_at, ends_at))) as times from ${windowsOf(projectId, url)}
  ) windows)`;

export const shownWindows = (projectId: Fragment, condition: Fragment): Fragment =>
  asList(
    fragment`
    select ${WINDOW} from maintenance where project_id = ${projectId} and ${condition}
    order by ${IN_TURN} limit ${WINDOWS_SHOWN}::int`,
    "from to",
  );

export const isComing = fragment`ends_at > now() and starts_at < now() + interval '7 days'`;

export interface MaintainedTime {
  from: Date;
  to: Date;
}

export const maintainedTimes = (projectId: Fragment, url: Fragment, days: number): Fragment =>
  asList(
    fragment`
    select lower(part) as "from", upper(part) as "to" from unnest(
      ${maintenanceOf(projectId, url)} * tstzmultirange(tstzrange(now() - make_interval(days => ${days}::int), now()))) part
    order by 1 desc limit 100`,
    "from to",
  );

export const listWindows = (sql: Sql, projectId: string) => sql.read<Window>`
  select ${WINDOW} from maintenance where project_id = ${parseId("prj", projectId)}
  order by ${IN_TURN}`;

export const findWindow = (sql: Sql, id: string) =>
  firstRow(sql<Window>`
    select ${WINDOW} from maintenance where id = ${parseId("mnt", id)}`);

/** The project's row must be locked. */
export async function insertWindow(
  sql: Sql,
  { urls, weekly, ...one }: NewWindow,
): Promise<boolean> {
  const json = (value: unknown) =>
    fragment`${value === null ? null : JSON.stringify(value)}::text::jsonb`;
  await sql`
    delete from maintenance where id in (
      select id from maintenance where project_id = ${one.projectId} and ends_at <= now()
      order by ends_at desc offset ${MAX_OVER}::int)`;
  return isFound(sql`
    insert into maintenance (id, project_id, starts_at, ends_at, zone, weekly, urls, note)
    select ${one.id}, ${one.projectId}, ${one.from}, ${one.to}, ${one.zone}, ${json(weekly)}, ${json(urls)}, ${one.note}
    where (select count(*) from maintenance where project_id = ${one.projectId} and ends_at > now()) < ${MAX_WINDOWS}::int
    returning id`);
}

export const getNow = (sql: Sql) => onlyValue(sql.read<{ now: Date }>`select now()`);

const HAS_ENDED = fragment`not is_over and ends_at <= now()`;

export const hasEnded = (sql: Sql) =>
  isFound(sql.read`select from maintenance where ${HAS_ENDED} limit 1`);

export const lockEnded = (sql: Sql) =>
  firstRow(sql<Window & { now: Date }>`
    select ${WINDOW}, now() from maintenance where ${HAS_ENDED}
    order by ends_at limit 1 for no key update skip locked`);

/** Its failing URLs become due immediately. A weekly window continues with `next`. */
export async function endWindow(
  sql: Sql,
  { id, projectId, urls }: Window,
  next: { from: Date; to: Date } | null,
): Promise<void> {
  await sql`
    update maintenance set is_over = ${next === null}, starts_at = coalesce(${next?.from ?? null}, least(starts_at, now())),
      ends_at = coalesce(${next?.to ?? null}, least(ends_at, now())),
      past = (past + case when starts_at < now() then tstzmultirange(tstzrange(starts_at, least(ends_at, now()))) else '{}' end)
        * tstzmultirange(tstzrange(now() - interval '91 days', null))
    where id = ${id}`;
  await sql`
    with failing as (
      select looks.number from watched_urls join looks using (number)
      where project_id = ${projectId} and last_outcome = 'failed' and due_at > now() and paused_at is null
        and (${urls === null}::boolean or url in (select jsonb_array_elements_text(${JSON.stringify(urls ?? [])}::text::jsonb)))
      order by looks.number for no key update of looks
    )
    update looks set due_at = now() from failing where looks.number = failing.number`;
}

/** Uptime is stored for the same time. */
export const deleteOldWindows: CleanUpStep = async (sql) => {
  const rows = await sql`
    delete from maintenance where id in (
      select id from maintenance where is_over and ends_at < now() - interval '90 days'
      order by ends_at limit 100 for update skip locked
    ) returning id`;
  return rows.length === 100 ? "" : null;
};
