import type { HostBounds } from "../../base/bounds.ts";
import type { FinishedCheck, FinishedScan } from "../../engine/finished.ts";
import type { Plan } from "../../base/plans.ts";
import { fragment, milliseconds, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { done, firstRow, firstValue, isFound, onlyRow } from "../driver/rows.ts";

/** How long an idempotency key leads to the check it was first used for. */
export const KEY_TIME = "24 hours";

export interface Idempotency {
  key: string;
  requestHash: Buffer;
}

export interface SlotOutcome {
  outcome: "taken" | "exhausted" | "repeated";
  used: number;
  limit: number;
  askedAt: Date;
}

/** The second use of an idempotency key is `repeated`, even if no slot is left. */
export const insertCountedCheck = (
  sql: Sql,
  check: { id: string; accountId: string; host: string },
  idempotency: Idempotency | undefined,
  limits: Readonly<Record<Plan, number>>,
  leaseMs: number,
) =>
  onlyRow(sql<SlotOutcome>`
    select outcome, slots as used, quota as limit, asked_at
    from take_slot(${check.id}, ${check.accountId}, ${check.host}, ${idempotency?.key ?? null},
      ${idempotency?.requestHash ?? null}, ${JSON.stringify(limits)}::text::jsonb,
      ${KEY_TIME}::text::interval, ${milliseconds(leaseMs)})`);

export const insertDeploymentCheck = (
  sql: Sql,
  check: { id: string; projectId: string; host: string },
  leaseMs: number,
) =>
  done(sql`
    insert into checks (id, kind, project_id, host, state, lease_until)
    values (${check.id}, 'deployment', ${check.projectId}, ${check.host}, 'running',
      now() + ${milliseconds(leaseMs)})`);

/** Resolves to false if the lease was over before. */
export const renewLease = (sql: Sql, id: string, leaseMs: number) =>
  isFound(sql`
    update checks set lease_until = now() + ${milliseconds(leaseMs)}
    where id = ${id} and state = 'running' and lease_until > now()
    returning id`);

export const recordStep = (sql: Sql, id: string, step: string, url: string) =>
  done(
    sql`update checks set step = ${step}, masked_url = ${url} where id = ${id} and state = 'running'`,
  );

/** Safe to repeat if the answer was lost, even while the first call still runs: both write the same. */
export function finishCheck(sql: Sql, id: string, check: FinishedCheck | FinishedScan) {
  const none = { answer: null, findings: null, previousFiles: null };
  const { answer, findings, previousFiles } = "answer" in check ? check : none;
  return isFound(sql`
    update checks set state = 'done', masked_url = ${check.url}, score = ${check.score}, verdict = ${check.verdict}, ruleset = ${check.ruleset},
      first_byte_ms = ${check.firstByteMs}, answer = ${answer}, evidence = ${check.evidence},
      findings = case when kind = 'deployment' then ${JSON.stringify(findings)}::text::jsonb end,
      previous_files = ${previousFiles && JSON.stringify(previousFiles)}::text::jsonb
    where id = ${id} and state <> 'given_back'
    returning id`);
}

export const giveSlotBack = (sql: Sql, id: string) =>
  done(sql`select give_slots_back(array[${id}], false)`);

/**
 * Several servers can run it in parallel. Accounts whose count is locked are skipped at first, then waited for one at a
 * time. The order is random, so that an account that stays locked does not block the others.
 */
export async function giveExpiredSlotsBack(sql: Sql): Promise<void> {
  const isExpired = fragment`checks.state = 'running' and checks.lease_until < now()`;
  const ofFreeAccounts = fragment`
    select checks.id from checks join usage using (account_id, month)
    where kind = 'api' and ${isExpired} order by lease_until limit 500 for update of usage skip locked`;
  const ofOneAccount = fragment`
    select checks.id from checks join (
      select kind, account_id, month from checks where ${isExpired} group by kind, account_id, month order by random() limit 1
    ) as drawn on (checks.kind, checks.account_id, checks.month) is not distinct from (drawn.kind, drawn.account_id, drawn.month)
    where ${isExpired} limit 500`;
  for (const choice of [ofFreeAccounts, ofOneAccount]) while (await giveBackExpired(sql, choice));
}

async function giveBackExpired(sql: Sql, choice: Fragment): Promise<boolean> {
  return isFound(sql`
    with chosen as materialized (select array(${choice}) as ids)
    select give_slots_back(ids, true) from chosen where ids <> '{}'`);
}

export interface EarlierCheck {
  id: string;
  step: string | null;
  requestHash: Buffer;
  answer: string | null;
}

/** An older use is deleted once the key is used again. */
export const findByIdempotencyKey = (sql: Sql, accountId: string, key: string) =>
  firstRow(sql.read<EarlierCheck>`
    select id, step, request_hash, answer from checks
    where account_id = ${accountId} and idempotency_key = ${key} and state <> 'given_back'
      and started_at > now() - ${KEY_TIME}::text::interval`);

export async function admitChecks(
  sql: Sql,
  host: string,
  ids: readonly string[],
  bounds: Readonly<HostBounds>,
  leaseMs: number,
): Promise<string[]> {
  const admitted = await sql<{ id: string }>`
    select id from admit_checks(${host}, string_to_array(${ids.join(" ")}, ' '), ${JSON.stringify(bounds)}::text::jsonb,
      ${milliseconds(leaseMs)}) as id`;
  return admitted.map(({ id }) => id);
}

export const findPackedEvidence = (sql: Sql, id: string) =>
  firstValue(sql.read<{ evidence: Buffer }>`
    select evidence from checks where id = ${id} and state = 'done'`);
