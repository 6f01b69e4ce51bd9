import type { LastShip } from "../../../shared/last-ship.ts";
import type { Verdict } from "../../../shared/check.ts";
import type { Text } from "../../base/language.ts";
import type { Manager } from "../accounts/actors.ts";
import type { CallerRow, Read } from "../accounts/callers.ts";
import type { OneProject } from "../projects/projects.ts";
import { findOnlyProject, isThere, joinChosenProjects } from "../projects/projects.ts";
import { actorsProject, type ActorsProject } from "../projects/roles.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow } from "../driver/rows.ts";

/** A `preview` is not a ship. */
export type DeploymentKind = "announced" | "preview";

/** In SQL, the latest ship of a project. */
export const lastShipOf = (projectId: Fragment): Fragment => fragment`(select * from deployments
    where deployments.project_id = ${projectId} and environment = 'production'
    order by deployed_at desc, id desc limit 1)`;

/**
 * The latest ship of a visible project: null if nothing was shipped yet, undefined without a caller.
 */
export async function findLastShip(
  sql: Sql,
  caller: CallerRow,
  project: OneProject,
): Promise<Read<LastShip | null> | undefined> {
  const rows = await sql.read<
    Omit<LastShip, "deployedAt" | "id"> & {
      accountId: string;
      projectId: string | null;
      id: string | null;
      deployedAt: Date;
    }
  >`
    select caller.account_id, projects.id as project_id, ship.id, ship.url, environment, commit, ref, deployed_at,
      scores.score, scores.verdict, scores.ruleset, checks.id as check_id
    from ${caller}
    ${joinChosenProjects(project)}
    left join lateral ${lastShipOf(fragment`projects.id`)} ship on true
    left join checks on checks.id = ship.check_id
    left join scores on deployment_id = ship.id`;
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
  kind: DeploymentKind;
  projectId: string;
  url: string;
  environment: string;
}

export interface RecordedDeployment extends Omit<Deployment, "kind"> {
  commit: string | null;
  ref: string | null;
}

/** A deployment and the state of its verification: `unverified` after the last try, with that try's failure. */
export interface DeploymentState extends RecordedDeployment {
  kind: DeploymentKind;
  deployedAt: Date;
  state: "queued" | "verified" | "unverified";
  checkId: string | null;
  score: number | null;
  verdict: Verdict | null;
  tries: number;
  failure: Text | null;
  nextTryAt: Date | null;
}

const DEPLOYMENT_STATE = fragment`
    deployments.id, kind, deployments.project_id, deployments.url, environment, commit, ref, deployed_at, check_id, score, verdict,
      tries, failure,
      case when check_id is not null then 'verified'
        when try_at is null then 'unverified'
        else 'queued' end as state,
      case when check_id is null then try_at end as next_try_at`;

export const findDeployment = (sql: Sql, id: string) =>
  firstRow(sql.read<DeploymentState>`
    select ${DEPLOYMENT_STATE}
    from deployments join projects on projects.id = deployments.project_id and ${isThere}
    left join scores on deployment_id = deployments.id
    where deployments.id = ${id}`);

const LISTED = fragment`50`;

/** A project's last deployments, or its last previews alone, newest first. */
export const listDeployments = (sql: Sql, projectId: string, arePreviews: boolean) =>
  sql.read<DeploymentState>`
    select ${DEPLOYMENT_STATE} from deployments left join scores on deployment_id = deployments.id
    where deployments.project_id = ${projectId} and ${arePreviews ? fragment`kind = 'preview'` : fragment`kind <> 'preview'`}
    order by deployed_at desc, deployments.id desc limit ${LISTED}`;

/**
 * Records a deployment and queues its verification, if the actor may change the project. Returns the project;
 * undefined if the actor is a stranger to it.
 */
export function insertDeployment(sql: Sql, actor: Manager, deployment: RecordedDeployment) {
  const { id, projectId, url, environment, commit, ref } = deployment;
  return firstRow(sql<ActorsProject>`
    with project as (${actorsProject(actor, projectId)} for key share of projects), recorded as (
      insert into deployments (id, project_id, url, environment, commit, ref)
      select ${id}, project.id, ${url}, ${environment}, ${commit}, ${ref} from project where role in ('owner', 'operator')
    )
    select * from project`);
}
