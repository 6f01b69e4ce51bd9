import type { Verdict } from "../../shared/check.ts";
import type { FinishedCheck } from "./checks.ts";
import { fragment, type Fragment } from "./fragment.ts";
import type { Sql } from "./sql.ts";

/** In SQL, the ids of the findings that differ; none where those before are not known. */
const changedFindings = (before: Fragment, after: Fragment): Fragment => fragment`
  case when ${before} is null or ${after} is null then '{}' else array(
    select id from jsonb_each_text(${before}) before (id, ended) full join jsonb_each_text(${after}) after (id, ended) using (id)
    where before.ended is distinct from after.ended order by id
  ) end`;

/** The finished check of a watched URL, which has no row before it is finished. */
export interface UrlCheck extends FinishedCheck {
  id: string;
  host: string;
}

/**
 * Stores the verification of a watched URL: its score, and its check with answer and evidence in place of the one before.
 * Belongs into the transaction that ends the look, once the claim is known to be held.
 */
export async function storeVerification(sql: Sql, urlId: string, check: UrlCheck): Promise<void> {
  const findings = fragment`${JSON.stringify(check.findings)}::text::jsonb`;
  await sql`
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
    where id = ${urlId}`;
}

/** How a deployment did, and the one before it in its environment: null without one. */
export interface DeploymentScore {
  score: number;
  verdict: Verdict;
  previousScore: number | null;
  previousVerdict: Verdict | null;
  /** The ids of the findings that changed since. */
  changed: string[];
}

/**
 * Stores the score of a deployment whose check is finished; undefined if it is stored already. A production deployment to
 * a watched URL is the newest verification of that URL too. Belongs into the transaction that finishes the check.
 */
export async function storeDeploymentScore(
  sql: Sql,
  deploymentId: string,
): Promise<DeploymentScore | undefined> {
  const [stored] = await sql<DeploymentScore>`
    with verified as (
      select deployed.*, number, newest_check_id, watched.id as watched_url_id, score, verdict, ruleset, findings
      from (select id, project_id, url, environment, deployed_at, check_id from deployments where id = ${deploymentId}) deployed
      join (select id, score, verdict, ruleset, findings from checks) checked on checked.id = check_id
      left join (select id, project_id, url, number, newest_check_id from watched_urls) watched
        on environment = 'production' and watched.project_id = deployed.project_id and watched.url = deployed.url
    ), before as (
      select checks.score, checks.verdict, checks.findings from verified
      join deployments on deployments.project_id = verified.project_id and deployments.environment = verified.environment
        and (deployments.deployed_at, deployments.id) < (verified.deployed_at, verified.id)
      join checks on checks.id = deployments.check_id
      order by deployments.deployed_at desc, deployments.id desc limit 1
    ), scored as (
      update watched_urls set newest_check_id = verified.check_id,
        score = case when verdict = 'inconclusive' then watched_urls.score else verified.score end,
        scored_at = case when verdict = 'inconclusive' then scored_at else now() end
      from verified where watched_urls.id = verified.watched_url_id
    ), replaced as (
      delete from checks where id = (select newest_check_id from verified) and kind = 'cycle'
    ), stored as (
      insert into scores (project_id, number, deployment_id, score, previous_score, verdict, ruleset, changed)
      select project_id, number, verified.id, verified.score, before.score, verified.verdict, ruleset,
        ${changedFindings(fragment`before.findings`, fragment`verified.findings`)}
      from verified left join before on true
      on conflict (deployment_id) do nothing returning scores.*
    )
    select stored.score, stored.verdict, previous_score, before.verdict as previous_verdict, to_json(changed) as changed
    from stored left join before on true`;
  return stored;
}
