/*
 * `bench/cycle-claims.ts [--rows 10000,1000000] [--seconds 20] [--passes 10]`: how many looks three servers claim and store
 * in a second over one Postgres of its own, at sites that a stand-in answers for; beside a dump too, and how the table and
 * its indexes grow from pass to pass.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Fragment } from "../../server/db/fragment.ts";
import { claimDueLooks } from "../../server/db/looks.ts";
import type { Database, Sql } from "../../server/db/sql.ts";
import { openDatabase } from "../../test/harness/opened-database.ts";
import { runSql, startPostgres } from "../../test/harness/postgres.ts";

const SERVERS = 3;
const RATE_GOAL = 5000;
const CHANGE_GOAL = 0.2;
const FILL_MS = 600_000;
/** Faster than the servers look, so that there is always more to do. */
const MOST_A_SECOND = 10_000;

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "10000,1000000" },
    seconds: { type: "string", default: "20" },
    passes: { type: "string", default: "10" },
  },
});
const seconds = Number(values.seconds);
const passes = Number(values.passes);
const say = (line = "") => void process.stdout.write(`${line}\n`);
const judge = (goal: string, isMet: boolean, seen: string) =>
  say(`  ${isMet ? "met    " : "NOT MET"}  ${goal}: ${seen}`);

interface Counts {
  results: number;
  claims: number;
  lost: number;
  cpuSeconds: number;
}

interface Fleet {
  count(): Promise<Counts>;
  end(): Promise<void>;
}

function startFleet(databaseUrl: string, rows: number): Fleet {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    SHIPSCORE_VERIFY_SECONDS: "0",
    SHIPSCORE_CYCLE_SECONDS: String(Math.max(1, Math.round(rows / MOST_A_SECOND))),
    SHIPSCORE_LOG_LEVEL: "warn",
  };
  const file = new URL("./cycle-claimer.ts", import.meta.url);
  const servers: ChildProcess[] = Array.from({ length: SERVERS }, () =>
    fork(file, { env, execArgv: ["--import", "tsx"] }),
  );
  return {
    async count() {
      const all = await Promise.all(
        servers.map(async (server) => {
          const answer = once(server, "message");
          server.send("count");
          return ((await answer) as [Counts])[0];
        }),
      );
      const total = (key: keyof Counts) => all.reduce((sum, counts) => sum + counts[key], 0);
      return {
        results: total("results"),
        claims: total("claims"),
        lost: total("lost"),
        cpuSeconds: total("cpuSeconds"),
      };
    },
    async end() {
      const exits = servers.map((server) => once(server, "exit"));
      for (const server of servers) server.send("end");
      await Promise.all(exits);
    },
  };
}

async function fill(url: string, rows: number): Promise<void> {
  await runSql(
    url,
    `insert into accounts (id, email, plan) values ('acc_bench', 'ada@example.com', 'team');
     insert into projects (id, owner_id, name, url)
     select 'prj_' || n, 'acc_bench', 'Site', 'https://site.example/' from generate_series(1, ${rows / 100}) n;
     insert into watched_urls (id, project_id, url, last_outcome, streak, last_checked_at)
     select 'url_' || n, 'prj_' || (n % ${rows / 100} + 1), 'https://site-' || n || '.example/', 'good', 9, now()
     from generate_series(1, ${rows}) n;
     update looks set due_at = now() - interval '1 second' * phase_of(number)`,
  );
  await runSql(url, "vacuum full looks");
  await runSql(url, "vacuum analyze");
}

/** The plan of the claim, as a server asks. */
async function explainClaim({ sql }: Database): Promise<string[]> {
  let plan: string[] = [];
  const explain = (async (strings: TemplateStringsArray, ...parameters: never[]) => {
    const rows =
      await sql`explain (analyze, costs off, timing off) ${new Fragment(strings, parameters)}`;
    plan = rows.map((row) => String(Object.values(row)[0]));
    return [];
  }) as unknown as Sql;
  const database = { begin: (work: (own: Sql) => Promise<unknown>) => work(explain) };
  const wanted = { mark: "-infinity", limit: 128, verifySeconds: 0 };
  await claimDueLooks(database as never, wanted, () => ({ taken: [], putOff: [] }));
  return plan;
}

async function readSizes({ sql }: Database): Promise<string> {
  const [sizes] = await sql<{ table: number; key: number; due: number; dead: number; hot: number }>`
    select pg_relation_size('looks')::float8 / 1e6 as table, pg_relation_size('looks_pkey')::float8 / 1e6 as key,
      pg_relation_size('looks_due')::float8 / 1e6 as due, n_dead_tup::float8 as dead,
      n_tup_hot_upd::float8 / greatest(n_tup_upd, 1) as hot
    from pg_stat_user_tables where relname = 'looks'`;
  if (sizes === undefined) return "";
  const { table, key, due, dead, hot } = sizes;
  return `table ${table.toFixed(1)} MB, key ${key.toFixed(1)} MB, due ${due.toFixed(1)} MB, ${dead} dead rows, ${(hot * 100).toFixed(0)} % of updates HOT`;
}

async function measureRate(fleet: Fleet, forSeconds: number): Promise<number> {
  const before = await fleet.count();
  const began = performance.now();
  await sleep(forSeconds * 1000);
  const after = await fleet.count();
  const elapsed = (performance.now() - began) / 1000;
  const stored = after.results - before.results;
  const cpuMs = ((after.cpuSeconds - before.cpuSeconds) * 1000) / stored;
  say(
    `    ${(stored / elapsed).toFixed(0)} a second; ${cpuMs.toFixed(3)} ms of the servers' processors each; ${after.lost - before.lost} claims lost; load ${loadavg()[0]?.toFixed(1)}`,
  );
  return stored / elapsed;
}

/** Watches the sizes pass by pass, while the servers go on. */
async function measureGrowth(fleet: Fleet, database: Database, rows: number): Promise<void> {
  const start = (await fleet.count()).results;
  for (let pass = 1; pass <= passes; pass++) {
    while ((await fleet.count()).results - start < pass * rows) await sleep(500);
    say(`    pass ${pass}: ${await readSizes(database)}`);
  }
}

async function measure(rows: number): Promise<number> {
  say(`\n${rows} watched URLs`);
  const postgres = await startPostgres();
  const database = await openDatabase({ DATABASE_URL: postgres.url }, FILL_MS);
  await fill(postgres.url, rows);
  for (const line of await explainClaim(database)) say(`    ${line}`);
  say(`    ${await readSizes(database)}`);
  const fleet = startFleet(postgres.url, rows);
  while ((await fleet.count()).results === 0) await sleep(200);
  await sleep(3000);
  const rate = await measureRate(fleet, seconds);
  judge(`at least ${RATE_GOAL} a second`, rate >= RATE_GOAL, rate.toFixed(0));
  if (passes > 0) await measureGrowth(fleet, database, rows);
  say("  beside a dump");
  await database.begin(async (sql) => {
    await sql`set transaction isolation level repeatable read`;
    await sql`select from looks limit 1`;
    for (let time = 0; time < 3; time++) await measureRate(fleet, seconds / 2);
  });
  await fleet.end();
  await database.close();
  await postgres.stop();
  return rate;
}

const rates: number[] = [];
for (const rows of values.rows.split(",")) rates.push(await measure(Number(rows)));
const [few, many] = [rates[0] ?? 0, rates.at(-1) ?? 0];
if (rates.length > 1)
  judge(
    `the same within ${CHANGE_GOAL * 100} %`,
    Math.abs(many / few - 1) <= CHANGE_GOAL,
    `x${(many / few).toFixed(2)}`,
  );
