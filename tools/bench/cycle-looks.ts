/*
 * `bench/cycle-looks.ts [--names N] [--seconds N]`: what one server looks at in a second, with a real Postgres on the same
 * machine: watched URLs of N names on loopback, each with a certificate of its own, due faster than one server looks.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { insertAccount } from "../../server/db/accounts.ts";
import { newId } from "../../server/db/id.ts";
import { openDatabase } from "../../test/harness/opened-database.ts";
import { findFreePort, startPostgres } from "../../test/harness/postgres.ts";
import { BIN } from "../../test/harness/process.ts";
import { startProcess, startProgram } from "./process.ts";

const RATE_GOAL = 300;
const CPU_GOAL_MS = 3;
const CYCLE_SECONDS = 4;
/** A host is looked at twice a second at most. */
const PATHS = 6;
const WARM_UP_MS = 20_000;

const { values } = parseArgs({
  options: {
    names: { type: "string", default: "400" },
    seconds: { type: "string", default: "30" },
  },
});
const names = Number(values.names);
const say = (line = "") => void process.stdout.write(`${line}\n`);
const judge = (goal: string, isMet: boolean, seen: string) =>
  say(`  ${isMet ? "met    " : "NOT MET"}  ${goal}: ${seen}`);

async function insertUrls(databaseUrl: string, port: string): Promise<void> {
  const database = await openDatabase({ DATABASE_URL: databaseUrl });
  const owner = newId("acc");
  await insertAccount(database.sql, { id: owner, email: "ada@example.com", plan: "team" });
  await database.sql`
    insert into projects (id, owner_id, name, url)
    select 'prj_' || n, ${owner}, 'Site ' || n, 'https://site-' || n || '.localhost:' || ${port}::text || '/'
    from generate_series(0, ${names - 1}::int) n`;
  await database.sql`
    insert into watched_urls (id, project_id, url, is_address)
    select 'url_' || n || '_' || path, 'prj_' || n,
      'https://site-' || n || '.localhost:' || ${port}::text || '/' || case when path > 0 then path::text else '' end, path = 0
    from generate_series(0, ${names - 1}::int) n, generate_series(0, ${PATHS - 1}::int) path`;
  await database.close();
}

/** The sums of a server's metrics, by name, over the labels. */
async function readMetrics(address: string): Promise<Map<string, number>> {
  const text = await (await fetch(`http://${address}/metrics`)).text();
  const sums = new Map<string, number>();
  for (const [, name = "", labels = "", value] of text.matchAll(/^([a-z_]+)(\{.*\})? (\S+)$/gm))
    for (const key of [name, `${name}${labels}`])
      sums.set(key, (labels && key === name ? (sums.get(key) ?? 0) : 0) + Number(value));
  return sums;
}

const folder = await mkdtemp(join(tmpdir(), "shipscore-bench-"));
const authorityFile = join(folder, "authority.pem");
const postgres = await startPostgres();
const sites = await startProgram("look-sites.ts", [authorityFile, String(names)], folder);
await insertUrls(postgres.url, new URL(sites.url).port);
const metricsAddress = `127.0.0.1:${await findFreePort()}`;
const server = await startProcess(
  [BIN, "start", "--port", "0"],
  {
    DATABASE_URL: postgres.url,
    NODE_EXTRA_CA_CERTS: authorityFile,
    SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8,::1/128",
    SHIPSCORE_CYCLE_SECONDS: String(CYCLE_SECONDS),
    SHIPSCORE_VERIFY_SECONDS: "0",
    SHIPSCORE_METRICS_ADDRESS: metricsAddress,
    SHIPSCORE_LOG_LEVEL: "warn",
  },
  join(folder, "server.log"),
);
try {
  say(
    `Node ${process.version}, ${availableParallelism()} processors shared with Postgres and the sites, load ${loadavg()[0]?.toFixed(1)}`,
  );
  say(`${names * PATHS} watched URLs of ${names} names, each due every ${CYCLE_SECONDS} s`);
  await sleep(WARM_UP_MS);
  const before = await readMetrics(metricsAddress);
  const startedAt = performance.now();
  await sleep(Number(values.seconds) * 1000);
  const after = await readMetrics(metricsAddress);
  const seconds = (performance.now() - startedAt) / 1000;
  const grownBy = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const looks = grownBy("shipscore_looks_total");
  const cpuMs = (grownBy("process_cpu_seconds_total") * 1000) / looks;
  const good = grownBy('shipscore_looks_total{outcome="good"}');
  judge("all looks good", looks === good, `${looks - good} of ${looks} not`);
  judge(
    `at least ${RATE_GOAL} looks a second`,
    looks / seconds >= RATE_GOAL,
    (looks / seconds).toFixed(0),
  );
  judge(
    `at most ${CPU_GOAL_MS} ms of the processor each`,
    cpuMs <= CPU_GOAL_MS,
    `${cpuMs.toFixed(2)} ms, claims and results included`,
  );
  const memory = (after.get("process_resident_memory_bytes") ?? 0) / 2 ** 20;
  say(`memory ${memory.toFixed(0)} MB; load at the end ${loadavg()[0]?.toFixed(1)}`);
  const log = await readFile(join(folder, "server.log"), "utf8");
  if (log) say(log.slice(0, 2000));
} finally {
  await server.stop();
  await sites.stop();
  await postgres.stop();
  await rm(folder, { recursive: true });
}
