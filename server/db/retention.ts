import { SCANS_KEPT_DAYS } from "../base/bounds.ts";
import type { CheckKind } from "../engine/finished.ts";
import { isLiveSession } from "./accounts/callers.ts";
import { NETWORK_RETENTION } from "./accounts/networks.ts";
import { KEY_TIME } from "./checks/checks.ts";
import { fragment, type Fragment } from "./driver/fragment.ts";
import { firstValue } from "./driver/rows.ts";
import { DAY_RETENTION } from "./projects/history.ts";
import { isLiveInvitation } from "./projects/invitations.ts";
import type { Sql } from "./driver/sql.ts";

/**
 * Starts at a cursor, so that it skips the dead rows of earlier steps. Returns the next cursor; null if nothing more is
 * due. Rows are addressed by ctid, which saves reading an index from the disk.
 */
export type CleanUpStep = (sql: Sql, cursor: string) => Promise<string | null>;

const ROWS = fragment`100`;
const HOSTS = fragment`1000`;
const HOURS = fragment`5000`;

const SCAN_RETENTION = `${SCANS_KEPT_DAYS} days`;

/** If `answer` is null, the answer stays as long as the row. If `row` is null, another check replaces the row. */
const RETENTION: Readonly<Record<CheckKind, { answer: string | null; row: string | null }>> = {
  api: { answer: KEY_TIME, row: "90 days" },
  /** Applies only to checks that were given back; `deleteOldShipChecks` deletes the others. */
  deployment: { answer: KEY_TIME, row: "90 days" },
  cycle: { answer: null, row: null },
  scan: { answer: null, row: SCAN_RETENTION },
};

async function endChecks(
  sql: Sql,
  what: "answer" | "row",
  { condition, change, cursor }: { condition: Fragment; change: Fragment; cursor: string },
): Promise<string | null> {
  const times = Object.fromEntries(
    Object.entries(RETENTION).flatMap(([kind, { [what]: time }]) =>
      time === null ? [] : [[kind, time]],
    ),
  );
  const next = await firstValue(sql<{ next: string | null }>`
    with due as (
      select due.ctid, due.started_at
      from jsonb_each_text(${JSON.stringify(times)}::text::jsonb) as kept (kind, time), lateral (
        select ctid, started_at from checks
        where checks.kind = kept.kind and ${condition}
          and started_at >= ${cursor || "-infinity"}::text::timestamptz and started_at <= now() - time::interval
        order by started_at limit ${ROWS} for update skip locked
      ) as due
      order by started_at limit ${ROWS}
    ), ended as (
      ${change} where ctid = any(array(select ctid from due))
    )
    select case when count(*) = ${ROWS} then max(started_at)::text end as next from due`);
  return next ?? null;
}

/** A check's report can still be made from its evidence and ruleset. */
export const clearOldResponses: CleanUpStep = (sql, cursor) =>
  endChecks(sql, "answer", {
    condition: fragment`answer is not null`,
    change: fragment`update checks set answer = null, idempotency_key = null, request_hash = null`,
    cursor,
  });

export const deleteOldChecks: CleanUpStep = (sql, cursor) =>
  endChecks(sql, "row", {
    condition: fragment`(kind <> 'deployment' or state = 'given_back')`,
    change: fragment`delete from checks`,
    cursor,
  });

const deleteSome = (table: Fragment, condition: Fragment) => fragment`
  delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${condition} limit ${HOSTS} for update skip locked
  )) returning 1`;

