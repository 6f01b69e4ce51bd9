import type { AlertState, Delivery, Occasion } from "../../../db/alerts/alerts.ts";
import type { MessageType } from "../../../../shared/message.ts";
import { MAX_ALERTS } from "../../../db/alerts/outbox.ts";
import type { Text } from "../../../base/language.ts";
import type { StateWords } from "./states.tsx";

export const ALERTS = {
  title: { fr: "Alertes", en: "Alerts" },
  lead: {
    fr: "Ce serveur prévient une équipe ou un programme dès qu'une URL surveillée tombe en panne ou est rétablie, ou qu'une mise en production fait baisser le score. Ajoutez une destination, puis testez-la.",
    en: "This server tells people or programs at once when a watched URL begins to fail, when it works again, or when a ship lowers the score. Add a target, then test it.",
  },
  target: { fr: "Destination", en: "Target" },
  on: { fr: "Pour", en: "For" },
  state: { fr: "État", en: "State" },
  kind: { fr: "Type", en: "Kind" },
  typed: { fr: "URL, ou adresse e-mail", en: "URL, or e-mail address" },
  typedHint: {
    fr: "L'URL est un secret : elle est chiffrée, et seul son hôte est montré.",
    en: "The URL is a secret: it is encrypted, and only its host is shown afterwards.",
  },
  language: { fr: "Langue", en: "Language" },
  add: { fr: "Ajouter", en: "Add" },
  addName: { fr: "Ajouter l'alerte", en: "Add the alert" },
  test: { fr: "Tester", en: "Test" },
  rotate: { fr: "Renouveler", en: "Rotate" },
  remove: { fr: "Retirer", en: "Remove" },
  retry: { fr: "Réessayer", en: "Retry" },
  deliveries: { fr: "Derniers envois", en: "Last deliveries" },
  when: { fr: "Quand", en: "When" },
  message: { fr: "Message", en: "Message" },
  outcome: { fr: "Résultat", en: "Outcome" },
  secretOf: { fr: "Secret du webhook", en: "Secret of the webhook" },
  secretHint: {
    fr: "Copiez-le maintenant : il n'est affiché que cette fois. Les messages sont signés avec lui (Standard Webhooks). S'il se perd, renouvelez-le.",
    en: "Copy it now: it is shown only once. Messages are signed with it (Standard Webhooks). If it gets lost, rotate it.",
  },
  rotatedHint: {
    fr: "Copiez-le maintenant : il n'est affiché que cette fois. Pendant 24 heures, les messages sont signés aussi avec l'ancien.",
    en: "Copy it now: it is shown only once. For 24 hours, messages are signed with the former one too.",
  },
} satisfies Record<string, Text>;

export const OCCASION_WORDS: Readonly<Record<Occasion, Text>> = {
  incident: { fr: "les incidents", en: "incidents" },
  ship: { fr: "toutes les mises en production", en: "every ship" },
  drop: { fr: "les baisses de score", en: "drops of the score" },
};

export const ALERT_STATES: Readonly<Record<AlertState, StateWords>> = {
  active: { sign: "●", tone: "good", words: { fr: "Active", en: "Active" } },
  waiting: { sign: "○", tone: "soft", words: { fr: "En attente", en: "Waiting" } },
  paused: { sign: "▲", tone: "warn", words: { fr: "En pause", en: "Paused" } },
  handed_over: { sign: "▲", tone: "warn", words: { fr: "En pause", en: "Paused" } },
  ended: { sign: "○", tone: "soft", words: { fr: "Terminée", en: "Ended" } },
};

/** Why an alert to a target at this host is in a state, and what to do. */
export const WHY: Readonly<Partial<Record<AlertState, (host: string) => Text>>> = {
  waiting: (host) => ({
    fr: `Quelqu'un à ${host} doit d'abord accepter ; rien n'est envoyé avant.`,
    en: `Waiting for somebody at ${host} to accept; nothing is sent before.`,
  }),
  paused: () => ({
    fr: "Tout échoue depuis 5 jours. Elle reprend dès qu'un essai aboutit.",
    en: "Everything has failed for 5 days. It resumes once a test gets through.",
  }),
  handed_over: () => ({
    fr: "Un ancien propriétaire l'a choisie. Elle reprend dès qu'un essai aboutit.",
    en: "A former owner chose it. It resumes once a test gets through.",
  }),
  ended: () => ({
    fr: "La destination y a mis fin.",
    en: "The target has ended it.",
  }),
};

export const DELIVERY_STATES: Readonly<Record<Delivery["state"], StateWords>> = {
  pending: { sign: "○", tone: "soft", words: { fr: "En attente", en: "Pending" } },
  sent: { sign: "●", tone: "good", words: { fr: "Remis", en: "Sent" } },
  dead: { sign: "■", tone: "bad", words: { fr: "Abandonné", en: "Dead" } },
};

export const MESSAGES: Readonly<Record<MessageType, Text>> = {
  "incident.opened": { fr: "Incident ouvert", en: "Incident opened" },
  "incident.closed": { fr: "Incident clos", en: "Incident closed" },
  "ship.scored": { fr: "Mise en production", en: "Ship" },
  summary: { fr: "Résumé", en: "Summary" },
  test: { fr: "Essai", en: "Test" },
};

export const tries = (count: number): Text => ({
  fr: `${count} tentative${count > 1 ? "s" : ""}`,
  en: `${count} ${count === 1 ? "try" : "tries"}`,
});

export const ALERT_PROBLEMS = {
  email_invalid: {
    fr: "Ceci n'est pas une adresse e-mail. Saisissez-la ainsi : nom@exemple.fr.",
    en: "This is not an e-mail address. Type it like this: name@example.com.",
  },
  noOccasion: {
    fr: "Cochez au moins une occasion.",
    en: "Tick at least one occasion.",
  },
  noMail: {
    fr: "Ce serveur n'envoie pas d'e-mail. Choisissez un autre type, ou demandez à son exploitant de configurer un relais.",
    en: "This server sends no e-mail. Choose another kind, or ask its operator to configure a relay.",
  },
  noKey: {
    fr: "Ce serveur n'a pas de clé pour chiffrer les secrets. Son exploitant doit définir SHIPSCORE_SECRET_KEY.",
    en: "This server has no key to encrypt secrets with. Its operator has to set SHIPSCORE_SECRET_KEY.",
  },
  tooMany: {
    fr: `Ce projet a ${MAX_ALERTS} alertes, le maximum. Retirez-en une d'abord.`,
    en: `This project has ${MAX_ALERTS} alerts, the most allowed. Remove one first.`,
  },
} satisfies Record<string, Text>;
