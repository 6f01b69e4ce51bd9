import type { ProjectLists } from "../../../db/projects/project-lists.ts";
import type { Text } from "../../../base/language.ts";
import type { StateWords } from "./states.tsx";

/** The heading of each list of a project, and what stands there while it is empty. */
export const LIST_PAGES: Readonly<Record<keyof ProjectLists, { title: Text; empty: Text }>> = {
  urls: {
    title: { fr: "URL surveillées", en: "Watched URLs" },
    empty: { fr: "Aucune URL n'est surveillée.", en: "No URL is watched." },
  },
  deployments: {
    title: { fr: "Déploiements", en: "Deployments" },
    empty: {
      fr: "Aucun déploiement n'a encore été signalé. Le propriétaire du projet relie son hébergeur ou sa CI dans les réglages, sous « Déploiements entrants ».",
      en: "No deployment has been reported yet. The project's owner connects a provider or CI in the settings, under Hooks.",
    },
  },
  previews: {
    title: { fr: "Aperçus", en: "Previews" },
    empty: {
      fr: "Aucun aperçu n'a été vérifié depuis 30 jours. Le propriétaire du projet nomme leurs hôtes dans les réglages, sous « Aperçus ».",
      en: "No preview has been checked for 30 days. The project's owner names their hosts in the settings, under Previews.",
    },
  },
  incidents: {
    title: { fr: "Incidents", en: "Incidents" },
    empty: { fr: "Aucune URL n'a été en échec.", en: "No URL has failed." },
  },
  received: {
    title: { fr: "Événements reçus", en: "Received events" },
    empty: { fr: "Rien n'a encore été reçu.", en: "Nothing has been received yet." },
  },
  messages: {
    title: { fr: "Messages envoyés", en: "Sent messages" },
    empty: { fr: "Rien n'a encore été envoyé.", en: "Nothing has been sent yet." },
  },
};

export const COLUMNS = {
  event: { fr: "Événement", en: "Event" },
  message: { fr: "Message", en: "Message" },
  outcome: { fr: "Résultat", en: "Outcome" },
} as const satisfies Record<string, Text>;

export const OPEN_OR_CLOSED = {
  open: { sign: "■", tone: "bad", words: { fr: "En cours", en: "Open" } },
  closed: { sign: "●", tone: "good", words: { fr: "Clos", en: "Closed" } },
} as const satisfies Record<string, StateWords>;

export const URL_PAGE = {
  report: { fr: "Dernier rapport", en: "Newest report" },
  incidents: { fr: "Incidents", en: "Incidents" },
  noIncident: { fr: "Aucun incident.", en: "No incident." },
  allIncidents: { fr: "Tous ses incidents", en: "All its incidents" },
} as const satisfies Record<string, Text>;

export const ALL_DELIVERIES: Text = { fr: "Tout voir et télécharger", en: "See all and download" };
