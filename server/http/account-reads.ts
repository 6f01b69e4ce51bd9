import { setTimeout as sleep } from "node:timers/promises";
import { AppError, isAppError } from "../base/errors.ts";
import type { Semaphore } from "../semaphores.ts";
import { findCaller, type CallerRow, type KnownAccount } from "../db/accounts/callers.ts";
import type { Sql } from "../db/driver/sql.ts";

/** Leaves database connections for other accounts. A request must run its statements one at a time. */
export interface AccountReads {
  /**
   * Resolves to a function that ends the read, or to undefined for an unknown credential. Throws `too_many_reads` after 5 s, or after 1 to
   * 1.5 s if 40 requests of the account wait already. Throws the reason of `signal` if it aborts.
   */
  begin(caller: CallerRow, signal?: AbortSignal): Promise<(() => void) | undefined>;
}

const MAX_WAIT_MS = 5000;
const WAITING = 40;
/** A rejection takes 1 to 1.5 s: this slows down clients that retry immediately, and spreads the rejections. */
const REFUSAL_MS = 1000;
const SPREAD_MS = 500;
const MAX_OWNERS = 10_000;
/**
 * A credential never changes its account, but may be revoked. A revoked credential waits like the account's others until its cache entry
 * expires.
 */
const OWNER_MS = 10_000;

export function createAccountReads(sql: Sql, reads: Semaphore): AccountReads {
  /** Caches the account of each credential, so that a request waits for its permit before it reads anything. */
  const owners = new Map<string, { found: Promise<KnownAccount | undefined>; endsAt: number }>();

  function findOwner(caller: CallerRow): Promise<KnownAccount | undefined> {
    const key = caller.fingerprint.toString("base64");
    const now = performance.now();
    const known = owners.get(key);
    if (known && known.endsAt > now) return known.found;
    const found = findCaller(sql, caller);
    owners.delete(key);
    owners.set(key, { found, endsAt: now + OWNER_MS });
    if (owners.size > MAX_OWNERS) owners.delete(owners.keys().next().value!);
    const forget = () => void owners.delete(key);
    found.then((owner) => owner ?? forget(), forget);
    return found;
  }

  return {
    async begin(caller, signal) {
      const owner = await findOwner(caller);
      const beganAt = performance.now();
      try {
        return (
          owner &&
          (await reads.acquire(owner.accountId, MAX_WAIT_MS, { signal, waitingPerKey: WAITING }))
        );
      } catch (error) {
        if (!isAppError(error, "busy")) throw error;
        await sleep(
          Math.max(0, beganAt + REFUSAL_MS - performance.now()) + SPREAD_MS * Math.random(),
        );
        throw new AppError("too_many_reads", {});
      }
    },
  };
}
