import { AppError } from "../errors.ts";

/** Lets in a bounded number at once; the others wait their turn for a while. */
export interface Gate {
  /**
   * Resolves to the function that leaves again. Throws `busy` when no place is free within `maxWaitMs`, and the signal's
   * reason when the server stops.
   */
  enter(key: string, maxWaitMs: number): Promise<() => void>;
}

interface Waiter {
  readonly key: string;
  admit(): void;
  refuse(error: unknown): void;
}

export const busy = () =>
  new AppError("busy", "Trop de vérifications sont en cours. Réessayez dans quelques secondes.");

/** A gate for `total` at once in this process, at most `perKey` of them with the same key. */
export function createGate(
  limits: { total: number; perKey: number },
  stopping?: AbortSignal,
): Gate {
  const inside = new Map<string, number>();
  const waiting = new Set<Waiter>();
  let count = 0;

  const insideOf = (key: string) => inside.get(key) ?? 0;
  const hasRoom = (key: string) => count < limits.total && insideOf(key) < limits.perKey;

  function enter(key: string): void {
    count++;
    inside.set(key, insideOf(key) + 1);
  }

  function leave(key: string): void {
    count--;
    inside.set(key, insideOf(key) - 1);
    if (insideOf(key) === 0) inside.delete(key);
    for (let next = chooseNext(); next; next = chooseNext()) next.admit();
  }

  /** One whose key has the fewest inside, so that a crowd keeps nobody waiting; of these the first that came. */
  function chooseNext(): Waiter | undefined {
    let next: Waiter | undefined;
    for (const waiter of waiting)
      if (hasRoom(waiter.key) && (!next || insideOf(waiter.key) < insideOf(next.key)))
        next = waiter;
    return next;
  }

  stopping?.addEventListener("abort", () => {
    for (const waiter of waiting) waiter.refuse(stopping.reason);
  });

  return {
    async enter(key, maxWaitMs) {
      stopping?.throwIfAborted();
      const leaveAgain = () => leave(key);
      if (hasRoom(key)) {
        enter(key);
        return leaveAgain;
      }
      return new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer);
          waiting.delete(waiter);
        };
        const waiter: Waiter = {
          key,
          admit: () => {
            end();
            enter(key);
            resolve(leaveAgain);
          },
          refuse: (error) => {
            end();
            reject(error);
          },
        };
        const timer = setTimeout(() => waiter.refuse(busy()), maxWaitMs);
        waiting.add(waiter);
      });
    },
  };
}
