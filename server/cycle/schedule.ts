import { createOutbox } from "../alerts/queue.ts";
import { LOOKS_AT_ONCE } from "../bounds.ts";
import { giveExpiredSlotsBack } from "../db/checks.ts";
import { vacuumTables } from "../db/embedded/vacuum.ts";
import { claimDueUrls } from "../db/watched-urls.ts";
import type { Deps } from "../deps.ts";
import { createDeploymentQueue } from "./deployments.ts";
import { lookAtClaimed } from "./watched-urls.ts";
import { createCleanUp } from "./retention.ts";
import { createScanQueue } from "./scans.ts";

const TICK_MS = 1000;
const SWEEP_MS = 5000;
const CLEAN_UP_MS = 60_000;
const VACUUM_MS = 3_600_000;

/**
 * Starts a server's background work, which runs until it drains: looks that are due, queued deployments, scans, slots of
 * servers that died, old checks. Several servers can run it side by side, since all work is claimed in the database.
 */
export function startCycle(deps: Deps): void {
  const { sql } = deps.database;

  function run(work: () => Promise<unknown>): void {
    const running = work().catch((error: unknown) =>
      deps.log.warn({ err: error }, "background work failed; it will be tried again"),
    );
    void deps.work.add(running);
  }

  function every(intervalMs: number, begin: () => void): void {
    const timer = setInterval(begin, intervalMs);
    deps.draining.addEventListener("abort", () => clearInterval(timer));
  }

  function repeat(intervalMs: number, work: () => Promise<unknown>): void {
    let busy = false;
    const once = () => {
      if (busy) return;
      busy = true;
      run(() => work().finally(() => (busy = false)));
    };
    every(intervalMs, once);
    once();
  }

  let looking = 0;
  async function lookAtDue(): Promise<void> {
    if (looking >= LOOKS_AT_ONCE) return;
    const claimed = await claimDueUrls(sql, LOOKS_AT_ONCE - looking);
    deps.metrics.cycleLagSeconds.set(Math.max(0, ...claimed.map((url) => url.lagSeconds)));
    for (const url of claimed) {
      looking++;
      run(() => lookAtClaimed(deps, url).finally(() => looking--));
    }
  }

  if (deps.config.cycleSeconds > 0) repeat(TICK_MS, lookAtDue);
  repeat(TICK_MS, createDeploymentQueue(deps, run));
  if (deps.config.publicScan) repeat(TICK_MS, createScanQueue(deps, run));
  repeat(TICK_MS, createOutbox(deps, run));
  repeat(SWEEP_MS, () => giveExpiredSlotsBack(sql));
  repeat(CLEAN_UP_MS, createCleanUp(sql, deps.draining));
  // Not at start-up, which it would delay.
  if (deps.config.databaseUrl === undefined) every(VACUUM_MS, () => run(() => vacuumTables(sql)));
}
