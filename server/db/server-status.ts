import { isFree } from "./claim.ts";
import { fragment } from "./driver/fragment.ts";
import { ALIVE, type RunningServer } from "./servers.ts";
import { readSchema } from "./schema/schema.ts";
import type { Sql } from "./driver/sql.ts";
import { onlyRow } from "./driver/rows.ts";

export const doesAnswer = (sql: Sql): Promise<boolean> =>
  sql.read`select 1`.then(
    () => true,
    () => false,
  );

export interface Counts {
  incidentsOpen: number;
  deploymentsQueued: number;
  outbox: { pending: number; sent: number; dead: number };
}

export interface Status extends Counts {
  servers: RunningServer[];
  urlsWatched: number;
  urlsDue: number;
  oldestDueSeconds: number;
  database: { bytes: number; version: string; schema: number };
}

const countMessages = (state: string) =>
  fragment`(select count(*) from messages where state = ${state})`;

const COUNTS = fragment`
  (select count(*) from incidents where closed_at is null)::int as incidents_open,
  (select count(*) from deployments where check_id is null and try_at is not null)::int as deployments_queued,
  json_build_object('pending', ${countMessages("pending")}, 'sent', ${countMessages("sent")}, 'dead', ${countMessages("dead")}) as outbox`;

export const readCounts = (sql: Sql) => onlyRow(sql.read<Counts>`select ${COUNTS}`);

export async function readStatus(sql: Sql): Promise<Status> {
  const servers = await sql.read<RunningServer>`
    select id, location, set_aside, version, looks_per_second, lag_seconds, last_seen_at from servers
    where last_seen_at > now() - ${ALIVE} order by id`;
  const { bytes, version, ...counts } = await onlyRow(sql.read<
    Omit<Status, "servers" | "database"> & { bytes: number; version: string }
  >`
    select (select count(*) from watched_urls)::int as urls_watched, urls_due, oldest_due_seconds, ${COUNTS},
      pg_database_size(current_database())::float8 as bytes, current_setting('server_version') as version
    from (
      select count(*)::int as urls_due, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as oldest_due_seconds
      from looks where due_at <= now() and ${isFree}
    ) due`);
  const { version: schema } = await readSchema(sql);
  return { servers, ...counts, database: { bytes, version, schema } };
}
