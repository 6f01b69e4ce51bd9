/*
 * `npm run bench:sign-in`: whether the time of a failed sign-in tells if an e-mail address has an account, and what 50
 * sign-ins at once cost the API's reads. Each visitor has an address of their own, so that no bound is met.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hash } from "@node-rs/argon2";
import { Client, Pool } from "undici";
import { insertReader } from "../../test/harness/crowd.ts";
import { openDatabase } from "../../test/harness/opened-database.ts";
import { startPostgres } from "../../test/harness/postgres.ts";
import { startProcess } from "./process.ts";
import { quantile } from "./quantile.ts";

const SERVER = fileURLToPath(new URL("../../bin/shipscore-server.js", import.meta.url));
const TRIES = 200;
const AT_ONCE = 50;
/** Of each, so that none is tried more often than may fail within an hour. */
const TRIED = TRIES / 10;
const ROUNDS = 4;
const SLICE_MS = 4000;
const READ_EVERY_MS = 5;
const MEANS_GOAL = 1.05;
const READS_GOAL = 2;
const PASSWORD = "a sentence for the bench";

let visitors = 0;

/** The status of a sign-in by somebody at an address of their own. */
async function signIn(pool: Pool, email: string, password: string): Promise<number> {
  const number = ++visitors;
  const { statusCode, body } = await pool.request({
    method: "POST",
    path: "/sign-in",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
    },
    body: new URLSearchParams({ email, password }).toString(),
  });
  await body.dump();
  return statusCode;
}

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

async function timeRefusal(pool: Pool, email: string): Promise<number> {
  const startedAt = performance.now();
  const status = await signIn(pool, email, "not the password");
  if (status !== 422) throw new Error(`A wrong password was answered with ${status}.`);
  return performance.now() - startedAt;
}

/**
 * Tries addresses with an account, without one, and again without one, in turn. What the last two differ by is the
 * noise of the machine: a difference of the first two that is no larger says nothing.
 */
async function compareMeans(pool: Pool): Promise<void> {
  const known: number[] = [];
  const unknown: number[] = [];
  const control: number[] = [];
  for (let tries = 0; tries < 10; tries++) await timeRefusal(pool, `warm-up-${tries}@example.com`);
  for (let tries = 0; tries < TRIES; tries++) {
    known.push(await timeRefusal(pool, `person${tries % TRIED}@example.com`));
    unknown.push(await timeRefusal(pool, `nobody${tries % TRIED}@example.com`));
    control.push(await timeRefusal(pool, `no-one${tries % TRIED}@example.com`));
  }
  const ratio = mean(known) / mean(unknown);
  const noise = mean(control) / mean(unknown);
  const isGood = Math.max(ratio, 1 / ratio) <= MEANS_GOAL;
  console.log(
    `means of ${TRIES} failed sign-ins: ${mean(known).toFixed(2)} ms with an account, ${mean(unknown).toFixed(2)} ms without, ×${ratio.toFixed(3)} (goal: within ×${MEANS_GOAL}): ${isGood ? "met" : "missed"}; without, again: ×${noise.toFixed(3)}`,
  );
}

/** The latencies of 200 reads a second, whether or not answers come back in time. */
async function readFor(server: string, token: string, forMs: number): Promise<number[]> {
  const client = new Client(server, { pipelining: 16 });
  const latenciesMs: number[] = [];
  const reads: Promise<void>[] = [];
  const read = async (): Promise<void> => {
    const startedAt = performance.now();
    const { statusCode, body } = await client.request({
      path: "/api/v1/projects",
      method: "GET",
      headers: { authorization: `Bearer ${token}` },
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`A read was answered with ${statusCode}.`);
    latenciesMs.push(performance.now() - startedAt);
  };
  for (const endsAt = performance.now() + forMs; performance.now() < endsAt;) {
    reads.push(read());
    await sleep(READ_EVERY_MS);
  }
  await Promise.all(reads);
  await client.close();
  return latenciesMs;
}

/** Signs in 50 people at a time, again and again, until stopped; returns how many were. */
async function keepSigningIn(pool: Pool, stop: AbortSignal): Promise<number> {
  let done = 0;
  const one = async (email: string) => {
    while (!stop.aborted) {
      const status = await signIn(pool, email, PASSWORD);
      if (status !== 303) throw new Error(`A right password was answered with ${status}.`);
      done++;
    }
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, (_, person) => one(`person${TRIED + person}@example.com`)),
  );
  return done;
}

async function compareReads(server: string, token: string, pool: Pool): Promise<void> {
  const quiet: number[] = [];
  const beside: number[] = [];
  let done = 0;
  await readFor(server, token, SLICE_MS / 2);
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(...(await readFor(server, token, SLICE_MS)));
    const stop = new AbortController();
    const signing = keepSigningIn(pool, stop.signal);
    beside.push(...(await readFor(server, token, SLICE_MS)));
    stop.abort();
    done += await signing;
  }
  const [quietMs, besideMs] = [quantile(quiet, 0.99), quantile(beside, 0.99)];
  const ratio = besideMs / quietMs;
  console.log(
    `p99 of reads: ${quietMs.toFixed(1)} ms, beside ${AT_ONCE} sign-ins at once (${(done / ROUNDS / (SLICE_MS / 1000)).toFixed(0)} a second) ${besideMs.toFixed(1)} ms, ×${ratio.toFixed(2)} (goal: ×${READS_GOAL} or less): ${ratio <= READS_GOAL ? "met" : "missed"}`,
  );
}

async function bench(title: string, databaseUrl?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "shipscore-bench-"));
  const env = {
    SHIPSCORE_DATA_DIR: folder,
    SHIPSCORE_CYCLE_SECONDS: "0",
    SHIPSCORE_TRUSTED_PROXIES: "127.0.0.1",
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const database = await openDatabase(env);
  const { token } = await insertReader(database.sql, "reader@example.com");
  const stored = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  await database.sql`
    insert into accounts (id, email, plan, password_hash)
    select 'acc_bench' || number, 'person' || number || '@example.com', 'free', ${stored}
    from generate_series(0, ${TRIED + AT_ONCE - 1}::int) number`;
  await database.close();
  const server = await startProcess(
    [SERVER, "start", "--port", "0"],
    env,
    join(folder, "server.log"),
  );
  const pool = new Pool(server.url, { connections: AT_ONCE });
  try {
    console.log(`\n${title}`);
    await compareMeans(pool);
    await compareReads(server.url, token, pool);
  } finally {
    await pool.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

await bench("embedded database");
const postgres = await startPostgres();
try {
  await bench("Postgres", postgres.url);
} finally {
  await postgres.stop();
}
