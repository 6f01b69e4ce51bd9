import { SCAN_BOUNDS } from "../../../base/bounds.ts";
import type { ErrorCode } from "../../../base/errors.ts";
import type { Text } from "../../../base/language.ts";
import { describeRefusal } from "../../../words/refusals.ts";
import { text } from "../../../engine/judge/rule.ts";

export const HOME = {
  title: text("Cette page est\u2011elle prête à sortir ?", "Is this page fit to ship?"),
  description: text(
    "Donnez l'adresse d'une page publique : un score de 0 à 100, expliqué point par point, avec ce qui a été vu et comment y remédier.",
    "Give the address of a public page: a score from 0 to 100, explained point by point, with what was seen and how to fix it.",
  ),
  lead: text(
    "shipscore demande la page comme un visiteur le ferait et lui donne un score de 0 à 100, expliqué point par point : ce qui a été vu, ce que cela coûte et comment y remédier. Sans compte.",
    "shipscore asks for the page as a visitor would and gives it a score from 0 to 100, explained point by point: what was seen, what it costs and how to fix it. No account.",
  ),
  field: text("Adresse d'une page", "Address of a page"),
  hint: text(
    `Une adresse publique en https. Le rapport n'est visible que de ceux qui ont son lien, est gardé 30 jours, et vous pourrez le supprimer. Au plus ${SCAN_BOUNDS.visitorHour} analyses par heure.`,
    `A public https address. The report can be seen only by those who have its link, is kept for 30 days, and you can delete it. At most ${SCAN_BOUNDS.visitorHour} scans an hour.`,
  ),
  button: text("Analyser", "Scan"),
  looks: text("Ce qui est regardé", "What is looked at"),
} as const;

const INCOMPLETE = text(
  "L'adresse n'est pas arrivée en entier. Envoyez-la à nouveau.",
  "The address did not arrive whole. Send it again.",
);

/** What is wrong with the field, by the code of what is wrong with the form. */
export const FIELD_PROBLEMS: Readonly<Partial<Record<ErrorCode, Text>>> = {
  body_url_invalid: text("Donnez l'adresse d'une page.", "Give the address of a page."),
  body_not_an_object: text("Donnez l'adresse d'une page.", "Give the address of a page."),
  body_too_large: describeRefusal({ code: "too_long", host: null }),
  body_cut_off: INCOMPLETE,
  body_length_mismatch: INCOMPLETE,
};

/** Why a scan could not be started now, besides what the scan itself refuses. */
export const OBSTACLES: Readonly<Partial<Record<ErrorCode, Text>>> = {
  busy: text(
    "Le serveur a trop à faire en ce moment. Réessayez dans quelques secondes.",
    "The server has too much to do at the moment. Try again in a few seconds.",
  ),
  unavailable: text(
    "L'analyse ne peut pas être enregistrée pour l'instant. Réessayez dans quelques instants.",
    "The scan cannot be recorded at the moment. Try again in a little while.",
  ),
  shutting_down: text(
    "Le serveur s'arrête ou redémarre. Réessayez dans quelques secondes.",
    "The server is stopping or restarting. Try again in a few seconds.",
  ),
};

export const PROGRESS = {
  title: text("Analyse en cours", "Scan in progress"),
  reloads: text(
    "Une analyse prend rarement plus de dix secondes. Cette page se recharge d'elle-même ; vous pouvez aussi la fermer et revenir à cette adresse.",
    "A scan rarely takes more than ten seconds. This page reloads by itself; you may also close it and come back to this address.",
  ),
  waiting: text("En attente d'une place", "Waiting for a place"),
  place: text("En attente, à la place", "Waiting, at place"),
  started: text("L'analyse commence", "The scan begins"),
} as const;

export const STEPS: Readonly<Record<string, Text>> = {
  vetting: text("Recherche de l'adresse du site", "Looking up the site's address"),
  visiting: text("Visite de la page", "Visiting the page"),
  judging: text("Jugement de ce qui a été vu", "Judging what was seen"),
};

export const FAILED = {
  title: text("Analyse interrompue", "Scan interrupted"),
  unknown: text(
    "L'analyse n'a pas pu être terminée. La page n'y est peut-être pour rien.",
    "The scan could not be finished. The page may have nothing to do with it.",
  ),
  advice: text("Lancez-en une nouvelle.", "Start a new one."),
} as const;

export const REPORT = {
  oneCosts: text("règle coûte des points.", "rule costs points."),
  manyCost: text("règles coûtent des points.", "rules cost points."),
  again: text("Relancer l'analyse", "Scan again"),
  maskedHint: text(
    "Les valeurs des paramètres ne sont pas gardées : donnez à nouveau l'adresse entière.",
    "The values of parameters are not kept: give the whole address again.",
  ),
  ruleset: text("Règles", "Ruleset"),
  checkId: text("vérification", "check"),
  ci: text("Avant chaque mise en ligne", "Before each release"),
  ciLead: text(
    "Cette ligne fait la même vérification sur votre machine ou en intégration continue, sans serveur ni compte ; elle échoue sous 80 points :",
    "This line makes the same check on your machine or in CI, without a server or an account; it fails below 80 points:",
  ),
  ciHint: text(
    "En intégration continue, faites-en une étape qui suit le déploiement de la préversion, avec l'adresse de celle-ci et l'option",
    "In CI, make it a step that follows the deployment of the preview, with the preview's address and the option",
  ),
  ciMasked: text(
    "Remplacez chaque *** par la valeur du paramètre, qui n'est pas gardée.",
    "Put the value of each parameter, which is not kept, in place of ***.",
  ),
  share: text("Partager", "Share"),
  link: text("Lien vers ce rapport", "Link to this report"),
  linkHint: text(
    "Quiconque a ce lien peut lire le rapport, jusqu'au",
    "Anyone who has this link can read the report, until",
  ),
  badgeMarkdown: text("Badge en Markdown", "Badge in Markdown"),
  badgeHtml: text("Badge en HTML", "Badge in HTML"),
  delete: text("Supprimer", "Delete"),
  deleteTitle: text("Supprimer ce rapport", "Delete this report"),
  deleteLead: text(
    "Seul le navigateur qui a lancé l'analyse voit ce bouton. Gardez le lien pour supprimer le rapport depuis un autre.",
    "Only the browser that started the scan sees this button. Keep the link to delete the report from another one.",
  ),
  deleteLink: text("Lien de suppression :", "Link to delete it:"),
} as const;

export const DELETION = {
  title: text("Supprimer ce rapport ?", "Delete this report?"),
  lead: text(
    "Le rapport, son lien et son badge disparaîtront aussitôt, pour tous. Cela ne peut pas être annulé.",
    "The report, its link and its badge will be gone at once, for everybody. This cannot be undone.",
  ),
  back: text("Revenir au rapport", "Back to the report"),
} as const;
