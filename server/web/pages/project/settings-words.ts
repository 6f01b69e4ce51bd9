import { type AppError, describeRefusal, isAppError } from "../../../base/errors.ts";
import type { InputFault } from "../../../base/input-faults.ts";
import type { Text } from "../../../../shared/language.ts";
import { describeCount, isSingular } from "../../../../shared/report/words.ts";
import { NAME_FAULTS } from "../../kit/session/sign-in-words.ts";
import { describeWait } from "../../kit/time.tsx";
import { LOOKUPS_AN_HOUR } from "../../../checks/lookups.ts";
import { MAX_PROJECTS, PROJECTS_A_DAY } from "../../../projects/projects.ts";
import { MAX_ACCOUNT_URLS, MAX_WATCHED_URLS } from "../../../projects/watching.ts";
import type { Sitemap, SitemapFailure } from "../../../projects/sitemap.ts";
import type { SettingsPage } from "./settings-tabs.ts";

const inFrench = (count: number) => describeCount(count, "fr");
const inEnglish = (count: number) => describeCount(count, "en");

export const WORDS = {
  newTitle: { fr: "Nouveau projet", en: "New project" },
  newLead: {
    fr: "Un projet correspond à un site que ce serveur surveille. Vous pourrez tout modifier plus tard.",
    en: "A project is a site that this server watches. You can change all of this later.",
  },
  newOfHost: {
    fr: "Vous avez déjà un projet pour ce site :",
    en: "You already have a project for this site:",
  },
  watchThere: { fr: "Surveiller la page dans ce projet", en: "Watch the page in this project" },
  title: { fr: "Réglages du projet", en: "Project settings" },
  details: { fr: "Nom et URL", en: "Name and URL" },
  name: { fr: "Nom", en: "Name" },
  address: { fr: "URL", en: "URL" },
  addressHint: {
    fr: "L'URL https du site, toujours surveillée.",
    en: "The https URL of the site, which is always watched.",
  },
  newAddressHint: {
    fr: "Un changement d'URL commence un nouvel historique ; l'ancienne URL n'est plus surveillée, et son incident éventuel est clos.",
    en: "Changing the URL starts a new history; the old URL is no longer watched, and its incident, if any, is closed.",
  },
  create: { fr: "Créer le projet", en: "Create the project" },
  save: { fr: "Enregistrer", en: "Save" },

  add: { fr: "Ajouter des URL", en: "Add URLs" },
  watched: { fr: "URL surveillées", en: "Watched URLs" },
  noneWatched: {
    fr: "Seule l'URL du projet est surveillée. Ajoutez d'autres pages ci-dessus.",
    en: "Only the project's URL is watched. Add other pages above.",
  },
  urls: { fr: "URL à surveiller, une par ligne", en: "URLs to watch, one per line" },
  watch: { fr: "Surveiller", en: "Watch" },
  remove: { fr: "Retirer", en: "Remove" },
  pause: { fr: "Mettre en pause", en: "Pause" },
  resume: { fr: "Reprendre", en: "Resume" },
  interval: { fr: "Intervalle entre deux contrôles", en: "Interval between probes" },
  serversOwn: { fr: "Valeur par défaut du serveur", en: "Server default" },
  failures: {
    fr: "Nombre de contrôles en échec consécutifs avant l'ouverture d'un incident",
    en: "Consecutive failed probes before an incident opens",
  },
  oneLocation: {
    fr: "Échec constaté depuis un seul emplacement",
    en: "A failure found from one location only",
  },
  onlyShown: { fr: "Est seulement affiché", en: "Is only displayed" },
  isIncident: { fr: "Ouvre un incident", en: "Opens an incident" },

  badge: { fr: "Badge", en: "Badge" },
  badgeOff: {
    fr: "Une image du score de ce projet, pour un README ou un site. Toute personne qui en connaît l'URL voit le score.",
    en: "An image of this project's score, for a README or a site. Anyone who knows its URL sees the score.",
  },
  badgeOn: {
    fr: "Toute personne qui connaît cette URL voit le score. Si vous désactivez le badge, cette URL cesse de fonctionner.",
    en: "Anyone who knows this URL sees the score. If you turn the badge off, this URL stops working.",
  },
  badgeAlt: { fr: "Score de ce projet", en: "This project's score" },
  badgeAddress: { fr: "URL du badge", en: "Badge URL" },
  badgeMarkdown: { fr: "En Markdown", en: "In Markdown" },
  switchOn: { fr: "Activer", en: "Turn on" },
  switchOff: { fr: "Désactiver", en: "Turn off" },
  ofBadge: { fr: "le badge", en: "the badge" },

  deletionLead: {
    fr: "Le projet disparaît aussitôt pour tous ceux qui le voient, avec ses incidents et ses déploiements. Cette action est irréversible.",
    en: "The project disappears immediately for everyone who sees it, with its incidents and deployments. This cannot be undone.",
  },
  urlRemoval: {
    fr: "Cette URL ne sera plus surveillée, et son incident éventuel sera clos. Son score, sa disponibilité et ses temps de réponse seront perdus, même si vous la surveillez de nouveau.",
    en: "This URL will no longer be watched, and its incident, if any, will be closed. Its score, uptime and response times will be lost, even if you watch it again.",
  },
  confirmName: { fr: "Nom du projet, pour confirmer", en: "Project name, to confirm" },
  delete: { fr: "Supprimer", en: "Delete" },
} as const satisfies Record<string, Text>;

