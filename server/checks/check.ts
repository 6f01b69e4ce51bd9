import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Check, type CheckRequest } from "../../shared/check.ts";
import type { Quota } from "../../shared/quota.ts";
import { takeSlot } from "./quota.ts";
import type { CredentialActor } from "../db/accounts/actors.ts";
import type { Idempotency } from "../db/checks/checks.ts";
import { findByIdempotencyKey, finishCheck, giveSlotBack } from "../db/checks/checks.ts";
import { newId } from "../db/id.ts";
import type { Deps } from "../deps.ts";
import { KIND_LABELS } from "../base/metrics.ts";
import { AppError, isAppError, createRefusal } from "../base/errors.ts";
import type { Language } from "../../shared/language.ts";
import { findLookupName } from "../engine/net/guard.ts";
import type { VettedUrl } from "../engine/net/vet.ts";
import type { CountedRow } from "./host-queues.ts";
import { limitRefusedChecks } from "./lookups.ts";
import { retryStatement } from "./retry-statement.ts";
import { recordSteps } from "./progress.ts";
import { FINISH_MS, MAX_WAIT_MS, verify, type FollowOptions } from "./verify.ts";

const REPLAY_WAIT_MS = 25_000;
const POLL_MS = 200;
const GIVE_BACK_WAIT_MS = 1000;
/** Retries for an hour, because the end of a lease does not return the slot of a finished check. */
const GIVE_BACK_MS = 3_600_000;

/** A repeated request with the same key returns the first answer and costs no slot. */
interface CheckInput extends FollowOptions {
  request: CheckRequest;
  idempotencyKey?: string | undefined;
  language: Language;
  /** Called once the visit has begun. With this callback, the steps are stored, so that others can follow them. */
  onBegun?: ((id: string) => void) | undefined;
}

interface CountedOrder extends CheckInput {
  accountId: string;
}

function hashOf({ url, preview, headers }: CheckRequest): Buffer {
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([url, preview, sorted]))
    .digest();
}

/**
 * The API promises this order: replay of an earlier answer, check of the URL, check of the quota, run. A run that is aborted before the
 * visit, or does not finish, returns its slot. Throws `idempotency_key_reused`, `idempotency_key_running`, `url_refused`, `quota_exceeded`,
 * `busy`, and whatever `verify` throws.
 */
export async function runCheck(
  deps: Deps,
  { accountId }: CredentialActor,
  asked: CheckInput,
): Promise<string> {
  const order = { ...asked, accountId };
  const idempotency =
    order.idempotencyKey === undefined
      ? undefined
      : { key: order.idempotencyKey, requestHash: hashOf(order.request) };
  const deadline = performance.now() + REPLAY_WAIT_MS;
  for (;;) {
    const replay = idempotency && (await awaitEarlier(deps, order, idempotency, deadline));
    const answer = replay ?? (await deps.work.add(runFirst(deps, order, idempotency)));
    if (answer !== undefined) return answer;
    if (performance.now() >= deadline) throw new AppError("idempotency_key_running", {});
  }
}

/**
 * Returns the id once the visit has begun; before the visit, throws the errors of `runCheck`. A form that is sent twice has the same
 * `formKey`, so the form starts only one check of a URL.
 */
export const startCheck = (
  deps: Deps,
  actor: CredentialActor,
  { formKey, ...asked }: Pick<CheckInput, "request" | "language"> & { formKey: string },
): Promise<string> =>
  new Promise((resolve, reject) => {
    const idempotencyKey = `form ${formKey} ${hashOf(asked.request).toString("base64url")}`;
    runCheck(deps, actor, { ...asked, idempotencyKey, onBegun: resolve }).then(
      (answer) => resolve(Check.parse(JSON.parse(answer)).id),
      reject,
    );
  });

async function awaitEarlier(
  deps: Deps,
  { accountId, signal, onBegun }: CountedOrder,
  { key, requestHash }: Idempotency,
  deadline: number,
): Promise<string | undefined> {
  for (;;) {
    const release = await acquireSlotPermit(deps, accountId, deadline, signal);
    const earlier = await findByIdempotencyKey(deps.database.sql, accountId, key).finally(release);
    if (earlier === undefined) return undefined;
    if (!requestHash.equals(earlier.requestHash)) {
      throw new AppError("idempotency_key_reused", {});
    }
    if (earlier.answer !== null) return earlier.answer;
    if (earlier.step !== null) onBegun?.(earlier.id);
    if (performance.now() >= deadline) throw new AppError("idempotency_key_running", {});
    await sleep(POLL_MS, undefined, { signal: deps.stopping });
  }
}

