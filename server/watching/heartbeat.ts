import { newId } from "../db/id.ts";
import { isWriteRefused } from "../db/driver/failure.ts";
import { beat, deleteServer, listLocations } from "../db/servers.ts";
import { readCounts } from "../db/server-status.ts";
import { countFailingFrom } from "../db/watching/watched-urls.ts";
import type { Deps } from "../deps.ts";
import { getVersion } from "../base/program.ts";

const BEAT_MS = 10_000;
/** The maximum share of the time spent on counting rows, since the tables can be large. */
const COUNTING_SHARE = 0.02;

/** The returned function stops the heartbeat and removes the server. */
export async function startHeartbeat(deps: Deps): Promise<() => Promise<void>> {
  const { config, database, log, metrics, locationHealth } = deps;
  const id = newId("srv");
  let last = { looks: 0, at: performance.now() };
  let countAt = 0;
  let isOver = false;

  async function writeBeat(): Promise<void> {
    const looks = await sumOf(metrics.looks);
    const now = performance.now();
    const looksPerSecond = ((looks - last.looks) / Math.max(1, now - last.at)) * 1000;
    last = { looks, at: now };
    const lagSeconds = await sumOf(metrics.cycleLagSeconds);
    const { sql } = database;
    const { location } = locationHealth;
    const others = await listLocations(sql, id);
    locationHealth.updateOthers(
      others,
      location === null ? 0 : await countFailingFrom(sql, location, locationHealth.listFailed()),
    );
    const setAside = locationHealth.isSetAside;
    await beat(sql, { id, location, setAside, version: getVersion(), looksPerSecond, lagSeconds });
  }

  async function updateMetrics(): Promise<void> {
    if (config.metricsAddress === undefined) return;
    const began = performance.now();
    if (began < countAt) return;
    const { incidentsOpen, deploymentsQueued, outbox } = await readCounts(database.sql);
    metrics.incidentsOpen.set(incidentsOpen);
    metrics.deploymentsQueued.set(deploymentsQueued);
    for (const [state, messages] of Object.entries(outbox))
      metrics.outboxMessages.set({ state }, messages);
    const tookMs = performance.now() - began;
    countAt = performance.now() + tookMs / COUNTING_SHARE;
  }

  let beating = Promise.resolve();
  function beatOnce(): void {
    beating = beating
      .then(() => (isOver ? undefined : writeBeat().then(updateMetrics)))
      .catch((error: unknown) => {
        if (!isWriteRefused(error)) log.warn({ err: error }, "heartbeat not written");
      });
  }

  beatOnce();
  const timer = setInterval(beatOnce, BEAT_MS);
  await beating;
  return async () => {
    clearInterval(timer);
    isOver = true;
    await beating;
    await deleteServer(database.sql, id).catch((error: unknown) =>
      log.warn({ err: error }, "heartbeat not removed"),
    );
  };
}

type Metric = Pick<Deps["metrics"]["cycleLagSeconds"], "get">;

async function sumOf(metric: Metric): Promise<number> {
  const { values } = await metric.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}
