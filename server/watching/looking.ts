import { setTimeout as sleep } from "node:timers/promises";
import { VERIFICATIONS_AT_ONCE } from "../base/bounds.ts";
import { claimDueLooks, findOldestDue, type ClaimedUrl } from "../db/watching/looks.ts";
import type { Deps } from "../deps.ts";
import { BEGINNING_MS } from "./look-times.ts";
import { createLookout, lookAtClaimed, type Lookout } from "./watched-urls.ts";

const IDLE_MS = 250;
const FAILED_MS = 1000;
/** How many looks a new server may have claimed whose sites it has not asked yet; one more for each that it has asked. */
const FIRST_BEGINNING = 4;
const LAG_MS = 500;
/** The oldest URL is looked for among all dead index entries too, and for this part of the time at most. */
const LAG_SHARE = 0.05;
/** Rows read beyond the free places where hosts over their bounds stand before others. */
const CROWD = 500;

/** Looks at URLs that are due, as long as the server runs: as many at once as it has places. */
export function startLooking(deps: Deps, lookout: Lookout = createLookout(deps)): Promise<unknown> {
  const { database, config, metrics, pacing, draining, log } = deps;
  let mark = "-infinity";
  let running = 0;
  let verifying = 0;
  let beginning = 0;
  let begun = 0;
  let isWarm = false;
  let isCrowded = false;
  let wake = () => {};

  /**
   * How many looks may be claimed now. What a server has claimed but not asked for waits out the lease if it dies: one
   * that has just started begins with few, whatever sites keep its places waiting.
   */
  function countFree(): number {
    const mayBegin = FIRST_BEGINNING + begun;
    return Math.min(config.looksAtOnce - running, mayBegin - beginning);
  }

  function begin(claimed: ClaimedUrl): void {
    const end = pacing.begin(claimed.url);
    const verifies = claimed.isVerifyDue && verifying < VERIFICATIONS_AT_ONCE;
    if (verifies) verifying++;
    metrics.looksRunning.set(++running);
    beginning++;
    let isBeginning = true;
    const release = () => {
      if (!isBeginning) return;
      isBeginning = false;
      clearTimeout(waiting);
      beginning--;
      wake();
    };
    const waiting = setTimeout(release, BEGINNING_MS);
    const onAsking = () => {
      if (isBeginning) begun++;
      release();
    };
    const onLooked = () => {
      end();
      onAsking();
      if (verifies) verifying--;
      metrics.looksRunning.set(--running);
      wake();
    };
    const looking = lookAtClaimed(deps, lookout, claimed, { verifies, onAsking, onLooked }).catch(
      (error: unknown) => {
        if (!deps.stopping.aborted)
          log.warn({ err: error }, "look not stored; it will be made again");
      },
    );
    void deps.work.add(looking);
  }

  /** Claims what is due; returns whether more may be. */
  async function claim(): Promise<boolean> {
    const free = countFree();
    const limit = free + (isCrowded ? CROWD : 0);
    const { verifySeconds } = config;
    const wanted = { mark, limit, verifySeconds, leaseMs: deps.leases.claimMs };
    let left: string | undefined;
    let passed = 0;
    const { found, taken } = await claimDueLooks(database, wanted, (due) => {
      const choice = pacing.choose(due, free);
      const gone = new Set([...choice.taken, ...choice.putOff].map(({ number }) => number));
      left = due.find(({ number }) => !gone.has(number))?.dueAt;
      passed = choice.putOff.length;
      return choice;
    });
    metrics.claims.inc(taken.length);
    for (const claimed of taken) begin(claimed);
    mark = left ?? found.at(-1)?.dueAt ?? mark;
    isCrowded = passed > 0;
    return found.length === limit;
  }

  async function run(): Promise<void> {
    while (!draining.aborted) {
      if (countFree() <= 0) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      try {
        if (!isWarm) await deps.threads.warmUp(draining);
        isWarm = true;
        if (!(await claim())) await sleep(IDLE_MS, undefined, { signal: draining });
      } catch (error) {
        if (draining.aborted) return;
        log.warn({ err: error }, "background work failed; it will be tried again");
        await sleep(FAILED_MS, undefined, { signal: draining }).catch(() => {});
      }
    }
  }

  /** Tells how late the cycle is, and finds what became due or free again before the mark. */
  async function watchLag(): Promise<void> {
    while (!draining.aborted) {
      const began = performance.now();
      const oldest = await findOldestDue(database.sql).catch(() => undefined);
      if (oldest) {
        metrics.cycleLagSeconds.set(oldest.lagSeconds);
        mark = oldest.dueAt;
      }
      const restMs = Math.max(LAG_MS, (performance.now() - began) / LAG_SHARE);
      await sleep(restMs, undefined, { signal: draining }).catch(() => {});
    }
  }

  draining.addEventListener("abort", () => wake());
  return deps.work.add(Promise.all([run(), watchLag()]));
}
