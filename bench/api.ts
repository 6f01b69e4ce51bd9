/* `npm run bench:api [-- --soak N]`: the API's speed on both databases, as ratios to a bare route measured in the same run. */
import { parseArgs } from "node:util";
import { startPostgres } from "../test/harness/postgres.ts";
import { measure, soak, type Sample, type Target } from "./load.ts";
import { setStage, type Stage } from "./stage.ts";

const ROUNDS = 5;
const SLICE_SECONDS = 1;
const WARM_UP_SECONDS = 1;
const READS_GOAL = 0.7;
const SOAK_GOAL = 0.9;

const { values } = parseArgs({ options: { soak: { type: "string", default: "300000" } } });

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** Each target for a second, the bare route first, and again: a noisy moment of the machine falls on all alike. */
async function measureInTurn(targets: readonly Target[]): Promise<Map<Target, Sample[]>> {
  for (const target of targets) await measure(target, WARM_UP_SECONDS);
  const samples = new Map<Target, Sample[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of targets) samples.get(target)?.push(await measure(target, SLICE_SECONDS));
  }
  return samples;
}

function printRatios(floor: Target, samples: Map<Target, Sample[]>): void {
  const floors = samples.get(floor) ?? [];
  const row = (...cells: string[]) =>
    console.log(
      cells.map((cell, index) => (index === 0 ? cell.padEnd(22) : cell.padStart(16))).join(""),
    );
  row("", "requests/s", "p50 ms", "p99 ms");
  for (const [target, own] of samples) {
    const cells = (["requestsPerSecond", "p50Ms", "p99Ms"] as const).map((key) => {
      const ratio = median(
        own.map((sample, round) => sample[key] / (floors[round]?.[key] ?? Number.NaN)),
      );
      return `${median(own.map((sample) => sample[key])).toFixed(key === "requestsPerSecond" ? 0 : 1)}  ×${ratio.toFixed(2)}`;
    });
    row(target.name, ...cells);
  }
  const slowest = Math.min(
    ...[...samples]
      .filter(([target]) => target.status === 200)
      .map(([, own]) =>
        median(
          own.map(
            (sample, round) =>
              sample.requestsPerSecond / (floors[round]?.requestsPerSecond ?? Number.NaN),
          ),
        ),
      ),
  );
  console.log(`slowest read ×${slowest.toFixed(2)} of the bare route (goal ×${READS_GOAL})`);
}

async function benchStage(title: string, stage: Stage): Promise<void> {
  console.log(`\n${title}`);
  printRatios(stage.floor, await measureInTurn([stage.floor, ...stage.reads, ...stage.refusals]));
  const amount = Number(values.soak);
  if (amount === 0) return;
  const tenths = await soak(stage.reads, amount);
  const ratio = (tenths.at(-1) ?? 0) / (tenths[0] ?? 1);
  console.log(
    `soak of ${amount} reads, requests/s by tenth: ${tenths.map((rate) => rate.toFixed(0)).join(" ")}`,
  );
  console.log(`last tenth ×${ratio.toFixed(2)} of the first (goal ×${SOAK_GOAL})`);
}

const embedded = await setStage(undefined);
await benchStage("PGlite (embedded)", embedded).finally(() => embedded.close());
const postgres = await startPostgres();
const real = await setStage(postgres.url);
await benchStage("Postgres", real).finally(() => real.close());
await postgres.stop();
