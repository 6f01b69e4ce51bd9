import type { Verdict } from "../../shared/check.ts";
import type { Database, Sql } from "./sql.ts";

export interface Idempotency {
  key: string;
  requestHash: Buffer;
}

/**
 * Takes one slot of the account's month and starts the check's lease of 20 s, in one statement: the row of `usage` is
 * locked and its limit asked again after any wait, so parallel calls never exceed it. Returns the slots used, this one
 * included; undefined when none is left. A second use of an idempotency key fails on its unique index (23505).
 */
export async function insertCountedCheck(
  sql: Sql,
  check: { id: string; accountId: string; host: string; limit: number },
  idempotency: Idempotency | undefined,
): Promise<number | undefined> {
  const [slot] = await sql<{ used: number }>`
    with slot as (
      insert into usage (account_id, month, used)
      values (${check.accountId}, date_trunc('month', now() at time zone 'utc')::date, 1)
      on conflict (account_id, month) do update set used = usage.used + 1 where usage.used < ${check.limit}
      returning month, used
    )
    insert into checks (id, account_id, month, host, state, lease_until, idempotency_key, request_hash)
    select ${check.id}, ${check.accountId}, month, ${check.host}, 'running', now() + interval '20 seconds',
      ${idempotency?.key ?? null}, ${idempotency?.requestHash ?? null}
    from slot
    returning (select used from slot)`;
  return slot?.used;
}

/** The slots that an account has used this month (UTC). */
export async function getUsed(sql: Sql, accountId: string): Promise<number> {
  const [usage] = await sql<{ used: number }>`
    select used from usage
    where account_id = ${accountId} and month = date_trunc('month', now() at time zone 'utc')::date`;
  return usage?.used ?? 0;
}

/** Starts a deployment's check, which holds no slot. */
export async function startUncountedCheck(
  sql: Sql,
  check: { id: string; host: string },
): Promise<void> {
  await sql`
    insert into checks (id, host, state, lease_until)
    values (${check.id}, ${check.host}, 'running', now() + interval '20 seconds')`;
}

/** What a check came to: `answer` is the text that is sent, `evidence` as packed. */
export interface FinishedCheck {
  score: number;
  verdict: Verdict;
  ruleset: string;
  answer: string;
  evidence: Uint8Array;
}

/** Ends a running check; false when its lease had run out and its slot was given back meanwhile. */
export async function finishCheck(sql: Sql, id: string, check: FinishedCheck): Promise<boolean> {
  const rows = await sql`
    update checks set state = 'done', score = ${check.score}, verdict = ${check.verdict}, ruleset = ${check.ruleset},
      answer = ${check.answer}, evidence = ${check.evidence}
    where id = ${id} and state = 'running'
    returning id`;
  return rows.length === 1;
}

/** Ends a running check without a result: its slot returns to the month it came from, its idempotency key is free. */
export async function giveSlotBack(sql: Sql, id: string): Promise<void> {
  await sql`
    with lost as (
      update checks set state = 'given_back' where id = ${id} and state = 'running' returning account_id, month
    )
    update usage set used = used - 1 from lost
    where usage.account_id = lost.account_id and usage.month = lost.month`;
}

/** Gives back the slots of checks whose server died; safe beside other servers that do the same. */
export async function giveExpiredSlotsBack(sql: Sql): Promise<void> {
  await sql`
    with expired as (
      select id from checks where state = 'running' and lease_until < now()
      order by id limit 500 for update skip locked
    ), lost as (
      update checks set state = 'given_back' from expired where checks.id = expired.id returning account_id, month
    ), lost_by_month as (
      select account_id, month, count(*)::int as slots from lost group by account_id, month
    )
    update usage set used = used - slots from lost_by_month
    where usage.account_id = lost_by_month.account_id and usage.month = lost_by_month.month`;
}

export interface EarlierCheck {
  state: "running" | "done";
  requestHash: Buffer;
  answer: string | null;
}

/** The check of an idempotency key used in the last 24 hours; an older use of the key is forgotten here. */
export async function findByIdempotencyKey(
  sql: Sql,
  accountId: string,
  key: string,
): Promise<EarlierCheck | undefined> {
  const [check] = await sql<EarlierCheck>`
    with forgotten as (
      update checks set idempotency_key = null
      where account_id = ${accountId} and idempotency_key = ${key} and state <> 'given_back'
        and started_at <= now() - interval '24 hours'
    )
    select state, request_hash, answer from checks
    where account_id = ${accountId} and idempotency_key = ${key} and state <> 'given_back'
      and started_at > now() - interval '24 hours'`;
  return check;
}

/**
 * Lets a running check visit its host, or not yet: at most 4 at once and 60 a minute for an account, 8 and 240 over
 * all. The host's row is locked first, so that two servers never let in the same last one.
 */
export async function admitCheck(
  database: Database,
  check: { id: string; host: string; accountId: string | null },
): Promise<boolean> {
  return database.begin(async (sql) => {
    await sql`insert into hosts (host) values (${check.host}) on conflict (host) do update set host = excluded.host`;
    const admitted = await sql`
      with recent as (
        select account_id = ${check.accountId} as own, state = 'running' and lease_until > now() as running
        from checks where host = ${check.host} and admitted_at > now() - interval '1 minute'
      ), counts as (
        select count(*) as minute, count(*) filter (where own) as own_minute,
          count(*) filter (where running) as running, count(*) filter (where own and running) as own_running
        from recent
      )
      update checks set admitted_at = now() from counts
      where id = ${check.id} and running < 8 and own_running < 4 and minute < 240 and own_minute < 60
      returning id`;
    return admitted.length === 1;
  });
}

/** The stored evidence of a check that has ended; undefined when there is no such check, or none any more. */
export async function findPackedEvidence(sql: Sql, id: string): Promise<Buffer | undefined> {
  const [check] = await sql<{ evidence: Buffer }>`
    select evidence from checks where id = ${id} and state = 'done'`;
  return check?.evidence;
}

/** Deletes checks older than 90 days, a thousand at most; those of deployments are kept. */
export async function deleteOldChecks(sql: Sql): Promise<void> {
  await sql`
    delete from checks where id in (
      select id from checks
      where started_at < now() - interval '90 days' and account_id is not null
      order by started_at limit 1000
    )`;
}
