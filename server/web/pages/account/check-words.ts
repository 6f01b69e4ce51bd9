import type { ErrorCode } from "../../../base/errors.ts";
import type { Text } from "../../../../shared/language.ts";
import { describeCount, describeQuantity, type Noun } from "../../../../shared/report/words.ts";

export const FORM = {
  field: { fr: "URL d'une page", en: "Page URL" },
  preview: {
    fr: "Vérifier comme un aperçu, sans les règles qui ne s'appliquent qu'en production",
    en: "Check as a preview, without the rules that apply only in production",
  },
  missing: { fr: "Saisissez l'URL d'une page.", en: "Enter the URL of a page." },
} as const;

const CHECK: Noun = { fr: ["vérification", "vérifications"], en: ["check", "checks"] };

export const describeLeft = (left: number): Text => ({
  fr: `Il reste ${describeQuantity(left, CHECK, "fr")} ce mois-ci.`,
  en: `${describeQuantity(left, CHECK, "en")} left this month.`,
});

export const describeUsedUp = (limit: number, day: Text): Text => ({
  fr: `Vous avez épuisé votre quota de ce mois (${describeCount(limit, "fr")}). Il sera renouvelé le ${day.fr}.`,
  en: `You have used up this month's quota (${describeCount(limit, "en")}). It resets on ${day.en}.`,
});

const BUSY: Text = {
  fr: "Trop de vérifications sont en cours. Réessayez dans quelques secondes : celle-ci n'a pas été décomptée de votre quota.",
  en: "Too many checks are running. Try again in a few seconds: this one did not count against your quota.",
};
const INTERRUPTED: Text = {
  fr: "La vérification n'a pas pu être terminée et n'a pas été décomptée de votre quota. Réessayez.",
  en: "The check could not be finished and did not count against your quota. Try again.",
};

/** Reasons other than the URL and the quota. */
export const OBSTACLES: Readonly<Partial<Record<ErrorCode, Text>>> = {
  busy: BUSY,
  idempotency_key_running: BUSY,
  too_many_refused: {
    fr: "Trop de vos vérifications ont été refusées depuis une heure. Corrigez les URL, puis réessayez plus tard.",
    en: "Too many of your checks were refused within an hour. Correct the URLs, then try again later.",
  },
  check_interrupted: INTERRUPTED,
  check_stopped: {
    fr: "Cette page a fait échouer le processus qui la vérifiait. La vérification n'a pas été décomptée de votre quota ; une autre dans l'heure le serait.",
    en: "This page crashed the process that was checking it. The check did not count against your quota; another one within the hour would.",
  },
  shutting_down: {
    fr: "Le serveur s'arrête ou redémarre. Réessayez dans quelques secondes.",
    en: "The server is stopping or restarting. Try again in a few seconds.",
  },
};

export const RUNNING = {
  title: { fr: "Vérification en cours", en: "Check in progress" },
  reloads: {
    fr: "Une vérification prend rarement plus de dix secondes. Le rapport s'affichera sur cette page ; vous pouvez aussi la fermer et le retrouver parmi vos vérifications.",
    en: "A check rarely takes more than ten seconds. The report will appear on this page; you can also close it and find the report among your checks.",
  },
  failed: { fr: "Vérification interrompue", en: "Check interrupted" },
  failedLead: {
    fr: "Elle n'a pas pu être terminée et n'a pas été décomptée de votre quota. La page n'y est peut-être pour rien.",
    en: "It could not be finished and did not count against your quota. The page may not be the cause.",
  },
} as const;

export const LIST = {
  title: { fr: "Vérifications", en: "Checks" },
  lead: { fr: "Les vérifications des 90 derniers jours.", en: "Checks of the last 90 days." },
  when: { fr: "Date", en: "Time" },
  change: { fr: "Écart", en: "Change" },
  compare: { fr: "Comparer", en: "Compare" },
  empty: {
    fr: "Aucune vérification en 90 jours. Lancez-en une ci-dessus, ou depuis un terminal :",
    en: "No checks in 90 days. Start one above, or from a terminal:",
  },
  emptyHint: {
    fr: "Cette commande nécessite un jeton, à créer dans les",
    en: "The command needs a token, created in the",
  },
  settings: { fr: "réglages de l'API", en: "API settings" },
} as const;

export const COMPARED = {
  title: { fr: "Comparaison de deux vérifications", en: "Comparison of two checks" },
  before: { fr: "Avant", en: "Before" },
  now: { fr: "Après", en: "After" },
  changed: { fr: "Ce qui a changé", en: "What changed" },
  report: { fr: "Rapport de cette vérification", en: "Report for this check" },
  onlyOne: {
    fr: "Il n'y a pas de vérification antérieure de cette page pour la comparaison.",
    en: "There is no earlier check of this page to compare this one with.",
  },
  others: {
    fr: "Ces vérifications portent sur deux pages différentes.",
    en: "These checks are of two different pages.",
  },
} as const;

export const REPORT = {
  compare: { fr: "Comparer à la précédente", en: "Compare with the previous check" },
  evidence: {
    fr: "Télécharger les données reçues (JSON)",
    en: "Download the data received (JSON)",
  },
  again: { fr: "Recalculer le score", en: "Recalculate the score" },
  againLead: {
    fr: "Le score est recalculé, à partir des données reçues alors, selon une autre version des règles. Aucune requête n'est envoyée à la page.",
    en: "The score is recalculated from the data received at that time, with another ruleset. No request is sent to the page.",
  },
  with: { fr: "Version des règles", en: "Ruleset" },
  unknown: {
    fr: "Ce serveur n'a pas cette version des règles. Choisissez-en une dans la liste.",
    en: "This server does not have that ruleset. Choose one from the list.",
  },
  rule: { fr: "Règle", en: "Rule" },
  points: { fr: "Points", en: "Points" },
  why: { fr: "Raison", en: "Reason" },
  nothing: { fr: "Aucun changement de points.", en: "No points change." },
  caps: { fr: "Plafonds", en: "Caps" },
  noCap: { fr: "aucun", en: "none" },
  ruleset: { fr: "Règles", en: "Ruleset" },
  checkId: { fr: "vérification", en: "check" },
} as const;
