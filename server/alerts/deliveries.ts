import { setTimeout as sleep } from "node:timers/promises";
import type { Manager } from "../db/accounts/actors.ts";
import type { AlertOfProject, Delivery } from "../db/alerts/alerts.ts";
import { findDelivery, insertTest, queueAgain } from "../db/alerts/alerts.ts";
import { takeOrRefuse, type Bound } from "../db/checks/buckets.ts";
import { claimAlert } from "../db/alerts/alert-claims.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { getAlert } from "./alerts.ts";
import { sendNext } from "./sending.ts";

const POLL_MS = 200;
const WAIT_MS = 40_000;

/** Keeps accounts from using this server to flood other machines. */
const MANUAL_ATTEMPTS: Bound = {
  name: "alerts tried by hand of an account",
  capacity: 30,
  seconds: 3600,
};

async function countAttempt(sql: Sql, actor: Manager): Promise<void> {
  if (actor.by === "operator") return;
  await takeOrRefuse(sql, { bound: MANUAL_ATTEMPTS, subject: actor.accountId });
}

function requireConsent({ id, kind, state }: AlertOfProject): void {
  if (state === "waiting") throw new AppError("alert_waiting", { id });
  if (kind === "email" && state === "ended") throw new AppError("alert_ended", { id });
}

/** Waits up to 40 s for one more attempt, by this or another process. */
async function sendNow(deps: Deps, before: Delivery): Promise<Delivery> {
  const { sql } = deps.database;
  const { id, alertId } = before;
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const claimed = await claimAlert(sql, alertId, deps.leases.claimMs);
    if (claimed) await deps.work.add(sendNext(deps, claimed, id));
    const delivery = await findDelivery(sql, id);
    if (delivery === undefined) throw new AppError("delivery_not_found", { id });
    const isAttempted = delivery.attempts > before.attempts && delivery.state !== "pending";
    const isLate = performance.now() >= deadline || deps.draining.aborted;
    // A claim means that the message was attempted, unless the alert's hourly limit is reached.
    if (claimed || isAttempted || isLate) return delivery;
    await sleep(POLL_MS);
  }
}

/** Throws `alert_not_found`, `owner_only`, `alert_waiting`, `alert_ended`, `too_often`. */
export async function testAlert(deps: Deps, actor: Manager, id: string): Promise<Delivery> {
  const alert = await getAlert(deps, actor, id);
  requireConsent(alert);
  const { sql } = deps.database;
  const messageId = await deps.database.begin(async (transaction) => {
    await countAttempt(transaction, actor);
    return insertTest(transaction, id);
  });
  const queued = await findDelivery(sql, messageId);
  if (queued === undefined) throw new AppError("alert_not_found", { id });
  return sendNow(deps, { ...queued, attempts: 0 });
}

/** Throws `delivery_not_found`, `delivery_sent`, `owner_only`, `alert_waiting`, `alert_ended`, `too_often`. */
export async function retryDelivery(deps: Deps, actor: Manager, id: string): Promise<Delivery> {
  const { database } = deps;
  const delivery = await findDelivery(database.sql, id);
  if (delivery === undefined) throw new AppError("delivery_not_found", { id });
  const alert = await getAlert(deps, actor, delivery.alertId);
  requireConsent(alert);
  await database.begin(async (sql) => {
    await countAttempt(sql, actor);
    if (!(await queueAgain(sql, delivery))) throw new AppError("delivery_sent", { id });
  });
  return sendNow(deps, delivery);
}
