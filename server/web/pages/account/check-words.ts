import type { ErrorCode } from "../../../base/errors.ts";
import type { Text } from "../../../../shared/language.ts";

export const FORM = {
  field: { fr: "Adresse d'une page", en: "Address of a page" },
  preview: {
    fr: "Vérifier comme un aperçu, sans les règles qui ne valent qu'en production",
    en: "Check as a preview, without the rules that only count in production",
  },
  missing: { fr: "Donnez l'adresse d'une page.", en: "Give the address of a page." },
} as const;

/** How many checks of the month are left. */
export const describeLeft = (left: number): Text => ({
  fr:
    left === 1
      ? "Il reste 1 vérification ce mois-ci."
      : `Il reste ${left.toLocaleString("fr")} vérifications ce mois-ci.`,
  en: `${left.toLocaleString("en")} ${left === 1 ? "check" : "checks"} left this month.`,
});

/** Why there is none left, and since when there are others: a day in both languages. */
export const describeUsedUp = (limit: number, day: Text): Text => ({
  fr: `Les ${limit.toLocaleString("fr")} vérifications de ce mois sont utilisées. Les prochaines sont disponibles le ${day.fr}.`,
  en: `All ${limit.toLocaleString("en")} checks of this month are used. The next are available on ${day.en}.`,
});

const BUSY: Text = {
  fr: "Trop de vérifications sont en cours. Réessayez dans quelques secondes : celle-ci n'a rien coûté.",
  en: "Too many checks are running. Try again in a few seconds: this one cost nothing.",
};
const INTERRUPTED: Text = {
  fr: "La vérification n'a pas pu être terminée. Elle ne compte pas : réessayez.",
  en: "The check could not be finished. It does not count: try again.",
};

/** Why a check could not be started, besides what is wrong with its address, and the quota. */
export const OBSTACLES: Readonly<Partial<Record<ErrorCode, Text>>> = {
  busy: BUSY,
  idempotency_key_running: BUSY,
  too_many_refused: {
    fr: "Trop de vos vérifications ont été refusées depuis une heure. Corrigez les adresses, puis réessayez plus tard.",
    en: "Too many of your checks were refused within an hour. Correct the addresses, then try again later.",
  },
  check_interrupted: INTERRUPTED,
  check_stopped: {
    fr: "Cette page a mis en difficulté le processus qui la vérifiait. La vérification ne compte pas ; une autre dans l'heure compterait.",
    en: "This page harmed the process that was checking it. The check does not count; another within the hour would.",
  },
  shutting_down: {
    fr: "Le serveur s'arrête ou redémarre. Réessayez dans quelques secondes.",
    en: "The server is stopping or restarting. Try again in a few seconds.",
  },
};

export const RUNNING = {
  title: { fr: "Vérification en cours", en: "Check in progress" },
  reloads: {
    fr: "Une vérification prend rarement plus de dix secondes. Cette page devient son rapport ; vous pouvez aussi la fermer et la retrouver parmi vos vérifications.",
    en: "A check rarely takes more than ten seconds. This page becomes its report; you may also close it, and find it among your checks.",
  },
  failed: { fr: "Vérification interrompue", en: "Check interrupted" },
  failedLead: {
    fr: "Elle n'a pas pu être terminée, et ne compte pas. La page n'y est peut-être pour rien.",
    en: "It could not be finished, and does not count. The page may have nothing to do with it.",
  },
} as const;

export const LIST = {
  title: { fr: "Vérifications", en: "Checks" },
  lead: { fr: "Les vérifications des 90 derniers jours.", en: "Checks of the last 90 days." },
  when: { fr: "Quand", en: "When" },
  change: { fr: "Écart", en: "Change" },
  compare: { fr: "Comparer", en: "Compare" },
  empty: {
    fr: "Aucune vérification en 90 jours. Lancez-en une ci-dessus, ou depuis un terminal :",
    en: "No check in 90 days. Start one above, or from a terminal:",
  },
  emptyHint: {
    fr: "Il lui faut un jeton, qui se crée dans les",
    en: "It needs a token, which is created in the",
  },
  settings: { fr: "réglages de l'API", en: "API settings" },
} as const;

export const COMPARED = {
  title: { fr: "Deux vérifications comparées", en: "Two checks compared" },
  before: { fr: "Avant", en: "Before" },
  now: { fr: "Ensuite", en: "After" },
  changed: { fr: "Ce qui a changé", en: "What changed" },
  report: { fr: "Le rapport de cette vérification", en: "The report of this check" },
  onlyOne: {
    fr: "Il n'y a pas de vérification antérieure de cette page : rien à quoi comparer celle-ci.",
    en: "There is no earlier check of this page: nothing to compare this one with.",
  },
  others: {
    fr: "Ces vérifications portent sur deux pages différentes.",
    en: "These checks are of two different pages.",
  },
} as const;

export const REPORT = {
  compare: { fr: "Comparer à la précédente", en: "Compare with the check before" },
  evidence: { fr: "Télécharger ce qui a été reçu (JSON)", en: "Download what was received (JSON)" },
  again: { fr: "Noter à nouveau", en: "Score again" },
  againLead: {
    fr: "Ce qui a été reçu alors est noté selon une autre version des règles. Aucune requête n'est envoyée à la page.",
    en: "What was received then is scored by another ruleset. No request is sent to the page.",
  },
  with: { fr: "Version des règles", en: "Ruleset" },
  unknown: {
    fr: "Ce serveur n'a pas cette version des règles. Choisissez-en une dans la liste.",
    en: "This server does not have that ruleset. Choose one from the list.",
  },
  rule: { fr: "Règle", en: "Rule" },
  points: { fr: "Points", en: "Points" },
  why: { fr: "Pourquoi", en: "Why" },
  nothing: { fr: "Aucun point ne change.", en: "No point moves." },
  caps: { fr: "Plafonds", en: "Caps" },
  noCap: { fr: "aucun", en: "none" },
  ruleset: { fr: "Règles", en: "Ruleset" },
  checkId: { fr: "vérification", en: "check" },
} as const;
