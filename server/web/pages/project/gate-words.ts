import { MAX_ACCEPTED } from "../../../projects/gates.ts";
import type { Text } from "../../../../shared/language.ts";

export const GATE = {
  title: { fr: "Ce que chaque déploiement doit remplir", en: "What each deployment must meet" },
  lead: {
    fr: "Quand un déploiement ne remplit pas ces conditions, le statut de son commit est un échec. Un champ vide n'en pose aucune.",
    en: "When a deployment does not meet these conditions, the status of its commit is a failure. An empty field sets none.",
  },
  minScore: { fr: "Score minimal", en: "Minimum score" },
  minScoreHint: { fr: "De 0 à 100.", en: "From 0 to 100." },
  minCategory: { fr: "Points minimaux par catégorie", en: "Minimum points by category" },
  minCategoryHint: { fr: "Par exemple headers=12, tls=16.", en: "For example headers=12, tls=16." },
  require: { fr: "Règles et catégories à réussir", en: "Rules and categories that must pass" },
  requireHint: { fr: "Par exemple hdr.hsts, tls.", en: "For example hdr.hsts, tls." },
  maxDrop: { fr: "Baisse maximale du score", en: "Largest score drop" },
  maxDropHint: {
    fr: "En points, par rapport au dernier déploiement en production.",
    en: "In points, against the last deployment to production.",
  },
  failOnNew: {
    fr: "Échouer sur un constat nouveau ou pire qu'en production",
    en: "Fail on a finding that is new or worse than in production",
  },
  others: { fr: "Nouveaux constats", en: "New findings" },
  save: { fr: "Enregistrer", en: "Save" },

  accepted: { fr: "Constats acceptés", en: "Accepted findings" },
  acceptedLead: {
    fr: "Un constat accepté compte comme réussi pour ces conditions, jusqu'à sa date. Le score reste le même.",
    en: "An accepted finding counts as passed for these conditions until its date. The score stays the same.",
  },
  rule: { fr: "Règle", en: "Rule" },
  pages: { fr: "Pages", en: "Pages" },
  allPages: { fr: "toutes", en: "all" },
  reason: { fr: "Raison", en: "Reason" },
  until: { fr: "Jusqu'au", en: "Until" },
  untilHint: {
    fr: "Ce jour compris (UTC), d'ici un an au plus.",
    en: "This day included (UTC), at most a year from now.",
  },
  page: { fr: "Page", en: "Page" },
  pageHint: {
    fr: "Vide pour toutes ; sinon un chemin, comme /pricing ou /legacy/*.",
    en: "Empty for all; else a path, such as /pricing or /legacy/*.",
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
    fr: "Quand votre hébergeur annonce le déploiement d'un aperçu sur l'un de ces hôtes, il est vérifié et comparé avec la production. Chacun compte comme une vérification de votre mois, 60 par heure au plus.",
    en: "When your provider reports a preview on one of these hosts, it is checked and compared with production. Each counts as a check of your month, at most 60 an hour.",
  },
  hosts: { fr: "Hôtes", en: "Hosts" },
  hostsHint: {
    fr: "Un par ligne. L'astérisque remplace des caractères entre deux points, comme dans mon-site-*.vercel.app.",
    en: "One per line. An asterisk stands for characters between two dots, as in my-site-*.vercel.app.",
  },
  headers: { fr: "En-têtes qui les ouvrent", en: "Headers that open them" },
  headersHint: {
    fr: "Une ligne « NOM: VALEUR » chacun. Ils sont chiffrés, ne sont plus jamais montrés, et ne sont envoyés qu'à ces hôtes. Laissez vide pour ne rien changer.",
    en: "One line NAME: VALUE each. They are encrypted, never shown again, and sent to these hosts alone. Leave empty to change nothing.",
  },
  stored: { fr: "En-têtes enregistrés :", en: "Stored headers:" },
  forget: { fr: "Oublier ces en-têtes", en: "Forget these headers" },
  save: { fr: "Enregistrer", en: "Save" },
  off: { fr: "Ne plus vérifier", en: "Stop checking" },
  offName: { fr: "Ne plus vérifier les aperçus", en: "Stop checking previews" },
  list: { fr: "Tous les aperçus vérifiés", en: "All checked previews" },
  noKey: {
    fr: "Ce serveur n'a pas de clé pour chiffrer des secrets. Demandez-en une à son exploitant.",
    en: "This server has no key to encrypt secrets with. Ask its operator for one.",
  },
} as const satisfies Record<string, Text>;
