import type { LastShip } from "../../../shared/last-ship.ts";
import type { Verdict } from "../../../shared/check.ts";
import type { Text } from "../../../shared/language.ts";
import type { Manager } from "../accounts/actors.ts";
import type { CallerRow, Read } from "../accounts/callers.ts";
import {
  type OneProject,
  findOnlyProject,
  isThere,
  joinChosenProjects,
} from "../projects/projects.ts";
import { actorsProject, type ActorsProject } from "../projects/roles.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow, done, onlyRow } from "../driver/rows.ts";

/** A `preview` is not a ship. */
export type DeploymentKind = "announced" | "preview";

export const lastShipOf = (projectId: Fragment): Fragment => fragment`(select * from deployments
    where deployments.project_id = ${projectId} and environment = 'production'
    order by deployed_at desc, id desc limit 1)`;

/** Null if nothing was shipped yet. */
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
      scores.score, scores.verdict, scores.ruleset, checks.id as check_id,
      checks.previous_files
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

export const listDeployments = (sql: Sql, projectId: string, arePreviews: boolean) =>
  sql.read<DeploymentState>`
    select ${DEPLOYMENT_STATE} from deployments left join scores on deployment_id = deployments.id
    where deployments.project_id = ${projectId} and ${arePreviews ? fragment`kind = 'preview'` : fragment`kind <> 'preview'`}
    order by deployed_at desc, deployments.id desc limit ${LISTED}`;

/** Returns the project even if the actor may not change it. */
export function insertDeployment(sql: Sql, actor: Manager, deployment: RecordedDeployment) {
  const { id, projectId, url, environment, commit, ref } = deployment;
  return firstRow(sql<ActorsProject>`
    with project as (${actorsProject(actor, projectId)} for key share of projects), recorded as (
      insert into deployments (id, project_id, url, environment, commit, ref)
      select ${id}, project.id, ${url}, ${environment}, ${commit}, ${ref} from project where role in ('owner', 'operator')
    )
    select * from project`);
}

/** Times are milliseconds since 1970, with fractions. */
export interface AnnouncedShip {
  deployedMs: number | null;
  providerId: string | null;
  commit: string | null;
  ref: string | null;
}

export interface NewShip extends AnnouncedShip {
  id: string;
  kind: "announced" | "preview";
  /** Null for the project's address. */
  url: string | null;
  environment: string;
  deployedMs: number;
  /** https URLs of the commit and the ref at the provider. */
  commitUrl: string | null;
  refUrl: string | null;
  recordedMs: number;
  eventKey: string;
}

export interface KnownShips {
  nowMs: number;
  last: (AnnouncedShip & { deployedMs: number }) | null;
  /** Those of the given event keys that arrived within 24 hours. */
  eventKeys: readonly string[];
  /** `nameShip` of the recorded ships with one of the given times. */
  names: readonly string[];
}

/** A second delivery of a ship has the same name. Undefined if the data does not suffice. */
export const nameShip = ({ providerId, deployedMs }: AnnouncedShip): string | undefined =>
  providerId === null || deployedMs === null ? undefined : `${deployedMs} ${providerId}`;

/** Requires a lock on the project, so that nothing is recorded between this and `insertShips`. */
export function findKnownShips(
  sql: Sql,
  projectId: string,
  { eventKeys, times }: { eventKeys: readonly string[]; times: readonly (number | null)[] },
) {
  const namesOf = (kind: Fragment) => fragment`
    select round(extract(epoch from deployed_at) * 1000)::bigint || ' ' || provider_id from deployments
    where project_id = ${projectId} and ${kind} and provider_id is not null and deployed_at = any(array(
      select to_timestamp(time::float8 / 1000) from jsonb_array_elements_text(${JSON.stringify(times)}::text::jsonb) as time
    ))`;
  return onlyRow(sql.read<KnownShips>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
      (select to_json(last) from (
        select extract(epoch from deployed_at)::float8 * 1000 as "deployedMs", provider_id as "providerId", commit, ref
        from deployments where project_id = ${projectId} and environment = 'production'
        order by deployed_at desc, id desc limit 1
      ) last) as last,
      to_json(array(
        select event_key from deployments
        where project_id = ${projectId} and event_key = any(array(
            select jsonb_array_elements_text(${JSON.stringify(eventKeys)}::text::jsonb)
          )) and recorded_at > now() - interval '24 hours'
      )) as event_keys,
      to_json(array(
        ${namesOf(fragment`environment = 'production'`)}
        union all ${namesOf(fragment`kind = 'preview'`)}
      )) as names`);
}

export const insertShips = (
  sql: Sql,
  projectId: string,
  address: string,
  ships: readonly NewShip[],
) =>
  done(sql`
    insert into deployments
      (id, project_id, kind, url, environment, commit, ref, commit_url, ref_url, deployed_at, recorded_at, provider_id, event_key)
    select id, ${projectId}, kind, coalesce(url, ${address}), environment, commit, ref, "commitUrl", "refUrl", to_timestamp("deployedMs" / 1000),
      to_timestamp("recordedMs" / 1000), "providerId", "eventKey"
    from jsonb_to_recordset(${JSON.stringify(ships)}::text::jsonb) as ship (
      id text, kind text, url text, environment text, commit text, ref text, "commitUrl" text, "refUrl" text, "deployedMs" float8, "recordedMs" float8, "providerId" text, "eventKey" text
    )`);

interface VerifiedShip {
  id: string;
  score: number;
  verdict: string;
  ruleset: string;
  evidence: Buffer | null;
}

/** All of these deployments are of one project. */
export const findShipBefore = (sql: Sql, ids: readonly string[]) =>
  firstRow(sql.read<VerifiedShip>`
    with told as (
      select project_id, deployed_at, id from deployments where id = any(string_to_array(${ids.join(" ")}, ' '))
      order by deployed_at, id limit 1
    )
    select check_id as id, scores.score, scores.verdict, scores.ruleset, evidence
    from told join deployments using (project_id) join scores on deployment_id = deployments.id
    left join checks on checks.id = check_id
    where environment = 'production' and deployments.kind <> 'preview' and check_id is not null
      and (deployments.deployed_at, deployments.id) < (told.deployed_at, told.id)
    order by deployments.deployed_at desc, deployments.id desc limit 1`);
