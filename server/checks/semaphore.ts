import { AppError } from "../base/errors.ts";

/** A counting semaphore that is fair between keys and refuses those who wait too long. */
export interface Semaphore {
  /** How many permits are held. */
  readonly held: number;
  /**
   * Resolves to the function that releases the permit. Throws `busy`, or the error of `refuse`, if none is free within
   * `maxWaitMs` or too many wait already, and a signal's reason if it aborts while the caller waits: `signal`, or the one of the server.
   */
  acquire(key: string, maxWaitMs: number, signal?: AbortSignal): Promise<() => void>;
}

interface Waiter {
  readonly key: string;
  readonly timer: NodeJS.Timeout;
  admit(): void;
  refuse(error: unknown): void;
}

const REFUSED_AT_ONCE = 8;

export const busy = () => new AppError("busy", {});

/** How many permits there are, and how many requests wait for one. */
export interface SemaphoreLimits {
  total: number;
  perKey: number;
  waiting?: number;
  waitingPerKey?: number;
}

/**
 * `total` permits in this process, at most `perKey` of them for one key; at most `waiting` requests wait for one, and
 * `waitingPerKey` of one key. Keys take turns. Where too many wait, one of a shorter queue takes the place of the last in
 * the longest.
 */
export function createSemaphore(
  limits: SemaphoreLimits,
  stopping?: AbortSignal,
  refuse: () => AppError = busy,
): Semaphore {
  const held = new Map<string, number>();
  const waiting = new Map<string, Set<Waiter>>();
  const late: Waiter[] = [];
  const { waiting: maxWaiting = Infinity, waitingPerKey = Infinity } = limits;
  let count = 0;
  let queued = 0;

  const heldBy = (key: string) => held.get(key) ?? 0;
  const hasRoom = (key: string) => count < limits.total && heldBy(key) < limits.perKey;

  function take(key: string): () => void {
    count++;
    held.set(key, heldBy(key) + 1);
    return () => release(key);
  }

  function release(key: string): void {
    count--;
    held.set(key, heldBy(key) - 1);
    if (heldBy(key) === 0) held.delete(key);
    for (let next = chooseNext(); next; next = chooseNext()) {
      stopWaiting(next);
      next.admit();
      const others = waiting.get(next.key);
      if (others && waiting.delete(next.key)) waiting.set(next.key, others);
    }
  }

  /** The last waiter of the longest queue, unless the key's own would be as long. */
  function chooseDisplaced(key: string): Waiter | undefined {
    let longest = waiting.get(key) ?? new Set();
    const enough = longest.size + 1;
    for (const queue of waiting.values()) if (queue.size > longest.size) longest = queue;
    return longest.size > enough ? [...longest].at(-1) : undefined;
  }

  /** The first waiter of the key that holds the fewest permits, so that a crowd does not keep others waiting. */
  function chooseNext(): Waiter | undefined {
    let fewest: string | undefined;
    for (const key of waiting.keys())
      if (hasRoom(key) && (fewest === undefined || heldBy(key) < heldBy(fewest))) fewest = key;
    const [next] = (fewest !== undefined && waiting.get(fewest)) || [];
    return next;
  }

  function startWaiting(waiter: Waiter): void {
    const own = waiting.get(waiter.key) ?? new Set();
    waiting.set(waiter.key, own.add(waiter));
    queued++;
  }

  function stopWaiting(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    const own = waiting.get(waiter.key);
    if (own?.delete(waiter)) queued--;
    if (own?.size === 0) waiting.delete(waiter.key);
  }

  /**
   * A crowd that arrived together times out together; other work gets its turn of the event loop between the refusals.
   */
  function refuseLate(): void {
    for (const waiter of late.splice(0, REFUSED_AT_ONCE)) waiter.refuse(refuse());
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
    async acquire(key, maxWaitMs, signal) {
      stopping?.throwIfAborted();
      signal?.throwIfAborted();
      if (hasRoom(key)) return take(key);
      if ((waiting.get(key)?.size ?? 0) >= waitingPerKey) throw refuse();
      if (queued >= maxWaiting) {
        const displaced = chooseDisplaced(key);
        if (displaced === undefined) throw refuse();
        stopWaiting(displaced);
        displaced.refuse(refuse());
      }
      let leave = (): void => {};
      const admitted = new Promise<() => void>((resolve, reject) => {
        const onLate = () => {
          stopWaiting(waiter);
          if (late.push(waiter) === 1) setImmediate(refuseLate);
        };
        const waiter: Waiter = {
          key,
          timer: setTimeout(onLate, maxWaitMs),
          admit: () => resolve(take(key)),
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
