import type { Sql } from "./sql.ts";

/** True if the database answers; never rejects. */
export const isReachable = (sql: Sql): Promise<boolean> =>
  sql.read`select 1`.then(
    () => true,
    () => false,
  );