export const SETTINGS_TITLES: Readonly<Record<SettingsPage, Text>> = {
  general: { fr: "Général", en: "General" },
  urls: { fr: "URL", en: "URLs" },
  people: { fr: "Membres", en: "Members" },
  hooks: { fr: "Webhooks entrants", en: "Incoming webhooks" },
  alerts: { fr: "Alertes", en: "Alerts" },
  gate: { fr: "Conditions de déploiement", en: "Gate" },
  previews: { fr: "Aperçus", en: "Previews" },
  maintenance: { fr: "Maintenance", en: "Maintenance" },
  badge: { fr: "Badge", en: "Badge" },
  "status-page": { fr: "Page d'état", en: "Status page" },
};

export const PROBLEMS = {
  name_empty: {
    fr: "Saisissez un nom pour le projet, par exemple celui du site.",
    en: "Enter a name for the project, such as the site's name.",
  },
  ...NAME_FAULTS,
  tooManyProjects: {
    fr: `Vous avez déjà ${MAX_PROJECTS} projets, le maximum par compte. Supprimez-en un ou transférez-le, puis recommencez.`,
    en: `You own ${MAX_PROJECTS} projects, the limit for an account. Delete or transfer one, then try again.`,
  },
  busy: {
    fr: "Trop d'URL de votre compte sont en cours de vérification. Réessayez dans quelques secondes.",
    en: "Too many URLs of your account are being checked. Try again in a few seconds.",
  },
  noUrls: {
    fr: "Saisissez au moins une URL, une par ligne.",
    en: "Enter at least one URL, one per line.",
  },
  nameWrong: {
    fr: "Ce n'est pas le nom de ce projet, et rien n'a été supprimé. Saisissez-le tel qu'il est écrit ici.",
    en: "This is not the name of this project, and nothing was deleted. Enter it as it is written here.",
  },
} as const satisfies Partial<Record<InputFault, Text>> & Record<string, Text>;

export const intervalTooShort = (least: number): Text => ({
  fr: `Sur ce serveur, l'intervalle minimal est de ${least} s.`,
  en: `On this server, the minimum interval is ${least} s.`,
});

export const tooManyNames = ({ retryAfterSeconds }: { retryAfterSeconds: number }): Text =>
  describeWait(retryAfterSeconds, {
    fr: `Rien n'a été enregistré : ce formulaire contient trop de noms d'hôte. La limite est de ${inFrench(LOOKUPS_AN_HOUR)} résolutions DNS par heure et par compte, et il ne vous en reste pas assez. Saisissez moins de noms d'hôte, ou attendez.`,
    en: `Nothing was saved: this form has too many host names. The limit is ${inEnglish(LOOKUPS_AN_HOUR)} DNS lookups an hour per account, and yours has too few left. Enter fewer host names, or wait.`,
  });

export const tooManyNewProjects = ({ retryAfterSeconds }: { retryAfterSeconds: number }): Text =>
  describeWait(retryAfterSeconds, {
    fr: `Le projet n'a pas été créé : votre compte a atteint la limite de ${PROJECTS_A_DAY} nouveaux projets par jour.`,
    en: `The project was not created: your account has reached the limit of ${PROJECTS_A_DAY} new projects a day.`,
  });

export const tooManyLines = (limit: number): Text => ({
  fr: `Rien n'a été ajouté : la liste compte plus de ${inFrench(limit)} lignes. Raccourcissez-la.`,
  en: `Nothing was added: the list has over ${inEnglish(limit)} lines. Shorten it.`,
});

export const watchedHint = (count: number): Text => ({
  fr: `Ce projet surveille ${inFrench(count)} URL sur ${inFrench(MAX_WATCHED_URLS)} possibles, y compris l'URL du projet.`,
  en: `This project watches ${inEnglish(count)} of at most ${inEnglish(MAX_WATCHED_URLS)} URLs, including the project's own.`,
});

export const typeName = (name: string): Text => ({
  fr: `Saisissez : ${name}`,
  en: `Enter: ${name}`,
});

