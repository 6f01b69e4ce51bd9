import { SERVICE_NAMES } from "../../../base/hook-providers.ts";
import type { ListName, ProjectPage } from "../../../db/projects/project-page.ts";
import type { Text } from "../../../../shared/language.ts";
import { isSingular } from "../../../../shared/report/words.ts";
import type { ProjectLists } from "../../../db/projects/project-lists.ts";
import type { StateWords } from "./state-badges.tsx";

export const LIST_PAGES: Readonly<Record<keyof ProjectLists, { title: Text; empty: Text }>> = {
  urls: {
    title: { fr: "URL surveillées", en: "Watched URLs" },
    empty: { fr: "Aucune URL n'est surveillée.", en: "No URL is watched." },
  },
  deployments: {
    title: { fr: "Déploiements", en: "Deployments" },
    empty: {
      fr: "Aucun déploiement n'a encore été signalé. Le propriétaire du projet peut connecter son fournisseur ou sa CI dans les réglages, dans « Webhooks entrants ».",
      en: "No deployment has been reported yet. The project's owner can connect a provider or CI in the settings, under “Incoming webhooks”.",
    },
  },
  previews: {
    title: { fr: "Aperçus", en: "Previews" },
    empty: {
      fr: "Aucun aperçu n'a été vérifié depuis 30 jours. Le propriétaire du projet peut indiquer leurs hôtes dans les réglages, dans « Aperçus ».",
      en: "No preview has been checked for 30 days. The project's owner can list the previews' hosts in the settings, under “Previews”.",
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

export const LISTS: Readonly<Record<ListName, { title: Text; all: Text; empty: Text }>> = {
  open: {
    title: { fr: "Incidents en cours", en: "Open incidents" },
    all: { fr: "Tous les incidents en cours", en: "All open incidents" },
    empty: { fr: "Rien n'est en échec.", en: "Nothing is failing." },
  },
  urls: {
    ...LIST_PAGES.urls,
    all: { fr: "Toutes les URL surveillées", en: "All watched URLs" },
  },
  deployments: {
    ...LIST_PAGES.deployments,
    all: { fr: "Tous les déploiements", en: "All deployments" },
  },
  closed: {
    title: { fr: "Incidents clos", en: "Closed incidents" },
    all: { fr: "Tous les incidents clos", en: "All closed incidents" },
    empty: { fr: "Aucun incident passé.", en: "No past incident." },
  },
};

export const STOPPED: Readonly<
  Record<ProjectPage["stopped"][number], { why: Text; settle: Text }>
> = {
  hooks: {
    why: {
      fr: "Les webhooks entrants refusent tout : un ancien propriétaire connaît leurs secrets.",
      en: "The incoming webhooks refuse everything: a former owner knows their secrets.",
    },
    settle: { fr: "Renouveler les secrets", en: "Rotate the secrets" },
  },
  alerts: {
    why: {
      fr: "Des alertes sont en pause : un ancien propriétaire les a choisies.",
      en: "Alerts are paused: a former owner chose them.",
    },
    settle: { fr: "Les tester ou les retirer", en: "Test or remove them" },
  },
};

export const LASTING: Readonly<Record<"up" | "degraded" | "down", Text>> = {
  up: { fr: "En ligne depuis", en: "Up for" },
  degraded: { fr: "Dégradé depuis", en: "Degraded for" },
  down: { fr: "En panne depuis", en: "Down for" },
};

export const countFailing = (count: number, of: number): Text => ({
  fr: `${count} URL sur ${of} en échec`,
  en: `${count} of ${of} ${isSingular(of, "en") ? "URL" : "URLs"} failing`,
});

export const WORDS = {
  colon: { fr: " : ", en: ": " },
  owner: { fr: "Propriétaire", en: "Owner" },
  member: { fr: "Membre, en lecture seule", en: "Member, read only" },
  firstProbe: {
    fr: "Premier contrôle en cours. Son résultat s'affichera ici dans quelques secondes.",
    en: "First probe running. Its result will appear here in a few seconds.",
  },
  secondProbe: {
    fr: "Le dernier contrôle n'a pas pu confirmer que le site est en ligne. Le suivant tranchera ; son résultat s'affichera ici.",
    en: "The last probe could not confirm that the site is up. The next one will decide; its result will appear here.",
  },
  noCycle: {
    fr: "Ce serveur ne lance aucun contrôle de lui-même : le premier aura lieu quand son administrateur le lancera.",
    en: "This server starts no probes by itself: the first one takes place when its administrator starts it.",
  },
  connect: {
    fr: `Connecter ${SERVICE_NAMES} ou une CI`,
    en: `Connect ${SERVICE_NAMES} or CI`,
  },

  url: { fr: "URL", en: "URL" },
  probed: { fr: "Dernier contrôle", en: "Last probe" },
  state: { fr: "État", en: "State" },
  ofProject: { fr: "URL du projet", en: "the project's URL" },

  when: { fr: "Date", en: "Time" },
  what: { fr: "Version", en: "Version" },
  verdict: { fr: "Verdict", en: "Verdict" },
  score: { fr: "Score", en: "Score" },
  change: { fr: "Écart", en: "Change" },
  firstByte: { fr: "Premier octet", en: "First byte" },
  incidents: { fr: "Incidents depuis", en: "Incidents since" },
  queued: { fr: "En attente de vérification", en: "Waiting to be checked" },
  unverified: { fr: "Non vérifié", en: "Not checked" },
  deployment: { fr: "Déploiement", en: "Deployment" },

  noScore: { fr: "Pas encore de score.", en: "No score yet." },
  sinceShip: {
    fr: "par rapport au déploiement précédent",
    en: "compared with the previous deployment",
  },
  lastShip: { fr: "Dernier déploiement", en: "Last deployment" },
  noShip: { fr: "Aucun pour l'instant.", en: "None yet." },
  uptime: { fr: "Disponibilité, 30 jours", en: "Uptime, 30 days" },
  ofAddress: { fr: "de l'URL du projet", en: "of the project's URL" },
  notWatched: { fr: " : aucun contrôle", en: ": no probe" },
  up: { fr: "en ligne", en: "up" },
  failingFor: { fr: "en échec pendant", en: "failing for" },
  openIncidents: { fr: "Incidents", en: "Incidents" },
  open: { fr: "en cours", en: "open" },
  noneOpen: { fr: "Aucun en cours", en: "None open" },
  oldest: { fr: "Le plus ancien :", en: "The oldest:" },

  scores: { fr: "Score au fil du temps", en: "Score over time" },
  scoresDescription: {
    fr: "Score au fil du temps, avec les déploiements et les incidents, qui figurent aussi dans les tableaux de la page.",
    en: "Score over time, with deployments and incidents, which are also in the tables on this page.",
  },
  ships: { fr: "déploiement", en: "deployment" },
  days: { fr: "dernière vérification du jour", en: "last check of the day" },
  spans: { fr: "incident", en: "incident" },
} as const satisfies Record<string, Text>;

export const LIST_COLUMNS = {
  event: { fr: "Événement", en: "Event" },
  message: { fr: "Message", en: "Message" },
  outcome: { fr: "Résultat", en: "Result" },
} as const satisfies Record<string, Text>;

export const OPEN_OR_CLOSED = {
  open: { sign: "■", tone: "bad", words: { fr: "En cours", en: "Open" } },
  closed: { sign: "●", tone: "good", words: { fr: "Clos", en: "Closed" } },
} as const satisfies Record<string, StateWords>;

export const URL_PAGE = {
  report: { fr: "Dernier rapport", en: "Latest report" },
  incidents: { fr: "Incidents", en: "Incidents" },
  noIncident: { fr: "Aucun incident.", en: "No incident." },
  allIncidents: { fr: "Tous les incidents de cette URL", en: "All incidents of this URL" },
} as const satisfies Record<string, Text>;

export const ALL_DELIVERIES: Text = { fr: "Tout voir et télécharger", en: "See all and download" };
