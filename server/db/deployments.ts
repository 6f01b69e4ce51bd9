import type { LastShip } from "../../shared/last-ship.ts";
import type { Verdict } from "../../shared/check.ts";
import type { Text } from "../language.ts";
import type { Manager } from "./actors.ts";
import type { CallerRow, Read } from "./callers.ts";
import { claimEnded, claimUnder, isHeld, selectFree } from "./claim.ts";
import { fragment, type Fragment } from "./fragment.ts";
import { newId } from "./id.ts";
import { findOnlyProject, isThere, joinChosenProjects, type OneProject } from "./projects.ts";
import { actorsProject, type ActorsProject } from "./roles.ts";
import type { Sql } from "./sql.ts";

/**
 * The latest production deployment of a visible project: null if nothing was shipped yet, undefined without a caller.
 */
export async function findLastShip(
  sql: Sql,
  caller: CallerRow,
  project: OneProject,
): Promise<Read<LastShip | null> | undefined> {
  const rows = await sql<
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
    ${joinChosenProjects(project)}
    left join lateral (
      select * from deployments
      where deployments.project_id = projects.id and environment = 'production'
      order by deployed_at desc, id desc limit 1
    ) ship on true
    left join checks on checks.id = ship.check_id`;
  const [row] = rows;
  if (row === undefined) return undefined;
  const { accountId, projectId: _, id, deployedAt, ...ship } = row;
  if (findOnlyProject(rows) === undefined) return { accountId, found: undefined };
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

/** A deployment that only this process verifies, until it finishes or its claim runs out. */
export interface ClaimedDeployment extends Deployment {
  /** Unique to this claim; its check has the same id. */
  claimId: string;
  /** Including this one. */
  tries: number;
}

/** How often a deployment that cannot be verified is tried: over about four hours. */
const MAX_TRIES = 10;

/**
 * Claims the queued deployment that is due first; undefined if there is none. If a process died with the previous
 * claim, the deployment's failure becomes `interrupted`.
 */
export const claimDueDeployment = (sql: Sql, interrupted: Text) =>
  claim(sql, interrupted, fragment`try_at <= now()`);

/** Claims the deployment with this id, if it is due. */
export const claimDeployment = (sql: Sql, id: string, interrupted: Text) =>
  claim(sql, interrupted, fragment`try_at <= now() and id = ${id}`);

/** Claims a queued deployment that nobody has tried since the round began, whether it is due or not. */
export const claimDeploymentOfRound = (sql: Sql, roundStart: string, interrupted: Text) =>
  claim(
    sql,
    interrupted,
    fragment`try_at is not null and (tried_at is null or tried_at < ${roundStart}::text::timestamptz)`,
  );

/** A second claimant skips rows that another is claiming. The check of a claimant that died is deleted. */
async function claim(
  sql: Sql,
  interrupted: Text,
  condition: Fragment,
): Promise<ClaimedDeployment | undefined> {
  const [deployment] = await sql<ClaimedDeployment>`
    with next as (${selectFree({
      table: fragment`deployments`,
      columns: fragment`id, claim_id`,
      condition: fragment`check_id is null and ${condition}
        and exists (select from projects where projects.id = project_id and ${isThere})`,
      order: fragment`try_at`,
      limit: 1,
    })}), abandoned as (
      delete from checks using next where checks.id = next.claim_id and state <> 'done'
    )
    update deployments set ${claimUnder(newId("chk"))}, tried_at = now(),
      tries = tries + 1, try_at = case when tries + 1 < ${MAX_TRIES}::int then try_at end,
      failure = case when deployments.claim_id is null then failure else ${JSON.stringify(interrupted)}::text::jsonb end
    from next where deployments.id = next.id
    returning deployments.id, project_id, url, environment, deployments.claim_id, tries`;
  return deployment;
}

/**
 * Links a deployment to the finished check of this claim; false if the claim is no longer ours. Safe to repeat if the
 * answer was lost.
 */
export async function finishDeployment(sql: Sql, claimed: ClaimedDeployment): Promise<boolean> {
  const rows = await sql`
    update deployments set check_id = ${claimed.claimId}, ${claimEnded}, failure = null
    where id = ${claimed.id} and (check_id = ${claimed.claimId} or (check_id is null and ${isHeld(claimed.claimId)}))
    returning id`;
  return rows.length === 1;
}

/**
 * Ends a failed claim and deletes its check. The next try, if there is one, comes after 10 s, then after three times
 * as long each time, up to an hour. Returns the seconds until then, null if this was the last try, undefined if the
 * claim is no longer ours.
 */
export async function putOffDeployment(
  sql: Sql,
  claimed: ClaimedDeployment,
  failure: Text,
): Promise<number | null | undefined> {
  const [row] = await sql<{ inSeconds: number | null }>`
    with unfinished as (${deleteUnfinished(claimed)})
    update deployments set ${claimEnded}, failure = ${JSON.stringify(failure)}::text::jsonb,
      try_at = case when try_at is not null then now() + make_interval(secs => least(10 * 3 ^ (tries - 1), 3600)) end
    where id = ${claimed.id} and claim_id = ${claimed.claimId} and check_id is null
    returning extract(epoch from try_at - now())::float8 as in_seconds`;
  return row?.inSeconds;
}

/**
 * Releases a claim and deletes its check when the process shuts down, so that another process can try at once; this
 * does not count as a try.
 */
export async function releaseDeployment(sql: Sql, claimed: ClaimedDeployment): Promise<void> {
  await sql`
    with unfinished as (${deleteUnfinished(claimed)})
    update deployments set ${claimEnded}, tries = tries - 1, try_at = now(), tried_at = null
    where id = ${claimed.id} and claim_id = ${claimed.claimId} and check_id is null`;
}

const deleteUnfinished = ({ claimId }: ClaimedDeployment) =>
  fragment`delete from checks where id = ${claimId} and state <> 'done'`;

/** A deployment and the state of its verification: `unverified` after the last try, with that try's failure. */
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
    select deployments.id, deployments.project_id, deployments.url, environment, commit, ref, deployed_at, check_id, score, verdict,
      tries, failure,
      case when check_id is not null then 'verified'
        when try_at is null and (deployments.lease_until is null or deployments.lease_until <= now()) then 'unverified'
        else 'queued' end as state,
      case when check_id is null then try_at end as next_try_at
    from deployments join projects on projects.id = deployments.project_id and ${isThere}
    left join checks on checks.id = check_id
    where deployments.id = ${id}`;
  return deployment;
}

