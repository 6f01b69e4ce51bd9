import type { Text } from "../../../../shared/language.ts";
import type { DeploymentKind } from "../../../db/deployments/deployments.ts";

/** What each kind of deployment is called. */
export const KINDS: Readonly<Record<DeploymentKind, Text>> = {
  announced: { fr: "Déploiement", en: "Deployment" },
  preview: { fr: "Aperçu", en: "Preview" },
};

export const WORDS = {
  againstShip: { fr: "Par rapport à la production,", en: "Against production," },
  noShip: {
    fr: "Rien n'a encore été livré à quoi le comparer.",
    en: "Nothing was shipped yet to compare it with.",
  },
  project: { fr: "Projet", en: "Project" },
  commit: { fr: "Commit", en: "Commit" },
  ref: { fr: "Branche ou tag", en: "Ref" },
  environment: { fr: "Environnement", en: "Environment" },
  when: { fr: "Déployé", en: "Deployed" },
  page: { fr: "Page", en: "Page" },
  queued: { fr: "En attente de vérification.", en: "Waiting for its check." },
  unverified: { fr: "Non vérifié.", en: "Not checked." },

  changed: { fr: "Ce qui a changé", en: "What changed" },
  against: { fr: "Par rapport au déploiement précédent,", en: "Against the deployment before it," },
  first: {
    fr: "C'est le premier déploiement vérifié : il n'y en a pas d'autre avec lequel le comparer.",
    en: "This is the first deployment that was checked: there is none to compare it with.",
  },
  together: {
    fr: "Une même vérification a noté les deux.",
    en: "One check scored both.",
  },
  notKept: {
    fr: "Le rapport du déploiement précédent n'est plus conservé.",
    en: "The report of the deployment before it is no longer kept.",
  },
  noReport: {
    fr: "Le rapport de ce déploiement n'est plus conservé.",
    en: "The report of this deployment is no longer kept.",
  },
  incidents: {
    fr: "Incidents jusqu'au déploiement suivant",
    en: "Incidents until the next deployment",
  },
  incidentsSince: { fr: "Incidents depuis", en: "Incidents since" },
  noIncidents: { fr: "Aucun.", en: "None." },
  more: { fr: "Seuls les premiers sont listés.", en: "Only the first are listed." },
  next: { fr: "Déploiement suivant :", en: "Next deployment:" },
  report: { fr: "Rapport", en: "Report" },
  ownPage: { fr: "Le rapport sur sa propre page", en: "The report on a page of its own" },
} as const satisfies Record<string, Text>;
