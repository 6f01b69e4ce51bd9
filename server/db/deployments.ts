import type { LastShip } from "../../shared/last-ship.ts";
import type { Verdict } from "../../shared/check.ts";
import type { Text } from "../language.ts";
import type { Actor } from "./actors.ts";
import type { CallerRow, Read } from "./callers.ts";
import { fragment, type Fragment } from "./fragment.ts";
import { newId } from "./id.ts";
import { actorsProject, isVisibleProject, type ActorsProject } from "./projects.ts";
import type { Sql } from "./sql.ts";

/** The latest production deployment of a visible project; null when nothing was shipped yet, undefined without a caller. */
export async function findLastShip(
  sql: Sql,
  caller: CallerRow,
  projectId: string,
): Promise<Read<LastShip | null> | undefined> {
  const [row] = await sql<
    Omit<LastShip, "deployedAt" | "id"> & {
      accountId: string;
      projectId: string | null;
      id: string | null;
      deployedAt: Date;
    }
  >`
    select caller.account_id, projects.id as project_id, ship.id, ship.url, environment, commit, ref, deployed_at,
      score, verdict, ruleset, check_id
    from ${caller}
    left join projects on ${isVisibleProject(projectId)}
    left join lateral (
      select * from deployments
      where deployments.project_id = projects.id and environment = 'production'
      order by deployed_at desc, id desc limit 1
    ) ship on true
    left join checks on checks.id = ship.check_id`;
  if (row === undefined) return undefined;
  const { accountId, projectId: visibleId, id, deployedAt, ...ship } = row;
  if (visibleId === null) return { accountId, found: undefined };
  return {
    accountId,
    found: id === null ? null : { ...ship, id, deployedAt: deployedAt.toISOString() },
  };
}

export interface Deployment {
  id: string;
  projectId: string;
  url: string;
  environment: string;
}

/** A deployment as it was recorded. */
export interface RecordedDeployment extends Deployment {
  commit: string | null;
  ref: string | null;
}

/** A deployment that this process alone verifies, until it finishes or 60 s are over. */
export interface ClaimedDeployment extends Deployment {
  /** Of this claim alone; its check has the same. */
  claimId: string;
  /** This try included. */
  tries: number;
}

/** How many times a deployment is tried that cannot be verified: over some four hours. */
const MAX_TRIES = 10;

/**
 * Claims the queued deployment that is due first; undefined when there is none to be had. `interrupted` is its failure from
 * now on when a process died with the claim before.
 */
export const claimDueDeployment = (sql: Sql, interrupted: Text) =>
  claim(sql, interrupted, fragment`try_at <= now()`);

/** Claims the deployment of this id, if it is due. */
export const claimDeployment = (sql: Sql, id: string, interrupted: Text) =>
  claim(sql, interrupted, fragment`try_at <= now() and id = ${id}`);

/** Claims a queued deployment that nobody has tried since the round began, due or not. */
export const claimDeploymentOfRound = (sql: Sql, roundStart: string, interrupted: Text) =>
  claim(
    sql,
    interrupted,
    fragment`try_at is not null and (tried_at is null or tried_at < ${roundStart}::text::timestamptz)`,
  );

/** Of two claimants the second skips the row of the first; the check of a claimant that died goes. */
async function claim(
  sql: Sql,
  interrupted: Text,
  condition: Fragment,
): Promise<ClaimedDeployment | undefined> {
  const [deployment] = await sql<ClaimedDeployment>`
    with next as (
      select id, claim_id from deployments
      where check_id is null and (lease_until is null or lease_until < now()) and ${condition}
      order by try_at limit 1 for update skip locked
    ), abandoned as (
      delete from checks using next where checks.id = next.claim_id and state <> 'done'
    )
    update deployments set claim_id = ${newId("chk")}, lease_until = now() + interval '60 seconds', tried_at = now(),
      tries = tries + 1, try_at = case when tries + 1 < ${MAX_TRIES}::int then try_at end,
      failure = case when deployments.claim_id is null then failure else ${JSON.stringify(interrupted)}::text::jsonb end
    from next where deployments.id = next.id
    returning deployments.id, project_id, url, environment, deployments.claim_id, tries`;
  return deployment;
}

