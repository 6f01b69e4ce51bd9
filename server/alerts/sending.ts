import { openDeadline } from "../engine/net/deadline.ts";
import type { ClaimedAlert } from "../db/alerts/alert-claims.ts";
import type { DeliveryResult, ClaimedMessage } from "../db/alerts/deliveries.ts";
import { finishAttempt, releaseAlert, claimMessage } from "../db/alerts/deliveries.ts";
import { recordConsentRequest } from "../db/alerts/recipients.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { isAppError } from "../base/errors.ts";
import type { DeliveryError, Message, SendResult, Target } from "./sender.ts";
import { findKind } from "./kinds.ts";
import { notifyOwnerOfPause } from "./letters.tsx";
import { requestConsent } from "./recipients.ts";

/** The deadline of an attempt. Some senders have a shorter one. The claim lasts longer than the attempt. */
const TRY_MS = 15_000;

/** Seconds before each further attempt. */
const RETRIES = [5, 30, 120, 600, 3600, 10_800, 28_800, 86_400];
const MAX_RETRY_SECONDS = 86_400;
/** Lengthens a delay by up to this fraction, so that messages that failed together are not retried together. */
const JITTER = 0.1;

/** Errors that the target did not cause do not pause the alert. */
const OWN_ERRORS: readonly DeliveryError[] = ["key_missing", "no_mail", "recipient_full", "unsent"];

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

/** Returns undefined if this process is stopping, since another process will send the message. */
function describeError(deps: Deps, error: unknown): SendResult | undefined {
  if (deps.stopping.aborted) return undefined;
  const isKey = isAppError(error, "secret_key_missing") || isAppError(error, "secret_key_wrong");
  if (!isKey) deps.log.error({ err: error }, "a message could not be sent");
  return { ok: false, error: isKey ? "key_missing" : "unsent" };
}

async function send(
  deps: Deps,
  claimed: ClaimedAlert,
  taken: ClaimedMessage,
): Promise<SendResult | undefined> {
  const { signal, clear } = openDeadline(deps.stopping, TRY_MS);
  try {
    const target = openTarget(deps, claimed);
    return await findKind(claimed.kind).send(deps, target, messageOf(taken), signal);
  } catch (error) {
    return describeError(deps, error);
  } finally {
    clear();
  }
}

/** Returns seconds, or null after the last attempt. */
export function findRetryDelay(attempts: number, minSeconds = 0): number | null {
  const delay = RETRIES[attempts - 1];
  if (delay === undefined) return null;
  const least = Math.min(minSeconds, MAX_RETRY_SECONDS);
  return Math.max(delay, least) * (1 + Math.random() * JITTER);
}

function describeEnd(result: SendResult, attempts: number): DeliveryResult {
  if (result.ok) return { as: "sent" };
  const { error, retryAfterSeconds, state } = result;
  if (state) return { as: "stopped", error, state };
  const retryInSeconds = findRetryDelay(attempts, retryAfterSeconds);
  return { as: "failed", error, retryInSeconds, isTargets: !OWN_ERRORS.includes(error) };
}

/** A former member must accept, like any other recipient. */
async function askFormerMember(deps: Deps, claimed: ClaimedAlert): Promise<void> {
  const { recipientId: id, ownerId, language } = claimed;
  if (id === null || ownerId === null || !(await recordConsentRequest(deps.database.sql, id)))
    return;
  const unasked = openTarget(deps, claimed).to;
  await requestConsent(deps, ownerId, { id, unasked }, language);
}

/** If the process dies before it releases the claim, the next claim sends the message again. */
export async function sendNext(
  deps: Deps,
  claimed: ClaimedAlert,
  preferred: string | null = null,
): Promise<void> {
  const { database, log } = deps;
  const taken = await claimMessage(database, claimed, preferred);
  const result = taken && (await send(deps, claimed, taken));
  if (taken === undefined || result === undefined) return releaseAlert(database, claimed);
  const ended = describeEnd(result, taken.attempts);
  const state = await finishAttempt(database, claimed, taken, ended);
  if (ended.as === "sent") return;
  const { id: messageId, attempts } = taken;
  const line = { alertId: claimed.id, messageId, attempts, reason: ended.error, alert: state };
  log.warn(line, "a message was not delivered");
  if (state === "paused" || state === "waiting") await notifyOwnerOfPause(deps, claimed.id, state);
  if (state === "waiting") await askFormerMember(deps, claimed);
}
