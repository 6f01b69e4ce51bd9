import type { SeenChange } from "../deployments/deployments.ts";
import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { newId } from "../id.ts";
import { done, firstRow, isFound } from "../driver/rows.ts";

/** What a verification of a project's address saw of its deployment. */
export interface Fingerprint {
  /** Paths of own scripts and styles with their ETags, and the generator; sorted. */
  parts: readonly string[];
  /** When, as ISO. */
  at: string;
}

/** The project's address, with the fingerprints of its last verifications. */
export interface WatchedAddress {
  id: string;
  number: number;
  url: string;
  /** Newest first. */
  fingerprints: readonly Fingerprint[];
  /** By the database's clock, as ISO. */
  now: string;
}

/** Only under a lock on the project. Undefined if this is not the project's address. */
export const findWatchedAddress = (sql: Sql, projectId: string, url: string) =>
  firstRow(sql<WatchedAddress>`
    select id, number::float8 as number, url, fingerprints, to_json(now()) #>> '{}' as now from watched_urls
    where project_id = ${projectId} and is_address and url = ${url}`);

export const updateFingerprints = (
  sql: Sql,
  { id }: WatchedAddress,
  fingerprints: readonly Fingerprint[],
) =>
  done(sql`
    update watched_urls set fingerprints = ${JSON.stringify(fingerprints)}::text::jsonb where id = ${id}`);

/** Has a URL verified at its next look. */
export const awaitVerification = (sql: Sql, { number }: WatchedAddress) =>
  done(sql`update looks set verified_at = null where number = ${number}::bigint`);

const NEAR = fragment`interval '30 minutes'`;

/** Whether a ship was announced within 30 minutes of a time, as ISO. */
export const isShipAnnounced = (sql: Sql, projectId: string, at: string) =>
  isFound(sql`
    select from deployments
    where project_id = ${projectId} and environment = 'production' and kind = 'announced'
      and deployed_at between ${at}::text::timestamptz - ${NEAR} and ${at}::text::timestamptz + ${NEAR} limit 1`);

/** Records a ship that nobody announced, whose check is the verification that the URL's look just stored. */
export const insertSeenShip = (
  sql: Sql,
  projectId: string,
  { number, url }: WatchedAddress,
  { checkId, since, seen }: { checkId: string; since: string; seen: SeenChange },
) =>
  done(sql`
    with kept as (
      update checks set kind = 'deployment' where id = ${checkId}
    ), replaced as (
      delete from scores where number = ${number}::bigint and deployment_id is null and at = now()
    )
    insert into deployments (id, project_id, kind, url, environment, deployed_at, try_at, check_id, seen)
    values (${newId("dep")}, ${projectId}, 'seen', ${url}, 'production', ${since}::text::timestamptz, null, ${checkId},
      ${JSON.stringify(seen)}::text::jsonb)`);

/** Removes ships that were seen where one was announced within 30 minutes of them: that takes their place. */
export const replaceSeenShips = (sql: Sql, projectId: string) =>
  done(sql`
    with replaced as (
      delete from deployments seen using deployments told
      where seen.project_id = ${projectId} and seen.kind = 'seen' and told.project_id = seen.project_id
        and told.kind = 'announced' and told.environment = 'production'
        and told.deployed_at between seen.deployed_at - ${NEAR} and seen.deployed_at + ${NEAR}
      returning seen.id
    )
    delete from scores using replaced where deployment_id = replaced.id`);
