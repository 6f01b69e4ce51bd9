import type { Sql } from "../driver/sql.ts";

/** Reads a few ranges at random positions, so it costs the same however many URLs there are. */
export async function listGoodUrls(sql: Sql): Promise<string[]> {
  const rows = await sql.read<{ url: string }>`
    with ends as (
      select (select min(number) from looks) as first, (select max(number) from looks) as last
    ), places as (
      select first as number, 100 as count from ends
      union all
      select first + floor(random() * (last - first + 1))::bigint, 20 from ends, generate_series(1, 8)
    ), near as (
      select distinct found.number
      from places cross join lateral (
        select number, last_outcome from looks where looks.number >= places.number order by number limit places.count
      ) as found
      where last_outcome = 'good'
    )
    select url from near join watched_urls using (number) order by random()`;
  return rows.map(({ url }) => url);
}