export const SITEMAP = {
  title: { fr: "Importer depuis un sitemap", en: "Import from a sitemap" },
  address: { fr: "URL du sitemap", en: "Sitemap URL" },
  hint: {
    fr: "Ce serveur le lit et affiche les pages qui ne sont pas encore surveillées. Rien n'est ajouté sans votre choix.",
    en: "This server reads it and shows the pages that are not watched yet. Nothing is added until you choose.",
  },
  read: { fr: "Charger", en: "Load" },
  pages: { fr: "Pages à surveiller", en: "Pages to watch" },
  watch: { fr: "Surveiller les pages cochées", en: "Watch the selected pages" },
} as const satisfies Record<string, Text>;

export function describeSitemap({ pages, watched, elsewhere }: Sitemap, shown: number): Text {
  const fr = [
    pages.length === 0 ? "Aucune page à ajouter." : `Pages à ajouter : ${inFrench(pages.length)}.`,
    shown < pages.length &&
      `Les ${inFrench(shown)} premières sont ci-dessous ; rechargez ensuite le sitemap pour les suivantes.`,
    watched > 0 && `Déjà surveillées : ${inFrench(watched)}.`,
    elsewhere > 0 && `Ignorées (autre hôte ou sans https) : ${inFrench(elsewhere)}.`,
  ];
  const en = [
    pages.length === 0 ? "No page to add." : `Pages to add: ${inEnglish(pages.length)}.`,
    shown < pages.length &&
      `The first ${inEnglish(shown)} are below; load the sitemap again for the next ones.`,
    watched > 0 && `Already watched: ${inEnglish(watched)}.`,
    elsewhere > 0 && `Ignored (another host, or without https): ${inEnglish(elsewhere)}.`,
  ];
  return { fr: fr.filter(Boolean).join(" "), en: en.filter(Boolean).join(" ") };
}

export function describeSitemapFailure(why: SitemapFailure): Text {
  if ("status" in why)
    return {
      fr: `Cette URL renvoie ${why.status}. Saisissez celle du sitemap, souvent déclarée dans robots.txt.`,
      en: `This URL returns ${why.status}. Enter the sitemap's URL; robots.txt often declares it.`,
    };
  return why.failure === "unreachable"
    ? {
        fr: "Le serveur du site n'a pas répondu à temps. Réessayez plus tard, ou collez les URL ci-dessus.",
        en: "The site's server did not respond in time. Try again later, or paste the URLs above.",
      }
    : {
        fr: "Ce n'est pas un sitemap. Saisissez l'URL d'un fichier XML, gzip ou texte qui liste des pages.",
        en: "This is not a sitemap. Enter the URL of an XML, gzip or text file that lists pages.",
      };
}

const countRefused = (count: number): Text => ({
  fr: isSingular(count, "fr")
    ? `${count} URL n'a pas été ajoutée et reste dans le champ.`
    : `${inFrench(count)} URL n'ont pas été ajoutées et restent dans le champ.`,
  en: isSingular(count, "en")
    ? `${count} URL was not added and is still in the field.`
    : `${inEnglish(count)} URLs were not added and are still in the field.`,
});

const countAdded = (count: number): Text => ({
  fr: isSingular(count, "fr")
    ? `${count} URL a été ajoutée.`
    : `${inFrench(count)} URL ont été ajoutées.`,
  en: isSingular(count, "en") ? `${count} URL was added.` : `${inEnglish(count)} URLs were added.`,
});

export function describeRefused(refused: number, added: number): Text {
  const problem = countRefused(refused);
  if (added === 0) return problem;
  const success = countAdded(added);
  return { fr: `${success.fr} ${problem.fr}`, en: `${success.en} ${problem.en}` };
}

const TOO_MANY_URLS: Text = {
  fr: `Un projet surveille au plus ${inFrench(MAX_WATCHED_URLS)} URL, y compris l'URL du projet. Retirez-en d'abord quelques-unes.`,
  en: `A project watches at most ${inEnglish(MAX_WATCHED_URLS)} URLs, including its own. Remove some first.`,
};
export const TOO_MANY_ACCOUNT_URLS: Text = {
  fr: `Un compte surveille au plus ${inFrench(MAX_ACCOUNT_URLS)} URL, tous projets confondus. Retirez-en d'abord quelques-unes.`,
  en: `An account watches at most ${inEnglish(MAX_ACCOUNT_URLS)} URLs across all its projects. Remove some first.`,
};
const NOT_VETTED: Text = {
  fr: "Le délai imparti n'a pas suffi pour les vérifier. Envoyez-les à nouveau.",
  en: "Checking the URLs timed out. Send them again.",
};

export function describeUrlError(error: AppError): Text {
  if (isAppError(error, "url_refused")) return describeRefusal(error.parameters);
  if (isAppError(error, "too_many_urls")) return TOO_MANY_URLS;
  if (isAppError(error, "too_many_account_urls")) return TOO_MANY_ACCOUNT_URLS;
  if (isAppError(error, "url_not_vetted")) return NOT_VETTED;
  throw error;
}
