import { setTimeout as sleep } from "node:timers/promises";
import { VERIFICATIONS_AT_ONCE } from "../base/bounds.ts";
import { isWriteRefused } from "../db/driver/failure.ts";
import { claimDueLooks, listWaiting, type ClaimedUrl } from "../db/watching/looks.ts";
import type { Deps } from "../deps.ts";
import { BEGINNING_MS } from "./look-times.ts";
import { createTurns } from "./turns.ts";
import { createLookout, lookAtClaimed, type Lookout } from "./lookout.ts";

const FAILED_MS = 1000;
/** How many looks a new server may have claimed whose sites it has not asked yet; one more for each that it has asked. */
const FIRST_BEGINNING = 4;
const LISTING_MS = 250;
/** Queues are looked through among all dead index entries too, and for this part of the time at most. */
const LISTING_SHARE = 0.1;
/** How many verifications an account may have under way, of those that a server makes at once. */
const VERIFICATIONS_OF_ACCOUNT = VERIFICATIONS_AT_ONCE / 4;
/** Rows read beyond the free places where hosts over their bounds stand before others. */
const CROWD = 500;

/** Looks at URLs that are due, as long as the server runs: as many at once as it has places. */
export function startLooking(deps: Deps, lookout: Lookout = createLookout(deps)): Promise<unknown> {
  const { database, config, metrics, pacing, placeHealth, draining, log } = deps;
  const turns = createTurns(config.looksAtOnce);
  const verifying: number[] = [];
  let crowded = new Set<number>();
  let running = 0;
  let beginning = 0;
  let begun = 0;
  let isWarm = false;
  let wake = () => {};

  /**
   * How many looks may be claimed now. What a server has claimed but not asked for waits out the lease if it dies: one
   * that has just started begins with few, whatever sites keep its places waiting.
   */
  function countFree(): number {
    if (placeHealth.isSetAside) return 0;
    const mayBegin = FIRST_BEGINNING + begun;
    return Math.min(config.looksAtOnce - running, mayBegin - beginning);
  }

  /** A silent URL is not verified: it would hold its place for longer. */
  const mayVerify = ({ queue, isVerifyDue }: ClaimedUrl) =>
    isVerifyDue &&
    queue > 0 &&
    verifying.length < VERIFICATIONS_AT_ONCE &&
    verifying.filter((one) => one === queue).length < VERIFICATIONS_OF_ACCOUNT;

  function begin(claimed: ClaimedUrl): void {
    const { queue } = claimed;
    const leaveHost = pacing.begin(claimed.url, true);
    const endTurn = turns.begin(queue);
    const verifies = mayVerify(claimed);
    if (verifies) verifying.push(queue);
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
      leaveHost();
      endTurn();
      onAsking();
      if (verifies) verifying.splice(verifying.indexOf(queue), 1);
      metrics.looksRunning.set(--running);
      wake();
    };
    const looking = lookAtClaimed(deps, lookout, claimed, { verifies, onAsking, onLooked }).catch(
      (error: unknown) => {
        if (!deps.stopping.aborted && !isWriteRefused(error))
          log.warn({ err: error }, "look not stored; it will be made again");
      },
    );
    void deps.work.add(looking);
  }

  /** Claims what is due in the queues whose turn it is; returns whether any was known to wait. */
  async function claim(): Promise<boolean> {
    const shares = turns.share(countFree());
    if (shares.length === 0) return false;
    const extra = Math.ceil(CROWD / shares.length);
    const asked = shares.map((one) => {
      return { ...one, limit: one.limit + (crowded.has(one.queue) ? extra : 0) };
    });
    const { verifySeconds } = config;
    const { claimMs } = deps.leases;
    const wanted = { turns: asked, claimant: placeHealth, verifySeconds, leaseMs: claimMs };
    let gone = new Set<number>();
    let passed = new Set<number>();
    const { found, taken } = await claimDueLooks(database, wanted, (due) => {
      const left = new Map(shares.map(({ queue, limit }) => [queue, limit]));
      const choice = pacing.choose(due, ({ queue }) => takeOne(left, queue));
      passed = new Set(choice.putOff.map(({ number }) => number));
      gone = new Set([...choice.taken.map(({ number }) => number), ...passed]);
      return choice;
    });
    metrics.claims.inc(taken.length);
    for (const claimed of taken) begin(claimed);
    crowded = new Set(found.filter(({ number }) => passed.has(number)).map(({ queue }) => queue));
    for (const { queue, limit } of asked) {
      const rows = found.filter((url) => url.queue === queue);
      const left = rows.find(({ number }) => !gone.has(number));
      turns.end(queue, left?.dueAt ?? (rows.length === limit ? rows.at(-1)?.dueAt : undefined));
    }
    return true;
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
        if (!(await claim())) await new Promise<void>((resolve) => (wake = resolve));
      } catch (error) {
        if (draining.aborted) return;
        if (!isWriteRefused(error))
          log.warn({ err: error }, "background work failed; it will be tried again");
        await sleep(FAILED_MS, undefined, { signal: draining }).catch(() => {});
      }
    }
  }

  /** Finds the queues in which URLs are due or free again, and tells how late the cycle is. */
  async function watchQueues(): Promise<void> {
    let after: number | undefined;
    let lagSeconds = 0;
    while (!draining.aborted) {
      const began = performance.now();
      const listed = await listWaiting(database.sql, after, placeHealth).catch(() => undefined);
      if (listed) {
        turns.note(listed.waiting);
        lagSeconds = Math.max(lagSeconds, ...listed.waiting.map((one) => one.lagSeconds));
        after = listed.last;
        if (after === undefined) {
          metrics.cycleLagSeconds.set(lagSeconds);
          lagSeconds = 0;
        }
        if (listed.waiting.length > 0) wake();
      }
      const isAmidPass = listed !== undefined && after !== undefined;
      const leastMs = isAmidPass ? 0 : LISTING_MS;
      const restMs = Math.max(leastMs, (performance.now() - began) / LISTING_SHARE);
      await sleep(restMs, undefined, { signal: draining }).catch(() => {});
    }
  }

  draining.addEventListener("abort", () => wake());
  return deps.work.add(Promise.all([run(), watchQueues()]));
}

/** Takes one of the places that are left for a queue; false if there is none. */
function takeOne(left: Map<number, number>, queue: number): boolean {
  const places = left.get(queue) ?? 0;
  left.set(queue, places - 1);
  return places > 0;
}
