import type { Verdict } from "../../shared/check.ts";
import type { HostBounds } from "../bounds.ts";
import type { Plan } from "./accounts.ts";
import { fragment, type Fragment } from "./fragment.ts";
import type { Sql } from "./sql.ts";

/** The lease of a running check, from the statement that begins it, or that lets the check visit its host. */
export const LEASE_MS = 20_000;

/** What a check was made for: `api` for an account, which pays a slot of its month; the others pay none. */
export type CheckKind = "api" | "deployment" | "cycle" | "scan";

export interface Idempotency {
  key: string;
  requestHash: Buffer;
}

/** What became of a demand for a slot. `used` and `limit` are what decided it, as counted at `askedAt`. */
export interface SlotOutcome {
  outcome: "taken" | "exhausted" | "repeated";
  used: number;
  limit: number;
  askedAt: Date;
}

/**
 * Takes one slot of the account's month, by the limit of the plan that it has now, and starts the check's lease of
 * 20 s. Parallel calls wait for each other in the database, so they never exceed the limit, and of two uses of an
 * idempotency key the second is `repeated`, also when no slot is left.
 */
export async function insertCountedCheck(
  sql: Sql,
  check: { id: string; accountId: string; host: string },
  idempotency: Idempotency | undefined,
  limits: Readonly<Record<Plan, number>>,
): Promise<SlotOutcome> {
  const [slot] = await sql<SlotOutcome>`
    select outcome, slots as used, quota as limit, asked_at
    from take_slot(${check.id}, ${check.accountId}, ${check.host}, ${idempotency?.key ?? null},
      ${idempotency?.requestHash ?? null}, ${JSON.stringify(limits)}::text::jsonb)`;
  if (slot === undefined) throw new Error("take_slot returned no row");
  return slot;
}

/** Starts the check of a deployment of this project, and its lease of 20 s; it takes no slot. */
export async function insertDeploymentCheck(
  sql: Sql,
  check: { id: string; projectId: string; host: string },
): Promise<void> {
  await sql`
    insert into checks (id, kind, project_id, host, state, lease_until)
    values (${check.id}, 'deployment', ${check.projectId}, ${check.host}, 'running', now() + interval '20 seconds')`;
}

/** What a check came to: `answer` is the text that is sent, `evidence` as packed. */
export interface FinishedCheck {
  score: number;
  verdict: Verdict;
  ruleset: string;
  answer: string;
  evidence: Uint8Array;
}

/**
 * Ends a check; false when its lease had run out and its slot was given back meanwhile. It may be asked again when the
 * answer was lost, also while the first still runs: the same is written twice.
 */
export async function finishCheck(sql: Sql, id: string, check: FinishedCheck): Promise<boolean> {
  const rows = await sql`
    update checks set state = 'done', score = ${check.score}, verdict = ${check.verdict}, ruleset = ${check.ruleset},
      answer = ${check.answer}, evidence = ${check.evidence}
    where id = ${id} and state <> 'given_back'
    returning id`;
  return rows.length === 1;
}

/**
 * Ends a check without a result: its slot returns to the month it came from, its idempotency key is free. So does one
 * that is done, unless its key still leads to the answer.
 */
export async function giveSlotBack(sql: Sql, id: string): Promise<void> {
  await sql`select give_slots_back(array[${id}], false)`;
}

/**
 * Gives back the slots of checks whose server died, until none is left; safe beside other servers that do the same.
 * Accounts whose count is locked at the moment are passed over, and then waited for one at a time, as drawn by lot: so
 * one that stays locked keeps no other waiting.
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

/** False when there was nothing to choose. */
async function giveBackExpired(sql: Sql, choice: Fragment): Promise<boolean> {
  const rows = await sql`
    with chosen as materialized (select array(${choice}) as ids)
    select give_slots_back(ids, true) from chosen where ids <> '{}'`;
  return rows.length === 1;
}

export interface EarlierCheck {
  state: "running" | "done";
  requestHash: Buffer;
  answer: string | null;
}

/** The check of an idempotency key used in the last 24 hours; an older use is forgotten when the key is used again. */
export async function findByIdempotencyKey(
  sql: Sql,
  accountId: string,
  key: string,
): Promise<EarlierCheck | undefined> {
  const [check] = await sql<EarlierCheck>`
    select state, request_hash, answer from checks
    where account_id = ${accountId} and idempotency_key = ${key} and state <> 'given_back'
      and started_at > now() - interval '24 hours'`;
  return check;
}

/** Lets in those of a host's waiting checks for which its bounds have room, and begins their leases anew; their ids. */
export async function admitChecks(
  sql: Sql,
  host: string,
  ids: readonly string[],
  bounds: Readonly<HostBounds>,
): Promise<string[]> {
  const admitted = await sql<{ id: string }>`
    select id from admit_checks(${host}, string_to_array(${ids.join(" ")}, ' '), ${JSON.stringify(bounds)}::text::jsonb) as id`;
  return admitted.map(({ id }) => id);
}

/** The stored evidence of a check that has ended; undefined when there is no such check, or none any more. */
export async function findPackedEvidence(sql: Sql, id: string): Promise<Buffer | undefined> {
  const [check] = await sql<{ evidence: Buffer }>`
    select evidence from checks where id = ${id} and state = 'done'`;
  return check?.evidence;
}
