import { randomUUID } from "node:crypto";
import type { WatchState } from "../../watching/incident-rules.ts";
import { claimEnded, claimUnder, isFree, isHeld, selectFree } from "../claim.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Database, Sql } from "../driver/sql.ts";

/** A watched URL whose look is due. Times are texts at the database's precision. */
export interface DueUrl extends WatchState {
  /** The key of its row in `looks`. */
  number: number;
  id: string;
  projectId: string;
  url: string;
  isAddress: boolean;
  dueAt: string;
  hasOpenIncident: boolean;
  /** True if this look is to be a verification. */
  isVerifyDue: boolean;
  /** When it was claimed, and its look began. */
  beganAt: string;
}

/** A watched URL that only this process looks at, until it ends the claim or its lease is over. */
export interface ClaimedUrl extends DueUrl {
  claimId: string;
  /** The `performance.now()` before the lease began. */
  claimedAt: number;
}

/** Which of the due URLs are claimed, and which are put off by how many seconds; the others stay as they are. */
export interface Choice {
  taken: readonly DueUrl[];
  putOff: readonly { number: number; seconds: number }[];
}

export interface Claim {
  found: readonly DueUrl[];
  taken: ClaimedUrl[];
}

interface Wanted {
  condition: Fragment;
  order: Fragment;
  limit: number;
  verifySeconds: number;
  leaseMs: number;
}

/** In SQL, how many intervals of this many seconds have gone by for a URL: they begin at the URL's own phase. */
const turns = (seconds: number) =>
  fragment`(extract(epoch from now())::float8 / ${seconds}::float8 - phase_of(looks.number))`;
export const untilNextTurn = (seconds: number) =>
  fragment`make_interval(secs => ${seconds}::float8 * (1 - ${turns(seconds)} + floor(${turns(seconds)})))`;
const sinceLastTurn = (seconds: number) =>
  fragment`make_interval(secs => ${seconds}::float8 * (${turns(seconds)} - floor(${turns(seconds)})))`;

/** The text of a time, whole. */
const timeText = (time: Fragment) => fragment`to_json(${time}) #>> '{}'`;

/**
 * Locks rows that are free, lets `choose` decide, and claims or puts off accordingly, in one transaction. `choose` may be
 * called twice.
 */
async function claim(
  database: Database,
  { condition, order, limit, verifySeconds, leaseMs }: Wanted,
  choose: (found: readonly DueUrl[]) => Choice,
): Promise<Claim> {
  const claimedAt = performance.now();
  const claimId = randomUUID();
  return database.begin(async (sql) => {
    const found = await sql<DueUrl>`
      with due as (${selectFree({ table: fragment`looks`, columns: fragment`*`, condition, order, limit })})
      select looks.number::float8 as number, watched.id, project_id, url, is_address,
        ${timeText(fragment`due_at`)} as due_at, looks.last_outcome, looks.streak,
        ${timeText(fragment`looks.failing_since`)} as failing_since,
        exists (select from incidents where watched_url_id = watched.id and closed_at is null) as has_open_incident,
        ${verifySeconds}::int > 0 and (verified_at is null
          or verified_at < now() - ${sinceLastTurn(verifySeconds || 1)}) as is_verify_due,
        ${timeText(fragment`now()`)} as began_at
      from due looks join lateral (
        select id, project_id, url, is_address from watched_urls where watched_urls.number = looks.number limit 1
      ) watched on true
      order by looks.due_at, looks.number`;
    const { taken, putOff } = choose(found);
    if (taken.length > 0) {
      const numbers = JSON.stringify(taken.map(({ number }) => number));
      await sql`
        update looks set ${claimUnder(claimId, leaseMs)}
        from jsonb_array_elements_text(${numbers}::text::jsonb) as taken (number)
        where looks.number = taken.number::bigint`;
    }
    if (putOff.length > 0)
      await sql`
        update looks set due_at = now() + make_interval(secs => seconds)
        from jsonb_to_recordset(${JSON.stringify(putOff)}::text::jsonb) as put_off (number bigint, seconds float8)
        where looks.number = put_off.number`;
    return { found, taken: taken.map((url) => ({ ...url, claimId, claimedAt })) };
  });
}

