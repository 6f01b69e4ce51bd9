import type { WatchState } from "../cycle/incident-rules.ts";
import { selectFree } from "./claim.ts";
import { fragment, type Fragment } from "./fragment.ts";
import { newId, parseId } from "./id.ts";
import type { Sql } from "./sql.ts";

/** A watched URL that only this process looks at, until it finishes the look or its claim runs out. */
export interface ClaimedUrl {
  id: string;
  projectId: string;
  url: string;
  lookId: string;
  /** When the look began. */
  lookStartedAt: Date;
  /** How late the look began, in seconds. */
  lagSeconds: number;
}

/**
 * Claims the URLs that are due, most overdue first. Rows that another claimant has locked are skipped, so two never
 * get the same URL.
 */
export async function claimDueUrls(sql: Sql, limit: number): Promise<ClaimedUrl[]> {
  return sql<ClaimedUrl>`
    with due as (${selectFree({
      table: fragment`watched_urls`,
      columns: fragment`id, next_look_at`,
      condition: fragment`next_look_at <= now()`,
      order: fragment`next_look_at`,
      limit,
    })})
    update watched_urls set look_id = ${newId("look")}, look_started_at = now(), lease_until = now() + interval '60 seconds'
    from due where watched_urls.id = due.id
    returning watched_urls.id, project_id, url, look_id, look_started_at,
      extract(epoch from now() - due.next_look_at)::float8 as lag_seconds`;
}

/** The database's time at full precision, as the start of a round. */
export async function getRoundStart(sql: Sql): Promise<string> {
  const [row] = await sql<{ startedAt: string }>`select now()::text as started_at`;
  return row?.startedAt ?? "";
}

/** Claims URLs that nobody has started to look at since the round began, whether they are due or not. */
export async function claimUrlsOfRound(
  sql: Sql,
  roundStart: string,
  limit: number,
): Promise<ClaimedUrl[]> {
  return sql<ClaimedUrl>`
    with left_over as (
      select id from watched_urls
      where (look_started_at is null or look_started_at < ${roundStart}::text::timestamptz)
        and (lease_until is null or lease_until < now())
      order by project_id, url limit ${limit} for update skip locked
    )
    update watched_urls set look_id = ${newId("look")}, look_started_at = now(), lease_until = now() + interval '60 seconds'
    from left_over where watched_urls.id = left_over.id
    returning watched_urls.id, project_id, url, look_id, look_started_at, 0::float8 as lag_seconds`;
}

