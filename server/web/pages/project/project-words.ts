import type { ListName, ProjectPage } from "../../../db/projects/project-page.ts";
import type { Text } from "../../../base/language.ts";

/** The heading of each list, and what stands there while it is empty. */
export const LISTS: Readonly<Record<ListName, { title: Text; all: Text; empty: Text }>> = {
  open: {
    title: { fr: "Incidents en cours", en: "Open incidents" },
    all: { fr: "Tous les incidents en cours", en: "All open incidents" },
    empty: { fr: "Rien n'est en échec.", en: "Nothing is failing." },
  },
  urls: {
    title: { fr: "URL surveillées", en: "Watched URLs" },
    all: { fr: "Toutes les URL surveillées", en: "All watched URLs" },
    empty: { fr: "Aucune URL n'est surveillée.", en: "No URL is watched." },
  },
  deployments: {
    title: { fr: "Déploiements", en: "Deployments" },
    all: { fr: "Tous les déploiements", en: "All deployments" },
    empty: {
      fr: "Aucun déploiement n'a encore été enregistré. L'exploitant du serveur en enregistre un ainsi :",
      en: "No deployment has been recorded yet. The operator of the server records one like this:",
    },
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
      fr: "Les webhooks de déploiement refusent tout : un ancien propriétaire connaît leurs secrets.",
      en: "The deployment hooks refuse everything: a former owner knows their secrets.",
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

export const WORDS = {
  since: { fr: "depuis", en: "since" },
  address: { fr: "Adresse", en: "Address" },
  score: { fr: "Score", en: "Score" },
  lastLook: { fr: "Dernière vérification", en: "Last look" },
  role: { fr: "Votre rôle", en: "Your role" },
  owner: { fr: "Propriétaire", en: "Owner" },
  member: { fr: "Membre, en lecture seule", en: "Member, read only" },
  settings: { fr: "Réglages du projet", en: "Project settings" },
  unseen: {
    fr: "Ce projet n'a pas encore été vérifié. Rechargez la page dans une minute.",
    en: "This project has not been verified yet. Reload the page in a minute.",
  },
  undecided: {
    fr: "La dernière vérification n'a pas trouvé ce site en ligne. La suivante tranche : rechargez la page dans quelques minutes.",
    en: "The last look did not find this site up. The next one decides: reload the page in a few minutes.",
  },
  unseenWithoutCycle: {
    fr: "Ce serveur ne vérifie rien de lui-même. Son exploitant lance une vérification de tous les projets ainsi :",
    en: "This server verifies nothing by itself. Its operator has all projects verified like this:",
  },

  url: { fr: "URL", en: "URL" },
  reason: { fr: "Raison", en: "Reason" },
  began: { fr: "Début", en: "Began" },
  ended: { fr: "Fin", en: "Ended" },
  checked: { fr: "Dernière vérification", en: "Last look" },
  state: { fr: "État", en: "State" },
  ofProject: { fr: "adresse du projet", en: "the project's address" },

  when: { fr: "Quand", en: "When" },
  what: { fr: "Version", en: "Version" },
  verdict: { fr: "Verdict", en: "Verdict" },
  firstByte: { fr: "Premier octet", en: "First byte" },
  incidents: { fr: "Incidents ensuite", en: "Incidents after" },
  queued: { fr: "En attente de vérification", en: "Waiting for its verification" },
  unverified: { fr: "Non vérifié", en: "Not verified" },
  newest: { fr: "Rapport", en: "Report" },
  report: { fr: "Rapport :", en: "Report:" },

  days: { fr: "Les 30 derniers jours", en: "The last 30 days" },
  dayByDay: { fr: "Jour par jour (UTC)", en: "Day by day (UTC)" },
  day: { fr: "Jour", en: "Day" },
  uptime: { fr: "Disponibilité", en: "Uptime" },
  inDays: {
    fr: "Les mêmes chiffres sont dans le tableau des jours.",
    en: "The same figures are in the table of days.",
  },

  history: { fr: "Évolution", en: "Over time" },
  scoreChart: {
    fr: "Score des déploiements en production",
    en: "Score of deployments to production",
  },
  firstByteChart: {
    fr: "Premier octet des déploiements en production",
    en: "First byte of deployments to production",
  },
  scoreSays: { fr: "Score de 0 à 100 au fil du temps.", en: "Score from 0 to 100 over time." },
  firstByteSays: {
    fr: "Millisecondes jusqu'au premier octet, au fil du temps.",
    en: "Milliseconds until the first byte, over time.",
  },
  inTable: {
    fr: "Les mêmes chiffres sont dans le tableau des déploiements.",
    en: "The same figures are in the table of deployments.",
  },
  dots: { fr: "déploiement", en: "deployment" },
  ticks: { fr: "sans score", en: "without a score" },
  spans: { fr: "incident", en: "incident" },
  now: { fr: "maintenant", en: "now" },
  someOutages: {
    fr: "Seuls les derniers incidents sont marqués.",
    en: "Only the latest incidents are marked.",
  },
} as const satisfies Record<string, Text>;
