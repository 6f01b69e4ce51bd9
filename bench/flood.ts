/*
 * `npm run bench:flood`: how long a quiet account's checks of a fast host take, alone and beside another account's flood
 * of 600 checks of a host that is silent, in turn; their p99 beside it at most 1.5 times that alone is the goal.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { constants, loadavg, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "undici";
import { insertChecker } from "../test/harness/crowd.ts";
import { openDatabase } from "../test/harness/opened-database.ts";
import { startPostgres } from "../test/harness/postgres.ts";
import { startProgram, type ServingProcess } from "./process.ts";
import { quantile } from "./quantile.ts";

const ROUNDS = 4;
const CHECKS_A_ROUND = 60;
const CHECK_EVERY_MS = 100;
const GOAL = 1.5;
const FLOODED_PATH = "/flooded";

const FLOODERS = fileURLToPath(new URL("./flooders.ts", import.meta.url));

interface Stage {
  server: string;
  site: string;
  quietToken: string;
  flooders: ChildProcess;
}

async function check({ server, site, quietToken }: Stage, client: Client): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await client.request({
    path: "/api/v1/check",
    method: "POST",
    headers: { authorization: `Bearer ${quietToken}`, "content-type": "application/json" },
    body: JSON.stringify({ url: `${site}/` }),
  });
  const answer = await body.text();
  if (statusCode !== 200) throw new Error(`${server} answered with ${statusCode}: ${answer}`);
  return performance.now() - startedAt;
}

/** Runs checks one after the other, for about as long as a flood takes to be answered; returns the milliseconds of each. */
async function measure(stage: Stage): Promise<number[]> {
  const client = new Client(stage.server);
  const latenciesMs: number[] = [];
  for (let index = 0; index < CHECKS_A_ROUND; index++) {
    latenciesMs.push(await check(stage, client));
    await sleep(CHECK_EVERY_MS);
  }
  await client.close();
  return latenciesMs;
}

async function measureBeside(stage: Stage): Promise<number[]> {
  const answered = once(stage.flooders, "message");
  stage.flooders.send("flood");
  const latenciesMs = await measure(stage);
  const [statuses] = (await answered) as [string];
  console.log(`  the flood's answers: ${statuses}`);
  return latenciesMs;
}

async function compare(title: string, stage: Stage): Promise<void> {
  console.log(`\n${title}`);
  await measure(stage);
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(...(await measure(stage)));
    beside.push(...(await measureBeside(stage)));
  }
  for (const share of [0.5, 0.9, 0.99]) {
    const [one, other] = [quantile(alone, share), quantile(beside, share)];
    const ratio = `×${(other / one).toFixed(2)}`;
    console.log(
      `p${share * 100}: ${one.toFixed(0)} ms alone, ${other.toFixed(0)} ms beside it, ${ratio}`,
    );
  }
  const ratio = quantile(beside, 0.99) / quantile(alone, 0.99);
  console.log(`p99 at most ×${GOAL}: ${ratio <= GOAL ? "met" : "NOT MET"}`);
}

async function run(title: string, site: ServingProcess, folder: string, databaseUrl?: string) {
  const dataDir = join(folder, title);
  await mkdir(dataDir, { mode: 0o700 });
  const env = {
    SHIPSCORE_DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const database = await openDatabase(env);
  const quietToken = await insertChecker(database.sql, "quiet@example.com");
  const floodToken = await insertChecker(database.sql, "flood@example.com");
  await database.close();
  const serverArgs = [join(folder, "authority.pem"), FLOODED_PATH];
  const server = await startProgram("counting-server.ts", serverArgs, dataDir, env);
  const floodersArgs = [server.url, floodToken, FLOODED_PATH];
  const flooders = fork(FLOODERS, floodersArgs, { execArgv: ["--import", "tsx"] });
  // A real flood comes from other machines. So does the site, which this flood must not slow down.
  setPriority(flooders.pid ?? 0, constants.priority.PRIORITY_LOW);
  try {
    await compare(title, { server: server.url, site: site.url, quietToken, flooders });
  } finally {
    flooders.kill();
    await server.stop();
  }
}

console.log(`Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}.`);
const folder = await mkdtemp(join(tmpdir(), "shipscore-bench-"));
const site = await startProgram("site.ts", [join(folder, "authority.pem")], folder);
const postgres = await startPostgres();
try {
  await run("PGlite", site, folder);
  await run("Postgres", site, folder, postgres.url);
} finally {
  await Promise.all([site.stop(), postgres.stop()]);
  await rm(folder, { recursive: true });
}
console.log(`load at the end ${loadavg()[0]?.toFixed(1)}`);
