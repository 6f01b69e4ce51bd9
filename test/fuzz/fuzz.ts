import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import type { Slowest, Target } from "./target.ts";
import { TARGETS } from "./targets.ts";

/**
 * `npx tsx test/fuzz/fuzz.ts [--only NAME]… [--runs N] [--seed N]`: a million inputs for each target, two targets at a time,
 * each in a process of its own. Prints progress, the slowest input and shrunk counterexamples; exits 1 on one.
 */
const BATCH_RUNS = 20_000;
const LINE_EVERY_MS = 10_000;
const PROCESSES = 2;

const { values: words } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: TARGETS.map(({ name }) => name) },
    runs: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
  },
});

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describeProgress(
  { name }: Target,
  done: number,
  startedAt: number,
  slowest: Slowest,
): string {
  const perSecond = Math.round((done * 1000) / (performance.now() - startedAt));
  const [count, speed] = [done, perSecond].map((number) => number.toLocaleString("en"));
  return `${name.padEnd(16)} ${count} inputs, ${speed}/s, slowest ${slowest.ms.toFixed(1)} ms`;
}

/** Batches have seeds that follow each other, so that memory and a failure's replay stay small. */
async function attack(target: Target, runs: number, seed: number): Promise<boolean> {
  const slowest = { ms: 0, input: "" };
  const startedAt = performance.now();
  let printedAt = startedAt;
  for (let done = 0; done < runs; done += BATCH_RUNS) {
    const batch = Math.min(BATCH_RUNS, runs - done);
    const failure = await target.attack(batch, seed + done, slowest);
    if (failure !== null) {
      print(
        `${target.name} FAILED: npx tsx test/fuzz/fuzz.ts --only ${target.name} --runs ${batch} --seed ${seed + done}`,
      );
      print(failure);
      return false;
    }
    if (performance.now() - printedAt < LINE_EVERY_MS) continue;
    printedAt = performance.now();
    print(describeProgress(target, done + batch, startedAt, slowest));
  }
  print(`${describeProgress(target, runs, startedAt, slowest)}: done; ${slowest.input}`);
  return true;
}

async function attackApart(names: string[]): Promise<boolean> {
  let isSound = true;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const child: ChildProcess = fork(import.meta.filename, [
      "--only",
      name,
      "--runs",
      words.runs,
      "--seed",
      words.seed,
    ]);
    const [code] = await once(child, "exit");
    isSound &&= code === 0;
  }
  return isSound;
}

const chosen = TARGETS.filter(({ name }) => words.only.includes(name));
const unknown = words.only.filter((name) => !TARGETS.some((target) => target.name === name));
const [first, ...others] = chosen;
if (unknown.length > 0 || !first) {
  print(`no target ${unknown.join(", ")}: there are ${TARGETS.map(({ name }) => name).join(", ")}`);
  process.exitCode = 2;
} else if (others.length === 0) {
  const isSound = await attack(first, Number(words.runs), Number(words.seed));
  process.exitCode = isSound ? 0 : 1;
} else {
  print(`seed ${words.seed}, ${words.runs} inputs for each of ${chosen.length} targets`);
  const names = chosen.map(({ name }) => name);
  const outcomes = await Promise.all(Array.from({ length: PROCESSES }, () => attackApart(names)));
  process.exitCode = outcomes.every(Boolean) ? 0 : 1;
}
