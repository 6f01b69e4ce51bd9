import { deleteOldChecks, giveExpiredSlotsBack } from "../db/checks.ts";
import { claimDueUrls } from "../db/watched-urls.ts";
import type { Deps } from "../deps.ts";
import { verifyQueued } from "./deployments.ts";
import { lookAtClaimed } from "./claimed.ts";

const AT_ONCE = 8;
const TICK_MS = 1000;
const SWEEP_MS = 5000;
const RETENTION_MS = 3_600_000;

export interface Cycle {
  /** Begins nothing more and resolves when what runs has ended. */
  stop(): Promise<void>;
}

/**
 * The background work of a server: looks that are due, queued deployments, slots whose server died, old checks.
 * Any number of servers run it side by side; what each does is claimed in the database.
 */
export function startCycle(deps: Deps): Cycle {
  const { sql } = deps.database;
  const running = new Set<Promise<unknown>>();
  const timers: NodeJS.Timeout[] = [];

  function run(work: () => Promise<unknown>): void {
    const promise = work()
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, "background work failed; it will be tried again"),
      )
      .finally(() => running.delete(promise));
    running.add(promise);
  }

  function repeat(everyMs: number, work: () => Promise<unknown>): void {
    let busy = false;
    const once = () => {
      if (busy) return;
      busy = true;
      run(() => work().finally(() => (busy = false)));
    };
    timers.push(setInterval(once, everyMs));
    once();
  }

  let looking = 0;
  async function lookAtDue(): Promise<void> {
    if (looking >= AT_ONCE) return;
    const claimed = await claimDueUrls(sql, AT_ONCE - looking);
    deps.metrics.cycleLagSeconds.set(Math.max(0, ...claimed.map((url) => url.lagSeconds)));
    for (const url of claimed) {
      looking++;
      run(() => lookAtClaimed(deps, url).finally(() => looking--));
    }
  }

  if (deps.config.cycleSeconds > 0) repeat(TICK_MS, lookAtDue);
  repeat(TICK_MS, () => verifyQueued(deps));
  repeat(SWEEP_MS, () => giveExpiredSlotsBack(sql));
  repeat(RETENTION_MS, () => deleteOldChecks(sql));

  return {
    async stop() {
      timers.forEach(clearInterval);
      await Promise.allSettled(running);
    },
  };
}
