/*
 * `npm run bench:history [-- --urls N --days N]`: what the history of a project with many watched URLs costs on disk, and
 * what its page and `history` read of it, on a Postgres of its own.
 */
import { parseArgs } from "node:util";
import { callerOfToken } from "../../server/db/callers.ts";
import { findHistory } from "../../server/db/history.ts";
import { newId } from "../../server/db/id.ts";
import { findProjectPage } from "../../server/db/project-page.ts";
import { storeVerification } from "../../server/db/scores.ts";
import type { Sql } from "../../server/db/sql.ts";
import { fingerprintOf } from "../../server/access/tokens.ts";
import { concludeVisit } from "../../server/verify/conclude.ts";
import { insertReader } from "../../test/harness/crowd.ts";
import { openDatabase } from "../../test/harness/opened-database.ts";
import { startPostgres } from "../../test/harness/postgres.ts";
import { evidenceWith } from "../../test/judge/evidence-fixtures.ts";

const MOST_MB = 300;
const DEADLINE_MS = 600_000;
const TABLES = "hours scores checks looks watched_urls";

const { values } = parseArgs({
  options: { urls: { type: "string", default: "1000" }, days: { type: "string", default: "90" } },
});
const [urls, days] = [Number(values.urls), Number(values.days)];
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** The hours as looks leave them: all URLs in each hour, in no order, hour after hour; and verifications every 6 hours. */
async function insertHours(sql: Sql, hour: number): Promise<void> {
  await sql`
    insert into hours (number, hour, looks, failed, inconclusive, first_byte_sum, first_byte_max)
    select number, date_trunc('hour', now()) - ${hour}::int * interval '1 hour', 12, 0, 0, 1200, 300
    from watched_urls order by random()`;
  if (hour % 6 > 0) return;
  await sql`
    insert into scores (project_id, number, at, score, verdict, ruleset, changed)
    select project_id, number, now() - ${hour}::int * interval '1 hour' - random() * interval '1 hour', 84, 'ship_with_warnings',
      '2026.2', case when random() < 0.1 then array['hdr.csp', 'perf.speed'] else '{}' end
    from watched_urls order by random()`;
}

/** The newest verification of each URL, each of which has taken the place of one before. */
async function insertVerifications(sql: Sql): Promise<void> {
  const watched = await sql<{ id: string; url: string }>`select id, url from watched_urls`;
  for (let turn = 0; turn < 2; turn++)
    for (const { id, url } of watched) {
      const check = newId("chk");
      const request = { url, preview: false, headers: {} };
      const order = { request, id: check, language: "fr", isLook: true } as const;
      const { result } = await concludeVisit(
        evidenceWith((evidence) => void (evidence.url = url)),
        order,
      );
      if (!("look" in result) || !("check" in result)) throw new Error("no verification");
      await storeVerification(sql, id, { ...result.check, id: check, host: new URL(url).host });
    }
}

async function time(name: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let turn = 0; turn < 50; turn++) {
    const began = performance.now();
    await read();
    times.push(performance.now() - began);
  }
  const [first = 0] = times;
  const median = times.toSorted((a, b) => a - b)[25] ?? 0;
  say(`  ${name}: ${median.toFixed(1)} ms, the first time ${first.toFixed(1)} ms`);
}

const postgres = await startPostgres();
const database = await openDatabase({ DATABASE_URL: postgres.url }, DEADLINE_MS);
const { sql } = database;
const { projectId, token } = await insertReader(sql, "alice@example.com");
await sql`
  insert into watched_urls (id, project_id, url)
  select 'url_' || lpad(n::text, 20, '0'), ${projectId}, 'https://www.example.com/a/page/' || n from generate_series(2, ${urls}::int) n`;
for (let hour = days * 24; hour > 0; hour--) await insertHours(sql, hour);
await insertVerifications(sql);
await sql`analyze`;

const sizes = await sql<{ name: string; rows: number; mb: number }>`
  select relname as name, n_live_tup::int as rows, (pg_total_relation_size(relid) / 1e6)::float8 as mb
  from pg_stat_user_tables where relname = any (string_to_array(${TABLES}, ' ')) order by 3 desc`;
say(`${days} days of ${urls} URLs`);
for (const { name, rows, mb } of sizes) say(`  ${name}: ${rows} rows, ${mb.toFixed(1)} MB`);
const total = sizes.reduce((sum, { mb }) => sum + mb, 0);
say(`  ${total <= MOST_MB ? "met    " : "NOT MET"}  at most ${MOST_MB} MB: ${total.toFixed(1)} MB`);
const caller = callerOfToken(fingerprintOf(token));
await time("the project's page", () => findProjectPage(sql, caller, projectId, "en"));
await time("history --days 30", () => findHistory(sql, projectId, 30, "en"));
await time("history --days 90", () => findHistory(sql, projectId, 90, "en"));

await database.close();
await postgres.stop();
