import { addressOf } from "../../access/links.ts";
import { findConsent } from "../../db/alerts/recipients.ts";
import { returnToBucket, takeFromBucket, type Bound } from "../../db/checks/buckets.ts";
import type { Deps } from "../../deps.ts";
import type { Mail } from "../../mail/mailer.ts";
import { writeAlertLetter } from "../letters.tsx";
import type { DeliveryError, Kind, Message, Sender, Target } from "../sender.ts";
import { pathOfUnsubscribing } from "../recipients.ts";

interface MailFailure {
  code?: string;
  responseCode?: number;
}

const CONNECTION_CODES = new Set(["ECONNECTION", "ESOCKET", "EDNS", "ETLS"]);
const TIMEOUT_CODES = new Set(["ETIMEDOUT", "EABORT"]);

function describeFailure(error: unknown): DeliveryError {
  const { code = "", responseCode } = error as MailFailure;
  if (responseCode !== undefined) return "mail_refused";
  if (TIMEOUT_CODES.has(code)) return "timeout";
  return CONNECTION_CODES.has(code) ? "unreachable" : "mail_refused";
}

/**
 * All e-mails about an incident refer to the opening's Message-ID, so they form one thread. The Message-ID is computed, so the opening
 * itself need not exist.
 */
function placeInThread({ id, type, data }: Message, { alertId }: Target, domain: string) {
  const opening = `<${data.incident?.id ?? id}.${alertId}@${domain}>`;
  if (type === "incident.opened") return { messageId: opening };
  const messageId = `<${id}@${domain}>`;
  return data.incident === null ? { messageId } : { messageId, inReplyTo: opening };
}

function writeMail(deps: Deps, target: Target, message: Message, domain: string): Mail {
  const unsubscribe = addressOf(deps, pathOfUnsubscribing(target.recipientId ?? ""));
  const project = addressOf(deps, `/projects/${target.projectId}`);
  return {
    to: target.to,
    ...writeAlertLetter(message, target.language, { project, unsubscribe }),
    ...placeInThread(message, target, domain),
    headers: {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}

/** Counted across all accounts, since several may send alerts to the same address. */
export const MAILS: Bound = { name: "alert mails to an address", capacity: 200, seconds: 86_400 };

const send: Sender = async (deps, target, message, signal) => {
  const { mailer, config, database } = deps;
  if (mailer === undefined || config.mail === undefined) return { ok: false, error: "no_mail" };
  const { projectId, recipientId, to: email } = target;
  const recipient = { id: recipientId ?? "", projectId, email };
  const consent = await findConsent(database.sql, recipient);
  if (consent !== "accepted") return { ok: false, error: consent, state: consent };
  const bucket = { bound: MAILS, subject: email };
  const retryAfterSeconds = await takeFromBucket(database.sql, bucket);
  if (retryAfterSeconds !== null) return { ok: false, error: "recipient_full", retryAfterSeconds };
  const { address } = config.mail.from;
  const domain = address.slice(address.lastIndexOf("@") + 1);
  try {
    await mailer.sendOnce(writeMail(deps, target, message, domain), signal);
    return { ok: true };
  } catch (error) {
    await returnToBucket(database.sql, bucket);
    return { ok: false, error: describeFailure(error) };
  }
};

export const email: Kind = {
  name: { fr: "E-mail", en: "E-mail" },
  field: { fr: "Adresse e-mail", en: "E-mail address" },
  send,
};
