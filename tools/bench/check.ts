/*
 * `npm run bench:check [-- --checks N]` measures a check of a good page (12 assets, 8 links, 100 KB). The results are ratios to a bare
 * undici client that makes the same requests. It also measures memory growth over N checks, and how much 32 checks slow down the reads.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { printResult, median, row, say, startProgram } from "./harness.ts";
import { measureReads } from "./reads.ts";
import { startVisitor, type Visitor } from "./visiting.ts";
import type { Visits } from "./visitor.ts";

const ROUNDS = 9;
const COLD_ROUNDS = 3;
const DELAY_MS = 20;
const { values } = parseArgs({
  options: { checks: { type: "string", default: "2000" } },
});

type Measure = (visits: Visits) => number;
const wallOf: Measure = ({ wallMs }) => median(wallMs);
const cpuOf: Measure = ({ cpuMs, wallMs }) => cpuMs / wallMs.length;
const rateOf: Measure = ({ elapsedMs, wallMs }) => (wallMs.length / elapsedMs) * 1000;
const memoryOf: Measure = ({ rssMb }) => rssMb;

interface Pair {
  own: Visits;
  bare: Visits;
}

interface Rivals {
  own: Visitor;
  bare: Visitor;
}

/** Alternates between both visitors, so that other load on the machine affects both. */
async function compare(rivals: Rivals, rounds: number, count: number, atOnce = 1): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    const bare = await rivals.bare.visit(count, atOnce);
    pairs.push({ bare, own: await rivals.own.visit(count, atOnce) });
  }
  return pairs;
}

const ratioOf = (pairs: readonly Pair[], measure: Measure) =>
  median(pairs.map(({ own, bare }) => measure(own) / measure(bare)));
const ownOf = (pairs: readonly Pair[], measure: Measure) =>
  median(pairs.map(({ own }) => measure(own)));
const bareOf = (pairs: readonly Pair[], measure: Measure) =>
  median(pairs.map(({ bare }) => measure(bare)));

function printCost(name: string, pairs: readonly Pair[]): void {
  const cell = (measure: Measure, digits: number) =>
    `${ownOf(pairs, measure).toFixed(digits)} ×${ratioOf(pairs, measure).toFixed(2)}`;
  row(name, [cell(wallOf, 1), cell(cpuOf, 1), cell(memoryOf, 0)]);
}

function printRate(name: string, pairs: readonly Pair[]): void {
  const [own, bare] = [ownOf(pairs, rateOf).toFixed(1), bareOf(pairs, rateOf).toFixed(1)];
  row(name, [own, bare, `×${ratioOf(pairs, rateOf).toFixed(2)}`]);
}

const folder = await mkdtemp(join(tmpdir(), "shipscore-bench-"));
const authorityFile = join(folder, "authority.pem");
const site = await startProgram("site.ts", [authorityFile], folder);
const relayArgs = [new URL(site.url).port, String(DELAY_MS)];
const relay = await startProgram("relay.ts", relayArgs, folder);

async function startRivals(url: string): Promise<Rivals> {
  const [own, bare] = await Promise.all(
    ["own", "bare"].map((kind) => startVisitor(kind, url, authorityFile)),
  );
  if (!own || !bare) throw new Error("a rival did not start");
  return { own, bare };
}

const stopRivals = ({ own, bare }: Rivals) => Promise.all([own.stop(), bare.stop()]);

async function measureCold(): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < COLD_ROUNDS; round++) {
    const rivals = await startRivals(`${site.url}/`);
    pairs.push(...(await compare(rivals, 1, 1)));
    await stopRivals(rivals);
  }
  return pairs;
}

async function measureRates(rivals: Rivals, name: string): Promise<Pair[]> {
  let pairs: Pair[] = [];
  for (const atOnce of [1, 8, 32]) {
    pairs = await compare(rivals, ROUNDS, Math.max(atOnce, 4), atOnce);
    printRate(`${atOnce} at once, ${name}`, pairs);
  }
  return pairs;
}

async function measureMemory(own: Visitor, checks: number): Promise<void> {
  const tenths: number[] = [];
  for (let tenth = 0; tenth < 10; tenth++)
    tenths.push((await own.visit(Math.ceil(checks / 10), 32)).rssMb);
  say(`\nMB after each tenth of ${checks} checks, 32 at once:`);
  say(`  ${tenths.map((mb) => mb.toFixed(0)).join(" ")}`);
  const growth = (tenths.at(-1) ?? Number.NaN) / (tenths[4] ?? Number.NaN);
  printResult("memory flat (last to fifth ×1.05)", growth <= 1.05, `×${growth.toFixed(2)}`);
}

async function run(): Promise<void> {
  say(
    `Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}. ×: ratio to a bare undici client`,
  );
  say("that makes the same 28 requests over new connections, in turn, same run.\n");
  row("one check", ["ms", "CPU ms", "MB"]);
  printCost("cold", await measureCold());
  const near = await startRivals(`${site.url}/`);
  const far = await startRivals(`${relay.url}/`);
  await compare(near, 1, 60, 4);
  await compare(far, 1, 16, 4);
  const warm = await compare(near, ROUNDS, 10);
  printCost("warm", warm);
  const away = await compare(far, ROUNDS, 2);
  printCost(`warm, ${2 * DELAY_MS} ms away`, away);
  const [wall, wallAway] = [ratioOf(warm, wallOf), ratioOf(away, wallOf)];
  printResult("wall at most ×2.10", wall <= 2.1, `×${wall.toFixed(2)}`);
  printResult(`${2 * DELAY_MS} ms away at most ×1.10`, wallAway <= 1.1, `×${wallAway.toFixed(2)}`);
  printResult("CPU at most 40 ms", ownOf(warm, cpuOf) <= 40, `${ownOf(warm, cpuOf).toFixed(1)} ms`);

  say();
  row("checks a second", ["own", "bare", "ratio"]);
  const rate = ratioOf(await measureRates(near, "near"), rateOf);
  await measureRates(far, `${2 * DELAY_MS} ms away`);
  printResult("32 at once at least ×0.60", rate >= 0.6, `×${rate.toFixed(2)}`);
  await measureMemory(near.own, Number(values.checks));
  await Promise.all([near, far].map(stopRivals));

  const reads = await measureReads(site, authorityFile, folder);
  say(`\np99 of GET /projects, 200 a second, embedded database:`);
  say(
    `  ${reads.quietMs.toFixed(1)} ms; ${reads.besideMs.toFixed(1)} ms beside ${reads.checksPerSecond.toFixed(0)} checks a second, 32 at once`,
  );
  const ratio = reads.besideMs / reads.quietMs;
  printResult("at most ×2.00", ratio <= 2, `×${ratio.toFixed(2)}`);
  say(`load at the end ${loadavg()[0]?.toFixed(1)}`);
}

try {
  await run();
} finally {
  await Promise.all([site.stop(), relay.stop()]);
  await rm(folder, { recursive: true });
}