/**
 * Records a deployment and queues its verification, if the actor may change the project. Returns the project;
 * undefined if the actor is a stranger to it.
 */
export async function insertDeployment(
  sql: Sql,
  actor: Manager,
  deployment: RecordedDeployment,
): Promise<ActorsProject | undefined> {
  const { id, projectId, url, environment, commit, ref } = deployment;
  const [project] = await sql<ActorsProject>`
    with project as (${actorsProject(actor, projectId)} for key share of projects), recorded as (
      insert into deployments (id, project_id, url, environment, commit, ref)
      select ${id}, project.id, ${url}, ${environment}, ${commit}, ${ref} from project where role in ('owner', 'operator')
    )
    select * from project`;
  return project;
}

/** A production deployment that its host told of. */
export interface NewShip {
  id: string;
  projectId: string;
  url: string;
  commit: string | null;
  ref: string | null;
  deployedAt: Date | null;
  providerId: string | null;
  eventKey: string;
}

/** How long a repeat of an event is known as one. */
const EVENT_TIME = fragment`interval '24 hours'`;
/** The end of the year 9999. */
const LATEST_MS = 253_402_300_800_000;

/**
 * Records a ship and queues its verification. Returns null, or why it was ignored. Only under a lock on the project
 * (`changeProject`), so that of two events at once the second sees what the first recorded.
 */
export async function insertShip(sql: Sql, ship: NewShip): Promise<string | null> {
  const { id, projectId, url, commit, ref, providerId, eventKey } = ship;
  const saidMs = ship.deployedAt?.getTime() ?? NaN;
  const saidAt = saidMs > 0 && saidMs < LATEST_MS ? saidMs : null;
  const [row] = await sql<{ ignored: string | null }>`
    with said as (
      select to_timestamp(${saidAt}::float8 / 1000) as at, ${providerId}::text as provider_id, ${commit}::text as commit, ${ref}::text as ref
    ), last as (
      select * from deployments where project_id = ${projectId} and environment = 'production'
      order by deployed_at desc, id desc limit 1
    ), decided as (
      select case
          when exists (
            select from deployments
            where project_id = ${projectId} and event_key = ${eventKey} and recorded_at > now() - ${EVENT_TIME}
          ) then 'repeated'
          when exists (
            select from last where case when said.provider_id is null
              then (last.deployed_at, last.commit, last.ref) is not distinct from (said.at, said.commit, said.ref)
              else last.provider_id = said.provider_id end
          ) then 'already the last ship'
        end as ignored
      from said
    ), recorded as (
      insert into deployments (id, project_id, url, environment, commit, ref, deployed_at, provider_id, event_key)
      select ${id}, ${projectId}, ${url}, 'production', commit, ref, least(at, now()), provider_id, ${eventKey}
      from said, decided where ignored is null
    )
    select ignored from decided`;
  return row?.ignored ?? null;
}
