import { openDeadline } from "../engine/net/deadline.ts";
import type { ClaimedAlert } from "../db/alerts/alert-claims.ts";
import type { DeliveryResult, ClaimedMessage } from "../db/alerts/deliveries.ts";
import { finishAttempt, releaseAlert, claimMessage } from "../db/alerts/deliveries.ts";
import { recordConsentRequest } from "../db/alerts/recipients.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { isAppError } from "../base/errors.ts";
import type { DeliveryError, Message, Sent, Target } from "./sender.ts";
import { findKind } from "./kinds.ts";
import { tellOwnerOfPause } from "./letters.tsx";
import { askRecipient } from "./recipients.ts";

/** A sender that has its own deadline ends earlier; the claim lasts longer. */
const TRY_MS = 15_000;

/** Seconds before each further try. */
const RETRIES = [5, 30, 120, 600, 3600, 10_800, 28_800, 86_400];
const MAX_RETRY_SECONDS = 86_400;
/** Up to this part of a pause is added, so that what failed together is not tried together. */
const JITTER = 0.1;

/** What says nothing about the target, and does not count towards its being paused. */
const OWN_FAULTS: readonly DeliveryError[] = ["key_missing", "no_mail", "recipient_full", "unsent"];

function openTarget({ secretBox }: StoreDeps, claimed: ClaimedAlert): Target {
  const { id, projectId, language, secret, oldSecret, recipientId } = claimed;
  const open = (sealed: Uint8Array) => secretBox.open(sealed, id);
  const secrets = [secret, oldSecret].filter((sealed) => sealed !== null);
  return {
    alertId: id,
    projectId,
    to: open(claimed.target),
    secrets: secrets.map(open),
    language,
    recipientId,
  };
}

const messageOf = ({ createdAt, data, ...taken }: ClaimedMessage): Message => ({
  ...taken,
  at: createdAt,
  data,
});

/** Undefined if the process is ending: somebody else will try. */
function describeFault(deps: Deps, error: unknown): Sent | undefined {
  if (deps.stopping.aborted) return undefined;
  const isKey = isAppError(error, "secret_key_missing") || isAppError(error, "secret_key_wrong");
  if (!isKey) deps.log.error({ err: error }, "a message could not be sent");
  return { ok: false, error: isKey ? "key_missing" : "unsent" };
}

async function send(
  deps: Deps,
  claimed: ClaimedAlert,
  taken: ClaimedMessage,
): Promise<Sent | undefined> {
  const { signal, clear } = openDeadline(deps.stopping, TRY_MS);
  try {
    const target = openTarget(deps, claimed);
    return await findKind(claimed.kind).send(deps, target, messageOf(taken), signal);
  } catch (error) {
    return describeFault(deps, error);
  } finally {
    clear();
  }
}

/** Seconds until the next try after so many; null if there is none. */
export function findPause(attempts: number, askedSeconds = 0): number | null {
  const pause = RETRIES[attempts - 1];
  if (pause === undefined) return null;
  const asked = Math.min(askedSeconds, MAX_RETRY_SECONDS);
  return Math.max(pause, asked) * (1 + Math.random() * JITTER);
}

function judge(sent: Sent, attempts: number): DeliveryResult {
  if (sent.ok) return { as: "sent" };
  const { error, retryAfterSeconds, state } = sent;
  if (state) return { as: "stopped", error, state };
  const retryInSeconds = findPause(attempts, retryAfterSeconds);
  return { as: "failed", error, retryInSeconds, isTargets: !OWN_FAULTS.includes(error) };
}

/** Whoever has an address that was of one of the project's people is asked in the name of its owner. */
async function askNow(deps: Deps, claimed: ClaimedAlert): Promise<void> {
  const { recipientId: id, ownerId, language } = claimed;
  if (id === null || ownerId === null || !(await recordConsentRequest(deps.database.sql, id)))
    return;
  await askRecipient(deps, ownerId, { id, asks: openTarget(deps, claimed).to }, language);
}

/**
 * Sends the message of a claimed alert that is due first, `preferred` before all others, and ends the claim. A process that
 * dies meanwhile leaves it to the next claim, which sends the same once more.
 */
export async function sendNext(
  deps: Deps,
  claimed: ClaimedAlert,
  preferred: string | null = null,
): Promise<void> {
  const { database, log } = deps;
  const taken = await claimMessage(database, claimed, preferred);
  const sent = taken && (await send(deps, claimed, taken));
  if (taken === undefined || sent === undefined) return releaseAlert(database, claimed);
  const ended = judge(sent, taken.attempts);
  const state = await finishAttempt(database, claimed, taken, ended);
  if (ended.as === "sent") return;
  const { id: messageId, attempts } = taken;
  const line = { alertId: claimed.id, messageId, attempts, reason: ended.error, alert: state };
  log.warn(line, "a message was not delivered");
  if (state === "paused" || state === "waiting") await tellOwnerOfPause(deps, claimed.id, state);
  if (state === "waiting") await askNow(deps, claimed);
}
