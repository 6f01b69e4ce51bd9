import { sendNotices } from "../access/notice-letters.ts";
import { createAlertOutbox, createOutbox, remindOfIncidents } from "../alerts/queue.ts";
import { giveExpiredSlotsBack } from "../db/checks/checks.ts";
import { isWriteRefused } from "../db/driver/failure.ts";
import { claimLooksOfRound, getRoundStart } from "../db/watching/looks.ts";
import { vacuumTables } from "../db/embedded/vacuum.ts";
import type { Deps } from "../deps.ts";
import { createDeploymentQueue } from "./deployments.ts";
import { createStatusOutbox } from "../statuses/sending.ts";
import { startLooking } from "./look-loop.ts";
import { endMaintenance } from "./maintenance.ts";
import { createCleanUp } from "./retention.ts";
import { createScanQueue } from "./scans.ts";
import { createLookout, lookAtClaimed, type Lookout } from "./lookout.ts";

const TICK_MS = 1000;
/** The first run is delayed, so that background work does not slow the start. */
const FIRST_MS = 1000;
const SWEEP_MS = 5000;
const CLEAN_UP_MS = 60_000;
const VACUUM_MS = 3_600_000;
const TRIAL_MS = 10_000;

/** Several servers can run it in parallel, since all work is claimed in the database. */
export function startCycle(deps: Deps, tickMs = TICK_MS): void {
  const { sql } = deps.database;
  const firstRuns: (() => void)[] = [];

  function run(work: () => Promise<unknown>): void {
    const running = work().catch((error: unknown) => {
      if (!isWriteRefused(error))
        deps.log.warn({ err: error }, "background work failed; it will be tried again");
    });
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
    firstRuns.push(once);
  }

  const end = () => endMaintenance(deps);
  if (deps.config.cycleSeconds > 0) {
    const lookout = createLookout(deps);
    // Ends the maintenance windows that expired while no server ran, before the first probe.
    run(() => end().finally(() => void startLooking(deps, lookout)));
    repeat(TRIAL_MS, createTrials(deps, lookout));
  }
  repeat(tickMs, end);
  repeat(tickMs, () => remindOfIncidents(deps));
  repeat(tickMs, createDeploymentQueue(deps, run));
  if (deps.config.publicScan) repeat(tickMs, createScanQueue(deps, run));
  repeat(tickMs, createOutbox(deps, run, createAlertOutbox(deps)));
  repeat(tickMs, createOutbox(deps, run, createStatusOutbox(deps)));
  repeat(tickMs, () => sendNotices(deps));
  repeat(SWEEP_MS, () => giveExpiredSlotsBack(sql));
  repeat(CLEAN_UP_MS, createCleanUp(sql, deps.draining));
  const first = setTimeout(() => firstRuns.forEach((begin) => begin()), FIRST_MS);
  deps.draining.addEventListener("abort", () => clearTimeout(first));
  // Does not vacuum at start-up, since this would delay the start.
  if (deps.config.databaseUrl === undefined) every(VACUUM_MS, () => run(() => vacuumTables(sql)));
}

/** Each trial probes the next URL that is good elsewhere. */
function createTrials(deps: Deps, lookout: Lookout): () => Promise<void> {
  const { database, leases, runningLooks, locationHealth } = deps;
  let after: number | null = null;
  return async () => {
    if (!locationHealth.isSetAside) return;
    const roundStart = await getRoundStart(database.sql);
    const { last, taken } = await claimLooksOfRound(database.sql, {
      roundStart,
      after,
      limit: 1,
      isOnlyGood: true,
      running: runningLooks.counts,
      leaseMs: leases.claimMs,
    });
    after = last;
    const [claimed] = taken;
    if (claimed === undefined) return;
    const onLooked = runningLooks.begin(claimed);
    const look = await lookAtClaimed(deps, lookout, claimed, { verifies: false, onLooked });
    locationHealth.endTrial(look?.outcome);
  };
}
