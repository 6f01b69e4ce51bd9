import { PREVIEWS_AN_HOUR } from "../../../projects/deployments.ts";
import { MAX_ACCEPTED } from "../../../projects/gates.ts";
import type { Text } from "../../../../shared/language.ts";

export const GATE = {
  title: {
    fr: "Conditions que chaque déploiement doit remplir",
    en: "Conditions that each deployment must meet",
  },
  lead: {
    fr: "Si un déploiement ne remplit pas ces conditions, le statut de son commit passe en échec. Un champ laissé vide n'impose aucune condition.",
    en: "If a deployment does not meet these conditions, its commit status is set to failure. A field left empty sets no condition.",
  },
  minScore: { fr: "Score minimal", en: "Minimum score" },
  minScoreHint: { fr: "De 0 à 100.", en: "From 0 to 100." },
  minCategory: { fr: "Nombre minimal de points par catégorie", en: "Minimum points by category" },
  minCategoryHint: {
    fr: "Par exemple headers=12, tls=16.",
    en: "For example, headers=12, tls=16.",
  },
  require: { fr: "Règles et catégories à réussir", en: "Rules and categories that must pass" },
  requireHint: { fr: "Par exemple hdr.hsts, tls.", en: "For example, hdr.hsts, tls." },
  maxDrop: { fr: "Baisse maximale du score", en: "Largest score drop" },
  maxDropHint: {
    fr: "En points, par rapport au dernier déploiement en production.",
    en: "In points, compared with the last production deployment.",
  },
  failOnNew: {
    fr: "Passer en échec si un constat est nouveau ou plus grave qu'en production",
    en: "Fail on a finding that is new, or worse than in production",
  },
  others: { fr: "Nouveaux constats", en: "New findings" },
  save: { fr: "Enregistrer", en: "Save" },

  accepted: { fr: "Constats acceptés", en: "Accepted findings" },
  acceptedLead: {
    fr: "Pour ces conditions, un constat accepté compte comme une réussite jusqu'à la date indiquée. Le score ne change pas.",
    en: "For these conditions, an accepted finding counts as passed until the date shown. The score does not change.",
  },
  rule: { fr: "Règle", en: "Rule" },
  pages: { fr: "Pages", en: "Pages" },
  allPages: { fr: "toutes", en: "all" },
  reason: { fr: "Raison", en: "Reason" },
  until: { fr: "Jusqu'au", en: "Until" },
  untilHint: {
    fr: "Ce jour inclus (UTC), dans un an au plus tard.",
    en: "Through this day (UTC), at most a year from now.",
  },
  page: { fr: "Page", en: "Page" },
  pageHint: {
    fr: "Laissez vide pour toutes les pages, ou saisissez un chemin, comme /pricing ou /legacy/*.",
    en: "Leave empty for all pages, or enter a path such as /pricing or /legacy/*.",
  },
  accept: { fr: "Accepter", en: "Accept" },
  unaccept: { fr: "Ne plus accepter", en: "Stop accepting" },
  tooMany: {
    fr: `Un projet accepte au plus ${MAX_ACCEPTED} constats. Retirez-en un d'abord.`,
    en: `A project accepts at most ${MAX_ACCEPTED} findings. Remove one first.`,
  },
} as const satisfies Record<string, Text>;

export const PREVIEWS = {
  title: { fr: "Aperçus à vérifier", en: "Previews to check" },
  lead: {
    fr: `Quand votre fournisseur signale le déploiement d'un aperçu sur l'un de ces hôtes, cet aperçu est vérifié et comparé à la production. Chaque vérification est décomptée du quota, et au plus ${PREVIEWS_AN_HOUR} aperçus par heure sont vérifiés.`,
    en: `When your provider reports the deployment of a preview on one of these hosts, the preview is checked and compared with production. Each check counts against the quota, and at most ${PREVIEWS_AN_HOUR} previews an hour are checked.`,
  },
  hosts: { fr: "Hôtes", en: "Hosts" },
  hostsHint: {
    fr: "Un par ligne. Un astérisque remplace des caractères entre deux points, par exemple mon-site-*.vercel.app.",
    en: "One per line. An asterisk matches any characters between two dots, as in my-site-*.vercel.app.",
  },
  headers: {
    fr: "En-têtes d'accès à ces aperçus",
    en: "Headers that give access to these previews",
  },
  headersHint: {
    fr: "Un en-tête par ligne, sous la forme « NOM: VALEUR ». Ils sont chiffrés, ne sont plus jamais affichés et ne sont envoyés qu'à ces hôtes. Laissez vide pour ne rien changer.",
    en: "One header per line, as NAME: VALUE. They are encrypted, never shown again, and sent to these hosts only. Leave empty to change nothing.",
  },
  stored: { fr: "En-têtes enregistrés :", en: "Saved headers:" },
  forget: { fr: "Supprimer ces en-têtes", en: "Delete these headers" },
  save: { fr: "Enregistrer", en: "Save" },
  off: { fr: "Arrêter les vérifications", en: "Stop checking" },
  offName: { fr: "Arrêter les vérifications des aperçus", en: "Stop checking previews" },
  list: { fr: "Tous les aperçus vérifiés", en: "All checked previews" },
  noKey: {
    fr: "Ce serveur n'a pas de clé pour chiffrer les secrets. Son administrateur doit définir SHIPSCORE_SECRET_KEY.",
    en: "This server has no key for encrypting secrets. Its administrator has to set SHIPSCORE_SECRET_KEY.",
  },
} as const satisfies Record<string, Text>;
