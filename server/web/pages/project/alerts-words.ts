import type { AlertState, Delivery, Occasion } from "../../../db/alerts/alerts.ts";
import type { MessageType } from "../../../../shared/message.ts";
import { MAX_ALERTS } from "../../../db/alerts/outbox.ts";
import type { Text } from "../../../../shared/language.ts";
import type { StateWords } from "./state-badges.tsx";

export const ALERTS = {
  help: { fr: "Mode d'emploi", en: "How it works" },
  title: { fr: "Alertes", en: "Alerts" },
  lead: {
    fr: "Ce serveur prévient une équipe ou un programme dès qu'un incident s'ouvre ou se termine, ou qu'un déploiement fait baisser le score. Ajoutez une alerte, puis testez-la.",
    en: "This server tells people or programs at once when an incident opens or closes, or when a deployment lowers the score. Add an alert, then test it.",
  },
  target: { fr: "Destination", en: "Target" },
  on: { fr: "Événements", en: "Notify about" },
  state: { fr: "État", en: "State" },
  newOne: { fr: "Nouvelle alerte", en: "New alert" },
  label: { fr: "Nom (facultatif)", en: "Label (optional)" },
  labelHint: {
    fr: "Ce qui permet de la reconnaître, comme le nom du canal : #ops.",
    en: "What you know it by, such as the channel's name: #ops.",
  },
  urlHint: {
    fr: "L'URL est un secret : elle est chiffrée, et seul son hôte est montré ensuite.",
    en: "The URL is a secret: it is encrypted, and only its host is shown afterwards.",
  },
  emailHint: {
    fr: "Une personne qui n'est pas membre du projet reçoit d'abord un e-mail qui demande son accord.",
    en: "Somebody who is not a member of the project first gets an e-mail that asks for their consent.",
  },
  keepHint: {
    fr: "Laissez vide pour garder la destination actuelle.",
    en: "Leave empty to keep the present target.",
  },
  after: {
    fr: "Attendre avant d'annoncer un incident (minutes, facultatif)",
    en: "Wait before telling of an incident (minutes, optional)",
  },
  afterHint: {
    fr: "Un incident plus court n'est jamais annoncé. Laissez vide pour l'annoncer aussitôt.",
    en: "A shorter incident is never told. Leave empty to tell at once.",
  },
  remind: {
    fr: "Temps entre deux rappels d'un incident en cours (heures, facultatif)",
    en: "Time between reminders of an open incident (hours, optional)",
  },
  remindHint: {
    fr: "Les rappels cessent quand quelqu'un le prend en charge. Laissez vide pour n'en recevoir aucun.",
    en: "Reminders stop once somebody acknowledges it. Leave empty for none.",
  },
  language: { fr: "Langue", en: "Language" },
  add: {
    button: { fr: "Ajouter", en: "Add" },
    name: { fr: "Ajouter l'alerte", en: "Add the alert" },
  },
  change: { fr: "Modifier", en: "Change" },
  save: {
    button: { fr: "Enregistrer", en: "Save" },
    name: { fr: "Enregistrer l'alerte", en: "Save the alert" },
  },
  test: { fr: "Tester", en: "Test" },
  rotate: { fr: "Renouveler", en: "Rotate" },
  remove: { fr: "Retirer", en: "Remove" },
  removal: {
    fr: "Plus rien n'est envoyé à cette destination. Son adresse, son secret, ses réglages et la liste de ses envois sont perdus.",
    en: "Nothing more is sent to this target. Its address, its secret, its settings and the list of its deliveries are lost.",
  },
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
  renewedHint: {
    fr: "Un ancien propriétaire connaît le secret d'avant, qui ne sert plus. Copiez celui-ci maintenant : il n'est affiché que cette fois.",
    en: "A former owner knows the secret so far, which is no longer used. Copy this one now: it is shown only once.",
  },
  rotatedHint: {
    fr: "Copiez-le maintenant : il n'est affiché que cette fois. Pendant 24 heures, les messages sont signés aussi avec l'ancien.",
    en: "Copy it now: it is shown only once. For 24 hours, messages are signed with the former one too.",
  },
} satisfies Record<string, Text | Record<"button" | "name", Text>>;

export const OCCASION_WORDS: Readonly<Record<Occasion, Text>> = {
  incident: { fr: "les incidents", en: "incidents" },
  ship: { fr: "tous les déploiements", en: "every deployment" },
  drop: { fr: "les baisses de score", en: "score drops" },
};

