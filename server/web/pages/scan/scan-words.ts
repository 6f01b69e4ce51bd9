import { SCAN_BOUNDS, SCANS_KEPT_DAYS } from "../../../base/bounds.ts";
import { describeRefusal, type ErrorCode } from "../../../base/errors.ts";
import { describeQuantity, type Noun } from "../../../../shared/report/words.ts";
import type { Text } from "../../../../shared/language.ts";

export const HOME = {
  title: { fr: "Cette page est\u2011elle bonne à livrer ?", en: "Is this page fit to ship?" },
  description: {
    fr: "Saisissez l'URL d'une page publique : un score de 0 à 100, expliqué point par point, avec ce qui a été constaté et comment le corriger.",
    en: "Enter the URL of a public page: a score from 0 to 100, explained point by point, with what was found and how to fix it.",
  },
  lead: {
    fr: "shipscore consulte la page comme le ferait un visiteur et lui donne un score de 0 à 100, expliqué point par point. Le rapport indique ce qui a été constaté, ce que cela coûte et comment le corriger. Aucun compte n'est nécessaire.",
    en: "shipscore requests the page as a visitor would and gives it a score from 0 to 100, explained point by point. You see what was found, what it costs and how to fix it. No account needed.",
  },
  field: { fr: "URL d'une page", en: "Page URL" },
  hint: {
    fr: `Une URL publique, par exemple example.com. Seules les personnes qui ont le lien peuvent voir le rapport. Il est supprimé au bout de ${SCANS_KEPT_DAYS} jours, ou quand vous le supprimez. Au plus ${SCAN_BOUNDS.visitorHour} analyses par heure.`,
    en: `A public URL, such as example.com. Only people with the link can see the report. It is deleted after ${SCANS_KEPT_DAYS} days, or when you delete it. At most ${SCAN_BOUNDS.visitorHour} scans an hour.`,
  },
  button: { fr: "Analyser", en: "Scan" },
  categories: { fr: "Ce que nous vérifions", en: "What we check" },
} as const;

const INCOMPLETE = {
  fr: "L'URL est incomplète. Envoyez-la à nouveau.",
  en: "The URL arrived incomplete. Send it again.",
};

const MISSING: Text = { fr: "Saisissez l'URL d'une page.", en: "Enter the URL of a page." };

export const FIELD_PROBLEMS: Readonly<Partial<Record<ErrorCode, Text>>> = {
  body_url_invalid: MISSING,
  body_not_an_object: MISSING,
  body_too_large: describeRefusal({ code: "too_long", host: null }),
  body_cut_off: INCOMPLETE,
  body_length_mismatch: INCOMPLETE,
};

/** The refusals of the scan itself are in `SCAN_ERRORS`. */
export const OBSTACLES: Readonly<Partial<Record<ErrorCode, Text>>> = {
  busy: {
    fr: "Le serveur est surchargé. Réessayez dans quelques secondes.",
    en: "The server is overloaded. Try again in a few seconds.",
  },
  unavailable: {
    fr: "L'analyse ne peut pas être enregistrée pour l'instant. Réessayez dans quelques instants.",
    en: "The scan cannot be recorded at the moment. Try again in a moment.",
  },
  shutting_down: {
    fr: "Le serveur s'arrête ou redémarre. Réessayez dans quelques secondes.",
    en: "The server is stopping or restarting. Try again in a few seconds.",
  },
};

export const PROGRESS = {
  title: { fr: "Analyse en cours", en: "Scan in progress" },
  reloads: {
    fr: "Une analyse prend rarement plus de dix secondes. Cette page se recharge d'elle-même ; vous pouvez aussi la fermer et revenir à cette adresse.",
    en: "A scan rarely takes more than ten seconds. This page reloads by itself; you can also close it and come back to this URL.",
  },
} as const;

export const FAILED = {
  title: { fr: "Analyse interrompue", en: "Scan interrupted" },
  unknown: {
    fr: "L'analyse n'a pas pu être terminée. La page n'y est peut-être pour rien.",
    en: "The scan could not be finished. The page may not be the cause.",
  },
  advice: { fr: "Lancez-en une nouvelle.", en: "Start a new one." },
} as const;

