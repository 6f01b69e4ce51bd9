import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { CheckRequest } from "../../shared/check.ts";
import { takeSlot } from "../access/quota.ts";
import type { Caller } from "../db/callers.ts";
import { findByIdempotencyKey, finishCheck, giveSlotBack, type Idempotency } from "../db/checks.ts";
import { newId } from "../db/id.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Language } from "../language.ts";
import type { Visit } from "../probe/probe.ts";
import { describeRefusal } from "../probe/refusal.ts";
import { lost, verify } from "./verify.ts";

const REPLAY_WAIT_MS = 20_000;
const POLL_MS = 200;
const UNIQUE_VIOLATION = "23505";

/** One POST /check: who asks, for what, in which language, and the key that makes a repetition free. */
export interface CheckOrder {
  caller: Caller;
  request: CheckRequest;
  idempotencyKey: string | undefined;
  language: Language;
}

const stillRunning = () =>
  new AppError(
    "unavailable",
    "La première requête de cette clé d'idempotence est encore en cours. Réessayez dans quelques secondes.",
  );

function hashOf({ url, preview, headers }: CheckRequest): Buffer {
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([url, preview, sorted]))
    .digest();
}

/**
 * Verifies a URL and returns the answer's body, as JSON text. The order is the contract's: the replay of an earlier
 * answer, the URL, the quota, the run; a run that does not end gives its slot back.
 * Throws `bad_request`, `url_refused`, `quota_exceeded`, `busy`, `unavailable`.
 */
export async function runCheck(deps: Deps, order: CheckOrder): Promise<string> {
  const idempotency =
    order.idempotencyKey === undefined
      ? undefined
      : { key: order.idempotencyKey, requestHash: hashOf(order.request) };
  const replay = idempotency && (await awaitEarlier(deps, order.caller, idempotency));
  if (replay !== undefined) return replay;
  const visit = await vetUrl(deps, order);
  try {
    return await deps.work.add(runCounted(deps, order, visit, idempotency));
  } catch (error) {
    const repeated = error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
    if (!repeated) throw error;
    return runCheck(deps, order);
  } finally {
    visit.close();
  }
}

/** The answer of the key's first use, waited for while it runs; undefined when the key is free. */
async function awaitEarlier(
  deps: Deps,
  caller: Caller,
  { key, requestHash }: Idempotency,
): Promise<string | undefined> {
  const deadline = Date.now() + REPLAY_WAIT_MS;
  for (;;) {
    const earlier = await findByIdempotencyKey(deps.database.sql, caller.accountId, key);
    if (earlier === undefined) return undefined;
    if (!requestHash.equals(earlier.requestHash)) {
      throw new AppError(
        "bad_request",
        "Cette clé d'idempotence (Idempotency-Key) a déjà servi pour une autre requête.",
      );
    }
    if (earlier.answer !== null) return earlier.answer;
    if (Date.now() >= deadline) throw stillRunning();
    await sleep(POLL_MS, undefined, { signal: deps.stopping });
  }
}

async function vetUrl(deps: Deps, order: CheckOrder): Promise<Visit> {
  const leave = await deps.vettings.enter(order.caller.accountId);
  try {
    const visit = await deps.probe.vet(order.request.url, deps.stopping);
    if (visit.vetting.ok) return visit;
    visit.close();
    throw new AppError("url_refused", describeRefusal(visit.vetting.refusal, "fr"));
  } finally {
    leave();
  }
}

async function runCounted(
  deps: Deps,
  order: CheckOrder,
  visit: Visit,
  idempotency: Idempotency | undefined,
): Promise<string> {
  const { sql } = deps.database;
  const id = newId("chk");
  const quota = await takeSlot(sql, order.caller, { id, host: visit.host }, idempotency);
  try {
    const row = { id, accountId: order.caller.accountId };
    const { request, language } = order;
    const finished = await verify(deps, "check", visit, { request, id, language, quota }, row);
    if (!(await finishCheck(sql, id, finished))) throw lost();
    deps.metrics.checks.inc({ kind: "check", verdict: finished.verdict });
    return finished.answer;
  } catch (error) {
    const givingBack = giveSlotBack(sql, id).catch((failure: unknown) =>
      deps.log.warn({ err: failure, checkId: id }, "slot not given back; its lease will"),
    );
    // While the database is away nobody waits for it twice.
    if (!(error instanceof AppError && error.code === "unavailable")) await givingBack;
    throw error;
  }
}
