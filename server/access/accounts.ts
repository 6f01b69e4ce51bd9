import * as z from "zod";
import {
  findAccountId,
  insertAccount,
  updateChecksAMonth,
  updatePlan,
} from "../db/accounts/accounts.ts";
import type { Operator } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { newId } from "../db/id.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { fault } from "../base/input-faults.ts";
import { PLANS } from "../base/plans.ts";

const EMAIL_INVALID = fault("email_invalid");
/** The longest address that e-mail can be sent to (RFC 5321). */
const MAX_EMAIL_LENGTH = 254;

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email(EMAIL_INVALID).max(MAX_EMAIL_LENGTH, EMAIL_INVALID));

/** Returns the address as it is stored, or "" if it is invalid: no account has an empty address. */
export const normalizeEmail = (typed = ""): string => Email.safeParse(typed).data ?? "";

export const AccountPlan = z.object({
  email: Email,
  plan: z.enum(PLANS, fault("plan_unknown")),
});
export type AccountPlan = z.infer<typeof AccountPlan>;

export type Account = AccountPlan & { id: string };

const QUOTA_INVALID = fault("quota_invalid");
const MAX_QUOTA = 1_000_000_000;

/** A null `quota` means the plan's quota. */
export const AccountQuota = z.object({
  email: Email,
  quota: z
    .string()
    .regex(/^(?:\d{1,10}|plan)$/, QUOTA_INVALID)
    .transform((typed) => (typed === "plan" ? null : Number(typed)))
    .refine((checks) => checks === null || checks <= MAX_QUOTA, QUOTA_INVALID),
});
export type AccountQuota = z.infer<typeof AccountQuota>;

export async function getAccountId(sql: Sql, email: string): Promise<string> {
  const id = await findAccountId(sql, email);
  if (id === undefined) throw new AppError("account_not_found", { email });
  return id;
}

export async function addAccount(
  { database }: StoreDeps,
  actor: Operator,
  { email, plan }: AccountPlan,
): Promise<Account> {
  const account = { id: newId("acc"), email, plan };
  await database.begin(async (sql) => {
    if (!(await insertAccount(sql, account))) throw new AppError("account_exists", { email });
    const event = { action: "account.created", accountId: account.id, details: { plan } } as const;
    await insertEvent(sql, actor, event);
  });
  return account;
}

/** The new plan's quota applies to the current month too. */
export const changePlan = (
  { database }: StoreDeps,
  actor: Operator,
  { email, plan }: AccountPlan,
) =>
  database.begin(async (sql) => {
    const id = await updatePlan(sql, email, plan);
    if (id === undefined) throw new AppError("account_not_found", { email });
    const event = { action: "account.plan_changed", accountId: id, details: { to: plan } } as const;
    await insertEvent(sql, actor, event);
    return { id, email, plan };
  });

export function changeQuota(
  { database }: StoreDeps,
  actor: Operator,
  { email, quota }: AccountQuota,
): Promise<AccountQuota & { id: string }> {
  return database.begin(async (sql) => {
    const id = await updateChecksAMonth(sql, email, quota);
    if (id === undefined) throw new AppError("account_not_found", { email });
    const details = { to: quota ?? "plan" };
    await insertEvent(sql, actor, { action: "account.quota_changed", accountId: id, details });
    return { id, email, quota };
  });
}
