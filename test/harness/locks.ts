import type { Database, Sql } from "../../server/db/driver/sql.ts";
import { waitUntil } from "./slow-site.ts";

/** Runs `lock` in a transaction and holds its locks until the returned function is called. The transaction is never idle. */
export async function hold(
  database: Database,
  lock: (sql: Sql) => Promise<unknown>,
): Promise<() => Promise<void>> {
  let isReleased = false;
  let holding = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    holding = database.begin(async (sql) => {
      await lock(sql);
      resolve();
      while (!isReleased) await sql`select pg_sleep(0.01)`;
    });
    holding.catch(reject);
  });
  return () => {
    isReleased = true;
    return holding;
  };
}

export const waitForWaiting = ({ sql }: Database, count: number): Promise<void> =>
  waitUntil(`${count} queries wait for a lock`, async () => {
    const [row] = await sql.read<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return row?.waiting === count;
  });