async function runFirst(
  deps: Deps,
  order: CountedOrder,
  idempotency: Idempotency | undefined,
): Promise<string | undefined> {
  const deadline = performance.now() + MAX_WAIT_MS;
  order.onStep?.("vetting");
  let vetted: VettedUrl | undefined;
  async function run(): Promise<string | undefined> {
    vetted = await vetUrl(deps, order, deadline);
    return runCounted(deps, { ...order, vetted, deadline }, idempotency);
  }
  try {
    const hasName = findLookupName(deps.networks.checks, order.request.url) !== undefined;
    return await (hasName ? limitRefusedChecks(deps, order.accountId, run, order.signal) : run());
  } finally {
    vetted?.close();
  }
}

/** Takes a permit, because each lookup opens a socket. */
async function vetUrl(
  { semaphores, probe, stopping }: Deps,
  { accountId, request, signal }: CountedOrder,
  deadline: number,
): Promise<VettedUrl> {
  const maxWaitMs = deadline - performance.now();
  const release = await semaphores.checks.acquire(accountId, maxWaitMs, { signal });
  const vetted = await probe.vet(request.url, stopping).finally(release);
  if (vetted.vetting.ok) return vetted;
  vetted.close();
  throw createRefusal(vetted.vetting.refusal);
}

interface VettedOrder extends CountedOrder {
  vetted: VettedUrl;
  deadline: number;
}

/** Limits an account's statements about slots, since most wait for the same row. The account's reads have separate permits. */
const acquireSlotPermit = (
  { semaphores }: Deps,
  accountId: string,
  deadline: number,
  signal?: AbortSignal,
) => semaphores.reads.acquire(`slots of ${accountId}`, deadline - performance.now(), { signal });

/** Every failure gives the slot back, since the database may have taken it although its answer was lost. */
async function runCounted(
  deps: Deps,
  order: VettedOrder,
  idempotency: Idempotency | undefined,
): Promise<string | undefined> {
  const { accountId, vetted, deadline, signal } = order;
  const release = await acquireSlotPermit(deps, accountId, deadline, signal);
  const row = { id: newId("chk"), kind: "api" as const, accountId, leasedAt: performance.now() };
  try {
    const check = { ...row, host: vetted.host };
    const quota = await takeSlot(
      deps.database.sql,
      check,
      idempotency,
      deps.leases.checkMs,
    ).finally(release);
    return quota && (await runWithSlot(deps, order, row, quota));
  } catch (error) {
    if (isAppError(error, "quota_exceeded")) deps.metrics.quotaRefusals.inc();
    else await giveBack(deps, row);
    throw error;
  } finally {
    deps.news.emit("changed", row.id);
  }
}

async function runWithSlot(
  deps: Deps,
  { request, language, vetted, deadline, signal, onStep, onBegun }: VettedOrder,
  row: CountedRow,
  quota: Quota,
): Promise<string> {
  const { id } = row;
  const { sql } = deps.database;
  const order = { request, id, language, quota };
  const steps = onBegun ? recordSteps(deps, { id, url: request.url }, onBegun) : onStep;
  const options = { row, deadline, signal, onStep: steps };
  const finished = await verify(deps, "api", vetted, order, options);
  const isFinished = await retryStatement(
    () => finishCheck(sql, id, finished),
    FINISH_MS,
    deps.stopping,
  );
  if (!isFinished) throw new AppError("check_interrupted", {});
  deps.metrics.checks.inc({ kind: KIND_LABELS.api, verdict: finished.verdict });
  return finished.answer;
}

/** Safe even if the slot was never taken. The client waits only briefly, in case the database does not answer. */
async function giveBack(
  deps: Deps,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  const { database, log, stopping, work } = deps;
  const deadline = performance.now() + GIVE_BACK_MS;
  async function give(): Promise<void> {
    // A stopping server grants no permit, so the slot is given back without one.
    const release = await acquireSlotPermit(deps, accountId, deadline).catch(() => undefined);
    await giveSlotBack(database.sql, id).finally(release);
  }
  const givingBack = retryStatement(give, GIVE_BACK_MS, stopping).catch((error: unknown) =>
    log.warn(
      { err: error, checkId: id },
      "slot not given back; unless the check was done, it returns when its lease runs out",
    ),
  );
  await Promise.race([work.add(givingBack), sleep(GIVE_BACK_WAIT_MS, undefined, { ref: false })]);
}
