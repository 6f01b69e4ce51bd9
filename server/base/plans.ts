/*
 * The database's constraint on `accounts.plan` lists the plans too. `web/pages/account/account-words.ts` and the documents describe them.
 */
export const PLANS = ["free", "pro", "team"] as const;
export type Plan = (typeof PLANS)[number];

/** The quota per calendar month (UTC) and account, across all its tokens. */
export const CHECKS_A_MONTH: Readonly<Record<Plan, number>> = { free: 30, pro: 300, team: 1000 };

export const limitOf = ({ plan, checksAMonth }: { plan: Plan; checksAMonth: number | null }) =>
  checksAMonth ?? CHECKS_A_MONTH[plan];

const HAS_MCP: Readonly<Record<Plan, boolean>> = { free: false, pro: false, team: true };

export const mayUseMcp = (plan: Plan | undefined): boolean => plan !== undefined && HAS_MCP[plan];

export const SIGN_UP_PLAN: Plan = "free";

export const CHECKS_OF_EXEC = 1_000_000;

export const OPERATORS_PLAN: Plan = "team";