export const forgetExpired: CleanUpStep = async (sql) => {
  const hasExpired = fragment`expires_at < now()`;
  const isFull = await firstValue(sql<{ isFull: boolean }>`
    with expired_salts as (
      delete from salts where day < (now() at time zone 'utc')::date - 1
    ), expired_challenges as (${deleteSome(fragment`used_challenges`, hasExpired)}
    ), expired_permissions as (${deleteSome(fragment`robots_permissions`, hasExpired)}
    ), expired_sessions as (${deleteSome(fragment`sessions`, fragment`not (${isLiveSession})`)}
    ), expired_networks as (${deleteSome(fragment`networks`, fragment`seen_at < now() - ${NETWORK_RETENTION}`)}
    ), expired_links as (${deleteSome(fragment`links`, hasExpired)}
    ), expired_invitations as (${deleteSome(fragment`invitations`, fragment`not (${isLiveInvitation})`)}
    ), full_buckets as (${deleteSome(fragment`buckets`, fragment`full_at < now()`)}
    ), deleted as (
      select count(*) as rows from expired_challenges
      union all select count(*) from expired_permissions
      union all select count(*) from expired_sessions
      union all select count(*) from expired_networks
      union all select count(*) from expired_links
      union all select count(*) from expired_invitations
      union all select count(*) from full_buckets
    )
    select max(rows) = ${HOSTS} as is_full from deleted`);
  return isFull ? "" : null;
};

interface Aging {
  table: Fragment;
  age: Fragment;
  kept: string;
  condition?: Fragment;
  rows?: Fragment;
}

const deleteOld =
  ({ table, age, kept, condition = fragment`true`, rows = ROWS }: Aging): CleanUpStep =>
  async (sql, cursor) => {
    const next = await firstValue(sql<{ next: string | null }>`
      with due as (
        select ctid, ${age} from ${table}
        where ${condition} and ${age} >= ${cursor || "-infinity"}::text::timestamptz and ${age} <= now() - ${kept}::text::interval
        order by ${age} limit ${rows} for update skip locked
      ), deleted as (
        delete from ${table} where ctid = any(array(select ctid from due))
      )
      select case when count(*) = ${rows} then max(${age})::text end as next from due`);
    return next ?? null;
  };

export const deleteOldEvents = deleteOld({
  table: fragment`events`,
  age: fragment`at`,
  kept: "365 days",
});

/** The scores of these checks stay. */
export const deleteOldShipChecks = deleteOld({
  table: fragment`checks`,
  age: fragment`started_at`,
  kept: "400 days",
  condition: fragment`kind = 'deployment' and state = 'done'`,
});

/** A step reads the dead rows of earlier steps in that hour again, so it deletes many rows. */
export const deleteOldHours = deleteOld({
  table: fragment`hours`,
  age: fragment`hour`,
  kept: "90 days",
  rows: HOURS,
});

/** Each URL has one row per day, so a step deletes as many rows as in `deleteOldHours`. */
export const deleteOldDays = deleteOld({
  table: fragment`days`,
  age: fragment`day`,
  kept: DAY_RETENTION,
  rows: HOURS,
});

export const deleteOldMessages = deleteOld({
  table: fragment`messages`,
  age: fragment`ended_at`,
  kept: "30 days",
});

export const deleteOldStatuses = deleteOld({
  table: fragment`statuses`,
  age: fragment`ended_at`,
  kept: "7 days",
});

export const deleteUnusedRecipients = deleteOld({
  table: fragment`recipients`,
  age: fragment`created_at`,
  kept: "90 days",
  condition: fragment`state = 'waiting' and not exists (select from alerts where recipient_id = recipients.id)`,
});

/** The checks of these scans are no older, and expire separately. */
export const deleteOldScans = deleteOld({
  table: fragment`scans`,
  age: fragment`started_at`,
  kept: SCAN_RETENTION,
});

/** A limit counts starts for at most a day. */
export const deleteOldStarts = deleteOld({
  table: fragment`scan_starts`,
  age: fragment`started_at`,
  kept: "1 day",
});

export const deleteUnusedHosts: CleanUpStep = async (sql, cursor) => {
  const [stretch] = await sql<{ next: string | null }>`
    with stretch as (
      select max(host) as last, count(*) as hosts
      from (select host from hosts where host > ${cursor} order by host limit ${HOSTS}) following
    ), deleted as (
      delete from hosts where ctid = any(array(
        select ctid from hosts
        where host > ${cursor} and host <= (select last from stretch)
          and not exists (select from checks where checks.host = hosts.host)
        for update skip locked
      ))
    )
    select case when hosts = ${HOSTS} then last end as next from stretch`;
  return stretch?.next ?? null;
};
