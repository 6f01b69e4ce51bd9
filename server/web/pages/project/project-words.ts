import { SERVICE_NAMES } from "../../../base/hook-providers.ts";
import type { ListName, ProjectPage } from "../../../db/projects/project-page.ts";
import type { Text } from "../../../../shared/language.ts";
import type { ProjectLists } from "../../../db/projects/project-lists.ts";
import type { StateWords } from "./state-badges.tsx";

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

/** The same of each list that the project's page begins. */
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

/** What stopped when the project was handed over: why, and what leads to where it is settled. */
export const STOPPED: Readonly<
  Record<ProjectPage["stopped"][number], { why: Text; settle: Text }>
> = {
  hooks: {
    why: {
      fr: "Les déploiements entrants sont tous refusés : un ancien propriétaire connaît leurs secrets.",
      en: "The hooks refuse everything: a former owner knows their secrets.",
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

/** How a state stands in a sentence before how long it has lasted. */
export const LASTING: Readonly<Record<"up" | "degraded" | "down", Text>> = {
  up: { fr: "En ligne depuis", en: "Up for" },
  degraded: { fr: "Dégradé depuis", en: "Degraded for" },
  down: { fr: "Hors service depuis", en: "Down for" },
};

/** How many of a project's URLs are failing. */
export const failing = (count: number, of: number): Text => ({
  fr: `${count} URL sur ${of} en échec`,
  en: `${count} of ${of} ${of === 1 ? "URL" : "URLs"} failing`,
});

export const WORDS = {
  colon: { fr: " : ", en: ": " },
  owner: { fr: "Propriétaire", en: "Owner" },
  member: { fr: "Membre, en lecture seule", en: "Member, read only" },
  unseen: {
    fr: "Première vérification en cours. Son résultat s'affiche ici dans quelques secondes.",
    en: "First check running. Its result appears here in a few seconds.",
  },
  undecided: {
    fr: "La dernière vérification n'a pas trouvé ce site en ligne. La suivante tranche, et son résultat s'affiche ici.",
    en: "The last check did not find this site up. The next one decides, and its result appears here.",
  },
  unseenWithoutCycle: {
    fr: "Ce serveur ne vérifie rien de lui-même : la première vérification a lieu quand son exploitant la lance.",
    en: "This server checks nothing by itself: the first check comes when its operator starts one.",
  },
  connect: {
    fr: `Relier ${SERVICE_NAMES} ou une CI`,
    en: `Connect ${SERVICE_NAMES} or CI`,
  },

  url: { fr: "URL", en: "URL" },
  checked: { fr: "Dernière vérification", en: "Last checked" },
  state: { fr: "État", en: "State" },
  ofProject: { fr: "adresse du projet", en: "the project's address" },

  when: { fr: "Quand", en: "When" },
  what: { fr: "Version", en: "Version" },
  verdict: { fr: "Verdict", en: "Verdict" },
  score: { fr: "Score", en: "Score" },
  change: { fr: "Écart", en: "Change" },
  firstByte: { fr: "Premier octet", en: "First byte" },
  incidents: { fr: "Incidents ensuite", en: "Incidents after" },
  queued: { fr: "En attente de vérification", en: "Waiting for its check" },
  unverified: { fr: "Non vérifié", en: "Not checked" },
  deployment: { fr: "Déploiement", en: "Deployment" },

  noScore: { fr: "Pas encore de score.", en: "No score yet." },
  sinceShip: {
    fr: "par rapport au déploiement précédent",
    en: "against the deployment before",
  },
  lastShip: { fr: "Dernier déploiement", en: "Last deployment" },
  noShip: { fr: "Aucun pour l'instant.", en: "None yet." },
  uptime: { fr: "Disponibilité, 30 jours", en: "Uptime, 30 days" },
  ofAddress: { fr: "de l'adresse du projet", en: "of the project's address" },
  notWatched: { fr: " : aucune vérification", en: ": no check" },
  up: { fr: "en ligne", en: "up" },
  failingFor: { fr: "en échec pendant", en: "failing for" },
  openIncidents: { fr: "Incidents", en: "Incidents" },
  open: { fr: "en cours", en: "open" },
  noneOpen: { fr: "Aucun en cours", en: "None open" },
  oldest: { fr: "le plus ancien :", en: "the oldest:" },

  scores: { fr: "Score au fil du temps", en: "Score over time" },
  scoresSay: {
    fr: "Score au fil du temps, avec les déploiements et les incidents, qui sont aussi dans les tableaux de la page.",
    en: "Score over time, with deployments and incidents, which are in the tables of the page too.",
  },
  ships: { fr: "déploiement", en: "deployment" },
  looks: { fr: "dernière vérification du jour", en: "last check of a day" },
  spans: { fr: "incident", en: "incident" },
} as const satisfies Record<string, Text>;

export const LIST_COLUMNS = {
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