export interface DueWanted {
  /** No row that was due before this time is free, as far as this process knows. */
  mark: string;
  limit: number;
  verifySeconds: number;
  leaseMs: number;
}

/**
 * Claims URLs that are due, the longest due first. The index entries of looks that are over lie before the mark: beside a
 * long transaction they cannot be removed, and would be read again by each claim.
 */
export const claimDueLooks = (
  database: Database,
  { mark, ...wanted }: DueWanted,
  choose: (found: readonly DueUrl[]) => Choice,
): Promise<Claim> =>
  claim(
    database,
    {
      ...wanted,
      condition: fragment`due_at >= ${mark}::text::timestamptz and due_at <= now()`,
      order: fragment`due_at`,
    },
    choose,
  );

/** The URL that is due for the longest time among those that nobody looks at: since when, or now if there is none. */
export async function findOldestDue(sql: Sql): Promise<{ dueAt: string; lagSeconds: number }> {
  const [oldest] = await sql.read<{ dueAt: string; lagSeconds: number }>`
    select ${timeText(fragment`since`)} as due_at, extract(epoch from now() - since)::float8 as lag_seconds
    from (select coalesce((
      select due_at from looks where due_at <= now() and ${isFree} order by due_at limit 1
    ), now()) as since) oldest`;
  if (oldest === undefined) throw new Error("A select without a table returned no row.");
  return oldest;
}

/** The database's time at full precision, as the start of a round. */
export async function getRoundStart(sql: Sql): Promise<string> {
  const [row] = await sql.read<{ startedAt: string }>`select now()::text as started_at`;
  return row?.startedAt ?? "";
}

const isOfRound = (roundStart: string) =>
  fragment`(looked_at is null or looked_at < ${roundStart}::text::timestamptz)`;

/** Claims URLs that nobody has looked at since the round began, whether they are due or not, those after `number` first. */
export const claimLooksOfRound = (
  database: Database,
  {
    roundStart,
    after,
    ...wanted
  }: { roundStart: string; after: number; limit: number; leaseMs: number },
  choose: (found: readonly DueUrl[]) => Choice,
): Promise<Claim> =>
  claim(
    database,
    {
      condition: fragment`${isOfRound(roundStart)} and number > ${after}::bigint`,
      order: fragment`number`,
      ...wanted,
      verifySeconds: 0,
    },
    choose,
  );

/** Whether the round still has to look at a URL, or another process is looking at one. */
export async function isRoundUnfinished(sql: Sql, roundStart: string): Promise<boolean> {
  const rows = await sql.read`select from looks where ${isOfRound(roundStart)} limit 1`;
  return rows.length > 0;
}

/** Gives a claim back without a look, so that another process can look at once. */
export async function releaseLook(sql: Sql, { number, claimId }: ClaimedUrl): Promise<void> {
  await sql`
    update looks set ${claimEnded} where number = ${number}::bigint and claim_id = ${claimId}`;
}

/** The stored state of a URL, which this locks; undefined if the URL's claim is no longer held. */
export async function findHeldState(
  sql: Sql,
  { number, claimId, id }: ClaimedUrl,
): Promise<(WatchState & { hasOpenIncident: boolean }) | undefined> {
  const [row] = await sql<WatchState & { hasOpenIncident: boolean }>`
    select last_outcome, streak, ${timeText(fragment`failing_since`)} as failing_since,
      exists (select from incidents where watched_url_id = ${id} and closed_at is null) as has_open_incident
    from looks where number = ${number}::bigint and ${isHeld(claimId)} for no key update`;
  return row;
}
