import type { Language } from "../../../shared/language.ts";
import type { Plan } from "../../base/plans.ts";
import { fragment } from "../driver/fragment.ts";
import { BATCH_ROWS } from "../batch.ts";
import { isTaken } from "../driver/failure.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow, firstValue, isFound } from "../driver/rows.ts";

export const insertAccount = (sql: Sql, account: { id: string; email: string; plan: Plan }) =>
  isFound(sql`
    insert into accounts (id, email, plan) values (${account.id}, ${account.email}, ${account.plan})
    on conflict (email) do nothing returning id`);

export const updatePlan = (sql: Sql, email: string, plan: Plan) =>
  firstValue(
    sql<{
      id: string;
    }>`update accounts set plan = ${plan} where email = ${email} returning id`,
  );

/** Null restores the number of the plan. */
export const updateChecksAMonth = (sql: Sql, email: string, checks: number | null) =>
  firstValue(
    sql<{
      id: string;
    }>`update accounts set checks_a_month = ${checks}::int where email = ${email} returning id`,
  );

export const findAccountId = (sql: Sql, email: string) =>
  firstValue(sql.read<{ id: string }>`select id from accounts where email = ${email}`);

export const getEmail = (sql: Sql, accountId: string) =>
  firstRow(sql.read<{ email: string | null }>`
    select email from accounts where id = ${accountId}`).then((account) => account?.email ?? "");

/** Returns false if the address already has an account; then this transaction can do nothing more. */
export async function updateEmail(sql: Sql, accountId: string, email: string): Promise<boolean> {
  try {
    await sql`update accounts set email = ${email} where id = ${accountId}`;
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

/** Null means the language that the browser asks for, and UTC. */
export interface Preferences {
  language: Language | null;
  /** A name of the IANA database. */
  timeZone: string | null;
}

export const updatePreferences = (
  sql: Sql,
  accountId: string,
  { language, timeZone }: { [Name in keyof Preferences]?: Preferences[Name] | undefined },
) =>
  firstRow(sql<{ [Name in keyof Preferences]: Preferences[Name] }>`
    with former as (
      select id, language, time_zone from accounts where id = ${accountId} and email is not null for no key update
    )
    update accounts set
      language = ${language === undefined ? fragment`former.language` : fragment`${language}`},
      time_zone = ${timeZone === undefined ? fragment`former.time_zone` : fragment`${timeZone}`}
    from former where accounts.id = former.id
    returning former.language, former.time_zone`);

/** True if an earlier thread of the account ended within the last hour. The row lock orders concurrent calls. */
export const recordEndedThread = (sql: Sql, accountId: string) =>
  firstValue(sql<{ isRepeated: boolean | null }>`
    update accounts set thread_ended_before_at = thread_ended_at, thread_ended_at = now()
    where id = ${accountId}
    returning thread_ended_before_at > now() - interval '1 hour' as is_repeated`).then(Boolean);

export interface AccountSummary {
  id: string;
  email: string;
  plan: Plan;
  /** Null means the number of its plan. */
  checksAMonth: number | null;
  used: number;
  activeTokens: number;
  secondFactor: string | null;
}

const SUMMARY = fragment`
      id, email, plan, checks_a_month,
      coalesce((select used from usage
        where account_id = accounts.id and month = date_trunc('month', now() at time zone 'utc')::date), 0) as used,
      (select count(*)::int from tokens where account_id = accounts.id and revoked_at is null) as active_tokens,
      nullif(concat_ws(', ',
        case when exists (select from second_factors where account_id = accounts.id) then 'codes' end,
        case when exists (select from passkeys where account_id = accounts.id) then 'passkeys' end), '') as second_factor`;

export const listAccounts = (sql: Sql, after: Pick<AccountSummary, "email"> | null) =>
  sql.read<AccountSummary>`
    select ${SUMMARY} from accounts
    where email is not null and ${after === null ? fragment`true` : fragment`email > ${after.email}`}
    order by email limit ${BATCH_ROWS}`;

export const findAccountSummary = (sql: Sql, email: string) =>
  firstRow(sql.read<AccountSummary>`
    select ${SUMMARY} from accounts where email = ${email}`);
