/*
 * `npm run bench:flood`: how long a quiet account's checks of a fast host take, alone and beside another account's flood
 * of 600 checks of a host that is silent, in turn; their p99 beside it at most 1.5 times that alone is the goal.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { constants, loadavg, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { insertChecker } from "../../test/harness/crowd.ts";
import { openDatabase } from "../../test/harness/opened-database.ts";
import { startPostgres } from "../../test/harness/postgres.ts";
import { startProgram, type ServingProcess } from "./process.ts";
import { checkQuietly, compareQuietly, type Quiet } from "./quiet.ts";

const GOAL = 1.5;
const FLOODED_PATH = "/flooded";

const FLOODERS = fileURLToPath(new URL("./flooders.ts", import.meta.url));

interface Stage extends Quiet {
  flooders: ChildProcess;
}

async function checkBeside(stage: Stage): Promise<number[]> {
  const answered = once(stage.flooders, "message");
  stage.flooders.send("flood");
  const latenciesMs = await checkQuietly(stage);
  const [statuses] = (await answered) as [string];
  console.log(`  the flood's answers: ${statuses}`);
  return latenciesMs;
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
    const stage = { server: server.url, site: site.url, quietToken, flooders };
    await compareQuietly(title, stage, { goal: GOAL, checkBeside: () => checkBeside(stage) });
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
