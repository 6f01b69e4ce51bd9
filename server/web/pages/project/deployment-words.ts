import type { Text } from "../../../../shared/language.ts";
import type { DeploymentKind } from "../../../db/deployments/deployments.ts";

export const KINDS: Readonly<Record<DeploymentKind, Text>> = {
  announced: { fr: "Déploiement", en: "Deployment" },
  preview: { fr: "Aperçu", en: "Preview" },
};

export const WORDS = {
  againstShip: { fr: "Par rapport à la production,", en: "Compared with production," },
  noShip: {
    fr: "Aucun déploiement en production auquel le comparer pour l'instant.",
    en: "There is no production deployment to compare it with yet.",
  },
  project: { fr: "Projet", en: "Project" },
  commit: { fr: "Commit", en: "Commit" },
  ref: { fr: "Branche ou tag", en: "Ref" },
  environment: { fr: "Environnement", en: "Environment" },
  when: { fr: "Déployé", en: "Deployed" },
  page: { fr: "Page", en: "Page" },
  queued: { fr: "En attente de vérification.", en: "Waiting to be checked." },
  unverified: { fr: "Non vérifié.", en: "Not checked." },

  changed: { fr: "Ce qui a changé", en: "What changed" },
  against: {
    fr: "Par rapport au déploiement précédent,",
    en: "Compared with the previous deployment,",
  },
  first: {
    fr: "Premier déploiement vérifié : aucun déploiement antérieur auquel le comparer.",
    en: "This is the first checked deployment: there is no earlier one to compare it with.",
  },
  together: {
    fr: "Le score des deux déploiements provient de la même vérification.",
    en: "Both deployments were scored by the same check.",
  },
  notKept: {
    fr: "Le rapport du déploiement précédent n'est plus conservé.",
    en: "The report of the previous deployment is no longer kept.",
  },
  previousMissing: {
    fr: "Les onglets ouverts avant le déploiement récupèrent encore ces fichiers : sans eux, des parties de la page échouent jusqu'au rechargement. Conservez les fichiers de la version précédente, ou activez la protection de votre hébergeur contre ce décalage (skew protection).",
    en: "Tabs that were opened before the deployment still request these files: without them, parts of the page fail until it is reloaded. Keep the files of the previous build, or turn on your host's skew protection.",
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
  more: {
    fr: "Seuls les premiers incidents sont listés.",
    en: "Only the first incidents are listed.",
  },
  next: { fr: "Déploiement suivant :", en: "Next deployment:" },
  report: { fr: "Rapport", en: "Report" },
  ownPage: { fr: "Ouvrir le rapport dans sa propre page", en: "Open the report on its own page" },
} as const satisfies Record<string, Text>;
