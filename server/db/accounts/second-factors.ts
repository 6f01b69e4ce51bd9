import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { isFound, onlyRow, onlyValue } from "../driver/rows.ts";

export interface SignInMethods {
  hasPasskeys: boolean;
  hasSecondFactor: boolean;
}

export const SIGN_IN_METHODS = fragment`
  exists (select from passkeys where passkeys.account_id = accounts.id) as has_passkeys,
  exists (select from second_factors where second_factors.account_id = accounts.id) as has_second_factor`;

export interface Factors extends SignInMethods {
  secret: Buffer | null;
  now: Date;
}

export const findFactors = (sql: Sql, accountId: string) =>
  onlyRow(sql.read<Factors>`
    select secret, secret is not null as has_second_factor,
      exists (select from passkeys where account_id = ${accountId}) as has_passkeys, now()
    from (select ${accountId}::text as account_id) one left join second_factors using (account_id)`);

export const insertSecondFactor = (
  sql: Sql,
  { accountId, secret, step }: { accountId: string; secret: Buffer; step: number },
) =>
  isFound(sql`
    insert into second_factors (account_id, secret, last_step) values (${accountId}, ${secret}, ${step})
    on conflict (account_id) do nothing returning account_id`);

export const useStep = (sql: Sql, accountId: string, step: number) =>
  isFound(sql`
    update second_factors set last_step = ${step}
    where account_id = ${accountId} and last_step < ${step} returning account_id`);

export const useRecoveryCode = (sql: Sql, accountId: string, fingerprint: Buffer) =>
  isFound(sql`
    delete from recovery_codes where fingerprint = ${fingerprint} and account_id = ${accountId}
    returning account_id`);

/** The account's row must be locked. */
export async function replaceRecoveryCodes(
  sql: Sql,
  accountId: string,
  fingerprints: readonly Buffer[],
): Promise<void> {
  await sql`delete from recovery_codes where account_id = ${accountId}`;
  for (const fingerprint of fingerprints)
    await sql`
      insert into recovery_codes (fingerprint, account_id) values (${fingerprint}, ${accountId})`;
}

export const countRecoveryCodes = (sql: Sql, accountId: string) =>
  onlyValue(sql.read<{ count: number }>`
    select count(*)::int as count from recovery_codes where account_id = ${accountId}`);

export async function deleteSecondFactor(sql: Sql, accountId: string): Promise<void> {
  await sql`delete from recovery_codes where account_id = ${accountId}`;
  await sql`delete from second_factors where account_id = ${accountId}`;
}
