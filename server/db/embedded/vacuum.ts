import { Fragment } from "../fragment.ts";
import type { Sql } from "../sql.ts";

/**
 * Vacuums and analyses our tables, and the one that analysing changes: what a Postgres of its own does by itself and the
 * embedded one, which has no other process, does not. One statement a table, so that requests have their turn.
 */
export async function vacuumTables(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and (relnamespace = 'public'::regnamespace or oid = 'pg_statistic'::regclass)`;
  for (const { name } of tables) await sql`vacuum (analyze) ${new Fragment([name], [])}`;
}
