import { joinNames, type Language, type Text } from "../../../../shared/language.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import type { ListedIncident } from "../../../db/watching/incident-pages.ts";
import { say } from "../../../../shared/report/words.ts";

const FAILURES: Readonly<Record<string, Text>> = {
  "reach.dns": { fr: "Nom introuvable", en: "Name not found" },
  "reach.connect": { fr: "Pas de réponse", en: "No response" },
  "tls.chain": { fr: "Certificat non reconnu", en: "Certificate not trusted" },
  "tls.hostname": { fr: "Certificat émis pour un autre nom", en: "Certificate for another name" },
  "redir.chain": { fr: "Boucle de redirections", en: "Redirect loop" },
};

const LONGEST_REASON = 100;

/** `openedBy`: null if the first probe was not kept. */
export function nameFailure(
  { openedBy, reason }: Pick<ListedIncident, "openedBy" | "reason">,
  language: Language,
): string {
  const { rule, status, failure } = openedBy ?? { rule: null, status: null, failure: null };
  if (rule === "reach.status" && status !== null) return String(status);
  const words = rule === null ? undefined : FAILURES[rule];
  if (words === undefined) return oneLine(reason, LONGEST_REASON);
  const code = rule === "reach.connect" && failure !== null ? ` (${failure})` : "";
  return say(words, language) + code;
}

/** Undefined if no server named its location. */
export function describeLocations(
  { locations, closedAt }: Pick<ListedIncident, "locations" | "closedAt">,
  language: Language,
): string | undefined {
  const words =
    closedAt === null
      ? { fr: "échec constaté depuis", en: "failing from" }
      : { fr: "échec constaté depuis", en: "failed from" };
  return locations === null
    ? undefined
    : `${say(words, language)} ${joinNames(locations, language)}`;
}

export const WORDS = {
  title: { fr: "Incidents en cours", en: "Open incidents" },
  none: { fr: "Rien n'est en échec.", en: "Nothing is failing." },
  what: { fr: "Échec", en: "Failure" },
  url: { fr: "URL", en: "URL" },
  project: { fr: "Projet", en: "Project" },
  began: { fr: "Début", en: "Start" },
  ended: { fr: "Fin", en: "End" },
  lasted: { fr: "Durée", en: "Duration" },
  open: { fr: "en cours", en: "still open" },
  incident: { fr: "Incident", en: "Incident" },
  reason: { fr: "Raison", en: "Reason" },
  locations: { fr: "Emplacements", en: "Locations" },
  probed: { fr: "Dernier contrôle", en: "Last probe" },

  probes: { fr: "Résultats des contrôles", en: "Probe results" },
  probe: { fr: "Contrôle", en: "Probe" },
  opened: { fr: "A ouvert l'incident", en: "Opened the incident" },
  closedBy: { fr: "A clos l'incident", en: "Closed the incident" },
  when: { fr: "Date", en: "Time" },
  answer: { fr: "Réponse", en: "Response" },
  address: { fr: "Serveur", en: "Server" },
  times: { fr: "Temps de réponse", en: "Response times" },
  notKept: {
    fr: "Les résultats des contrôles n'ont pas été conservés pour cet incident.",
    en: "The probe results of this incident were not kept.",
  },

  hours: { fr: "Heure par heure", en: "Hour by hour" },
  lastHours: { fr: "Les 24 dernières heures seulement.", en: "Only the last 24 hours." },
  hour: { fr: "Heure", en: "Hour" },
  looks: { fr: "Contrôles", en: "Probes" },
  failed: { fr: "En échec", en: "Failed" },
  firstByte: { fr: "Premier octet", en: "First byte" },

  ship: { fr: "Le déploiement précédent", en: "The previous deployment" },
  noShip: {
    fr: "Aucun déploiement en production avant cet incident.",
    en: "No production deployment before this incident.",
  },
  production: { fr: "production", en: "production" },
  earlier: { fr: "avant le début de l'incident", en: "before the start of the incident" },

  followUp: { fr: "Suivi", en: "Follow-up" },
  acknowledged: { fr: "Pris en charge", en: "Acknowledged" },
  operator: { fr: "l'administrateur de ce serveur", en: "the administrator of this server" },
  silenced: { fr: "En sourdine jusqu'au", en: "Silenced until" },
  published: { fr: "Note publique", en: "Public note" },
  note: { fr: "Note pour l'équipe (facultative)", en: "Team note (optional)" },
  ack: { fr: "Prendre en charge", en: "Acknowledge" },
  ackHint: { fr: "Les rappels s'arrêtent.", en: "Reminders stop." },
  silenceFor: { fr: "Mettre en sourdine pendant", en: "Silence for" },
  silenceHint: {
    fr: "Seule la fin de l'incident sera encore annoncée, aux destinataires déjà prévenus de son début.",
    en: "Only the end of the incident will be announced, to those who were notified of its start.",
  },
  silence: { fr: "Mettre en sourdine", en: "Silence" },
  unsilence: { fr: "Réactiver les alertes", en: "Unsilence" },
  publishNote: { fr: "Note sur la page d'état", en: "Note on the status page" },
  publish: { fr: "Publier", en: "Publish" },
  publishHint: {
    fr: "Laissez vide pour n'afficher aucune note.",
    en: "Leave empty to show no note.",
  },

  notified: { fr: "Destinataires prévenus", en: "Who was notified" },
  nobody: {
    fr: "Aucun message enregistré : aucune alerte ne portait sur les incidents, ou les messages, conservés 30 jours, ont été supprimés.",
    en: "No record: no alert covered incidents, or the messages were more than 30 days old and are no longer kept.",
  },
  message: { fr: "Message", en: "Message" },
  target: { fr: "Destination", en: "Target" },
  outcome: { fr: "Résultat", en: "Result" },
} as const satisfies Record<string, Text>;
