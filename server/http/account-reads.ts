import { setTimeout as sleep } from "node:timers/promises";
import { AppError, isAppError } from "../base/errors.ts";
import { createSemaphore } from "../checks/semaphore.ts";
import { findCaller, type CallerRow, type KnownAccount } from "../db/accounts/callers.ts";
import type { Database } from "../db/driver/sql.ts";

/**
 * Limits how many requests of one account read at the same time, so that the reads of others find a free connection. So a
 * request reads one statement after another.
 */
export interface AccountReads {
  /**
   * Resolves to the function that ends the read; to undefined for an unknown credential. Throws `too_many_reads` after 5 s,
   * or after 1 to 2 s if 40 requests of the account wait already, and the reason of `signal`.
   */
  begin(caller: CallerRow, signal?: AbortSignal): Promise<(() => void) | undefined>;
}

const WAITING = 40;
const MAX_WAIT_MS = 5000;
/** A refusal takes at least as long as Retry-After asks to wait, and up to twice as long, so that a crowd is not refused at once. */
const REFUSAL_MS = 1000;
const MAX_OWNERS = 10_000;

export function createAccountReads(
  { sql, readConnections }: Database,
  stopping: AbortSignal,
): AccountReads {
  const perKey = Math.max(1, Math.floor(readConnections / 2));
  const limits = { total: Infinity, perKey, waitingPerKey: WAITING };
  const reads = createSemaphore(limits, stopping, () => new AppError("too_many_reads", {}));
  /** A credential never changes its account, so a request waits for its turn before it reads anything. */
  const owners = new Map<string, Promise<KnownAccount | undefined>>();

  function findOwner(caller: CallerRow): Promise<KnownAccount | undefined> {
    const key = caller.fingerprint.toString("base64");
    const known = owners.get(key);
    if (known !== undefined) return known;
    const finding = findCaller(sql, caller);
    owners.set(key, finding);
    if (owners.size > MAX_OWNERS) owners.delete(owners.keys().next().value!);
    const forget = () => void owners.delete(key);
    finding.then((found) => found ?? forget(), forget);
    return finding;
  }

  return {
    async begin(caller, signal) {
      const owner = await findOwner(caller);
      const beganAt = performance.now();
      try {
        return owner && (await reads.acquire(owner.accountId, MAX_WAIT_MS, signal));
      } catch (error) {
        // Clients that ask again as soon as they are refused would keep the thread busy.
        if (isAppError(error, "too_many_reads") && !signal?.aborted)
          await sleep(Math.max(0, beganAt + REFUSAL_MS * (1 + Math.random()) - performance.now()));
        throw error;
      }
    },
  };
}
