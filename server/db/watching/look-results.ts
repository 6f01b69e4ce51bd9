import type { Circumstances, WatchState } from "../../engine/judge/incident-rules.ts";
import type { Text } from "../../../shared/language.ts";
import { claimEnded, isHeld } from "../claim.ts";
import { isInMaintenance } from "./maintenance.ts";
import { untilNextTurn, watchState, type ClaimedUrl } from "./looks.ts";
import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { done, firstRow } from "../driver/rows.ts";

export interface LookResult extends WatchState {
  number: number;
  claimId: string;
  beganAt: string;
  outcome: "good" | "failed" | "inconclusive";
  reason: Text | null;
  firstByteMs: number | null;
  /** How many of the last probes in a row got no answer. */
  silences: number;
  isVerified: boolean;
  hasOpenIncident: boolean;
  /** Seconds from the beginning of this probe to the next one; null means the URL's regular time. */
  soonSeconds: number | null;
  /** How many seconds the site asked to wait. */
  waitSeconds: number;
  location: string | null;
}

/** After this many probes in a row without an answer, a URL is silent; more are not counted. */
export const SILENT_AFTER = 2;

/** One statement for all that a probe changes. `intervalSeconds` is for projects without their own. */
export async function storeLooks(
  sql: Sql,
  results: readonly LookResult[],
  intervalSeconds: number,
): Promise<{ stored: Set<number>; lost: number }> {
  const rows = await sql<{ number: number; isStored: boolean }>`
    with results as (
      select * from jsonb_to_recordset(${JSON.stringify(results)}::text::jsonb) as result (
        number bigint, "claimId" uuid, "beganAt" timestamptz, outcome text, reason jsonb, "lastOutcome" text, streak int,
        "failingSince" timestamptz, "firstByteMs" int, silences int, "isVerified" boolean, "hasOpenIncident" boolean,
        "soonSeconds" float8, "waitSeconds" float8, "failedFrom" text[], "lookFrom" text, "notFrom" text, location text)
    ), held as (
      select looks.number, coalesce(interval_seconds, ${intervalSeconds}::int) as every, hour, looks, failed, inconclusive, first_byte_sum, first_byte_max,
        date_trunc('hour', "beganAt", 'UTC') as new_hour,
        coalesce(hour = date_trunc('hour', "beganAt", 'UTC'), false) as goes_on
      from looks join results using (number)
      where claim_id = "claimId" and lease_until > now()
      order by looks.number for no key update of looks
    ), past as (
      insert into hours (number, hour, looks, failed, inconclusive, first_byte_sum, first_byte_max)
      select number, hour, looks, failed, inconclusive, first_byte_sum, first_byte_max from held
      where not goes_on and hour is not null and looks > 0
      on conflict (number, hour) do update set looks = hours.looks + excluded.looks,
        failed = hours.failed + excluded.failed, inconclusive = hours.inconclusive + excluded.inconclusive,
        first_byte_sum = hours.first_byte_sum + excluded.first_byte_sum,
        first_byte_max = greatest(hours.first_byte_max, excluded.first_byte_max)
    ), past_days as (
      insert into days (number, day, looks, good, first_byte_sum)
      select number, date_trunc('day', hour, 'UTC'), looks, looks - failed - inconclusive, first_byte_sum from held
      where not goes_on and hour is not null and looks > 0
      on conflict (number, day) do update set looks = days.looks + excluded.looks, good = days.good + excluded.good,
        first_byte_sum = days.first_byte_sum + excluded.first_byte_sum
    ), ended as (
      update looks set ${claimEnded}, last_outcome = "lastOutcome", streak = results.streak,
        silences = results.silences, failed_from = nullif("failedFrom", '{}'), look_from = "lookFrom", not_from = "notFrom",
        is_silent = results.silences >= ${SILENT_AFTER}::int,
        failing_since = "failingSince", looked_at = "beganAt", first_looked_at = coalesce(first_looked_at, "beganAt"),
        verified_at = case when "isVerified" then "beganAt" else verified_at end,
        due_at = greatest(
          coalesce("beganAt" + make_interval(secs => nullif(least("soonSeconds", every), every)), now() + ${untilNextTurn(fragment`every`)}),
          now() + make_interval(secs => "waitSeconds")),
        hour = new_hour,
        looks = case when goes_on then held.looks else 0 end + 1,
        failed = case when goes_on then held.failed else 0 end + (outcome = 'failed')::int,
        inconclusive = case when goes_on then held.inconclusive else 0 end + (outcome = 'inconclusive')::int,
        first_byte_sum = case when goes_on then held.first_byte_sum else 0 end
          + case when outcome = 'good' then coalesce("firstByteMs", 0) else 0 end,
        first_byte_max = greatest(case when goes_on then held.first_byte_max else 0 end,
          case when outcome = 'good' then "firstByteMs" end)
      from held join results using (number) where looks.number = held.number
    ), updated_incidents as (
      update incidents set last_checked_at = "beganAt", reason = coalesce(results.reason, incidents.reason),
        locations = case when outcome = 'failed' and location is not null and location <> all(coalesce(locations, '{}'))
          then array(select unnest(locations || location) order by 1) else locations end
      from held join results using (number) join watched_urls using (number)
      where "hasOpenIncident" and watched_url_id = watched_urls.id and closed_at is null
    )
    select looks.number::float8 as number, held.number is not null as is_stored
    from results join looks using (number) left join held using (number)`;
  const stored = rows.filter(({ isStored }) => isStored).map(({ number }) => number);
  return { stored: new Set(stored), lost: rows.length - stored.length };
}

export const releaseLook = (sql: Sql, { number, claimId }: ClaimedUrl) =>
  done(sql`
    update looks set ${claimEnded} where number = ${number}::bigint and claim_id = ${claimId}`);

export type HeldState = WatchState &
  Pick<ClaimedUrl, "hasOpenIncident" | "oneLocation"> &
  Pick<Circumstances, "failures" | "isInMaintenance">;

export const findHeldState = (sql: Sql, { number, claimId, id, projectId, url }: ClaimedUrl) =>
  firstRow(sql<HeldState>`
    select ${watchState}, (select fails_from from watched_urls where id = ${id}), one_location, failures,
      ${isInMaintenance(fragment`${projectId}`, fragment`${url}`)} as is_in_maintenance,
      exists (select from incidents where watched_url_id = ${id} and closed_at is null) as has_open_incident
    from looks, (select one_location, failures from projects where projects.id = ${projectId}) project
    where number = ${number}::bigint and ${isHeld(claimId)} for no key update of looks`);
