/*
 * `npm run bench:scan`: how long a quiet account's checks take, alone and beside a flood of public scans that keeps the
 * queue full, in turn; their p99 beside it at most 1.2 times that alone is the goal. And how fast the flood is refused.
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

const GOAL = 1.2;
const FLOODERS = fileURLToPath(new URL("./scan-flooders.ts", import.meta.url));

interface Sites {
  quiet: ServingProcess;
  /** The same whatever its host is called. */
  scanned: ServingProcess;
}

async function checkBeside(quiet: Quiet, flooders: ChildProcess): Promise<number[]> {
  flooders.send("flood");
  const latenciesMs = await checkQuietly(quiet);
  const answered = once(flooders, "message");
  flooders.send("stop");
  const [answers] = (await answered) as [string];
  console.log(answers);
  return latenciesMs;
}

async function run(title: string, sites: Sites, folder: string, databaseUrl?: string) {
  const dataDir = join(folder, title);
  await mkdir(dataDir, { mode: 0o700 });
  const env = {
    SHIPSCORE_DATA_DIR: dataDir,
    SHIPSCORE_TRUSTED_PROXIES: "127.0.0.0/8",
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const database = await openDatabase(env);
  const quietToken = await insertChecker(database.sql, "quiet@example.com");
  await database.close();
  const serverArgs = [join(folder, "authority.pem"), "none"];
  const server = await startProgram("counting-server.ts", serverArgs, dataDir, env);
  const floodersArgs = [server.url, new URL(sites.scanned.url).port];
  const flooders = fork(FLOODERS, floodersArgs, { execArgv: ["--import", "tsx"] });
  // A real flood comes from other machines, and so do the sites that it has scanned.
  for (const pid of [flooders.pid, sites.scanned.pid])
    setPriority(pid ?? 0, constants.priority.PRIORITY_LOW);
  const quiet = { server: server.url, site: sites.quiet.url, quietToken };
  try {
    await compareQuietly(title, quiet, {
      goal: GOAL,
      checkBeside: () => checkBeside(quiet, flooders),
    });
  } finally {
    flooders.kill();
    await server.stop();
  }
}

console.log(`Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}.`);
const folder = await mkdtemp(join(tmpdir(), "shipscore-bench-"));
const sites = {
  quiet: await startProgram("site.ts", [join(folder, "authority.pem")], folder),
  scanned: await startProgram("site.ts", [join(folder, "other.pem"), "0.0.0.0"], folder),
};
const postgres = await startPostgres();
try {
  await run("PGlite", sites, folder);
  await run("Postgres", sites, folder, postgres.url);
} finally {
  await Promise.all([sites.quiet.stop(), sites.scanned.stop(), postgres.stop()]);
  await rm(folder, { recursive: true });
}
console.log(`load at the end ${loadavg()[0]?.toFixed(1)}`);
