import type { Text } from "../base/language.ts";

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
