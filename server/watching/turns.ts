import type { QueueTurn, WaitingQueue } from "../db/watching/looks.ts";

/**
 * Whose URLs a process looks at next. Accounts take turns: of those whose URLs wait, the one with the fewest looks under way
 * comes first. While others wait an account has at most a quarter of the places, and all silent URLs together an eighth, in
 * which accounts take turns too. They never have more than three quarters: others may come.
 */
export interface Turns {
  /** Notes queues in which URLs wait. */
  note(waiting: readonly Pick<WaitingQueue, "queue" | "dueAt">[]): void;
  /** Shares free places among the queues that wait; `limit` is a queue's part. */
  share(free: number): QueueTurn[];
  /** Ends a turn: the queue waits again behind the others, from `mark` on, or is empty as far as this process knows. */
  end(queue: number, mark: string | undefined): void;
  /** Counts a look that begins; returns what counts its end. */
  begin(queue: number): () => void;
}

interface Bounds {
  ofAccount: number;
  ofSilent: number;
}

const accountOf = (queue: number) => Math.abs(queue);
const isSilent = (queue: number) => queue < 0;

export function createTurns(places: number): Turns {
  const bounds: Bounds = {
    ofAccount: Math.max(1, Math.floor(places / 4)),
    ofSilent: Math.max(1, Math.floor(places / 8)),
  };
  const widest: Bounds = { ofAccount: Infinity, ofSilent: Math.max(1, Math.floor(places * 0.75)) };
  /** The mark of each queue, those whose turn it is first. */
  const waiting = new Map<number, string>();
  const held = new Map<number, number>();
  let silent = 0;

  function deal(free: number, { ofAccount, ofSilent }: Bounds): Map<number, number> {
    const parts = new Map<number, number>();
    const counts = new Map(held);
    let silentCount = silent;
    let left = free;
    let isOpen = true;
    const isFull = (queue: number) => isSilent(queue) && silentCount >= ofSilent;
    /** The account's other queue waits too, and has fewer. */
    const yields = (queue: number) =>
      waiting.has(-queue) && !isFull(-queue) && (parts.get(queue) ?? 0) > (parts.get(-queue) ?? 0);
    for (let level = 0; isOpen && left > 0; level++) {
      isOpen = false;
      for (const queue of waiting.keys()) {
        const count = counts.get(accountOf(queue)) ?? 0;
        if (count >= ofAccount || isFull(queue)) continue;
        isOpen = true;
        if (count > level || left === 0 || yields(queue)) continue;
        left--;
        counts.set(accountOf(queue), count + 1);
        if (isSilent(queue)) silentCount++;
        parts.set(queue, (parts.get(queue) ?? 0) + 1);
      }
    }
    return parts;
  }

  return {
    note(found) {
      for (const { queue, dueAt } of found) waiting.set(queue, dueAt);
    },
    share(free) {
      const [first = 0, ...others] = waiting.keys();
      const isAlone = others.every((queue) => accountOf(queue) === accountOf(first));
      const bounded = isAlone ? new Map<number, number>() : deal(free, bounds);
      const parts = bounded.size > 0 ? bounded : deal(free, widest);
      return [...parts].map(([queue, limit]) => ({ queue, limit, mark: waiting.get(queue) ?? "" }));
    },
    end(queue, mark) {
      waiting.delete(queue);
      if (mark !== undefined) waiting.set(queue, mark);
    },
    begin(queue) {
      const account = accountOf(queue);
      held.set(account, (held.get(account) ?? 0) + 1);
      if (isSilent(queue)) silent++;
      return () => {
        const count = (held.get(account) ?? 0) - 1;
        if (count > 0) held.set(account, count);
        else held.delete(account);
        if (isSilent(queue)) silent--;
      };
    },
  };
}