export const REPORT = {
  again: { fr: "Relancer l'analyse", en: "Scan again" },
  another: { fr: "Analyser une autre page", en: "Scan another page" },
  command: { fr: "la commande", en: "the command" },
  theLink: { fr: "le lien", en: "the link" },
  theMarkdown: { fr: "le Markdown", en: "the Markdown" },
  theHtml: { fr: "le HTML", en: "the HTML" },
  maskedHint: {
    fr: "Les valeurs des paramètres ne sont pas conservées : saisissez-les de nouveau dans l'URL.",
    en: "Query parameter values are not kept: enter them again in the URL.",
  },
  ruleset: { fr: "Règles", en: "Ruleset" },
  checkId: { fr: "vérification", en: "check" },
  ci: { fr: "Avant chaque déploiement", en: "Before each deployment" },
  ciLead: {
    fr: "Cette commande fait la même vérification sur votre machine ou en intégration continue, sans serveur ni compte ; elle échoue en dessous de 80 points :",
    en: "This command makes the same check on your machine or in CI, without a server or an account; it fails below 80 points:",
  },
  ciHint: {
    fr: "En intégration continue, placez-la dans une étape qui suit le déploiement de l'aperçu, avec l'URL de celui-ci et l'option",
    en: "In CI, run it in a step after the preview has been deployed, with the preview's URL and the option",
  },
  ciMasked: {
    fr: "Remplacez chaque *** par la valeur du paramètre, qui n'est pas conservée.",
    en: "Replace each *** with the parameter's value: values are not kept.",
  },
  share: { fr: "Partager", en: "Share" },
  link: { fr: "Lien vers ce rapport", en: "Link to this report" },
  linkHint: {
    fr: "Toute personne qui a ce lien peut lire le rapport, jusqu'au",
    en: "Anyone who has this link can read the report, until",
  },
  badgeMarkdown: { fr: "Badge en Markdown", en: "Markdown badge" },
  badgeHtml: { fr: "Badge en HTML", en: "HTML badge" },
  delete: { fr: "Supprimer", en: "Delete" },
  deleteTitle: { fr: "Supprimer ce rapport", en: "Delete this report" },
  deleteLead: {
    fr: "Seul le navigateur qui a lancé l'analyse voit ce lien. Conservez-le pour supprimer le rapport depuis un autre navigateur.",
    en: "Only the browser that started the scan sees this link. Keep it to delete the report from another browser.",
  },
} as const;

export const DELETION = {
  title: { fr: "Supprimer ce rapport ?", en: "Delete this report?" },
  lead: {
    fr: "Le rapport, son lien et son badge disparaîtront aussitôt, pour tous. Cette action est irréversible.",
    en: "The report, its link and its badge will disappear immediately, for everyone. This cannot be undone.",
  },
  back: { fr: "Revenir au rapport", en: "Back to the report" },
} as const;

const SECOND: Noun = { fr: ["seconde", "secondes"], en: ["second", "seconds"] };

export const describeRescanWait = (seconds: number): Text => ({
  fr: `Vous pourrez relancer l'analyse dans ${describeQuantity(seconds, SECOND, "fr")}.`,
  en: `You can scan this page again in ${describeQuantity(seconds, SECOND, "en")}.`,
});

const COSTLY_RULE: Noun = {
  fr: ["règle coûte", "règles coûtent"],
  en: ["rule costs", "rules cost"],
};

/** `3 rules cost points.` */
export const describeCostlyRules = (count: number): Text => ({
  fr: `${describeQuantity(count, COSTLY_RULE, "fr")} des points.`,
  en: `${describeQuantity(count, COSTLY_RULE, "en")} points.`,
});

/** For a URL that was entered without a scheme, or with http. */
export const describeHttpsAssumption = (url: string): Text => ({
  fr: `L'URL saisie a été interprétée comme ${url} : shipscore vérifie les pages en https.`,
  en: `The URL was interpreted as ${url}: shipscore checks pages over https.`,
});
