import { setTimeout as sleep } from "node:timers/promises";
import { VERIFICATIONS_AT_ONCE } from "../base/bounds.ts";
import { isWriteRefused } from "../db/driver/failure.ts";
import { claimDueLooks, type ClaimedUrl } from "../db/watching/looks.ts";
import type { Deps } from "../deps.ts";
import { BEGINNING_MS, CLAIM_MS, NEXT_CLAIM_MS } from "./look-times.ts";
import { createLookout, lookAtClaimed, type Lookout } from "./lookout.ts";
import { intervalOf } from "./results.ts";

/** How many probes a new server may have claimed but not begun. Each probe that begins allows one more. */
const FIRST_BEGINNING = 4;
const VERIFICATIONS_OF_ACCOUNT = VERIFICATIONS_AT_ONCE / 4;

/** `after` is the position of the last claim in the pass through the accounts. */
interface Kind {
  readonly isSilent: boolean;
  readonly most: number;
  running: number;
  after: number | null;
  /** The longest wait of a URL in the current pass through the accounts. */
  lagSeconds: number;
  nextAt: number;
}

const createKind = (isSilent: boolean, most: number): Kind => ({
  isSilent,
  most,
  running: 0,
  after: null,
  lagSeconds: 0,
  nextAt: 0,
});

/** While other accounts wait, an account has at most a quarter of the permits. All silent URLs together have at most an eighth. */
export function startLooking(deps: Deps, lookout: Lookout = createLookout(deps)): Promise<unknown> {
  const { database, config, metrics, runningLooks, locationHealth, draining, log } = deps;
  const { probesAtOnce, verifySeconds } = config;
  const answering = createKind(false, probesAtOnce);
  const silent = createKind(true, Math.ceil(probesAtOnce / 8));
  const verifying: number[] = [];
  let beginning = 0;
  let begun = 0;
  let isWarm = false;
  let wake = () => {};

  /** A new server claims few probes. If it dies, a claimed probe that has not begun waits for the end of the lease. */
  function countFree(): number {
    if (locationHealth.isSetAside) return 0;
    const mayBegin = FIRST_BEGINNING + begun;
    const running = answering.running + silent.running;
    return Math.min(probesAtOnce - running, mayBegin - beginning);
  }

  /** Silent URLs are only probed, since a verification would hold the permit longer. */
  const mayVerify = ({ account, isSilent, isVerifyDue }: ClaimedUrl) =>
    isVerifyDue &&
    !isSilent &&
    verifying.length < VERIFICATIONS_AT_ONCE &&
    verifying.filter((one) => one === account).length < VERIFICATIONS_OF_ACCOUNT;

  function begin(claimed: ClaimedUrl, kind: Kind): void {
    const { account } = claimed;
    const endRunning = runningLooks.begin(claimed);
    const verifies = mayVerify(claimed);
    if (verifies) verifying.push(account);
    kind.running++;
    metrics.looksRunning.inc();
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
      endRunning();
      onAsking();
      if (verifies) verifying.splice(verifying.indexOf(account), 1);
      kind.running--;
      metrics.looksRunning.dec();
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

  async function claim(kind: Kind): Promise<void> {
    const { isSilent, after, most } = kind;
    // The random interval keeps one location from always claiming a URL before another.
    kind.nextAt = performance.now() + CLAIM_MS * (0.5 + Math.random());
    const limit = Math.min(countFree(), most - kind.running);
    if (limit <= 0) return;
    const { last, lagSeconds, isFull, taken } = await claimDueLooks(database.sql, {
      isSilent,
      after,
      limit,
      ofAccount: Math.ceil(probesAtOnce / 4),
      running: runningLooks.counts,
      claimant: locationHealth,
      verifySeconds,
      intervalSeconds: intervalOf(config),
      leaseMs: deps.leases.claimMs,
    });
    metrics.claims.inc(taken.length);
    for (const claimed of taken) begin(claimed, kind);
    kind.after = last;
    kind.lagSeconds = Math.max(after === null ? 0 : kind.lagSeconds, lagSeconds ?? 0);
    if (isFull || last !== null) kind.nextAt = performance.now() + NEXT_CLAIM_MS;
  }

  async function claimBoth(): Promise<void> {
    for (const kind of [answering, silent]) if (performance.now() >= kind.nextAt) await claim(kind);
    if (answering.after === null && silent.after === null)
      metrics.cycleLagSeconds.set(Math.max(answering.lagSeconds, silent.lagSeconds));
    const nextAt = Math.min(answering.nextAt, silent.nextAt);
    await pause(Math.max(0, nextAt - performance.now()));
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal: draining }).catch(() => {});

  const waitForFree = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CLAIM_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    while (!draining.aborted) {
      if (countFree() <= 0) {
        await waitForFree();
        continue;
      }
      try {
        if (!isWarm) await deps.threads.warmUp(draining);
        isWarm = true;
        await claimBoth();
      } catch (error) {
        if (draining.aborted) return;
        if (!isWriteRefused(error))
          log.warn({ err: error }, "background work failed; it will be tried again");
        await pause(CLAIM_MS);
      }
    }
  }

  draining.addEventListener("abort", () => wake());
  return deps.work.add(run());
}
