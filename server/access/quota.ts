import type { Quota } from "../../shared/quota.ts";
import type { Plan } from "../db/accounts.ts";
import { insertCountedCheck, type Idempotency } from "../db/checks.ts";
import type { Sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";

/** Checks a calendar month (UTC), per account, over all its tokens. */
export const CHECKS_A_MONTH: Readonly<Record<Plan, number>> = { free: 30, pro: 300, team: 1000 };

/** The count as it is answered; `used` may exceed `limit` after a downgrade, `remaining` is then 0. */
export function quotaOf(used: number, limit: number): Quota {
  return { used, limit, remaining: Math.max(0, limit - used) };
}

/** Whole seconds, rounded up, until the next calendar month begins in UTC. */
export function secondsToNextMonth(now: Date): number {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return Math.ceil((next - now.getTime()) / 1000);
}

/**
 * Takes a slot for a new check, before it runs; undefined when another use of its idempotency key has come first.
 * Throws `quota_exceeded` when the month has none left.
 */
export async function takeSlot(
  sql: Sql,
  check: { id: string; accountId: string; host: string },
  idempotency: Idempotency | undefined,
): Promise<Quota | undefined> {
  const slot = await insertCountedCheck(sql, check, idempotency, CHECKS_A_MONTH);
  if (slot.outcome === "repeated") return undefined;
  const quota = quotaOf(slot.used, slot.limit);
  if (slot.outcome === "exhausted")
    throw new AppError("quota_exceeded", { quota, askedAt: slot.askedAt });
  return quota;
}
