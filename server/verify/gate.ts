import { AppError } from "../errors.ts";

/** Lets in a bounded number at once; the others wait their turn for a while. */
export interface Gate {
  /** Resolves to the function that leaves again; throws `busy` when no place is free within `maxWaitMs`. */
  enter(key: string, maxWaitMs?: number): Promise<() => void>;
}

export const busy = () =>
  new AppError("busy", "Trop de vérifications sont en cours. Réessayez dans quelques secondes.");

/** A gate for `total` at once in this process, at most `perKey` of them with the same key. */
export function createGate(limits: { total: number; perKey: number; waitMs: number }): Gate {
  const inside = new Map<string, number>();
  const waiting = new Set<{ key: string; admit: () => void }>();
  let count = 0;

  function tryEnter(key: string): boolean {
    const own = inside.get(key) ?? 0;
    if (count >= limits.total || own >= limits.perKey) return false;
    count++;
    inside.set(key, own + 1);
    return true;
  }

  function leave(key: string): void {
    count--;
    const own = (inside.get(key) ?? 1) - 1;
    if (own === 0) inside.delete(key);
    else inside.set(key, own);
    for (const waiter of waiting) {
      if (count >= limits.total) break;
      if (tryEnter(waiter.key)) waiter.admit();
    }
  }

  return {
    enter(key, maxWaitMs = limits.waitMs) {
      const leaveOnce = () => leave(key);
      if (tryEnter(key)) return Promise.resolve(leaveOnce);
      return new Promise((resolve, reject) => {
        const waiter = {
          key,
          admit: () => {
            clearTimeout(timer);
            waiting.delete(waiter);
            resolve(leaveOnce);
          },
        };
        const timer = setTimeout(() => {
          waiting.delete(waiter);
          reject(busy());
        }, maxWaitMs);
        waiting.add(waiter);
      });
    },
  };
}