/** How many URLs the round still has to look at, including those that another process is looking at. */
export async function countUrlsOfRound(sql: Sql, roundStart: string): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*)::int as count from watched_urls
    where look_started_at is null or look_started_at < ${roundStart}::text::timestamptz`;
  return row?.count ?? 0;
}

/**
 * The stored state of a URL claimed by this look, and locks it; undefined if it is no longer watched or its lease has
 * run out.
 */
export async function findClaimedState(
  sql: Sql,
  claimed: ClaimedUrl,
): Promise<(WatchState & { hasOpenIncident: boolean }) | undefined> {
  const [row] = await sql<
    Omit<WatchState, "failingSince"> & { failingSince: Date | null; hasOpenIncident: boolean }
  >`
    select last_outcome, streak, failing_since,
      exists (select from incidents where watched_url_id = watched_urls.id and closed_at is null) as has_open_incident
    from watched_urls where id = ${claimed.id} and look_id = ${claimed.lookId} for update`;
  return row && { ...row, failingSince: row.failingSince?.toISOString() ?? null };
}

/** Ends a look: stores its outcome and its score, if it has one, and when the next one is due. */
export async function finishClaim(
  sql: Sql,
  claimed: ClaimedUrl,
  state: WatchState,
  next: { score: number | null; inSeconds: number },
): Promise<void> {
  await sql`
    update watched_urls set last_outcome = ${state.lastOutcome}, streak = ${state.streak},
      failing_since = ${state.failingSince}, last_checked_at = ${claimed.lookStartedAt},
      score = coalesce(${next.score}, score),
      scored_at = case when ${next.score === null}::boolean then scored_at else ${claimed.lookStartedAt} end,
      look_id = null, lease_until = null,
      next_look_at = now() + make_interval(secs => ${next.inSeconds})
    where id = ${claimed.id}`;
}

/** Releases the claim of a process that is shutting down, so that another can look at once. */
export async function releaseUrl(sql: Sql, claimed: ClaimedUrl): Promise<void> {
  await sql`
    update watched_urls set look_id = null, look_started_at = null, lease_until = null
    where id = ${claimed.id} and look_id = ${claimed.lookId}`;
}

/** The URLs that a project watches, its address included. */
export async function listWatchedUrls(sql: Sql, projectId: string): Promise<string[]> {
  const rows = await sql<{ url: string }>`
    select url from watched_urls where project_id = ${projectId}`;
  return rows.map(({ url }) => url);
}

export interface AddedUrl {
  id: string;
  url: string;
}

/**
 * Makes a project watch URLs, as many as make `limit` in all; those that it watches already stay as they are. Returns
 * how many were new, and those for which there was no room. Only under a lock on the project (`changeProject`).
 */
export async function insertWatchedUrls(
  sql: Sql,
  projectId: string,
  urls: readonly string[],
  limit: number,
): Promise<{ added: AddedUrl[]; left: string[] }> {
  const typed = JSON.stringify(urls.map((url) => ({ id: newId("url"), url })));
  const rows = await sql<{ id: string | null; url: string }>`
    with missing as (
      select id, url, place
      from rows from (jsonb_to_recordset(${typed}::text::jsonb) as (id text, url text)) with ordinality as typed (id, url, place)
      where not exists (select from watched_urls where project_id = ${projectId} and watched_urls.url = typed.url)
    ), added as (
      insert into watched_urls (id, project_id, url)
      select id, ${projectId}, url from missing order by place
      limit (select greatest(0, ${limit}::int - count(*)) from watched_urls where project_id = ${projectId})
      returning id, url
    )
    select added.id, missing.url from missing left join added on added.url = missing.url order by place`;
  return {
    added: rows.flatMap(({ id, url }) => (id === null ? [] : [{ id, url }])),
    left: rows.flatMap(({ id, url }) => (id === null ? [url] : [])),
  };
}

/** A watched URL, by its id or as it is written. */
export type OneUrl = { readonly id: string } | { readonly url: string };

/** Stops watching, closes the incidents of what is not watched any more, and selects its ids. */
const stopWatching = (condition: Fragment): Fragment => fragment`
  with gone as (
    delete from watched_urls where ${condition} returning id
  ), closed as (
    update incidents set closed_at = now() from gone where watched_url_id = gone.id and closed_at is null
  )
  select id from gone`;

/**
 * Makes a project stop watching a URL, closes its incident and returns its id; undefined if it is not watched, or is
 * the project's address.
 */
export async function deleteWatchedUrl(
  sql: Sql,
  projectId: string,
  which: OneUrl,
): Promise<string | undefined> {
  const isIt =
    "id" in which ? fragment`id = ${parseId("url", which.id)}` : fragment`url = ${which.url}`;
  const [row] = await sql<{ id: string }>`
    ${stopWatching(fragment`project_id = ${projectId} and ${isIt} and not is_address`)}`;
  return row?.id;
}

/**
 * Makes a project watch a new address in place of its former one, whose incident is closed. One that was watched already
 * keeps what is known of it.
 */
export async function replaceAddress(sql: Sql, projectId: string, url: string): Promise<void> {
  await sql`${stopWatching(fragment`project_id = ${projectId} and is_address`)}`;
  await sql`
    insert into watched_urls (id, project_id, url, is_address) values (${newId("url")}, ${projectId}, ${url}, true)
    on conflict (project_id, url) do update set is_address = true`;
}
