/*
 * `npm run bench -- cycle-claims [--rows 1000000] [--accounts 1000] [--site-ms 20] [--seconds 30]` runs three servers over one Postgres. It
 * measures how many due URLs per second they claim and store, and the cost.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openDatabase } from "../../test/harness/opened-database.ts";
import { runSql, startPostgres } from "../../test/harness/postgres.ts";
import { say } from "./harness.ts";

const SERVERS = 3;
const FILL_MS = 600_000;
/** This is more URLs per second than the servers can probe. */
const DUE_A_SECOND = 10_000;

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    accounts: { type: "string", default: "1000" },
    "site-ms": { type: "string", default: "20" },
    seconds: { type: "string", default: "30" },
  },
});
const rows = Number(values.rows);
const accounts = Number(values.accounts);
const seconds = Number(values.seconds);

interface Counts {
  results: number;
  lost: number;
  cpuMs: number;
}

function startServers(databaseUrl: string): ChildProcess[] {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    BENCH_SITE_MS: values["site-ms"],
    SHIPSCORE_VERIFY_SECONDS: "0",
    SHIPSCORE_CYCLE_SECONDS: String(Math.max(1, Math.round(rows / DUE_A_SECOND))),
    SHIPSCORE_LOG_LEVEL: "warn",
  };
  const file = new URL("./cycle-claimer.ts", import.meta.url);
  return Array.from({ length: SERVERS }, () => fork(file, { env, execArgv: ["--import", "tsx"] }));
}

async function countAll(servers: readonly ChildProcess[]): Promise<Counts> {
  const total: Counts = { results: 0, lost: 0, cpuMs: 0 };
  for (const server of servers) {
    const answer = once(server, "message");
    server.send("count");
    const [counts] = (await answer) as [Counts];
    total.results += counts.results;
    total.lost += counts.lost;
    total.cpuMs += counts.cpuMs;
  }
  return total;
}

/** Each URL has a different domain. */
const fill = (url: string) =>
  runSql(
    url,
    `insert into accounts (id, email, plan)
     select 'acc_' || n, 'ada-' || n || '@example.com', 'team' from generate_series(1, ${accounts}) n;
     insert into projects (id, owner_id, name, url)
     select 'prj_' || n, 'acc_' || n, 'Site', 'https://site.example/' from generate_series(1, ${accounts}) n;
     insert into watched_urls (id, project_id, url)
     select 'url_' || n, 'prj_' || (n % ${accounts} + 1), 'https://site-' || n || '.example/' from generate_series(1, ${rows}) n;
     update looks set due_at = now() - interval '1 second' * phase_of(number), last_outcome = 'good', streak = 9;`,
  );

const postgres = await startPostgres();
const database = await openDatabase({ DATABASE_URL: postgres.url }, FILL_MS);
await fill(postgres.url);
await runSql(postgres.url, "vacuum full looks");
await runSql(postgres.url, "vacuum analyze");
say(`${rows} due URLs of ${accounts} accounts; sites answer after ${values["site-ms"]} ms`);
const servers = startServers(postgres.url);
while ((await countAll(servers)).results === 0) await sleep(200);
await sleep(5000);
const before = await countAll(servers);
const began = performance.now();
await sleep(seconds * 1000);
const after = await countAll(servers);
const stored = after.results - before.results;
const elapsed = (performance.now() - began) / 1000;
say(`  ${(stored / elapsed).toFixed(0)} a second are probed`);
say(`  ${((after.cpuMs - before.cpuMs) / stored).toFixed(3)} ms of the servers' processors each`);
say(`  ${after.lost - before.lost} claims lost`);
for (const server of servers) server.kill();
await database.close();
await postgres.stop();
