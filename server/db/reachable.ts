import type { Sql } from "./sql.ts";

/** Whether the database answers; never rejects. */
export const isReachable = (sql: Sql): Promise<boolean> =>
  sql`select 1`.then(
    () => true,
    () => false,
  );
