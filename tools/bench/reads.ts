import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "undici";
import { insertChecker, insertReader } from "../../test/harness/crowd.ts";
import { openDatabase } from "../../test/harness/opened-database.ts";
import { quantile, SERVER, startProcess, type ServingProcess } from "./harness.ts";

const CHECKERS = fileURLToPath(new URL("./checkers.ts", import.meta.url));
const AT_ONCE = 32;
const ROUNDS = 4;
const SLICE_MS = 4000;
const READ_EVERY_MS = 5;

/** The 99th percentile of GET /projects in milliseconds, without checks and next to 32 of them. Also the checks per second. */
export interface ReadsBesideChecks {
  quietMs: number;
  besideMs: number;
  checksPerSecond: number;
}

/** The site and its checking clients represent other machines, so they get the lowest priority. */
export async function measureReads(
  site: ServingProcess,
  authorityFile: string,
  folder: string,
): Promise<ReadsBesideChecks> {
  const dataDir = await mkdtemp(join(folder, "server-"));
  const env = {
    SHIPSCORE_DATA_DIR: dataDir,
    SHIPSCORE_CYCLE_SECONDS: "0",
    SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8",
    NODE_EXTRA_CA_CERTS: authorityFile,
  };
  const database = await openDatabase(env);
  const reader = await insertReader(database.sql, "reader@example.com");
  const tokens = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) =>
      insertChecker(database.sql, `${index}@example.com`),
    ),
  );
  await database.close();
  const args = [SERVER, "start", "--port", "0"];
  const server = await startProcess(args, env, join(dataDir, "server.log"));
  const checkers = fork(CHECKERS, [server.url, `${site.url}/`], { execArgv: ["--import", "tsx"] });
  for (const { pid = 0 } of [site, checkers]) setPriority(pid, constants.priority.PRIORITY_LOW);
  try {
    return await alternate(server.url, reader.token, checkers, tokens);
  } finally {
    checkers.kill();
    await server.stop();
  }
}

async function alternate(
  server: string,
  token: string,
  checkers: ChildProcess,
  checkerTokens: readonly string[],
): Promise<ReadsBesideChecks> {
  const quiet: number[] = [];
  const beside: number[] = [];
  let checks = 0;
  await readFor(server, token, SLICE_MS / 2);
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(...(await readFor(server, token, SLICE_MS)));
    checkers.send([...checkerTokens]);
    await sleep(SLICE_MS / 2);
    beside.push(...(await readFor(server, token, SLICE_MS)));
    checkers.send("stop");
    const [reply] = (await once(checkers, "message")) as [{ checks?: number; error?: string }];
    if (reply.checks === undefined) throw new Error(reply.error);
    checks += reply.checks;
  }
  const seconds = (ROUNDS * SLICE_MS * 1.5) / 1000;
  return {
    quietMs: quantile(quiet, 0.99),
    besideMs: quantile(beside, 0.99),
    checksPerSecond: checks / seconds,
  };
}

async function readFor(server: string, token: string, forMs: number): Promise<number[]> {
  const client = new Client(server, { pipelining: 16 });
  const headers = { authorization: `Bearer ${token}` };
  const latenciesMs: number[] = [];
  const read = async (): Promise<void> => {
    const startedAt = performance.now();
    const { statusCode, body } = await client.request({
      path: "/api/v1/projects",
      method: "GET",
      headers,
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`a read was answered with ${statusCode}`);
    latenciesMs.push(performance.now() - startedAt);
  };
  const reads: Promise<void>[] = [];
  for (const until = performance.now() + forMs; performance.now() < until;) {
    reads.push(read());
    await sleep(READ_EVERY_MS);
  }
  await Promise.all(reads);
  await client.close();
  return latenciesMs;
}
