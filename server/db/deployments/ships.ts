import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { done, firstRow, onlyRow } from "../driver/rows.ts";

/** What is said of a production deployment. Times are milliseconds since 1970, by fractions. */
export interface SaidShip {
  deployedMs: number | null;
  providerId: string | null;
  commit: string | null;
  ref: string | null;
}

export interface NewShip extends SaidShip {
  id: string;
  kind: "announced" | "preview";
  /** Null for the project's address. */
  url: string | null;
  environment: string;
  deployedMs: number;
  /** Where its host shows the commit and the ref: https addresses. */
  commitUrl: string | null;
  refUrl: string | null;
  /** When it arrived. */
  recordedMs: number;
  eventKey: string;
}

/** What is known of a project's ships before others are recorded. */
export interface KnownShips {
  /** By the database's clock. */
  nowMs: number;
  last: (SaidShip & { deployedMs: number }) | null;
  /** Those of the given event keys that came within 24 hours. */
  eventKeys: readonly string[];
  /** `nameShip` of those recorded that their hosts told of with one of the given times. */
  names: readonly string[];
}

/** Names a ship by what its host says of it, whatever the delivery; undefined where that is not enough. */
export const nameShip = ({ providerId, deployedMs }: SaidShip): string | undefined =>
  providerId === null || deployedMs === null ? undefined : `${deployedMs} ${providerId}`;

/** Only under a lock on the project, so that nothing is recorded between this and `insertShips`. */
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

/** Records ships and previews of one project, and queues their verification. */
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

/** A ship that was verified, and the check's evidence while it is kept. */
export interface VerifiedShip {
  id: string;
  score: number;
  verdict: string;
  ruleset: string;
  evidence: Buffer | null;
}

/** The last ship that was verified before these deployments, which are of one project. */
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
