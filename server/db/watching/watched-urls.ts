import { fragment, type Fragment } from "../driver/fragment.ts";
import { newId, parseId } from "../id.ts";
import { announceIncident, deletePendingMessages } from "../alerts/outbox.ts";
import { claimEnded } from "../claim.ts";
import { domainOf } from "../../base/syntax/host-pattern.ts";
import type { Sql } from "../driver/sql.ts";
import { done, onlyValue } from "../driver/rows.ts";

export async function listWatchedUrls(sql: Sql, projectId: string): Promise<string[]> {
  const rows = await sql.read<{ url: string }>`
    select url from watched_urls where project_id = ${projectId}`;
  return rows.map(({ url }) => url);
}

export interface UrlState {
  id: string;
  url: string;
  isAddress: boolean;
  state: "up" | "failing" | "unknown";
  failsFrom: string | null;
  since: Date | null;
  paused: boolean;
  score: number | null;
  lastCheckedAt: Date | null;
}

export const listUrlStates = (sql: Sql, projectId: string) =>
  sql.read<UrlState>`
    select watched.id, watched.url, is_address, paused_at is not null as paused, fails_from, incidents.since, score,
      looked_at as last_checked_at,
      case when incidents.id is not null then 'failing' when last_outcome = 'good' or fails_from is not null then 'up'
        else 'unknown' end as state
    from watched_urls watched
    left join lateral (
      select looked_at, last_outcome from looks where looks.number = watched.number limit 1
    ) looks on true
    left join lateral (
      select id, since from incidents where watched_url_id = watched.id and closed_at is null limit 1
    ) incidents on true
    where watched.project_id = ${projectId} order by is_address desc, watched.url`;

export const setFailsFrom = (sql: Sql, id: string, location: string | null) =>
  done(sql`update watched_urls set fails_from = ${location} where id = ${id}`);

export async function countFailingFrom(sql: Sql, location: string, numbers: readonly number[]) {
  if (numbers.length === 0) return 0;
  return onlyValue(sql.read<{ count: number }>`
    select count(*)::int as count
    from jsonb_array_elements_text(${JSON.stringify(numbers)}::text::jsonb) as failed (number)
    join watched_urls on watched_urls.number = failed.number::bigint and fails_from = ${location}`);
}

export const countWatchedUrls = (sql: Sql, accountId: string) =>
  onlyValue(sql.read<{ count: number }>`
    select count(*)::int as count from watched_urls join projects on projects.id = project_id
    where owner_id = ${accountId}`);

export interface AddedUrl {
  id: string;
  url: string;
}

/** Requires a lock on the project (`changeProject`). */
export async function insertWatchedUrls(
  sql: Sql,
  projectId: string,
  urls: readonly string[],
  { limit, room }: { limit: number; room: number },
): Promise<{ added: AddedUrl[]; left: string[] }> {
  const typed = JSON.stringify(
    urls.map((url) => ({ id: newId("url"), url, domain: domainOf(url) })),
  );
  const rows = await sql<{ id: string | null; url: string }>`
    with missing as (
      select id, url, domain, position
      from rows from (jsonb_to_recordset(${typed}::text::jsonb) as (id text, url text, domain text)) with ordinality as typed (id, url, domain, position)
      where not exists (select from watched_urls where project_id = ${projectId} and watched_urls.url = typed.url)
    ), added as (
      insert into watched_urls (id, project_id, url, domain)
      select id, ${projectId}, url, domain from missing order by position
      limit (select greatest(0, least(${room}::int, ${limit}::int - count(*))) from watched_urls where project_id = ${projectId})
      returning id, url
    )
    select added.id, missing.url from missing left join added on added.url = missing.url order by position`;
  return {
    added: rows.flatMap(({ id, url }) => (id === null ? [] : [{ id, url }])),
    left: rows.flatMap(({ id, url }) => (id === null ? [url] : [])),
  };
}

export type OneUrl = { readonly id: string } | { readonly url: string };

async function stopWatching(sql: Sql, condition: Fragment): Promise<string[]> {
  const rows = await sql<{ id: string; incidentId: string | null }>`
    with gone as (
      delete from watched_urls where ${condition} returning id
    ), closed as (
      update incidents set closed_at = now() from gone where watched_url_id = gone.id and closed_at is null
      returning incidents.id as incident_id, watched_url_id
    )
    select id, incident_id from gone left join closed on watched_url_id = id`;
  for (const { incidentId } of rows)
    if (incidentId !== null) await announceIncident(sql, "incident.closed", incidentId);
  return rows.map(({ id }) => id);
}

export const isUrlOf = (projectId: string, which: OneUrl): Fragment =>
  fragment`${isAnyUrlOf(projectId, which)} and not is_address`;

const isAnyUrlOf = (projectId: string, which: OneUrl): Fragment => {
  const isIt =
    "id" in which ? fragment`id = ${parseId("url", which.id)}` : fragment`url = ${which.url}`;
  return fragment`project_id = ${projectId} and ${isIt}`;
};

export async function deleteWatchedUrl(sql: Sql, isIt: Fragment): Promise<string | undefined> {
  const [id] = await stopWatching(sql, isIt);
  return id;
}

/** If the new address was already watched, its data stays. */
export async function replaceAddress(sql: Sql, projectId: string, url: string): Promise<void> {
  const isFormer = fragment`project_id = ${projectId} and is_address`;
  const [former] = await sql<{ statusLabel: string | null }>`
    select status_label from watched_urls where ${isFormer}`;
  await stopWatching(sql, isFormer);
  await sql`
    insert into watched_urls (id, project_id, url, domain, is_address, status_label)
    values (${newId("url")}, ${projectId}, ${url}, ${domainOf(url)}, true, ${former?.statusLabel ?? null})
    on conflict (project_id, url) do update set is_address = true,
      status_label = coalesce(watched_urls.status_label, excluded.status_label)`;
}

/** On a pause, a running probe changes nothing more, and an open incident closes without a message. */
export async function setPaused(
  sql: Sql,
  projectId: string,
  which: OneUrl,
  isPaused: boolean,
): Promise<AddedUrl | undefined> {
  const [watched] = await sql<AddedUrl & { number: number }>`
    update watched_urls set fails_from = null, paused_at = case when ${isPaused}::boolean then coalesce(paused_at, now()) end
    where ${isAnyUrlOf(projectId, which)} returning id, url, number::float8 as number`;
  if (watched === undefined) return undefined;
  const { id, url, number } = watched;
  if (!isPaused) {
    await sql`update looks set due_at = now() where number = ${number}::bigint and due_at = 'infinity'`;
    return { id, url };
  }
  await sql`
    update looks set due_at = 'infinity', ${claimEnded}, is_silent = false, silences = 0, last_outcome = null, streak = 0,
      failing_since = null, failed_from = null, look_from = null, not_from = null
    where number = ${number}::bigint`;
  const closed = await sql<{ id: string }>`
    update incidents set closed_at = now() where watched_url_id = ${id} and closed_at is null returning id`;
  for (const incident of closed) await deletePendingMessages(sql, incident.id);
  return { id, url };
}
