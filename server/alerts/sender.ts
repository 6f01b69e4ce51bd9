import type { Text, Language } from "../../shared/language.ts";
import type { MessageType, MessageData } from "../../shared/message.ts";
import type { Deps, VisitDeps } from "../deps.ts";
import type { Post } from "../engine/net/post.ts";
import { readRetryAfter } from "../base/syntax/http.ts";

export type DeliveryError = keyof typeof WORDS | `status_${number}`;

const WORDS = {
  timeout: {
    en: "The target did not respond within 10 s.",
    fr: "La destination n'a pas répondu en moins de 10 s.",
  },
  unresolved: {
    en: "The target's host name was not found in the DNS.",
    fr: "Le nom d'hôte de la destination est introuvable dans le DNS.",
  },
  unreachable: {
    en: "The connection to the target failed.",
    fr: "La connexion à la destination a échoué.",
  },
  cut_off: {
    en: "The target closed the connection without a response.",
    fr: "La destination a fermé la connexion sans répondre.",
  },
  too_long: {
    en: "The target's response is too long.",
    fr: "La réponse de la destination est trop longue.",
  },
  untrusted: {
    en: "The target's certificate does not match its name.",
    fr: "Le certificat de la destination ne correspond pas à son nom.",
  },
  redirected: {
    en: "The target redirects to another URL; redirects are not followed.",
    fr: "La destination redirige vers une autre URL ; les redirections ne sont pas suivies.",
  },
  not_allowed: {
    en: "The target is on a private network or does not use https. This server allows neither.",
    fr: "La destination est sur un réseau privé ou n'utilise pas https. Ce serveur n'autorise ni l'un ni l'autre.",
  },
  key_missing: {
    en: "The target could not be decrypted: its encryption key is not configured.",
    fr: "La destination n'a pas pu être déchiffrée : la clé de chiffrement n'est pas configurée.",
  },
  no_mail: {
    en: "This server sends no e-mail.",
    fr: "Ce serveur n'envoie pas d'e-mail.",
  },
  mail_refused: {
    en: "The SMTP relay refused the e-mail.",
    fr: "Le relais SMTP a refusé l'e-mail.",
  },
  unsent: {
    en: "The message could not be sent because of an error on this server.",
    fr: "L'envoi a échoué en raison d'une erreur de ce serveur.",
  },
  recipient_full: {
    en: "This address received 200 alert e-mails in a day.",
    fr: "Cette adresse a reçu 200 e-mails d'alerte en une journée.",
  },
  paused: {
    en: "The alert was paused.",
    fr: "L'alerte était en pause.",
  },
  waiting: {
    en: "The recipient has not yet agreed to receive these alerts.",
    fr: "Le destinataire n'a pas encore accepté de recevoir ces alertes.",
  },
  handed_over: {
    en: "The alert was paused because the project had been transferred.",
    fr: "L'alerte était en pause depuis le transfert du projet.",
  },
  ended: {
    en: "The target accepts no more messages, or the recipient has unsubscribed.",
    fr: "La destination n'accepte plus de messages, ou le destinataire s'est désabonné.",
  },
} as const satisfies Record<string, Text>;

const isWord = (code: string): code is keyof typeof WORDS => Object.hasOwn(WORDS, code);

export function describeDeliveryError(code: string): Text {
  if (isWord(code)) return WORDS[code];
  const status = code.replace("status_", "");
  return { en: `The target responded with ${status}.`, fr: `La destination a répondu ${status}.` };
}

export interface Target {
  alertId: string;
  projectId: string;
  /** A URL or an e-mail address. */
  to: string;
  /** A webhook's secrets, newest first: two for 24 hours after a rotation. Empty for other kinds. */
  secrets: readonly string[];
  language: Language;
  /** The unguessable id in the unsubscribe link of an e-mail; null for other kinds. */
  recipientId: string | null;
}

/** A message is the same at every attempt, except for `triedAt` and `attempts`. */
export interface Message {
  id: string;
  type: MessageType;
  at: Date;
  /** The start of this attempt, by the database's clock. */
  triedAt: Date;
  /** Includes this attempt. */
  attempts: number;
  data: MessageData;
}

/** `state` is the new state of an alert that gets no further attempts. */
export type SendResult =
  | { ok: true }
  | {
      ok: false;
      error: DeliveryError;
      retryAfterSeconds?: number;
      state?: "ended" | "waiting";
    };

/** Sends a message once. Rejects only for errors of this server, which count as a failed attempt. */
export type Sender = (
  deps: Deps,
  target: Target,
  message: Message,
  signal: AbortSignal,
) => Promise<SendResult>;

export interface Kind {
  readonly name: Text;
  readonly field: Text;
  readonly send: Sender;
}

/** Statuses of a webhook that was deleted. */
const GONE = [404, 410];

export async function post(
  { poster }: VisitDeps,
  { headers, ...rest }: Post,
  now: Date,
  signal: AbortSignal,
): Promise<SendResult> {
  const json = { ...rest, headers: { "content-type": "application/json", ...headers } };
  const outcome = await poster.post(json, signal);
  if ("failure" in outcome) return { ok: false, error: outcome.failure };
  const { status, retryAfter } = outcome;
  if (status >= 200 && status < 300) return { ok: true };
  if (status >= 300 && status < 400) return { ok: false, error: "redirected" };
  const retryAfterSeconds = retryAfter === null ? undefined : readRetryAfter(retryAfter, now);
  return {
    ok: false,
    error: `status_${status}`,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(GONE.includes(status) && { state: "ended" }),
  };
}