/**
 * Ties a deployment to the finished check of this claim; false when the claim is another's by now. It may be asked again
 * when the answer was lost.
 */
export async function finishDeployment(sql: Sql, claimed: ClaimedDeployment): Promise<boolean> {
  const rows = await sql`
    update deployments set check_id = ${claimed.claimId}, claim_id = null, lease_until = null, failure = null
    where id = ${claimed.id} and coalesce(check_id, claim_id) = ${claimed.claimId}
    returning id`;
  return rows.length === 1;
}

/**
 * Ends a claim that came to nothing, and its check: the deployment waits for its next try, 10 s and then three times longer
 * each time, an hour at most, if it has one. Returns in how many seconds, null for never; undefined when the claim is
 * another's by now.
 */
export async function putOffDeployment(
  sql: Sql,
  claimed: ClaimedDeployment,
  failure: Text,
): Promise<number | null | undefined> {
  const [row] = await sql<{ inSeconds: number | null }>`
    with unfinished as (${deleteUnfinished(claimed)})
    update deployments set claim_id = null, lease_until = null, failure = ${JSON.stringify(failure)}::text::jsonb,
      try_at = case when try_at is not null then now() + make_interval(secs => least(10 * 3 ^ (tries - 1), 3600)) end
    where id = ${claimed.id} and claim_id = ${claimed.claimId} and check_id is null
    returning extract(epoch from try_at - now())::float8 as in_seconds`;
  return row?.inSeconds;
}

/** Lets go of what a process that ends had claimed, and its check, so that another can try at once: it was no try. */
export async function releaseDeployment(sql: Sql, claimed: ClaimedDeployment): Promise<void> {
  await sql`
    with unfinished as (${deleteUnfinished(claimed)})
    update deployments set claim_id = null, lease_until = null, tries = tries - 1, try_at = now(), tried_at = null
    where id = ${claimed.id} and claim_id = ${claimed.claimId} and check_id is null`;
}

const deleteUnfinished = ({ claimId }: ClaimedDeployment) =>
  fragment`delete from checks where id = ${claimId} and state <> 'done'`;

/** A deployment and what came of its verification: `unverified` after the last try, with its failure. */
export interface DeploymentState extends RecordedDeployment {
  deployedAt: Date;
  state: "queued" | "verified" | "unverified";
  checkId: string | null;
  score: number | null;
  verdict: Verdict | null;
  tries: number;
  failure: Text | null;
  nextTryAt: Date | null;
}

export async function findDeployment(sql: Sql, id: string): Promise<DeploymentState | undefined> {
  const [deployment] = await sql<DeploymentState>`
    select deployments.id, deployments.project_id, url, environment, commit, ref, deployed_at, check_id, score, verdict,
      tries, failure,
      case when check_id is not null then 'verified'
        when try_at is null and (deployments.lease_until is null or deployments.lease_until < now()) then 'unverified'
        else 'queued' end as state,
      case when check_id is null then try_at end as next_try_at
    from deployments left join checks on checks.id = check_id
    where deployments.id = ${id}`;
  return deployment;
}

/**
 * Records a deployment, which queues its verification, if the actor may change the project. Returns the project;
 * undefined when the actor may not see it.
 */
export async function insertDeployment(
  sql: Sql,
  actor: Actor,
  deployment: RecordedDeployment,
): Promise<ActorsProject | undefined> {
  const { id, projectId, url, environment, commit, ref } = deployment;
  const [project] = await sql<ActorsProject>`
    with project as (${actorsProject(actor, projectId)}), recorded as (
      insert into deployments (id, project_id, url, environment, commit, ref)
      select ${id}, project.id, ${url}, ${environment}, ${commit}, ${ref} from project where is_own
    )
    select * from project`;
  return project;
}
