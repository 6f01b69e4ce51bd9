/*
 * One server of `bench/cycle-claims.ts`: claims and stores, at sites that a stand-in answers for in this process. Sends its
 * counts when it is asked for them.
 */
import { setImmediate } from "node:timers/promises";
import { readConfig } from "../../server/config.ts";
import { startLooking } from "../../server/cycle/looking.ts";
import { createLookout } from "../../server/cycle/watched-urls.ts";
import { createDeps } from "../../server/deps.ts";
import { NO_LOOK } from "../../server/judge/look.ts";

const config = readConfig(process.env);
const draining = new AbortController();
const deps = createDeps({
  config,
  address: { url: config.databaseUrl ?? "" },
  writeLog: (line) => void process.stderr.write(line),
  draining: draining.signal,
  stopping: new AbortController().signal,
});
const look = { ...NO_LOOK, outcome: "good", isAnswered: true, isOwnFault: false, firstByteMs: 40 };
const visit = async () => {
  await setImmediate();
  return { look: { ...look, outcome: "good" as const }, check: null };
};
const looking = startLooking(deps, { ...createLookout(deps), visit });

async function sum(counter: { get(): Promise<{ values: { value: number }[] }> }): Promise<number> {
  return (await counter.get()).values.reduce((total, { value }) => total + value, 0);
}

process.on("message", (message) => {
  void (async () => {
    if (message === "end") {
      draining.abort();
      await looking;
      await deps.work.end();
      await deps.threads.close();
      await deps.database.close();
      process.disconnect();
      return;
    }
    const { results, claims, leasesLost } = deps.metrics;
    const cpu = process.cpuUsage();
    process.send?.({
      results: await sum(results),
      claims: await sum(claims),
      lost: await sum(leasesLost),
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
    });
  })();
});
