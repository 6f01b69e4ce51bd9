import { Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";

/**
 * The embedded Postgres has no autovacuum. Analyzing changes `pg_statistic`. With one statement per table, requests get
 * their turn.
 */
export async function vacuumTables(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and (relnamespace = 'public'::regnamespace or oid = 'pg_statistic'::regclass)`;
  for (const { name } of tables) await sql`vacuum (analyze) ${new Fragment([name], [])}`;
}
