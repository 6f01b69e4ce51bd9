import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../base/errors.ts";
import { HOST_BOUNDS } from "../base/bounds.ts";
import { admitChecks } from "../db/checks/checks.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { CheckKind } from "../engine/finished.ts";

export interface CountedRow {
  id: string;
  kind: CheckKind;
  accountId: string | null;
  /** The value of `performance.now()` before the row's lease began. */
  leasedAt: number;
}

export interface HostQueues {
  /** Throws `busy` at the deadline, the reason of an aborted signal, and errors of the database. */
  admit(host: string, row: CountedRow, deadline: number, signal?: AbortSignal): Promise<CountedRow>;
}

interface Waiter {
  readonly row: CountedRow;
  readonly deadline: number;
  admit(leasedAt: number): void;
  refuse(error: unknown): void;
}

const PAUSE_MS = 200;

/** Returns as many waiters of each account as the host can admit. Waiters without an account count by kind. */
function chooseFirstWaiters(waiting: readonly Waiter[]): Waiter[] {
  const counts = new Map<string, number>();
  return waiting.filter(({ row: { accountId, kind } }) => {
    const asker = accountId ?? kind;
    const count = (counts.get(asker) ?? 0) + 1;
    counts.set(asker, count);
    return count <= HOST_BOUNDS.all.atOnce;
  });
}

/** Admits waiters in batches. The database locks the host's row while it counts, so separate statements would wait for each other. */
export function createHostQueues(sql: Sql, leaseMs: number, stopping: AbortSignal): HostQueues {
  const queues = new Map<string, Set<Waiter>>();

  async function serve(host: string, queue: Set<Waiter>): Promise<void> {
    for (; queue.size > 0; await sleep(queue.size > 0 ? PAUSE_MS : 0)) {
      const waiting = [...queue];
      const asked = chooseFirstWaiters(waiting);
      const leasedAt = performance.now();
      try {
        const ids = asked.map(({ row }) => row.id);
        const admitted = new Set(await admitChecks(sql, host, ids, HOST_BOUNDS, leaseMs));
        for (const one of asked) if (admitted.has(one.row.id)) one.admit(leasedAt);
        for (const one of waiting)
          if (performance.now() >= one.deadline) one.refuse(new AppError("busy", {}));
      } catch (error) {
        for (const one of waiting) one.refuse(error);
      }
    }
    queues.delete(host);
  }

  return {
    async admit(host, row, deadline, signal) {
      stopping.throwIfAborted();
      signal?.throwIfAborted();
      return new Promise((resolve, reject) => {
        const queue = queues.get(host) ?? new Set();
        const leave = () => {
          queue.delete(waiter);
          stopping.removeEventListener("abort", giveUp);
          signal?.removeEventListener("abort", giveUp);
        };
        const giveUp = () => waiter.refuse(stopping.aborted ? stopping.reason : signal?.reason);
        const waiter: Waiter = {
          row,
          deadline,
          admit(leasedAt) {
            leave();
            resolve({ ...row, leasedAt });
          },
          refuse(error) {
            leave();
            reject(error);
          },
        };
        queue.add(waiter);
        stopping.addEventListener("abort", giveUp);
        signal?.addEventListener("abort", giveUp);
        if (queues.has(host)) return;
        queues.set(host, queue);
        // Deferred, so that checks that arrive together share a statement.
        queueMicrotask(() => void serve(host, queue));
      });
    },
  };
}
