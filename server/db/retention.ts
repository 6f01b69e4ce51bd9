import type { CheckKind } from "./checks.ts";
import { fragment, type Fragment } from "./fragment.ts";
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
 * How long a check's answer and its row are kept, by its kind. Without a time an answer is kept as long as its row, and a
 * row until another replaces it. A check that a deployment came to is kept for ever.
 */
const KEPT: Readonly<Record<CheckKind, { answer: string | null; row: string | null }>> = {
  api: { answer: "24 hours", row: "90 days" },
  deployment: { answer: "24 hours", row: "90 days" },
  cycle: { answer: null, row: null },
  scan: { answer: null, row: "30 days" },
};

/** The rows of each kind that are older than `column` of the table allows, oldest first, for as long as they are locked. */
function dueChecks(column: "answer" | "row", condition: Fragment, place: string): Fragment {
  const times = Object.fromEntries(
    Object.entries(KEPT).flatMap(([kind, { [column]: time }]) => (time ? [[kind, time]] : [])),
  );
  return fragment`
    select due.ctid, due.started_at
    from jsonb_each_text(${JSON.stringify(times)}::text::jsonb) as kept (kind, time), lateral (
      select ctid, started_at from checks
      where checks.kind = kept.kind and ${condition}
        and started_at >= ${place || "-infinity"}::text::timestamptz and started_at <= now() - time::interval
      order by started_at limit ${ROWS} for update skip locked
    ) as due
    order by started_at limit ${ROWS}`;
}

/**
 * Empties the answers that no repeated request can ask for any more, and forgets their keys. Evidence and ruleset give
 * the report of a check without it.
 */
export const emptyOldAnswers: Step = async (sql, place) => {
  const [slice] = await sql<{ next: string | null }>`
    with due as (${dueChecks("answer", fragment`answer is not null`, place)}), emptied as (
      update checks set answer = null, idempotency_key = null, request_hash = null
      where ctid = any(array(select ctid from due))
    )
    select case when count(*) = ${ROWS} then max(started_at)::text end as next from due`;
  return slice?.next ?? null;
};

/** Deletes the checks that are kept no longer. */
export const deleteOldChecks: Step = async (sql, place) => {
  const mayGo = fragment`(kind <> 'deployment' or state = 'given_back')`;
  const [slice] = await sql<{ next: string | null }>`
    with due as (${dueChecks("row", mayGo, place)}), deleted as (
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
