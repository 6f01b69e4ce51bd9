/*
 * `npm run bench:api [-- --soak N]`: the API's speed on both databases, as ratios to a bare route measured in the same
 * run, what a call over /mcp costs beside the same read, whether 200 of them a second for a minute take memory, and what
 * 32 checks of a slow site cost the reads.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../../test/harness/postgres.ts";
import { keepUp, measure, soak, type Sample, type Target } from "./load.ts";
import { startProgram } from "./process.ts";
import { measureReads } from "./reads.ts";
import { setStage, type Stage } from "./stage.ts";

const ROUNDS = 9;
const SLICE_SECONDS = 0.5;
const WARM_UP_SECONDS = 2;
const READ_GOAL = 0.7;
const CALL_GOAL = 0.5;
const SOAK_GOAL = 0.9;
const BESIDE_GOAL = 2;
const CALLS_PER_SECOND = 200;
const CALLS_SECONDS = 60;
const MEMORY_GOAL = 1.1;
/** Delay in each direction; a check of the page behind it takes about five round trips. */
const SLOW_SITE_DELAY_MS = 200;
const COLUMNS = [
  ["requestsPerSecond", 0],
  ["p50Ms", 1],
  ["p99Ms", 1],
] as const;

const { values } = parseArgs({ options: { soak: { type: "string", default: "300000" } } });

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function print(name: string, cells: readonly string[]): void {
  console.log(name.padEnd(22) + cells.map((cell) => cell.padStart(17)).join(""));
}

/**
 * Measures the bare route and the target in turn, half a second each, so that a disturbance of the machine affects
 * both. Prints medians, each with the median of its ratios to the bare route, and returns that ratio for requests per
 * second.
 */
async function compare(floor: Target, target: Target): Promise<number> {
  const pairs: { bare: Sample; own: Sample }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await measure(floor, SLICE_SECONDS);
    pairs.push({ bare, own: await measure(target, SLICE_SECONDS) });
  }
  const ratioOf = (column: keyof Sample) =>
    median(pairs.map(({ bare, own }) => own[column] / bare[column]));
  const cells = COLUMNS.map(([column, digits]) => {
    const value = median(pairs.map(({ own }) => own[column]));
    return `${value.toFixed(digits)} ×${ratioOf(column).toFixed(2)}`;
  });
  print(target.name, cells);
  return ratioOf("requestsPerSecond");
}

/** Resident memory in MB (Linux, proc(5)). */
async function readMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024;
}

async function soakCalls(pid: number, call: Target): Promise<void> {
  await keepUp(call, CALLS_PER_SECOND, CALLS_SECONDS / 6);
  const before = await readMemory(pid);
  await keepUp(call, CALLS_PER_SECOND, CALLS_SECONDS);
  const after = await readMemory(pid);
  console.log(
    `${call.name}, ${CALLS_PER_SECOND} a second for ${CALLS_SECONDS} s: ${before.toFixed(0)} MB, then ${after.toFixed(0)} MB, ×${(after / before).toFixed(2)} (goal: ×${MEMORY_GOAL} or less)`,
  );
}

async function bench(title: string, stage: Stage): Promise<void> {
  const { floor, reads, refusals, calls } = stage;
  print(`\n${title}`, ["requests/s", "p50 ms", "p99 ms"]);
  for (const target of [floor, ...reads, ...refusals, ...calls])
    await measure(target, WARM_UP_SECONDS);
  await compare(floor, floor);
  const ratios: number[] = [];
  for (const read of reads) ratios.push(await compare(floor, read));
  for (const refusal of refusals) await compare(floor, refusal);
  console.log(`slowest read: ×${Math.min(...ratios).toFixed(2)} (goal: ×${READ_GOAL} or better)`);

  print("beside the first read", ["requests/s", "p50 ms", "p99 ms"]);
  const [first] = reads;
  const callRatios: number[] = [];
  for (const call of calls) callRatios.push(await compare(first, call));
  console.log(
    `slowest call: ×${Math.min(...callRatios).toFixed(2)} (goal: ×${CALL_GOAL} or better)`,
  );

  for (const call of calls) await soakCalls(stage.pid, call);

  const tenths = await soak(reads, Number(values.soak));
  const change = (tenths.at(-1) ?? Number.NaN) / (tenths[0] ?? Number.NaN);
  console.log(
    `requests/s of each tenth of ${values.soak} reads: ${tenths.map(Math.round).join(" ")}`,
  );
  console.log(`last tenth to first: ×${change.toFixed(2)} (goal: ×${SOAK_GOAL} or better)`);
}

/** Measures reads next to checks that mostly wait for a site. */
async function benchBesideChecks(databaseUrl?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "shipscore-bench-"));
  const authorityFile = join(folder, "authority.pem");
  const site = await startProgram("site.ts", [authorityFile], folder);
  const relayArgs = [new URL(site.url).port, String(SLOW_SITE_DELAY_MS)];
  const relay = await startProgram("relay.ts", relayArgs, folder);
  try {
    const slow = { url: `${relay.url}/`, authorityFile, processes: [site, relay] };
    const { quietMs, besideMs, checksPerSecond } = await measureReads(slow, folder, databaseUrl);
    console.log(
      `p99 of GET /projects, 200 a second: ${quietMs.toFixed(1)} ms; beside 32 checks of a slow site, ${checksPerSecond.toFixed(0)} a second: ${besideMs.toFixed(1)} ms`,
    );
    const ratio = (besideMs / quietMs).toFixed(2);
    console.log(`beside to alone: ×${ratio} (goal: ×${BESIDE_GOAL} or less)`);
  } finally {
    await Promise.all([site.stop(), relay.stop()]);
    await rm(folder, { recursive: true });
  }
}

console.log(
  `Node ${process.version}, log level info. ×: ratio to a bare Fastify route with one query, in turn.`,
);
const embedded = await setStage(undefined);
await bench("PGlite", embedded).finally(() => embedded.close());
await benchBesideChecks();
const postgres = await startPostgres();
try {
  const real = await setStage(postgres.url);
  await bench("Postgres", real).finally(() => real.close());
  await benchBesideChecks(postgres.url);
} finally {
  await postgres.stop();
}
