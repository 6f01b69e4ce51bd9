/*
 * `npm run bench -- api` measures the API on both databases, as ratios to a bare route in the same run. It compares a call over /mcp with
 * the same read. It also measures whether the speed lasts over N requests.
 */
import { parseArgs } from "node:util";
import { startPostgres } from "../../test/harness/postgres.ts";
import { printResult, median, row, say } from "./harness.ts";
import { measure, soak, type Sample, type Target } from "./load.ts";
import { startStage, type Stage } from "./stage.ts";

const ROUNDS = 9;
const SLICE_SECONDS = 0.5;
const WARM_UP_SECONDS = 2;
const READ_GOAL = 0.4;
const CALL_GOAL = 0.5;
const SOAK_GOAL = 0.9;
const COLUMNS = [
  ["requestsPerSecond", 0],
  ["p50Ms", 1],
  ["p99Ms", 1],
] as const;

const { values } = parseArgs({ options: { soak: { type: "string", default: "300000" } } });

/** Alternates between the two targets, so that other load on the machine affects both. Returns the median ratio of requests per second. */
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
  row(target.name, cells);
  return ratioOf("requestsPerSecond");
}

async function bench(title: string, stage: Stage): Promise<void> {
  const { floor, reads, refusals, calls } = stage;
  row(`\n${title}`, ["requests/s", "p50 ms", "p99 ms"]);
  for (const target of [floor, ...reads, ...refusals, ...calls])
    await measure(target, WARM_UP_SECONDS);
  await compare(floor, floor);
  const ratios: number[] = [];
  for (const read of reads) ratios.push(await compare(floor, read));
  for (const refusal of refusals) await compare(floor, refusal);
  const slowest = Math.min(...ratios);
  printResult(
    `slowest read at least ×${READ_GOAL}`,
    slowest >= READ_GOAL,
    `×${slowest.toFixed(2)}`,
  );

  row("beside the first read", ["requests/s", "p50 ms", "p99 ms"]);
  const [first] = reads;
  const callRatios: number[] = [];
  for (const call of calls) callRatios.push(await compare(first, call));
  const slowestCall = Math.min(...callRatios);
  printResult(
    `slowest call at least ×${CALL_GOAL}`,
    slowestCall >= CALL_GOAL,
    `×${slowestCall.toFixed(2)}`,
  );

  const tenths = await soak(reads, Number(values.soak));
  const change = (tenths.at(-1) ?? Number.NaN) / (tenths[0] ?? Number.NaN);
  say(`requests/s of each tenth of ${values.soak} reads: ${tenths.map(Math.round).join(" ")}`);
  printResult(
    `last tenth to first at least ×${SOAK_GOAL}`,
    change >= SOAK_GOAL,
    `×${change.toFixed(2)}`,
  );
}

say(
  `Node ${process.version}, log level info. ×: ratio to a bare Fastify route with one query, in turn.`,
);
const embedded = await startStage(undefined);
await bench("PGlite", embedded).finally(() => embedded.close());
const postgres = await startPostgres();
try {
  const real = await startStage(postgres.url);
  await bench("Postgres", real).finally(() => real.close());
} finally {
  await postgres.stop();
}
