import type { LastShip } from "../../shared/last-ship.ts";
import { isActiveToken } from "./callers.ts";
import { isVisibleProject, requireVisible } from "./projects.ts";
import type { Sql } from "./sql.ts";

/** The latest production deployment of a visible project; null when nothing was shipped yet. */
export async function findLastShip(
  sql: Sql,
  fingerprint: Buffer,
  projectId: string,
): Promise<LastShip | null> {
  const [row] = await sql<
    Omit<LastShip, "deployedAt" | "id"> & {
      projectId: string | null;
      id: string | null;
      deployedAt: Date;
    }
  >`
    select projects.id as project_id, ship.id, ship.url, environment, commit, ref, deployed_at,
      score, verdict, ruleset, check_id
    from tokens
    left join projects on ${isVisibleProject(projectId)}
    left join lateral (
      select * from deployments
      where deployments.project_id = projects.id and environment = 'production'
      order by deployed_at desc, id desc limit 1
    ) ship on true
    left join checks on checks.id = ship.check_id
    where ${isActiveToken(fingerprint)}`;
  requireVisible(row);
  if (row === undefined || row.id === null) return null;
  return { ...row, id: row.id, deployedAt: row.deployedAt.toISOString() };
}

export interface Deployment {
  id: string;
  projectId: string;
  url: string;
  environment: string;
}

/** Claims the oldest queued deployment, or the one named, for 60 s; undefined when there is none to be had. */
export async function claimDeployment(sql: Sql, id?: string): Promise<Deployment | undefined> {
  const [deployment] = await sql<Deployment>`
    update deployments set lease_until = now() + interval '60 seconds'
    where id = (
      select id from deployments
      where check_id is null and (lease_until is null or lease_until < now()) and id = coalesce(${id ?? null}, id)
      order by deployed_at limit 1 for update skip locked
    )
    returning id, project_id, url, environment`;
  return deployment;
}

/** Puts a deployment whose verification could not run back into the queue, for later. */
export async function requeueDeployment(sql: Sql, id: string, afterSeconds: number): Promise<void> {
  await sql`
    update deployments set lease_until = now() + make_interval(secs => ${afterSeconds})
    where id = ${id} and check_id is null`;
}

/** True when the deployment's verification has ended. */
export async function isVerified(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`select from deployments where id = ${id} and check_id is not null`;
  return rows.length === 1;
}

/** Ties a deployment to its finished check. */
export async function setDeploymentCheck(sql: Sql, id: string, checkId: string): Promise<void> {
  await sql`update deployments set check_id = ${checkId}, lease_until = null where id = ${id} and check_id is null`;
}

/** Records a deployment, which queues its verification; false when there is no such project. */
export async function insertDeployment(
  sql: Sql,
  deployment: Deployment & { commit: string | null; ref: string | null },
): Promise<boolean> {
  const rows = await sql`
    insert into deployments (id, project_id, url, environment, commit, ref)
    select ${deployment.id}, id, ${deployment.url}, ${deployment.environment}, ${deployment.commit}, ${deployment.ref}
    from projects where id = ${deployment.projectId} returning id`;
  return rows.length === 1;
}
