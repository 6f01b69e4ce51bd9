import type { Verdict } from "../../../shared/check.ts";
import type { Language } from "../../../shared/language.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { asList } from "../paged-lists.ts";
import { maintenanceOf } from "../watching/maintenance.ts";
import { isThere } from "./projects.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow } from "../driver/rows.ts";

/** A day (UTC) of a project's address, such as `2026-11-20`. */
export interface HistoryDay {
  day: string;
  /** The score of its last conclusive verification. */
  score: number | null;
  /** From 0 to 1; null if there were no probes. */
  uptime: number | null;
  /** The mean over its good probes. */
  firstByteMs: number | null;
}

const DAY = fragment`interval '24 hours'`;
export const DAY_RETENTION = "91 days";

/** Midnight in UTC; the last day of the period is today. */
const beginOf = (days: number): Fragment =>
  fragment`(date_trunc('day', now(), 'UTC') - make_interval(hours => 24 * (${days}::int - 1)))`;

const secondsOf = (times: Fragment): Fragment => fragment`(
  select coalesce(sum(extract(epoch from upper(part) - lower(part))), 0) from unnest(${times}) part)`;

/**
 * Failing time runs from the first failed probe to the probe that closed the incident. Watched time starts at the first
 * probe and excludes maintenance.
 */
export const selectDays = (days: number): Fragment => fragment`
  select to_char(days.day at time zone 'utc', 'YYYY-MM-DD') as day, score,
    case when looks > 0 then (
      select round((1 - ${secondsOf(fragment`watched * failing`)} / greatest(1, ${secondsOf(fragment`watched`)}))::numeric, 4)::float8
      from (select tstzmultirange(tstzrange(days.day, least(days.day + ${DAY}, now()))) * since_first - kept_out as watched) of_day
      where not isempty(watched)
    ) end as uptime,
    case when good > 0 then round(first_byte_sum::numeric / good)::int end as "firstByteMs"
  from (
    select date_trunc('day', at, 'UTC') as day, sum(looks) as looks, sum(good) as good, sum(first_byte_sum) as first_byte_sum
    from (
      select past.* from generate_series(greatest(${beginOf(days)}, date_trunc('day', now() - ${DAY_RETENTION}::text::interval, 'UTC')), now(), ${DAY}) known (at),
        lateral (select day as at, looks, good, first_byte_sum from days where day = known.at and number = address.number limit 1) past
      union all
      select hour, looks.looks, looks.looks - failed - inconclusive, first_byte_sum from looks
      where number = address.number and hour >= ${beginOf(days)} and looks.looks > 0
      union all
      select at, 0, 0, 0 from scores
      where number = address.number and at >= ${beginOf(days)} and verdict <> 'inconclusive'
    ) seen group by 1
  ) days
  left join (
    select distinct on (date_trunc('day', at, 'UTC')) date_trunc('day', at, 'UTC') as day, score from scores
    where number = address.number and at >= ${beginOf(days)} and verdict <> 'inconclusive'
    order by date_trunc('day', at, 'UTC'), at desc
  ) scored on scored.day = days.day
  cross join (
    select coalesce(range_agg(tstzrange(least(since, closed_at), closed_at)), '{}') as failing from incidents
    where watched_url_id = address.id and coalesce(closed_at, 'infinity') > ${beginOf(days)}
  ) outages
  cross join (
    select ${maintenanceOf(fragment`address.project_id`, fragment`address.url`)} as kept_out,
      tstzmultirange(tstzrange((select first_looked_at from looks where looks.number = address.number), null)) as since_first
  ) known_times
  order by days.day`;

export interface PastIncident {
  id: string;
  url: string;
  since: Date;
  closedAt: Date | null;
  reason: string;
  /** The id of the last production deployment in the hour before the incident began. */
  deployment: string | null;
}

/** Members about its verification are null until it has ended. */
export interface PastDeployment {
  id: string;
  url: string;
  environment: string;
  commit: string | null;
  ref: string | null;
  deployedAt: Date;
  score: number | null;
  verdict: Verdict | null;
  ruleset: string | null;
  checkId: string | null;
  previousScore: number | null;
  /** The ids of the findings that changed since the previous deployment. */
  changed: string[];
}

/** Incidents that ended before the first day are left out. */
export interface ProjectHistory {
  days: HistoryDay[];
  incidents: PastIncident[];
  deployments: PastDeployment[];
}

export const findHistory = (sql: Sql, projectId: string, days: number, language: Language) =>
  firstRow(sql.read<ProjectHistory>`
    select ${asList(selectDays(days))} as days,
      ${asList(
        fragment`
        select id, url, since, closed_at as "closedAt", reason ->> ${language} as reason, deployment_id as deployment
        from incidents where project_id = projects.id and (closed_at is null or closed_at >= ${beginOf(days)})
        order by since desc, id desc`,
        "since closedAt",
      )} as incidents,
      ${asList(
        fragment`
        select shipped.id, url, environment, commit, ref, deployed_at as "deployedAt", scores.score, scores.verdict,
          scores.ruleset, checks.id as "checkId", previous_score as "previousScore",
          coalesce(to_json(changed), '[]') as changed
        from (
          select * from deployments where project_id = projects.id and environment = 'production' and deployed_at >= ${beginOf(days)}
        ) shipped
        left join checks on checks.id = check_id left join scores on scores.deployment_id = shipped.id
        order by deployed_at desc, shipped.id desc`,
        "deployedAt",
      )} as deployments
    from projects join watched_urls address on address.project_id = projects.id and is_address
    where projects.id = ${projectId} and ${isThere}`);
