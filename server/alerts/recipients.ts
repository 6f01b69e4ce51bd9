import { addressOf } from "../access/links.ts";
import { getEmail } from "../db/accounts/accounts.ts";
import type { AlertState } from "../db/alerts/alerts.ts";
import {
  updateConsent,
  findRecipient,
  isMemberAddress,
  recordConsentRequest,
  clearConsentRequest,
  upsertRecipient,
  type Consent,
  type Recipient,
} from "../db/alerts/recipients.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import type { Language } from "../../shared/language.ts";
import { openDeadline } from "../engine/net/deadline.ts";
import { writeConsentRequest } from "./letters.tsx";

const ASK_MS = 30_000;

export const pathOfUnsubscribing = (recipientId: string): string => `/unsubscribe/${recipientId}`;

/** The page also subscribes a recipient who has unsubscribed. */
export const pathOfAccepting = (recipientId: string): string => `/subscribe/${recipientId}`;

export async function getRecipient({ database }: StoreDeps, id: string): Promise<Recipient> {
  const recipient = await findRecipient(database.sql, id);
  if (recipient === undefined) throw new AppError("subscription_not_found", {});
  return recipient;
}

/** Throws `subscription_not_found`. */
export async function recordConsent(
  deps: Deps,
  id: string,
  consent: Exclude<Consent, "waiting">,
): Promise<Recipient> {
  const recipient = await getRecipient(deps, id);
  if (recipient.state !== consent) await updateConsent(deps.database, id, consent);
  return { ...recipient, state: consent };
}

export interface AlertRecipient {
  id: string | null;
  state: AlertState;
  /** The e-mail address that must get a request for consent. */
  unasked?: string;
}

export async function addRecipient(
  sql: Sql,
  { secretBox }: StoreDeps,
  projectId: string,
  email: string,
): Promise<AlertRecipient> {
  const hashes = secretBox.hash(email, projectId);
  if (hashes.length === 0) throw new AppError("secret_key_missing", {});
  const { id, state } = await upsertRecipient(sql, projectId, hashes);
  if (state === "ended") return { id, state };
  if (state === "accepted" || (await isMemberAddress(sql, projectId, email)))
    return { id, state: "active" };
  return (await recordConsentRequest(sql, id)) ? { id, state, unasked: email } : { id, state };
}

/**
 * Sends the request in the background. After a failure, the user can add the alert again to repeat the request. `accountId` is the sender,
 * null for the operator.
 */
export async function requestConsent(
  deps: Deps,
  accountId: string | null,
  { id, unasked: to }: Pick<AlertRecipient, "id" | "unasked">,
  language: Language,
): Promise<void> {
  const { mailer, database, work, stopping, log } = deps;
  if (mailer === undefined || id === null || to === undefined) return;
  const sender = accountId === null ? undefined : await getEmail(database.sql, accountId);
  const link = addressOf(deps, pathOfAccepting(id));
  const letter = writeConsentRequest({ sender, link }, language);
  const { signal, clear } = openDeadline(stopping, ASK_MS);
  const asking = mailer.sendOnce({ to, ...letter }, signal).catch((error: unknown) => {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    log.error({ reason: code, status: responseCode }, "a recipient was not asked");
    return clearConsentRequest(database.sql, id);
  });
  void work.add(asking.finally(clear));
}
