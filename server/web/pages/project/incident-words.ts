import { joinNames, type Language, type Text } from "../../../../shared/language.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import type { ListedIncident } from "../../../db/watching/incident-pages.ts";
import { say } from "../../../../shared/report/words.ts";

/** What failed, by the rule that did. */
const FAILURES: Readonly<Record<string, Text>> = {
  "reach.dns": { fr: "Nom introuvable", en: "Name not found" },
  "reach.connect": { fr: "Pas de réponse", en: "No response" },
  "tls.chain": { fr: "Certificat non reconnu", en: "Certificate not trusted" },
  "tls.hostname": { fr: "Certificat d'un autre nom", en: "Certificate of another name" },
  "redir.chain": { fr: "Redirections sans fin", en: "Endless redirects" },
};

const LONGEST_REASON = 100;

/** What failed in a few words: `404`, `No response (ETIMEDOUT)`; a sentence where it was not kept. */
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

/** `fails from paris and virginia`; undefined if no server named its location. */
export function describeLocations(
  { locations, closedAt }: Pick<ListedIncident, "locations" | "closedAt">,
  language: Language,
): string | undefined {
  const words =
    closedAt === null
      ? { fr: "échec constaté depuis", en: "fails from" }
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
  began: { fr: "Début", en: "Began" },
  ended: { fr: "Fin", en: "Ended" },
  lasted: { fr: "Durée", en: "Duration" },
  going: { fr: "en cours", en: "still open" },
  incident: { fr: "Incident", en: "Incident" },
  reason: { fr: "Raison", en: "Reason" },
  locations: { fr: "Emplacements", en: "Locations" },
  checked: { fr: "Dernière vérification", en: "Last checked" },

  seen: { fr: "Ce que les vérifications ont vu", en: "What the checks saw" },
  check: { fr: "Vérification", en: "Check" },
  opened: { fr: "A ouvert l'incident", en: "Opened the incident" },
  closedBy: { fr: "A clos l'incident", en: "Closed the incident" },
  when: { fr: "Quand", en: "When" },
  answer: { fr: "Réponse", en: "Response" },
  address: { fr: "Serveur", en: "Server" },
  times: { fr: "Temps", en: "Timings" },
  notKept: {
    fr: "Ce que les vérifications ont vu n'a pas été conservé pour cet incident.",
    en: "What the checks saw was not kept for this incident.",
  },

  hours: { fr: "Heure par heure", en: "Hour by hour" },
  lastHours: { fr: "Les 24 dernières heures seulement.", en: "Only the last 24 hours." },
  hour: { fr: "Heure", en: "Hour" },
  looks: { fr: "Vérifications", en: "Checks" },
  failed: { fr: "En échec", en: "Failed" },
  firstByte: { fr: "Premier octet", en: "First byte" },

  ship: { fr: "Le déploiement précédent", en: "The deployment before it" },
  noShip: {
    fr: "Aucun déploiement en production avant cet incident.",
    en: "No deployment to production before this incident.",
  },
  production: { fr: "production", en: "production" },
  earlier: { fr: "avant le début de l'incident", en: "before the incident began" },

  followUp: { fr: "Suivi", en: "Follow-up" },
  acknowledged: { fr: "Pris en charge", en: "Acknowledged" },
  operator: { fr: "l'exploitant de ce serveur", en: "the operator of this server" },
  silenced: { fr: "En sourdine jusqu'au", en: "Silenced until" },
  published: { fr: "Note publique", en: "Public note" },
  note: { fr: "Note pour l'équipe (facultative)", en: "Note for the team (optional)" },
  ack: { fr: "Prendre en charge", en: "Acknowledge" },
  ackHint: { fr: "Les rappels cessent.", en: "Reminders stop." },
  silenceFor: { fr: "Mettre en sourdine pendant", en: "Silence for" },
  silenceHint: {
    fr: "Seule sa fin est encore annoncée, à qui a été prévenu de son début.",
    en: "Only its end is still told, to those who were told of its beginning.",
  },
  silence: { fr: "Mettre en sourdine", en: "Silence" },
  tellAgain: { fr: "Mettre fin à la sourdine", en: "Stop silencing" },
  publishNote: { fr: "Note sur la page d'état", en: "Note on the status page" },
  publish: { fr: "Publier", en: "Publish" },
  publishHint: { fr: "Laissez vide pour n'en montrer aucune.", en: "Leave empty to show none." },

  told: { fr: "Qui a été prévenu", en: "Who was told" },
  nobody: {
    fr: "Personne : aucune alerte ne portait sur les incidents, ou les messages ont plus de 30 jours.",
    en: "Nobody: no alert was for incidents, or the messages are older than 30 days.",
  },
  message: { fr: "Message", en: "Message" },
  target: { fr: "Destination", en: "Target" },
  outcome: { fr: "Résultat", en: "Outcome" },
} as const satisfies Record<string, Text>;
