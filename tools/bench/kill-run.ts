/*
 * `npm run bench -- kill-run`: three servers on one Postgres look at 200 URLs every five seconds, while one is killed each second,
 * one is stopped for a minute, Postgres is restarted, or their clocks are 90 s apart. Sites note each request, and a
 * target of alerts each message. Prints what was promised and seen, and exits with 1 if a promise is broken.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addAlert } from "../../server/alerts/alerts.ts";
import { readConfig } from "../../server/config.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { createDeps, type Deps } from "../../server/deps.ts";
import { domainOf } from "../../server/base/syntax/domain.ts";
import { openDatabase } from "../../test/harness/opened-database.ts";
import { startPostgres, runSql, type PostgresServer } from "../../test/harness/postgres.ts";
import { getAuthority } from "../../test/harness/site.ts";
import { startReceiver, type Receiver } from "../../test/harness/receiver.ts";
import { watchAddresses } from "../../test/harness/watching.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { judgeSeen, startObserver, type Observer } from "./observer.ts";
import { judgeMessages } from "./messages.ts";

const SERVERS = 3;
const HOSTS = 100;
const INTERVAL_S = 5;
const LEASE_S = 30;
const MAX_GAP_MS = (INTERVAL_S + LEASE_S + 1) * 1000;
const FAILING = 20;
const FAILS_AFTER_MS = 5_000;
const FAILS_FOR_MS = 20_000;
const MINUTE_MS = 60_000;
const QUICK_START_MS = 1500;
/** How long the servers may take to tell the last of the incidents. */
const TELLING_MS = 45_000;

/** One way of breaking the servers; `awayMs` is for how long the database was away. */
interface Trial {
  name: string;
  aheadSeconds?: number;
  break(fleet: Fleet, postgres: PostgresServer): Promise<{ awayMs: number }>;
}

const TRIALS: readonly Trial[] = [
  {
    name: "one of three servers killed with -9 each second for a minute",
    async break(fleet) {
      // Where a server takes longer to start than it would live, none would ever look.
      const least = fleet.startMs < QUICK_START_MS ? 1 : 2;
      const seconds = (fleet.startMs / 1000).toFixed(1);
      console.log(`  three servers started in ${seconds} s; one is killed if ${least} listen`);
      const endsAt = performance.now() + MINUTE_MS;
      while (performance.now() < endsAt) {
        fleet.killOldest(least);
        await sleep(1000);
      }
      return { awayMs: 0 };
    },
  },
  {
    name: "one of three servers stopped for a minute and continued",
    async break(fleet) {
      await fleet.stopOne(MINUTE_MS);
      await sleep(10_000);
      return { awayMs: 0 };
    },
  },
  {
    name: "Postgres killed and started again in the middle of a minute",
    async break(_, postgres) {
      await sleep(MINUTE_MS / 4);
      const began = performance.now();
      await postgres.kill();
      await postgres.start();
      const awayMs = performance.now() - began;
      await sleep((MINUTE_MS * 3) / 4);
      return { awayMs };
    },
  },
  {
    name: "the clocks of two servers 90 s apart for a minute",
    aheadSeconds: 90,
    async break() {
      await sleep(MINUTE_MS);
      return { awayMs: 0 };
    },
  },
];

interface Stage {
  env: Record<string, string>;
  deps: Deps;
  postgres: PostgresServer;
  observer: Observer;
  receiver: Receiver;
}

let broken = 0;

function report(promise: string, seen: string, isKept: boolean, examples: readonly string[] = []) {
  if (!isKept) broken++;
  console.log(`  ${isKept ? "kept  " : "BROKEN"}  ${promise}: ${seen}`);
  for (const example of examples.slice(0, 5)) console.log(`            ${example}`);
}

/** Lets some URLs fail for a while, so that incidents open and close. */
async function failSome({ failing, urls }: Observer): Promise<void> {
  const chosen = urls.filter((_, index) => index % (urls.length / FAILING) === 0);
  await sleep(FAILS_AFTER_MS);
  for (const url of chosen) failing.add(url);
  await sleep(FAILS_FOR_MS);
  failing.clear();
}

