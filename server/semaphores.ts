import { availableParallelism } from "node:os";
import { AppError } from "./base/errors.ts";
import { VERIFICATIONS_AT_ONCE } from "./base/bounds.ts";

/** Keys are accounts or networks. */
export interface Semaphore {
  readonly held: number;
  /**
   * Resolves to a function that releases the permit. Throws `busy` if no permit is free within `maxWaitMs`, or if too many callers wait
   * already. Throws the reason of `signal`, or of the server's signal, if it aborts during the wait.
   */
  acquire(key: string, maxWaitMs: number, options?: AcquireOptions): Promise<() => void>;
}

interface AcquireOptions {
  signal?: AbortSignal | undefined;
  /** The limits `strangers` and `waiting` apply only to strangers. */
  isStranger?: boolean;
  waitingPerKey?: number;
}

interface Waiter {
  readonly key: string;
  readonly isStranger: boolean;
  readonly timer: NodeJS.Timeout;
  admit(): void;
  refuse(error: unknown): void;
}

const REFUSED_AT_ONCE = 8;

const busy = () => new AppError("busy", {});

export interface SemaphoreLimits {
  total: number;
  perKey: number;
  /** The maximum for strangers. The other permits stay free for known callers. */
  strangers?: number;
  /** How many strangers may wait for a permit. */
  waiting?: number;
}

/** A password hash fills a core and one of Node's four threads for files and names. */
const HASHES_AT_ONCE = Math.min(3, Math.max(2, availableParallelism()));

/** The limits per process. docs/promises.md has the table. */
export const LIMITS = {
  checks: { total: 32, perKey: 8 },
  /** A cycle and a round may run at the same time. */
  probes: { total: 2 * VERIFICATIONS_AT_ONCE, perKey: 2 * VERIFICATIONS_AT_ONCE },
  scans: { total: 64, perKey: 4 },
  /** Allows one at a time per account or network. Otherwise, correct passwords that are tried together would use up the rate limit. */
  passwords: { total: HASHES_AT_ONCE, perKey: 1, strangers: HASHES_AT_ONCE - 1, waiting: 200 },
  publicReads: { total: 1, perKey: 1, waiting: 1000 },
  bodies: { total: 128, perKey: 16, strangers: 96 },
  recordings: { total: 2, perKey: 1 },
} satisfies Record<string, SemaphoreLimits>;

export type Semaphores = Readonly<Record<keyof typeof LIMITS | "reads", Semaphore>>;

export function createSemaphores(readConnections: number, stopping: AbortSignal): Semaphores {
  const create = (limits: SemaphoreLimits) => createSemaphore(limits, stopping);
  const perKey = Math.max(1, Math.floor(readConnections / 2));
  return {
    checks: create(LIMITS.checks),
    probes: create(LIMITS.probes),
    scans: create(LIMITS.scans),
    passwords: create(LIMITS.passwords),
    reads: create({ total: Infinity, perKey }),
    publicReads: create(LIMITS.publicReads),
    bodies: create(LIMITS.bodies),
    recordings: create(LIMITS.recordings),
  };
}

/** Keys take turns. When too many strangers wait, a caller of a shorter queue replaces the last one of the longest queue. */
export function createSemaphore(limits: SemaphoreLimits, stopping?: AbortSignal): Semaphore {
  const held = new Map<string, number>();
  const waiting = new Map<string, Set<Waiter>>();
  const late: Waiter[] = [];
  const { strangers = Infinity, waiting: maxWaiting = Infinity } = limits;
  let count = 0;
  let strangerCount = 0;
  let waitingStrangers = 0;

  const heldBy = (key: string) => held.get(key) ?? 0;
  const hasRoom = (key: string, isStranger: boolean) =>
    count < limits.total &&
    heldBy(key) < limits.perKey &&
    (!isStranger || strangerCount < strangers);

  function take(key: string, isStranger: boolean): () => void {
    count++;
    if (isStranger) strangerCount++;
    held.set(key, heldBy(key) + 1);
    return () => release(key, isStranger);
  }

  function release(key: string, isStranger: boolean): void {
    count--;
    if (isStranger) strangerCount--;
    held.set(key, heldBy(key) - 1);
    if (heldBy(key) === 0) held.delete(key);
    for (let next = chooseNext(); next; next = chooseNext()) {
      stopWaiting(next);
      next.admit();
      const others = waiting.get(next.key);
      if (others && waiting.delete(next.key)) waiting.set(next.key, others);
    }
  }

  function chooseDisplaced(key: string): Waiter | undefined {
    let longest = waiting.get(key) ?? new Set();
    const enough = longest.size + 1;
    for (const queue of waiting.values()) {
      const [first] = queue;
      if (first?.isStranger && queue.size > longest.size) longest = queue;
    }
    return longest.size > enough ? [...longest].at(-1) : undefined;
  }

  /** Chooses the key with the fewest permits, so that no crowd blocks the others. */
  function chooseNext(): Waiter | undefined {
    let next: Waiter | undefined;
    for (const [key, [first]] of waiting)
      if (first && hasRoom(key, first.isStranger) && (!next || heldBy(key) < heldBy(next.key)))
        next = first;
    return next;
  }

  function startWaiting(waiter: Waiter): void {
    const own = waiting.get(waiter.key) ?? new Set();
    waiting.set(waiter.key, own.add(waiter));
    if (waiter.isStranger) waitingStrangers++;
  }

  function stopWaiting(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    const own = waiting.get(waiter.key);
    if (own?.delete(waiter) && waiter.isStranger) waitingStrangers--;
    if (own?.size === 0) waiting.delete(waiter.key);
  }

  /** Callers that arrived together time out together. Rejects them in groups, so that other work gets its turn in between. */
  function refuseLate(): void {
    for (const waiter of late.splice(0, REFUSED_AT_ONCE)) waiter.refuse(busy());
    if (late.length > 0) setImmediate(refuseLate);
  }

  stopping?.addEventListener("abort", () => {
    for (const waiter of [...waiting.values()].flatMap((own) => [...own])) {
      stopWaiting(waiter);
      waiter.refuse(stopping.reason);
    }
  });

  return {
    get held() {
      return count;
    },
    async acquire(key, maxWaitMs, { signal, isStranger = false, waitingPerKey = Infinity } = {}) {
      stopping?.throwIfAborted();
      signal?.throwIfAborted();
      if (hasRoom(key, isStranger)) return take(key, isStranger);
      if ((waiting.get(key)?.size ?? 0) >= waitingPerKey) throw busy();
      if (isStranger && waitingStrangers >= maxWaiting) {
        const displaced = chooseDisplaced(key);
        if (displaced === undefined) throw busy();
        stopWaiting(displaced);
        displaced.refuse(busy());
      }
      let leave = (): void => {};
      const admitted = new Promise<() => void>((resolve, reject) => {
        const onLate = () => {
          stopWaiting(waiter);
          if (late.push(waiter) === 1) setImmediate(refuseLate);
        };
        const waiter: Waiter = {
          key,
          isStranger,
          timer: setTimeout(onLate, maxWaitMs),
          admit: () => resolve(take(key, isStranger)),
          refuse: reject,
        };
        leave = () => {
          stopWaiting(waiter);
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", leave);
        startWaiting(waiter);
      });
      return admitted.finally(() => signal?.removeEventListener("abort", leave));
    },
  };
}
