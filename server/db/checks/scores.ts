import type { Verdict } from "../../../shared/check.ts";
import type { FinishedCheck } from "../../engine/finished.ts";
import { lastShipOf } from "../deployments/deployments.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { done, firstRow } from "../driver/rows.ts";

/** Null if none differ, or if the earlier ones are unknown. */
const changedFindings = (before: Fragment, after: Fragment): Fragment => fragment`(
    select array_agg(id order by id)
    from jsonb_each_text(${before}) was (id, ended) full join jsonb_each_text(${after}) became (id, ended) using (id)
    where was.ended is distinct from became.ended and ${before} is not null and ${after} is not null
  )`;

/** A check whose row is inserted only when it has finished. */
export interface UrlCheck extends FinishedCheck {
  id: string;
  host: string;
}

/** Must run inside the transaction that ends the probe, once its claim is known to be held. */
export function storeVerification(sql: Sql, urlId: string, check: UrlCheck) {
  const findings = fragment`${JSON.stringify(check.findings)}::text::jsonb`;
  return done(sql`
    with watched as (
      select id, project_id, number, newest_check_id from watched_urls where id = ${urlId}
    ), before as (
      select findings from checks where id = (select newest_check_id from watched)
    ), replaced as (
      delete from checks where id = (select newest_check_id from watched) and kind = 'cycle'
    ), stored as (
      insert into checks (id, kind, project_id, host, state, lease_until, masked_url, score, verdict, ruleset,
        first_byte_ms, answer, evidence, findings)
      select ${check.id}, 'cycle', project_id, ${check.host}, 'done', now(), ${check.url}, ${check.score}, ${check.verdict},
        ${check.ruleset}, ${check.firstByteMs}, ${check.answer}, ${check.evidence}, ${findings}
      from watched
    ), scored as (
      insert into scores (project_id, number, score, verdict, ruleset, changed)
      select project_id, number, ${check.score}, ${check.verdict}, ${check.ruleset},
        ${changedFindings(fragment`before.findings`, findings)}
      from watched left join before on true
    )
    update watched_urls set newest_check_id = ${check.id},
      score = case when ${check.verdict} = 'inconclusive' then score else ${check.score} end,
      scored_at = case when ${check.verdict} = 'inconclusive' then scored_at else now() end
    where id = ${urlId}`);
}

export interface ShipScore {
  ids: string[];
  /** False if a newer ship has already been verified. */
  isLast: boolean;
  score: number;
  verdict: Verdict;
  previousScore: number | null;
  previousVerdict: Verdict | null;
  /** The ids of the findings that changed since the previous ship. */
  changed: string[];
}

/**
 * Corrects the comparison of the deployments that follow. Compares the ships with the last one of an earlier visit.
 * Undefined if there is no ship, or if the scores were already stored. Must run inside the transaction that finishes
 * the check, with the project locked.
 */
export function storeDeploymentScores(sql: Sql, checkId: string) {
  const row = fragment`deployments.id, project_id, url, environment, deployed_at, check_id`;
  const place = fragment`(deployments.deployed_at, deployments.id)`;
  const ofLine = fragment`deployments join (select project_id, environment from newest) line using (project_id, environment)
    where check_id is not null and kind <> 'preview' and`;
  return firstRow(sql<ShipScore>`
    with oldest as (
      select ${row} from deployments where check_id = ${checkId} order by deployed_at, id limit 1
    ), newest as (
      select ${row} from deployments where check_id = ${checkId} order by deployed_at desc, id desc limit 1
    ), line as (
      select *, lag(check_id) over in_time as before_id, lag(id) over in_time as ship_before from (
        (select ${row} from ${ofLine} ${place} < (select deployed_at, id from oldest)
          order by deployed_at desc, id desc limit 1)
        union all
        (select ${row} from ${ofLine} ${place} >= (select deployed_at, id from oldest)
          and ${place} <= (select deployed_at, id from newest))
        union all
        (select ${row} from ${ofLine} ${place} > (select deployed_at, id from newest)
          order by deployed_at, id limit 1)
      ) found window in_time as (order by deployed_at, id)
    ), compared as (
      select line.*, after.score, after.verdict, after.ruleset,
        coalesce(before.score, (select score from scores where deployment_id = ship_before)) as previous_score,
        coalesce(before.verdict, (select verdict from scores where deployment_id = ship_before)) as previous_verdict,
        case when before_id <> check_id
          then ${changedFindings(fragment`before.findings`, fragment`after.findings`)} end as changed
      from line join checks after on after.id = check_id left join checks before on before.id = before_id
      where check_id = ${checkId} or before_id = ${checkId}
    ), corrected as (
      update scores set previous_score = compared.previous_score, changed = compared.changed
      from compared where scores.deployment_id = compared.id and check_id <> ${checkId}
    ), watched as (
      select watched_urls.id, number, newest_check_id from watched_urls join newest using (project_id, url)
      where environment = 'production'
    ), stored as (
      insert into scores (project_id, number, deployment_id, score, previous_score, verdict, ruleset, changed)
      select project_id, (select number from watched), id, score, previous_score, verdict, ruleset, changed
      from compared where check_id = ${checkId}
      on conflict (deployment_id) where deployment_id is not null do nothing returning deployment_id
    ), scored as (
      update watched_urls set newest_check_id = ${checkId},
        score = case when verdict = 'inconclusive' then watched_urls.score else checks.score end,
        scored_at = case when verdict = 'inconclusive' then scored_at else now() end
      from watched, checks where watched_urls.id = watched.id and checks.id = ${checkId}
    ), replaced as (
      delete from checks where id = (select newest_check_id from watched) and kind = 'cycle'
    )
    select to_json(array(select id from compared join stored on deployment_id = id order by deployed_at desc, id desc)) as ids,
      (select id from newest) = (select id from line order by deployed_at desc, id desc limit 1) as is_last,
      score, verdict, previous_score, previous_verdict, coalesce(to_json(changed), '[]') as changed
    from compared
    where environment = 'production' and check_id = ${checkId} and before_id is distinct from check_id
      and exists (select from stored)
    order by deployed_at desc, id desc limit 1`);
}

/** Must run inside the transaction that finishes the check. */
export const storePreviewScores = (sql: Sql, checkId: string) =>
  done(sql`
    insert into scores (project_id, deployment_id, score, previous_score, verdict, ruleset)
    select previews.project_id, previews.id, checks.score, shipped.score, checks.verdict, checks.ruleset
    from checks join deployments previews on check_id = checks.id and previews.kind = 'preview'
    left join lateral ${lastShipOf(fragment`previews.project_id`)} ship on true
    left join scores shipped on shipped.deployment_id = ship.id
    where checks.id = ${checkId}
    on conflict (deployment_id) where deployment_id is not null do nothing`);
