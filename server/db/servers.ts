import { fragment } from "./driver/fragment.ts";
import type { Sql } from "./driver/sql.ts";
import { done } from "./driver/rows.ts";

export interface Beat {
  id: string;
  /** SHIPSCORE_LOCATION. */
  location: string | null;
  /** True if other servers assess failures in its place. */
  setAside: boolean;
  version: string;
  looksPerSecond: number;
  lagSeconds: number;
}

export interface RunningServer extends Beat {
  lastSeenAt: Date;
}

export const ALIVE = fragment`interval '30 seconds'`;

export const beat = (
  sql: Sql,
  { id, location, setAside, version, looksPerSecond, lagSeconds }: Beat,
) =>
  done(sql`
    with dead as (
      delete from servers where ctid = any(array(
        select ctid from servers where last_seen_at < now() - ${ALIVE} and id <> ${id} for update skip locked
      ))
    )
    insert into servers (id, location, set_aside, version, looks_per_second, lag_seconds)
    values (${id}, ${location}, ${setAside}, ${version}, ${looksPerSecond}::float8, ${lagSeconds}::float8)
    on conflict (id) do update set set_aside = excluded.set_aside, looks_per_second = excluded.looks_per_second,
      lag_seconds = excluded.lag_seconds, last_seen_at = now()`);

export async function listLocations(sql: Sql, ownId: string): Promise<string[]> {
  const rows = await sql.read<{ location: string }>`
    select distinct location from servers
    where location is not null and not set_aside and last_seen_at > now() - ${ALIVE} and id <> ${ownId}`;
  return rows.map(({ location }) => location);
}

export const deleteServer = (sql: Sql, id: string) =>
  done(sql`delete from servers where id = ${id}`);
