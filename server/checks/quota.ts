import { type Quota, quotaOf } from "../../shared/quota.ts";
import { insertCountedCheck, type Idempotency } from "../db/checks/checks.ts";
import type { Sql } from "../db/driver/sql.ts";
import { AppError } from "../base/errors.ts";
import { CHECKS_A_MONTH, limitOf } from "../access/plans.ts";

/** The month's quota of an account. */
export const quotaOfAccount = (account: Parameters<typeof limitOf>[0], used: number): Quota =>
  quotaOf(used, limitOf(account));

/** Whole seconds, rounded up, until the next calendar month (UTC). */
export function secondsToNextMonth(now: Date): number {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return Math.ceil((next - now.getTime()) / 1000);
}

/**
 * Takes a slot of the month for a check that is about to run; undefined if its idempotency key was used first by
 * another request. Throws `quota_exceeded` if no slot is left.
 */
export async function takeSlot(
  sql: Sql,
  check: { id: string; accountId: string; host: string },
  idempotency: Idempotency | undefined,
  leaseMs: number,
): Promise<Quota | undefined> {
  const slot = await insertCountedCheck(sql, check, idempotency, CHECKS_A_MONTH, leaseMs);
  if (slot.outcome === "repeated") return undefined;
  const quota = quotaOf(slot.used, slot.limit);
  if (slot.outcome === "exhausted")
    throw new AppError("quota_exceeded", { quota, askedAt: slot.askedAt });
  return quota;
}
