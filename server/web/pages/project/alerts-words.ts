import type { AlertState, Delivery, Occasion } from "../../../db/alerts/alerts.ts";
import type { MessageType } from "../../../../shared/message.ts";
import { MAX_ALERTS } from "../../../db/alerts/outbox.ts";
import type { Text } from "../../../../shared/language.ts";
import { describeCount, isSingular } from "../../../../shared/report/words.ts";
import type { StateWords } from "./state-badges.tsx";

export const ALERTS = {
  help: { fr: "Documentation", en: "Documentation" },
  title: { fr: "Alertes", en: "Alerts" },
  lead: {
    fr: "Ce serveur prévient une équipe ou un programme dès qu'un incident s'ouvre ou est clos, ou qu'un déploiement fait baisser le score. Ajoutez une alerte, puis testez-la.",
    en: "This server notifies people or programs as soon as an incident opens or closes, or a deployment lowers the score. Add an alert, then test it.",
  },
  target: { fr: "Destination", en: "Target" },
  on: { fr: "Événements", en: "Notify about" },
  state: { fr: "État", en: "State" },
  newOne: { fr: "Nouvelle alerte", en: "New alert" },
  label: { fr: "Nom (facultatif)", en: "Label (optional)" },
  labelHint: {
    fr: "Il permet de reconnaître l'alerte, par exemple le nom du canal : #ops.",
    en: "Helps you recognize the alert, for example the channel's name: #ops.",
  },
  urlHint: {
    fr: "L'URL est un secret : elle est chiffrée, et seul son hôte est affiché ensuite.",
    en: "The URL is a secret: it is encrypted, and only its host is shown afterwards.",
  },
  emailHint: {
    fr: "Une personne qui n'est pas membre du projet reçoit d'abord un e-mail qui demande son accord.",
    en: "Someone who is not a member of the project first gets an e-mail asking for their consent.",
  },
  keepHint: {
    fr: "Laissez vide pour conserver la destination actuelle.",
    en: "Leave empty to keep the current target.",
  },
  after: {
    fr: "Prévenir après (minutes, facultatif)",
    en: "Notify after (minutes, optional)",
  },
  afterHint: {
    fr: "Les incidents plus courts ne déclenchent aucun envoi. Laissez vide pour prévenir aussitôt.",
    en: "Shorter incidents notify no one. Leave empty to notify immediately.",
  },
  remind: {
    fr: "Intervalle entre deux rappels d'un incident en cours (heures, facultatif)",
    en: "Interval between reminders of an open incident (hours, optional)",
  },
  remindHint: {
    fr: "Les rappels s'arrêtent dès que quelqu'un prend l'incident en charge. Laissez vide pour n'en recevoir aucun.",
    en: "Reminders stop as soon as someone acknowledges the incident. Leave empty for no reminders.",
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
    fr: "Plus rien ne sera envoyé à cette destination. Son adresse, son secret, ses réglages et la liste de ses envois seront perdus.",
    en: "Nothing more will be sent to this target. The target, its secret, its settings and the list of its deliveries will be lost.",
  },
  retry: { fr: "Réessayer", en: "Retry" },
  deliveries: { fr: "Derniers envois", en: "Last deliveries" },
  when: { fr: "Date", en: "Time" },
  message: { fr: "Message", en: "Message" },
  outcome: { fr: "Résultat", en: "Result" },
  secretOf: { fr: "Secret du webhook", en: "Webhook secret" },
  secretHint: {
    fr: "Copiez-le maintenant : il ne s'affiche qu'une fois. Il sert à signer les messages (Standard Webhooks). Si vous le perdez, renouvelez-le.",
    en: "Copy it now: it is shown only once. It signs the messages (Standard Webhooks). If you lose it, rotate it.",
  },
  renewedHint: {
    fr: "Un ancien propriétaire connaît l'ancien secret, qui n'est plus utilisé. Copiez celui-ci maintenant : il ne s'affiche qu'une fois.",
    en: "A former owner knows the previous secret, which is no longer used. Copy this one now: it is shown only once.",
  },
  rotatedHint: {
    fr: "Copiez-le maintenant : il ne s'affiche qu'une fois. Pendant 24 heures, les messages sont aussi signés avec l'ancien.",
    en: "Copy it now: it is shown only once. For 24 hours, messages are signed with the previous one too.",
  },
} satisfies Record<string, Text | Record<"button" | "name", Text>>;

export const OCCASION_WORDS: Readonly<Record<Occasion, Text>> = {
  incident: { fr: "les incidents", en: "incidents" },
  ship: { fr: "tous les déploiements", en: "every deployment" },
  drop: { fr: "les baisses de score", en: "score drops" },
};

