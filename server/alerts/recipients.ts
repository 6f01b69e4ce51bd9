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
import { writeAsking } from "./letters.tsx";

const ASK_MS = 30_000;

/** Where whoever gets a project's e-mails ends them. */
export const pathOfUnsubscribing = (recipientId: string): string => `/unsubscribe/${recipientId}`;

/** Where somebody accepts a project's e-mails, also after they have ended them. */
export const pathOfAccepting = (recipientId: string): string => `/subscribe/${recipientId}`;

/** Whose e-mails end at an address. Throws `subscription_not_found`. */
export async function getRecipient({ database }: StoreDeps, id: string): Promise<Recipient> {
  const recipient = await findRecipient(database.sql, id);
  if (recipient === undefined) throw new AppError("subscription_not_found", {});
  return recipient;
}

/** Accepts or ends a project's e-mails; a second time changes nothing. Throws `subscription_not_found`. */
export async function recordConsent(
  deps: Deps,
  id: string,
  consent: Exclude<Consent, "waiting">,
): Promise<Recipient> {
  const recipient = await getRecipient(deps, id);
  if (recipient.state !== consent) await updateConsent(deps.database, id, consent);
  return { ...recipient, state: consent };
}

/** The recipient of a new alert, and the state that it begins in. */
export interface Admitted {
  id: string | null;
  state: AlertState;
  /** The e-mail address that is still to be asked. */
  asks?: string;
}

/**
 * The project's people need not be asked, nor whoever has accepted; whoever has unsubscribed stays so. Throws
 * `secret_key_missing`.
 */
export async function admitRecipient(
  sql: Sql,
  { secretBox }: StoreDeps,
  projectId: string,
  email: string,
): Promise<Admitted> {
  const hashes = secretBox.hash(email, projectId);
  if (hashes.length === 0) throw new AppError("secret_key_missing", {});
  const { id, state } = await upsertRecipient(sql, projectId, hashes);
  if (state === "ended") return { id, state };
  if (state === "accepted" || (await isMemberAddress(sql, projectId, email)))
    return { id, state: "active" };
  return (await recordConsentRequest(sql, id)) ? { id, state, asks: email } : { id, state };
}

/**
 * Asks in the background, once a day at most. Whom the relay did not take the e-mail for is asked when the alert is added
 * anew. `accountId` is whose e-mail address is named; null for the operator.
 */
export async function askRecipient(
  deps: Deps,
  accountId: string | null,
  { id, asks: to }: Pick<Admitted, "id" | "asks">,
  language: Language,
): Promise<void> {
  const { mailer, database, work, stopping, log } = deps;
  if (mailer === undefined || id === null || to === undefined) return;
  const sender = accountId === null ? undefined : await getEmail(database.sql, accountId);
  const link = addressOf(deps, pathOfAccepting(id));
  const letter = writeAsking({ sender, link }, language);
  const { signal, clear } = openDeadline(stopping, ASK_MS);
  const asking = mailer.sendOnce({ to, ...letter }, signal).catch((error: unknown) => {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    log.error({ reason: code, status: responseCode }, "a recipient was not asked");
    return clearConsentRequest(database.sql, id);
  });
  void work.add(asking.finally(clear));
}
