/* One server of `bench/cycle-claims.ts`, with a stub in place of the sites. Sends its counts when it gets a message. */
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../../server/config.ts";
import { createDeps } from "../../server/deps.ts";
import { NO_LOOK } from "../../server/engine/judge/look-outcome.ts";
import { startLooking } from "../../server/watching/look-loop.ts";
import { createLookout, type VisitUrl } from "../../server/watching/lookout.ts";

const SITE_MS = Number(process.env["BENCH_SITE_MS"]);
const config = readConfig(process.env);
const draining = new AbortController();
const deps = createDeps({
  config,
  address: { url: config.databaseUrl ?? "" },
  writeLog: (line) => void process.stderr.write(line),
  draining: draining.signal,
  stopping: new AbortController().signal,
});
const look = { ...NO_LOOK, isAnswered: true, isOwnFault: false, firstByteMs: 40 };
const visit: VisitUrl = async (_url, _verifies, { onAsking }) => {
  onAsking();
  await sleep(SITE_MS);
  return { look: { ...look, outcome: "good" }, check: null };
};
void startLooking(deps, { ...createLookout(deps), visit });

async function sum(counter: { get(): Promise<{ values: { value: number }[] }> }): Promise<number> {
  return (await counter.get()).values.reduce((total, { value }) => total + value, 0);
}

async function report(): Promise<void> {
  const { results, leasesLost } = deps.metrics;
  const cpu = process.cpuUsage();
  process.send?.({
    results: await sum(results),
    lost: await sum(leasesLost),
    cpuMs: (cpu.user + cpu.system) / 1000,
  });
}
process.on("message", () => void report());