export const ALERT_STATES: Readonly<Record<AlertState, StateWords>> = {
  active: { sign: "●", tone: "good", words: { fr: "Active", en: "Active" } },
  waiting: { sign: "○", tone: "soft", words: { fr: "En attente", en: "Pending" } },
  paused: { sign: "▲", tone: "warn", words: { fr: "En pause", en: "Paused" } },
  handed_over: { sign: "▲", tone: "warn", words: { fr: "En pause", en: "Paused" } },
  ended: { sign: "○", tone: "soft", words: { fr: "Terminée", en: "Ended" } },
};

/** The rest of a sentence that begins with the word for the state, such as `Paused after 5 days of failures.` */
export const STATE_REASONS: Readonly<Partial<Record<AlertState, (target: string) => Text>>> = {
  waiting: (target) => ({
    fr: `de l'accord de ${target}. Rien n'est envoyé d'ici là.`,
    en: `until ${target} accepts. Nothing is sent before that.`,
  }),
  paused: () => ({
    fr: "après 5 jours d'échecs. Envoyez un message de test pour la réactiver.",
    en: "after 5 days of failures. Send a test message to resume it.",
  }),
  handed_over: () => ({
    fr: "depuis le transfert du projet. Envoyez un message de test pour la réactiver.",
    en: "since the project was transferred. Send a test message to resume it.",
  }),
  ended: () => ({ fr: "par la destination.", en: "by the target." }),
};

export const DELIVERY_STATES: Readonly<Record<Delivery["state"], StateWords>> = {
  pending: { sign: "○", tone: "soft", words: { fr: "En attente", en: "Pending" } },
  sent: { sign: "●", tone: "good", words: { fr: "Envoyé", en: "Sent" } },
  dead: { sign: "■", tone: "bad", words: { fr: "Non envoyé", en: "Not sent" } },
};

/** A message without an attempt was not sent because its alert was not active. */
export function stateOfDelivery({ state, attempts }: Pick<Delivery, "state" | "attempts">) {
  const shown = DELIVERY_STATES[state];
  if (state !== "dead" || attempts === 0) return shown;
  const { fr, en } = countAttempts(attempts);
  return { ...shown, words: { fr: `Abandonné après ${fr}`, en: `Gave up after ${en}` } };
}

export const MESSAGES: Readonly<Record<MessageType, Text>> = {
  "incident.opened": { fr: "Incident ouvert", en: "Incident opened" },
  "incident.reminder": { fr: "Rappel d'incident", en: "Incident reminder" },
  "incident.closed": { fr: "Incident clos", en: "Incident closed" },
  "ship.scored": { fr: "Déploiement", en: "Deployment" },
  summary: { fr: "Résumé", en: "Summary" },
  test: { fr: "Test", en: "Test" },
};

export const countAttempts = (count: number): Text => ({
  fr: `${count} ${isSingular(count, "fr") ? "tentative" : "tentatives"}`,
  en: `${count} ${isSingular(count, "en") ? "attempt" : "attempts"}`,
});

export const ALERT_PROBLEMS = {
  noOccasion: {
    fr: "Cochez au moins un événement.",
    en: "Select at least one event.",
  },
  noMail: {
    fr: "Ce serveur n'envoie pas d'e-mail. Choisissez un autre type, ou demandez à son administrateur de configurer un relais.",
    en: "This server sends no e-mail. Choose another kind, or ask its administrator to configure a relay.",
  },
  noKey: {
    fr: "Ce serveur n'a pas de clé pour chiffrer les secrets. Son administrateur doit définir SHIPSCORE_SECRET_KEY.",
    en: "This server has no key for encrypting secrets. Its administrator has to set SHIPSCORE_SECRET_KEY.",
  },
  label: {
    fr: "Le nom doit tenir sur une ligne de 60 caractères au plus.",
    en: "The label must be one line of at most 60 characters.",
  },
  after: {
    fr: `Saisissez un nombre de minutes de 1 à ${describeCount(1440, "fr")}, ou laissez vide.`,
    en: `Enter a number of minutes from 1 to ${describeCount(1440, "en")}, or leave empty.`,
  },
  remind: {
    fr: "Saisissez un nombre d'heures de 1 à 168, ou laissez vide.",
    en: "Enter a number of hours from 1 to 168, or leave empty.",
  },
  tooMany: {
    fr: `Ce projet a ${MAX_ALERTS} alertes : c'est le maximum. Retirez-en une d'abord.`,
    en: `This project has ${MAX_ALERTS} alerts, which is the limit. Remove one first.`,
  },
} satisfies Record<string, Text>;
