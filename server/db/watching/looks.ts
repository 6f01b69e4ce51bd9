import { randomUUID } from "node:crypto";
import type { WatchState } from "../../engine/judge/incident-rules.ts";
import { isFree, selectFree } from "../claim.ts";
import { fragment, milliseconds, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { isFound, onlyValue } from "../driver/rows.ts";

/** Times are texts at the database's precision. */
export interface ClaimedUrl extends WatchState {
  number: number;
  /** The number of the project's owner. */
  account: number;
  domain: string;
  isSilent: boolean;
  silences: number;
  id: string;
  projectId: string;
  url: string;
  isAddress: boolean;
  hasOpenIncident: boolean;
  oneLocation: boolean;
  isVerifyDue: boolean;
  /** When it was claimed, and its probe began. */
  beganAt: string;
  claimId: string;
  /** `performance.now()` before the lease began. */
  claimedAt: number;
}

/** The most probes of one registrable domain that run in a process at the same time. */
export const LOOKS_OF_DOMAIN = 2;

/** How many probes run in the process that claims: by account number, and by registrable domain. */
export interface RunningCounts {
  readonly accounts: Readonly<Record<string, number>>;
  readonly domains: Readonly<Record<string, number>>;
}

/** How many intervals have passed for a URL. They begin at the URL's own phase. */
const turns = (seconds: Fragment | number) =>
  fragment`(extract(epoch from now())::float8 / ${seconds}::float8 - phase_of(looks.number))`;
export const untilNextTurn = (seconds: Fragment | number) =>
  fragment`make_interval(secs => ${seconds}::float8 * (1 - ${turns(seconds)} + floor(${turns(seconds)})))`;
const sinceLastTurn = (seconds: number) =>
  fragment`make_interval(secs => ${seconds}::float8 * (${turns(seconds)} - floor(${turns(seconds)})))`;

const timeText = (time: Fragment) => fragment`to_json(${time}) #>> '{}'`;

export const watchState = fragment`last_outcome, streak, ${timeText(fragment`failing_since`)} as failing_since,
  coalesce(failed_from, '{}') as failed_from, look_from, not_from`;

/** `locations` are those that assess failures. */
export interface Claimant {
  readonly location: string | null;
  readonly locations: readonly string[];
}

/** After being due for a minute, a probe can be made from anywhere. */
function isOwn({ location, locations }: Claimant): Fragment {
  if (locations.length < 2) return fragment`true`;
  const isHere =
    location === null
      ? fragment`false`
      : fragment`look_from = ${location} or not_from <> ${location}`;
  return fragment`(coalesce(look_from, not_from) is null or due_at <= now() - interval '1 minute' or ${isHere})`;
}

const runningRow = ({ accounts, domains }: RunningCounts) => fragment`running as (
  select ${JSON.stringify(accounts)}::text::jsonb as accounts, ${JSON.stringify(domains)}::text::jsonb as domains)`;
const countOfAccount = fragment`coalesce(((select accounts from running) ->> account::text)::int, 0)`;
const countOfDomain = fragment`coalesce(((select domains from running) ->> domain)::int, 0)`;

interface ClaimSteps {
  /** `picked` has the free rows, and whether each is taken or skips its turn; `seen` has a `ClaimPosition`. */
  steps: Fragment;
  verifySeconds: number;
  intervalSeconds: number;
  leaseMs: number;
}

interface ClaimPosition {
  /** The account or number after which the next claim starts; null means from the first. */
  last: number | null;
  /** For how many seconds the longest waiting row has been due. */
  lagSeconds: number | null;
  /** True if as many rows were found as were wanted. */
  isFull: boolean;
}

export interface Claim extends ClaimPosition {
  taken: ClaimedUrl[];
}

/** Skips rows that were locked or paused since they were picked. */
async function claim(
  sql: Sql,
  { steps, verifySeconds, intervalSeconds, leaseMs }: ClaimSteps,
): Promise<Claim> {
  const claimedAt = performance.now();
  const claimId = randomUUID();
  const every = fragment`coalesce(interval_seconds, ${intervalSeconds}::int)`;
  // A URL without a conclusive probe waits at most a minute after a skipped turn.
  const interval = fragment`case when streak = 0 then least(60, ${every}) else ${every} end`;
  const rows = await sql<ClaimPosition & (ClaimedUrl | { number: null })>`
    with recursive ${steps}, locked as (
      select number from looks where number = any(array(select number from picked)) and ${isFree} and due_at < 'infinity'
      for no key update skip locked
    ), changed as (
      update looks set claim_id = case when is_taken then ${claimId}::uuid end,
        lease_until = case when is_taken then now() + ${milliseconds(leaseMs)} end,
        due_at = case when is_taken then due_at else now() + ${untilNextTurn(interval)} end
      from locked join picked using (number) where looks.number = locked.number
      returning looks.*, is_taken
    ), claimed as (
      select looks.number::float8 as number, account::float8 as account, domain, is_silent, silences, watched.id, project_id, url,
        is_address, ${watchState}, fails_from,
        fails_from is not null and (select one_location from projects where projects.id = project_id) as one_location,
        exists (select from incidents where watched_url_id = watched.id and closed_at is null) as has_open_incident,
        ${verifySeconds}::int > 0 and (verified_at is null
          or verified_at < now() - ${sinceLastTurn(verifySeconds || 1)}) as is_verify_due,
        ${timeText(fragment`now()`)} as began_at
      from changed looks join lateral (
        select id, project_id, url, is_address, fails_from from watched_urls where watched_urls.number = looks.number limit 1
      ) watched on true
      where is_taken
    )
    select seen.*, claimed.* from seen left join claimed on true`;
  const { last = null, lagSeconds = null, isFull = false } = rows[0] ?? {};
  const taken = rows.flatMap((row) =>
    row.number === null ? [] : [{ ...row, claimId, claimedAt }],
  );
  return { last, lagSeconds, isFull, taken };
}

export interface DueOptions {
  /** Silent URLs and those that answer are claimed separately. */
  isSilent: boolean;
  /** The `last` of the previous claim. */
  after: number | null;
  limit: number;
  /** The most probes of one account that run at the same time while others wait. */
  ofAccount: number;
  running: RunningCounts;
  claimant: Claimant;
  verifySeconds: number;
  intervalSeconds: number;
  leaseMs: number;
}

/** The accounts that one claim goes through. It stops at `2 * limit + FOUND` accounts with due URLs. */
const LISTED = 2000;
const FOUND = 20;
/** How many due rows a claim reads beyond its limit, per account and in total, to pass over the URLs of a busy domain. */
const WINDOW = 10;
const ALL_WINDOWS = 300;
/** Due rows of a domain beyond this many wait for their next turn, so that they do not delay others. */
const WAITING_AT_DOMAIN = 6;
/** A URL with fewer probes than this in its current state goes first at its domain, since it may decide an incident. */
const SETTLED = 5;

/**
 * Accounts with the fewest running probes come first and take turns. Steps through the index from account to account,
 * so the cost does not depend on how many URLs each has.
 */
export function claimDueLooks(
  sql: Sql,
  { isSilent, after, limit, ofAccount, running, claimant, ...wanted }: DueOptions,
): Promise<Claim> {
  const found = 2 * limit + FOUND;
  const isKind = fragment`is_silent = ${isSilent}::boolean`;
  const next = (before: Fragment) =>
    fragment`(select looks.account from looks where ${isKind} and looks.account > ${before} order by looks.account limit 1)`;
  const due = (columns: Fragment, of: Fragment, count: Fragment) => fragment`
    select ${columns} from looks
    where ${isKind} and looks.account = ${of} and due_at <= now() and ${isFree} and ${isOwn(claimant)}
    order by due_at limit ${count}`;
  const steps = fragment`${runningRow(running)}, accounts (account) as (
      select ${next(fragment`${after ?? Number.MIN_SAFE_INTEGER}::bigint`)}
      union all
      select ${next(fragment`accounts.account`)} from accounts where account is not null
    ), listed as (
      select account from accounts where account is not null limit ${LISTED}::int
    ), waiting as (
      select account, due_at, ${countOfAccount} as count
      from listed cross join lateral (${due(fragment`due_at`, fragment`listed.account`, fragment`1`)}) oldest
      limit ${found}::int
    ), bounded as (
      select *, case when (select count(*) from waiting) > 1 then ${ofAccount}::int end as most from waiting
    ), chosen as (
      select * from bounded where most is null or count < most order by count, account limit ${limit}::int
    ), near as (
      select account, count, most, number, domain, looks.due_at,
        row_number() over (partition by domain order by least(streak, ${SETTLED}::int), looks.due_at) as domain_place
      from chosen cross join lateral (
        ${due(
          fragment`number, domain, due_at, streak`,
          fragment`chosen.account`,
          fragment`${WINDOW}::int + ${ALL_WINDOWS + limit}::int / (select count(*) from chosen)`,
        )}
      ) looks
    ), fitting as (
      select number, due_at, most, count + row_number() over (partition by account order by due_at) as account_place
      from near where domain_place + ${countOfDomain} <= ${LOOKS_OF_DOMAIN}::int
    ), picked as (
      (select number, true as is_taken from fitting where most is null or account_place <= most order by account_place, due_at limit ${limit}::int)
      union all
      select number, false from near where domain_place > ${WAITING_AT_DOMAIN}::int
    ), seen as (
      select case when (select count(*) from chosen) = ${limit}::int then (select max(account) from chosen)
          when (select count(*) from waiting) = ${found}::int then (select max(account) from waiting)
          when (select count(*) from listed) = ${LISTED}::int then (select max(account) from listed) end::float8 as last,
        (select extract(epoch from now() - min(due_at))::float8 from waiting) as lag_seconds,
        (select count(*) from picked where is_taken) = ${limit}::int as is_full
    )`;
  return claim(sql, { ...wanted, steps });
}

export const getRoundStart = (sql: Sql) =>
  onlyValue(sql.read<{ startedAt: string }>`select now()::text as started_at`);

/** Paused URLs are never due. */
const isOfRound = (roundStart: string) =>
  fragment`(due_at < 'infinity' and (looked_at is null or looked_at < ${roundStart}::text::timestamptz))`;

const isGood = fragment`last_outcome = 'good' and not exists (
  select from watched_urls join incidents on watched_url_id = watched_urls.id
  where watched_urls.number = looks.number and closed_at is null)`;

export interface RoundOptions {
  roundStart: string;
  after: number | null;
  limit: number;
  isOnlyGood?: boolean;
  running: RunningCounts;
  leaseMs: number;
}

export function claimLooksOfRound(
  sql: Sql,
  { roundStart, after, limit, isOnlyGood = false, running, leaseMs }: RoundOptions,
): Promise<Claim> {
  const free = selectFree({
    table: fragment`looks`,
    columns: fragment`number, domain`,
    condition: fragment`${isOfRound(roundStart)} and number > ${after ?? 0}::bigint and ${isOnlyGood ? isGood : fragment`true`}`,
    order: fragment`number`,
    limit: ALL_WINDOWS,
  });
  const steps = fragment`${runningRow(running)}, near as (
      select number, domain, row_number() over (partition by domain order by number) as domain_place from (${free}) free
    ), picked as (
      select number, true as is_taken from near where domain_place + ${countOfDomain} <= ${LOOKS_OF_DOMAIN}::int
      order by number limit ${limit}::int
    ), counted as (
      select (select count(*) from picked) = ${limit}::int as is_full
    ), seen as (
      select (select case when is_full then (select max(number) from picked) else (select max(number) from near) end)::float8 as last,
        null::float8 as lag_seconds, is_full from counted
    )`;
  return claim(sql, { steps, verifySeconds: 0, intervalSeconds: 1, leaseMs });
}

export const isRoundUnfinished = (sql: Sql, roundStart: string) =>
  isFound(sql.read`select from looks where ${isOfRound(roundStart)} limit 1`);
