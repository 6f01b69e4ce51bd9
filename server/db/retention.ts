import { fragment } from "./fragment.ts";
import type { Sql } from "./sql.ts";

/**
 * One short statement of a clean-up. It begins at a place, so that it does not read again the rows which those before it
 * left dead, and returns the next one's place; null when nothing more is due. Rows that another server is at are skipped.
 * They are written where they stand (ctid), so that of a disk's places none is read for an index's sake.
 */
export type Step = (sql: Sql, place: string) => Promise<string | null>;

const ROWS = fragment`100`;
const HOSTS = fragment`1000`;

/**
 * Empties the answers that no repeated request can ask for any more, and forgets their keys. Evidence and ruleset give
 * the report of a check without it.
 */
export const emptyOldAnswers: Step = async (sql, place) => {
  const [slice] = await sql<{ next: string | null }>`
    with due as (
      select ctid, started_at from checks
      where answer is not null and started_at >= ${place || "-infinity"}::text::timestamptz
        and started_at <= now() - interval '24 hours'
      order by started_at limit ${ROWS} for update skip locked
    ), emptied as (
      update checks set answer = null, idempotency_key = null, request_hash = null
      where ctid = any(array(select ctid from due))
    )
    select case when count(*) = ${ROWS} then max(started_at)::text end as next from due`;
  return slice?.next ?? null;
};

/** Deletes checks older than 90 days but for those that a deployment came to. */
export const deleteOldChecks: Step = async (sql, place) => {
  const [slice] = await sql<{ next: string | null }>`
    with due as (
      select ctid, started_at from checks
      where (account_id is not null or state = 'given_back')
        and started_at >= ${place || "-infinity"}::text::timestamptz and started_at < now() - interval '90 days'
      order by started_at limit ${ROWS} for update skip locked
    ), deleted as (
      delete from checks where ctid = any(array(select ctid from due))
    )
    select case when count(*) = ${ROWS} then max(started_at)::text end as next from due`;
  return slice?.next ?? null;
};

/** Deletes the hosts of one stretch of the alphabet that have no checks any more. */
export const deleteUnusedHosts: Step = async (sql, place) => {
  const [stretch] = await sql<{ next: string | null }>`
    with stretch as (
      select max(host) as last, count(*) as hosts
      from (select host from hosts where host > ${place} order by host limit ${HOSTS}) following
    ), deleted as (
      delete from hosts where ctid = any(array(
        select ctid from hosts
        where host > ${place} and host <= (select last from stretch)
          and not exists (select from checks where checks.host = hosts.host)
        for update skip locked
      ))
    )
    select case when hosts = ${HOSTS} then last end as next from stretch`;
  return stretch?.next ?? null;
};
