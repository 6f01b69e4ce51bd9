import type { Sql } from "../driver/sql.ts";
import { done, firstRow } from "../driver/rows.ts";

/** What the owner of an origin said: the URL of the file that refuses public scans, or null. */
export interface StoredOwnerAnswer {
  refusedIn: string | null;
}

/** The answer of an origin's owner, as long as it holds. */
export const findOwnerAnswer = (sql: Sql, origin: string) =>
  firstRow(sql.read<StoredOwnerAnswer>`
    select refused_in from owner_answers where origin = ${origin} and expires_at > now()`);

/** Keeps an answer for that many seconds, in place of an earlier one. */
export const keepOwnerAnswer = (
  sql: Sql,
  origin: string,
  refusedIn: string | null,
  seconds: number,
) =>
  done(sql`
    insert into owner_answers (origin, refused_in, expires_at)
    values (${origin}, ${refusedIn}, now() + make_interval(secs => ${seconds}))
    on conflict (origin) do update set refused_in = excluded.refused_in, expires_at = excluded.expires_at`);
