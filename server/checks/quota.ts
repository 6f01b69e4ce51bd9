import { type Quota, quotaOf } from "../../shared/quota.ts";
import { insertCountedCheck, type Idempotency } from "../db/checks/checks.ts";
import { findUsage } from "../db/accounts/usage.ts";
import type { Sql } from "../db/driver/sql.ts";
import { AppError } from "../base/errors.ts";
import { CHECKS_A_MONTH, limitOf } from "../base/plans.ts";

export const quotaOfAccount = (account: Parameters<typeof limitOf>[0], used: number): Quota =>
  quotaOf(used, limitOf(account));

export function secondsToNextMonth(now: Date): number {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return Math.ceil((next - now.getTime()) / 1000);
}

/** Throws `quota_exceeded`. Only `takeSlot` takes a slot. */
export async function requireSlot(sql: Sql, accountId: string): Promise<void> {
  const account = await findUsage(sql, accountId);
  if (account === undefined) return;
  const quota = quotaOfAccount(account, account.used);
  if (quota.remaining === 0) throw new AppError("quota_exceeded", { quota, askedAt: account.now });
}

/** Returns undefined if another request has used the idempotency key first. Throws `quota_exceeded`. */
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
