/*
 * The plans of accounts, and what each may. The database's constraint on `accounts.plan` lists them too; what is said of
 * them stands in `web/pages/account/account-words.ts` and in the documents.
 */
export const PLANS = ["free", "pro", "team"] as const;
export type Plan = (typeof PLANS)[number];

/** Checks per calendar month (UTC) and account, over all of its tokens. */
export const CHECKS_A_MONTH: Readonly<Record<Plan, number>> = { free: 30, pro: 300, team: 1000 };

/** The checks a month of an account: its own number if the operator gave it one, else that of its plan. */
export const limitOf = ({ plan, checksAMonth }: { plan: Plan; checksAMonth: number | null }) =>
  checksAMonth ?? CHECKS_A_MONTH[plan];

const HAS_MCP: Readonly<Record<Plan, boolean>> = { free: false, pro: false, team: true };

/** Whether assistants may use the account's tools. */
export const mayUseMcp = (plan: Plan | undefined): boolean => plan !== undefined && HAS_MCP[plan];

export const SIGN_UP_PLAN: Plan = "free";

export const CHECKS_OF_EXEC = 1_000_000;

export const OPERATORS_PLAN: Plan = "team";
