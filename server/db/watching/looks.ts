import { randomUUID } from "node:crypto";
import type { WatchState } from "../../watching/incident-rules.ts";
import { claimUnder, isFree, selectFree } from "../claim.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Database, Sql } from "../driver/sql.ts";
import { isFound, onlyValue } from "../driver/rows.ts";

/** A watched URL whose look is due. Times are texts at the database's precision. */
export interface DueUrl extends WatchState {
  /** The key of its row in `looks`. */
  number: number;
  /** Whose turn its look is (`QueueTurn`). */
  queue: number;
  silences: number;
  id: string;
  projectId: string;
  url: string;
  isAddress: boolean;
  dueAt: string;
  hasOpenIncident: boolean;
  /** Whether the project's owner asks for incidents of what fails from one place alone. */
  onePlace: boolean;
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
  /** Selects and locks rows of `looks`, and `place`, by which they are ordered. */
  due: Fragment;
  verifySeconds: number;
  leaseMs: number;
}

/** In SQL, how many intervals of this many seconds have gone by for a URL: they begin at the URL's own phase. */
const turns = (seconds: Fragment | number) =>
  fragment`(extract(epoch from now())::float8 / ${seconds}::float8 - phase_of(looks.number))`;
export const untilNextTurn = (seconds: Fragment | number) =>
  fragment`make_interval(secs => ${seconds}::float8 * (1 - ${turns(seconds)} + floor(${turns(seconds)})))`;
const sinceLastTurn = (seconds: number) =>
  fragment`make_interval(secs => ${seconds}::float8 * (${turns(seconds)} - floor(${turns(seconds)})))`;

/** The text of a time, whole. */
const timeText = (time: Fragment) => fragment`to_json(${time}) #>> '{}'`;

/** In SQL, the columns of a `WatchState` that are in `looks`. */
export const watchState = fragment`last_outcome, streak, ${timeText(fragment`failing_since`)} as failing_since,
  coalesce(failed_from, '{}') as failed_from, look_from`;

/** Who claims looks: a server's place, if it has a name, and how many places judge. */
export interface Claimant {
  readonly place: string | null;
  readonly places: readonly string[];
}

const NOBODY: Claimant = { place: null, places: [] };

/** True of a look that is not another place's to make. One that was due for a minute is made from anywhere. */
function isOwn({ place, places }: Claimant): Fragment {
  if (places.length < 2) return fragment`true`;
  const isHere = fragment`look_from = ${place} or (look_from like '!%' and look_from <> ${`!${place}`})`;
  return fragment`(look_from is null or due_at <= now() - interval '1 minute' or ${place === null ? fragment`false` : isHere})`;
}

/**
 * Locks rows that are free, lets `choose` decide, and claims or puts off accordingly, in one transaction. `choose` may be
 * called twice.
 */
