import type { Text, Language } from "../../shared/language.ts";
import type { MessageType, MessageData } from "../../shared/message.ts";
import type { Deps, VisitDeps } from "../deps.ts";
import type { Post } from "../engine/net/post.ts";
import { readRetryAfter } from "../base/syntax/http.ts";

export type DeliveryError = keyof typeof WORDS | `status_${number}`;

const WORDS = {
  timeout: {
    en: "The target did not answer within 10 s.",
    fr: "La destination n’a pas répondu en 10 s.",
  },
  unresolved: {
    en: "The target's name was not found in the DNS.",
    fr: "Le nom de la destination est introuvable dans le DNS.",
  },
  unreachable: {
    en: "No connection to the target could be made.",
    fr: "Aucune connexion à la destination n’a pu être établie.",
  },
  cut_off: {
    en: "The target ended the connection without an answer.",
    fr: "La destination a fermé la connexion sans répondre.",
  },
  too_long: {
    en: "The target's answer is too long.",
    fr: "La réponse de la destination est trop longue.",
  },
  untrusted: {
    en: "The target's certificate is not valid for its name.",
    fr: "Le certificat de la destination n’est pas valable pour son nom.",
  },
  redirected: {
    en: "The target redirects elsewhere; redirects are not followed.",
    fr: "La destination redirige ailleurs ; les redirections ne sont pas suivies.",
  },
  not_allowed: {
    en: "The target is in a private network, or not served over https, which this server does not allow.",
    fr: "La destination est dans un réseau privé ou n’est pas servie en https, ce que ce serveur n’autorise pas.",
  },
  key_missing: {
    en: "The target could not be read: the key that opens it is not configured.",
    fr: "La destination n’a pas pu être lue : la clé qui l’ouvre n’est pas configurée.",
  },
  no_mail: {
    en: "This server sends no e-mail.",
    fr: "Ce serveur n’envoie pas d’e-mail.",
  },
  mail_refused: {
    en: "The relay refused the e-mail.",
    fr: "Le relais a refusé l’e-mail.",
  },
  unsent: {
    en: "It could not be sent because of an error of this server.",
    fr: "L’envoi a échoué en raison d’une erreur de ce serveur.",
  },
  recipient_full: {
    en: "This address has had 200 e-mails of alerts within a day.",
    fr: "Cette adresse a reçu 200 e-mails d’alerte en une journée.",
  },
  paused: {
    en: "The alert was paused.",
    fr: "L’alerte était en pause.",
  },
  waiting: {
    en: "The recipient has not accepted yet.",
    fr: "Le destinataire n’a pas encore accepté.",
  },
  handed_over: {
    en: "The alert was paused by a hand-over.",
    fr: "L’alerte était en pause depuis la cession du projet.",
  },
  ended: {
    en: "The target has ended the alert.",
    fr: "La destination a mis fin à l’alerte.",
  },
} as const satisfies Record<string, Text>;

const isWord = (code: string): code is keyof typeof WORDS => Object.hasOwn(WORDS, code);

export function describeDeliveryError(code: string): Text {
  if (isWord(code)) return WORDS[code];
  const status = code.replace("status_", "");
  return { en: `The target answered ${status}.`, fr: `La destination a répondu ${status}.` };
}

/** Whom a message is sent to, with its secrets open. */
export interface Target {
  alertId: string;
  projectId: string;
  /** The URL, or the e-mail address. */
  to: string;
  /** A webhook's, the newest first: two while it is being rotated. Other kinds have none. */
  secrets: readonly string[];
  language: Language;
  /** Of an e-mail: the unlisted id under which it ends; null for other kinds. */
  recipientId: string | null;
}

/** What is sent: the same at every try, but for `triedAt`. */
export interface Message {
  id: string;
  type: MessageType;
  at: Date;
  /** When this try began, by the database's clock. */
  triedAt: Date;
  /** Counts this one. */
  attempts: number;
  data: MessageData;
}

/** What came of one try, and what becomes of an alert that is not tried again: `ended` if there will never be anybody. */
export type Sent =
  | { ok: true }
  | {
      ok: false;
      error: DeliveryError;
      retryAfterSeconds?: number;
      state?: "ended" | "waiting";
    };

/** Sends a message once, within `signal`. Rejects only for faults of this server, which count as a failed try. */
export type Send = (
  deps: Deps,
  target: Target,
  message: Message,
  signal: AbortSignal,
) => Promise<Sent>;

export interface Kind {
  readonly name: Text;
  /** The label of the field for its target. */
  readonly field: Text;
  readonly send: Send;
}

/** The statuses with which a target says that nobody will ever be there. */
const GONE = [404, 410];

/** Posts JSON to a target once: any 2xx counts, a redirect is a failure. */
export async function post(
  { poster }: VisitDeps,
  { headers, ...rest }: Post,
  now: Date,
  signal: AbortSignal,
): Promise<Sent> {
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