export const ALERT_STATES: Readonly<Record<AlertState, StateWords>> = {
  active: { sign: "●", tone: "good", words: { fr: "Active", en: "Active" } },
  waiting: { sign: "○", tone: "soft", words: { fr: "En attente", en: "Waiting" } },
  paused: { sign: "▲", tone: "warn", words: { fr: "En pause", en: "Paused" } },
  handed_over: { sign: "▲", tone: "warn", words: { fr: "En pause", en: "Paused" } },
  ended: { sign: "○", tone: "soft", words: { fr: "Terminée", en: "Ended" } },
};

/** How the sentence goes on that the state of an alert to this target begins, and what to do. */
export const WHY: Readonly<Partial<Record<AlertState, (target: string) => Text>>> = {
  waiting: (target) => ({
    fr: `de l'accord de ${target}. Rien n'est envoyé avant.`,
    en: `for ${target} to accept. Nothing is sent before.`,
  }),
  paused: () => ({
    fr: "après 5 jours d'échecs. Envoyez un essai pour reprendre.",
    en: "after 5 days of failures. Send a test to resume.",
  }),
  handed_over: () => ({
    fr: "depuis la cession du projet. Envoyez un essai pour reprendre.",
    en: "since the transfer. Send a test to resume.",
  }),
  ended: () => ({ fr: "par la destination.", en: "by its target." }),
};

export const DELIVERY_STATES: Readonly<Record<Delivery["state"], StateWords>> = {
  pending: { sign: "○", tone: "soft", words: { fr: "En attente", en: "Pending" } },
  sent: { sign: "●", tone: "good", words: { fr: "Remis", en: "Sent" } },
  dead: { sign: "■", tone: "bad", words: { fr: "Non envoyé", en: "Not sent" } },
};

/** A message is given up after its last try; one that its alert was not active for has none. */
export function stateOfDelivery({ state, attempts }: Pick<Delivery, "state" | "attempts">) {
  const shown = DELIVERY_STATES[state];
  if (state !== "dead" || attempts === 0) return shown;
  const { fr, en } = tries(attempts);
  return { ...shown, words: { fr: `Abandonné après ${fr}`, en: `Gave up after ${en}` } };
}

export const MESSAGES: Readonly<Record<MessageType, Text>> = {
  "incident.opened": { fr: "Incident ouvert", en: "Incident opened" },
  "incident.reminder": { fr: "Rappel d'incident", en: "Incident reminder" },
  "incident.closed": { fr: "Incident clos", en: "Incident closed" },
  "ship.scored": { fr: "Déploiement", en: "Deployment" },
  summary: { fr: "Résumé", en: "Summary" },
  test: { fr: "Essai", en: "Test" },
};

export const tries = (count: number): Text => ({
  fr: `${count} tentative${count > 1 ? "s" : ""}`,
  en: `${count} ${count === 1 ? "try" : "tries"}`,
});

export const ALERT_PROBLEMS = {
  noOccasion: {
    fr: "Cochez au moins un événement.",
    en: "Tick at least one event.",
  },
  noMail: {
    fr: "Ce serveur n'envoie pas d'e-mail. Choisissez un autre type, ou demandez à son exploitant de configurer un relais.",
    en: "This server sends no e-mail. Choose another kind, or ask its operator to configure a relay.",
  },
  noKey: {
    fr: "Ce serveur n'a pas de clé pour chiffrer les secrets. Son exploitant doit définir SHIPSCORE_SECRET_KEY.",
    en: "This server has no key to encrypt secrets with. Its operator has to set SHIPSCORE_SECRET_KEY.",
  },
  label: {
    fr: "Un nom a 60 caractères au plus, sur une ligne.",
    en: "A label is one line of at most 60 characters.",
  },
  after: {
    fr: "Saisissez un nombre de minutes de 1 à 1440, ou rien.",
    en: "Type a number of minutes from 1 to 1440, or nothing.",
  },
  remind: {
    fr: "Saisissez un nombre d'heures de 1 à 168, ou rien.",
    en: "Type a number of hours from 1 to 168, or nothing.",
  },
  tooMany: {
    fr: `Ce projet a ${MAX_ALERTS} alertes, le maximum. Retirez-en une d'abord.`,
    en: `This project has ${MAX_ALERTS} alerts, the most allowed. Remove one first.`,
  },
} satisfies Record<string, Text>;