async function claim(
  database: Database,
  { due, verifySeconds, leaseMs }: Wanted,
  choose: (found: readonly DueUrl[]) => Choice,
): Promise<Claim> {
  const claimedAt = performance.now();
  const claimId = randomUUID();
  return database.begin(async (sql) => {
    const found = await sql<DueUrl>`
      with due as (${due})
      select looks.number::float8 as number, looks.queue::float8 as queue, looks.silences, watched.id, project_id, url, is_address,
        ${timeText(fragment`due_at`)} as due_at, ${watchState}, fails_from,
        fails_from is not null and (select one_place from projects where projects.id = project_id) as one_place,
        exists (select from incidents where watched_url_id = watched.id and closed_at is null) as has_open_incident,
        ${verifySeconds}::int > 0 and (verified_at is null
          or verified_at < now() - ${sinceLastTurn(verifySeconds || 1)}) as is_verify_due,
        ${timeText(fragment`now()`)} as began_at
      from due looks join lateral (
        select id, project_id, url, is_address, fails_from from watched_urls where watched_urls.number = looks.number limit 1
      ) watched on true
      order by looks.place, looks.due_at, looks.number`;
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

/** How many URLs of one queue may be claimed: an account's, or with a negative number those of its URLs that are silent. */
export interface QueueTurn {
  queue: number;
  /** No row of the queue that was due before this time is free, as far as this process knows. */
  mark: string;
  limit: number;
}

export interface DueWanted {
  claimant?: Claimant;
  turns: readonly QueueTurn[];
  verifySeconds: number;
  leaseMs: number;
}

/**
 * Claims URLs that are due, of each queue the longest due first. The index entries of looks that are over lie before the
 * queue's mark: beside a long transaction they cannot be removed, and would be read again by each claim.
 */
export function claimDueLooks(
  database: Database,
  { turns: asked, claimant = NOBODY, ...wanted }: DueWanted,
  choose: (found: readonly DueUrl[]) => Choice,
): Promise<Claim> {
  const free = selectFree({
    table: fragment`looks`,
    columns: fragment`*`,
    condition: fragment`looks.queue = turn.queue and due_at >= mark and due_at <= now() and ${isOwn(claimant)}`,
    order: fragment`due_at`,
    limit: fragment`turn."limit"`,
  });
  const due = fragment`
    select free.*, place from rows from (
      jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb) as (queue bigint, mark timestamptz, "limit" int)
    ) with ordinality as turn (queue, mark, "limit", place) cross join lateral (${free}) free`;
  return claim(database, { ...wanted, due }, choose);
}

/** A queue with URLs that are due and free, and since when the first of them is. */
export interface WaitingQueue {
  queue: number;
  dueAt: string;
  lagSeconds: number;
}

/** How many queues one statement goes through. */
const LISTED = 2000;

/**
 * Lists the queues after `after` in which URLs wait; the next call goes on after `last`, which is undefined if there are
 * no more. It takes two steps through the index for each queue, however many URLs are in it.
 */
export async function listWaiting(
  sql: Sql,
  after = Number.MIN_SAFE_INTEGER,
  claimant = NOBODY,
): Promise<{ waiting: WaitingQueue[]; last: number | undefined }> {
  const next = (before: Fragment) =>
    fragment`(select looks.queue from looks where looks.queue > ${before} order by looks.queue limit 1)`;
  const rows = await sql.read<
    Pick<WaitingQueue, "queue"> & { count: number; dueAt: string | null; lagSeconds: number | null }
  >`
    with recursive queues (queue) as (
      select ${next(fragment`${after}::bigint`)}
      union all
      select ${next(fragment`queues.queue`)} from queues where queue is not null
    ), listed as (
      select queue from queues where queue is not null limit ${LISTED}::int
    )
    select queue::float8 as queue, (select count(*) from listed)::int as count, ${timeText(fragment`due_at`)} as due_at,
      extract(epoch from now() - due_at)::float8 as lag_seconds
    from listed left join lateral (
      select due_at from looks where looks.queue = listed.queue and due_at <= now() and ${isFree} and ${isOwn(claimant)} order by due_at limit 1
    ) oldest on true
    where due_at is not null or queue = (select max(queue) from listed)
    order by listed.queue`;
  const isMore = (rows[0]?.count ?? 0) >= LISTED;
  return {
    waiting: rows.flatMap(({ queue, dueAt, lagSeconds }) =>
      dueAt === null || lagSeconds === null ? [] : [{ queue, dueAt, lagSeconds }],
    ),
    last: isMore ? rows.at(-1)?.queue : undefined,
  };
}

/** The database's time at full precision, as the start of a round. */
export const getRoundStart = (sql: Sql) =>
  onlyValue(sql.read<{ startedAt: string }>`select now()::text as started_at`);

/** Paused URLs are due at no time. */
const isOfRound = (roundStart: string) =>
  fragment`(due_at < 'infinity' and (looked_at is null or looked_at < ${roundStart}::text::timestamptz))`;

/** Claims URLs that nobody has looked at since the round began, whether they are due or not, those after `number` first. */
export function claimLooksOfRound(
  database: Database,
  {
    roundStart,
    after,
    limit,
    leaseMs,
  }: { roundStart: string; after: number; limit: number; leaseMs: number },
  choose: (found: readonly DueUrl[]) => Choice,
): Promise<Claim> {
  const due = selectFree({
    table: fragment`looks`,
    columns: fragment`*, number as place`,
    condition: fragment`${isOfRound(roundStart)} and number > ${after}::bigint`,
    order: fragment`number`,
    limit,
  });
  return claim(database, { due, verifySeconds: 0, leaseMs }, choose);
}

/** Whether the round still has to look at a URL, or another process is looking at one. */
export const isRoundUnfinished = (sql: Sql, roundStart: string) =>
  isFound(sql.read`select from looks where ${isOfRound(roundStart)} limit 1`);
