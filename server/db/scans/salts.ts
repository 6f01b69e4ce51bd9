import type { Sql } from "../driver/sql.ts";
import { onlyRow } from "../driver/rows.ts";

/** The salts of this day and the one before (UTC), by the database's clock. */
export interface SaltRow {
  today: Buffer;
  /** Null if no server asked for it then. */
  yesterday: Buffer | null;
  readAt: Date;
}

/** Reads the salts; the first to ask on a day, over all servers, gives the day its salt. */
export const findSalts = (sql: Sql, fresh: Uint8Array) =>
  onlyRow(sql<SaltRow>`
    with days as (select (now() at time zone 'utc')::date as today), kept as (
      insert into salts (day, salt) select today, ${fresh} from days
      on conflict (day) do update set salt = salts.salt returning salt
    )
    select kept.salt as today, earlier.salt as yesterday, now() as read_at
    from days cross join kept left join salts earlier on earlier.day = days.today - 1`);