async function tryOut(trial: Trial, { env, deps, postgres, observer, receiver }: Stage) {
  console.log(`\n${trial.name}`);
  const fleet = await startFleet(SERVERS, env, trial.aheadSeconds);
  // Whatever the trial before left claimed is free again after a lease.
  await sleep(LEASE_S * 1000);
  observer.seen.length = 0;
  const from = performance.now();
  const [{ awayMs }] = await Promise.all([trial.break(fleet, postgres), failSome(observer)]);
  const to = performance.now();
  const maxGapMs = MAX_GAP_MS + awayMs;
  const { requests, peers, doubles, lost, longestGapMs } = judgeSeen(observer, {
    from,
    to,
    maxGapMs,
    killed: fleet.killed,
    continued: fleet.continued,
    isPeer: (by, url) =>
      [...fleet.readLog(by).matchAll(/"asked":(\[[^\]]*\])/g)].some(([, asked]) =>
        (asked ?? "").includes(`"${domainOf(url)}"`),
      ),
  });
  if (fleet.killed.size > 0) {
    const lives = fleet.livesMs.toSorted((a, b) => a - b);
    const median = ((lives[lives.length >> 1] ?? 0) / 1000).toFixed(1);
    console.log(
      `  servers killed: ${fleet.killed.size}, which had been listening for ${median} s (median)`,
    );
  }
  const load = loadavg()[0]?.toFixed(1);
  console.log(`  requests: ${requests} in ${Math.round((to - from) / 1000)} s; load ${load}`);
  if (fleet.continued.size > 0)
    console.log(`  of these, whether anything answers the server that went on: ${peers}`);
  report(
    "no URL is asked under two live leases",
    `${doubles.length}`,
    doubles.length === 0,
    doubles,
  );
  report("no URL is lost", `${lost.length}`, lost.length === 0, lost);
  const gap = `${(longestGapMs / 1000).toFixed(1)} s of ${(maxGapMs / 1000).toFixed(1)}`;
  report("the longest gap is bounded", gap, longestGapMs <= maxGapMs);
  const messages = await judgeMessages(deps.database.sql, receiver, TELLING_MS);
  const incidents = `${messages.incidents} opened, ${messages.unsent.length} untold`;
  report(
    "each incident is told",
    incidents,
    messages.incidents > 0 && messages.unsent.length === 0,
    messages.unsent,
  );
  const sendings = `${messages.sendings} sendings of ${messages.messages} messages, ${messages.differing.length} differ`;
  report(
    "a message's id stands for one text",
    sendings,
    messages.differing.length === 0,
    messages.differing,
  );
  report(
    "each is one message",
    `${messages.doubled.length} doubled`,
    messages.doubled.length === 0,
    messages.doubled,
  );
  await fleet.close();
}

async function setStage(folder: string): Promise<Stage> {
  const authority = join(folder, "authority.pem");
  await writeFile(authority, (await getAuthority()).certificate);
  const postgres = await startPostgres();
  await runSql(postgres.url, "create database kill_run");
  const url = new URL(postgres.url);
  url.pathname = "/kill_run";
  const env = {
    DATABASE_URL: url.href,
    SHIPSCORE_DATA_DIR: folder,
    SHIPSCORE_SECRET_KEY: randomBytes(32).toString("base64"),
    SHIPSCORE_CYCLE_SECONDS: String(INTERVAL_S),
    SHIPSCORE_VERIFY_SECONDS: "0",
    SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8,::1/128",
    SHIPSCORE_ALERT_NETWORKS: "127.0.0.0/8,::1/128",
    NODE_EXTRA_CA_CERTS: authority,
  };
  const observer = await startObserver(HOSTS);
  const receiver = await startReceiver();
  const opened = await openDatabase(env);
  const projects = await watchAddresses(opened, observer.urls);
  await opened.close();
  const { NODE_EXTRA_CA_CERTS: _, ...settings } = env;
  const deps = createDeps({
    config: readConfig(settings),
    address: { url: url.href },
    writeLog: () => {},
    draining: new AbortController().signal,
    stopping: new AbortController().signal,
  });
  for (const [index, id] of projects.entries())
    await addAlert(deps, OPERATOR, id, {
      kind: "webhook",
      target: receiver.at(String(index)),
      on: ["incident"],
      language: "en",
    });
  return { env, deps, postgres, observer, receiver };
}

const folder = await mkdtemp(join(tmpdir(), "shipscore-kill-"));
const stage = await setStage(folder);
console.log(
  `${SERVERS} servers, ${stage.observer.urls.length} URLs of ${HOSTS} hosts, a look each ${INTERVAL_S} s`,
);
const only = process.argv[2];
for (const trial of TRIALS)
  if (only === undefined || trial.name.includes(only)) await tryOut(trial, stage);
await stage.deps.database.close();
await Promise.all([stage.observer.close(), stage.receiver.close()]);
await stage.postgres.stop();
await rm(folder, { recursive: true });
console.log(broken === 0 ? "\nAll promises are kept." : `\n${broken} promises are broken.`);
process.exit(broken === 0 ? 0 : 1);
