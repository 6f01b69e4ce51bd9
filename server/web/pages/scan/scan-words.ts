import { SCAN_BOUNDS, SCANS_KEPT_DAYS } from "../../../base/bounds.ts";
import { describeRefusal, type ErrorCode } from "../../../base/errors.ts";
import type { Text } from "../../../../shared/language.ts";

export const HOME = {
  title: { fr: "Cette page est\u2011elle bonne à livrer ?", en: "Is this page fit to ship?" },
  description: {
    fr: "Donnez l'adresse d'une page publique : un score de 0 à 100, expliqué point par point, avec ce qui a été vu et comment y remédier.",
    en: "Give the address of a public page: a score from 0 to 100, explained point by point, with what was seen and how to fix it.",
  },
  lead: {
    fr: "shipscore demande la page comme un visiteur le ferait et lui donne un score de 0 à 100, expliqué point par point : ce qui a été vu, ce que cela coûte et comment y remédier. Aucun compte n'est nécessaire.",
    en: "shipscore asks for the page as a visitor would and gives it a score from 0 to 100, explained point by point: what was seen, what it costs and how to fix it. No account needed.",
  },
  field: { fr: "Adresse d'une page", en: "Address of a page" },
  hint: {
    fr: `Une adresse publique, comme example.com. Seules les personnes qui ont le lien voient le rapport. Il est supprimé au bout de ${SCANS_KEPT_DAYS} jours, ou quand vous le supprimez. Au plus ${SCAN_BOUNDS.visitorHour} analyses par heure.`,
    en: `A public address, such as example.com. Only people with the link can see the report. It is deleted after ${SCANS_KEPT_DAYS} days, or when you delete it. At most ${SCAN_BOUNDS.visitorHour} scans an hour.`,
  },
  button: { fr: "Analyser", en: "Scan" },
  looks: { fr: "Ce que nous vérifions", en: "What we check" },
} as const;

const INCOMPLETE = {
  fr: "L'adresse n'est pas arrivée en entier. Envoyez-la à nouveau.",
  en: "The address did not arrive whole. Send it again.",
};

/** The problem at the field, by the error code of the form. */
export const FIELD_PROBLEMS: Readonly<Partial<Record<ErrorCode, Text>>> = {
  body_url_invalid: { fr: "Donnez l'adresse d'une page.", en: "Give the address of a page." },
  body_not_an_object: { fr: "Donnez l'adresse d'une page.", en: "Give the address of a page." },
  body_too_large: describeRefusal({ code: "too_long", host: null }),
  body_cut_off: INCOMPLETE,
  body_length_mismatch: INCOMPLETE,
};

/** Why a scan could not be started now, besides what the scan itself refuses. */
export const OBSTACLES: Readonly<Partial<Record<ErrorCode, Text>>> = {
  busy: {
    fr: "Le serveur a trop à faire en ce moment. Réessayez dans quelques secondes.",
    en: "The server has too much to do at the moment. Try again in a few seconds.",
  },
  unavailable: {
    fr: "L'analyse ne peut pas être enregistrée pour l'instant. Réessayez dans quelques instants.",
    en: "The scan cannot be recorded at the moment. Try again in a little while.",
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
    en: "A scan rarely takes more than ten seconds. This page reloads by itself; you may also close it and come back to this address.",
  },
} as const;

export const FAILED = {
  title: { fr: "Analyse interrompue", en: "Scan interrupted" },
  unknown: {
    fr: "L'analyse n'a pas pu être terminée. La page n'y est peut-être pour rien.",
    en: "The scan could not be finished. The page may have nothing to do with it.",
  },
  advice: { fr: "Lancez-en une nouvelle.", en: "Start a new one." },
} as const;

export const REPORT = {
  oneCosts: { fr: "règle coûte des points.", en: "rule costs points." },
  manyCost: { fr: "règles coûtent des points.", en: "rules cost points." },
  again: { fr: "Relancer l'analyse", en: "Scan again" },
  another: { fr: "Analyser une autre page", en: "Scan another page" },
  command: { fr: "la commande", en: "the command" },
  theLink: { fr: "le lien", en: "the link" },
  theMarkdown: { fr: "le Markdown", en: "the Markdown" },
  theHtml: { fr: "le HTML", en: "the HTML" },
  maskedHint: {
    fr: "Les valeurs des paramètres ne sont pas gardées : complétez l'adresse.",
    en: "The values of parameters are not kept: add them to the address.",
  },
  ruleset: { fr: "Règles", en: "Ruleset" },
  checkId: { fr: "vérification", en: "check" },
  ci: { fr: "Avant chaque déploiement", en: "Before each deployment" },
  ciLead: {
    fr: "Cette commande fait la même vérification sur votre machine ou en intégration continue, sans serveur ni compte ; elle échoue sous 80 points :",
    en: "This command makes the same check on your machine or in CI, without a server or an account; it fails below 80 points:",
  },
  ciHint: {
    fr: "En intégration continue, faites-en une étape qui suit celle qui déploie l'aperçu, avec l'adresse de celle-ci et l'option",
    en: "In CI, make it a step that follows the deployment of the preview, with the preview's address and the option",
  },
  ciMasked: {
    fr: "Remplacez chaque *** par la valeur du paramètre, qui n'est pas gardée.",
    en: "Put the value of each parameter, which is not kept, in place of ***.",
  },
  share: { fr: "Partager", en: "Share" },
  link: { fr: "Lien vers ce rapport", en: "Link to this report" },
  linkHint: {
    fr: "Quiconque a ce lien peut lire le rapport, jusqu'au",
    en: "Anyone who has this link can read the report, until",
  },
  badgeMarkdown: { fr: "Badge en Markdown", en: "Badge in Markdown" },
  badgeHtml: { fr: "Badge en HTML", en: "Badge in HTML" },
  delete: { fr: "Supprimer", en: "Delete" },
  deleteTitle: { fr: "Supprimer ce rapport", en: "Delete this report" },
  deleteLead: {
    fr: "Seul le navigateur qui a lancé l'analyse voit ce lien. Gardez-le pour supprimer le rapport depuis un autre.",
    en: "Only the browser that started the scan sees this link. Keep it to delete the report from another one.",
  },
} as const;

export const DELETION = {
  title: { fr: "Supprimer ce rapport ?", en: "Delete this report?" },
  lead: {
    fr: "Le rapport, son lien et son badge disparaîtront aussitôt, pour tous. Cela ne peut pas être annulé.",
    en: "The report, its link and its badge will be gone at once, for everybody. This cannot be undone.",
  },
  back: { fr: "Revenir au rapport", en: "Back to the report" },
} as const;

/** When the page can be scanned again. */
export function describeRescanWait(seconds: number): Text {
  const plural = seconds === 1 ? "" : "s";
  return {
    fr: `Vous pourrez relancer l'analyse dans ${seconds} seconde${plural}.`,
    en: `You can scan this page again in ${seconds} second${plural}.`,
  };
}

/** That an address without a scheme, or with http, was taken as one of https. */
export const describeHttpsAssumption = (url: string): Text => ({
  fr: `L'adresse donnée a été prise pour ${url} : shipscore vérifie les pages en https.`,
  en: `The address was taken as ${url}: shipscore checks pages over https.`,
});
