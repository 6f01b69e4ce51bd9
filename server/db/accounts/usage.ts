import type { Plan } from "../../base/plans.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { firstRow } from "../driver/rows.ts";
import type { Sql } from "../driver/sql.ts";

export const THIS_MONTH: Fragment = fragment`date_trunc('month', now() at time zone 'utc')::date`;

export const limitOf = (limits: Readonly<Record<Plan, number>>): Fragment =>
  fragment`coalesce(checks_a_month, (${JSON.stringify(limits)}::text::jsonb ->> plan)::int)`;

export const USED_THIS_MONTH: Fragment = fragment`coalesce((select used from usage
  where account_id = caller.account_id and month = ${THIS_MONTH}), 0)`;

interface Usage {
  plan: Plan;
  checksAMonth: number | null;
  used: number;
  now: Date;
}

export const findUsage = (sql: Sql, accountId: string) =>
  firstRow(sql.read<Usage>`
    select plan, checks_a_month, ${USED_THIS_MONTH} as used, now() from (
      select id as account_id, plan, checks_a_month from accounts where id = ${accountId}
    ) caller`);
