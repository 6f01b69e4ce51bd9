import { type AppError, describeRefusal, isAppError } from "../../../base/errors.ts";
import type { InputFault } from "../../../base/input-faults.ts";
import type { Text } from "../../../../shared/language.ts";
import { NAME_FAULTS } from "../../kit/session/sign-in-words.ts";
import { describeWait } from "../../kit/time.tsx";
import { LOOKUPS_AN_HOUR } from "../../../checks/lookups.ts";
import { MAX_PROJECTS, PROJECTS_A_DAY } from "../../../projects/projects.ts";
import { MAX_ACCOUNT_URLS, MAX_WATCHED_URLS } from "../../../projects/watching.ts";
import type { NoSitemap, Sitemap } from "../../../projects/sitemap.ts";
import type { SettingsPage } from "./settings-tabs.ts";

const few = new Intl.NumberFormat("fr-FR");
const many = new Intl.NumberFormat("en-GB");

export const WORDS = {
  newTitle: { fr: "Nouveau projet", en: "New project" },
  newLead: {
    fr: "Un site que ce serveur surveille. Vous pourrez changer tout cela plus tard.",
    en: "A site that this server watches. All of this can be changed later.",
  },
  newOfHost: {
    fr: "Vous avez déjà un projet de ce site :",
    en: "You have a project of this site:",
  },
  watchThere: { fr: "Surveiller la page dans ce projet", en: "Watch the page in this project" },
  title: { fr: "Réglages du projet", en: "Project settings" },
  details: { fr: "Nom et adresse", en: "Name and address" },
  name: { fr: "Nom", en: "Name" },
  address: { fr: "Adresse", en: "Address" },
  addressHint: {
    fr: "L'adresse https du site, qui est toujours surveillée.",
    en: "The https address of the site, which is always watched.",
  },
  newAddressHint: {
    fr: "Changer l'adresse commence un nouvel historique ; l'ancienne n'est plus surveillée, et son incident est clos.",
    en: "Changing the address starts a new history; the old address is no longer watched, and its incident is closed.",
  },
  create: { fr: "Créer le projet", en: "Create the project" },
  save: { fr: "Enregistrer", en: "Save" },

  add: { fr: "Ajouter des URL", en: "Add URLs" },
  watched: { fr: "URL surveillées", en: "Watched URLs" },
  noneWatched: {
    fr: "Seule l'adresse du projet est surveillée. Ajoutez d'autres pages ci-dessus.",
    en: "Only the project's address is watched. Add other pages above.",
  },
  urls: { fr: "URL à surveiller, une par ligne", en: "URLs to watch, one per line" },
  watch: { fr: "Surveiller", en: "Watch" },
  remove: { fr: "Retirer", en: "Remove" },
  pause: { fr: "Mettre en pause", en: "Pause" },
  resume: { fr: "Reprendre", en: "Resume" },
  interval: { fr: "Intervalle entre deux vérifications", en: "Interval between checks" },
  serversOwn: { fr: "Celui du serveur", en: "Server default" },
  failures: {
    fr: "Vérifications en échec de suite qui ouvrent un incident",
    en: "Failed checks in a row that open an incident",
  },
  oneLocation: {
    fr: "Échec constaté depuis un seul emplacement",
    en: "A failure seen from one location only",
  },
  onlyShown: { fr: "Est seulement affiché", en: "Is only shown" },
  isIncident: { fr: "Ouvre un incident", en: "Opens an incident" },

  badge: { fr: "Badge", en: "Badge" },
  badgeOff: {
    fr: "Une image du score de ce projet, pour un README ou un site. Toute personne qui en connaît l'adresse voit le score.",
    en: "An image of this project's score, for a README or a site. Anyone who knows its address sees the score.",
  },
  badgeOn: {
    fr: "Toute personne qui connaît cette adresse voit le score. Désactivé, le badge perd son adresse.",
    en: "Anyone who knows this address sees the score. Switched off, the badge loses its address.",
  },
  badgeAlt: { fr: "Score de ce projet", en: "This project's score" },
  badgeAddress: { fr: "Adresse du badge", en: "Address of the badge" },
  badgeMarkdown: { fr: "En Markdown", en: "In Markdown" },
  switchOn: { fr: "Activer", en: "Switch on" },
  switchOff: { fr: "Désactiver", en: "Switch off" },
  ofBadge: { fr: "le badge", en: "the badge" },

  deletionLead: {
    fr: "Le projet disparaît aussitôt pour tous ceux qui le voient, avec ses incidents et ses déploiements. Rien ne peut être récupéré.",
    en: "The project is gone at once for all who see it, with its incidents and deployments. Nothing can be recovered.",
  },
  urlRemoval: {
    fr: "Cette URL n'est plus vérifiée, et son incident est clos. Son score, sa disponibilité et ses temps de réponse sont perdus : surveillée de nouveau, elle repart de zéro.",
    en: "This URL is no longer checked, and its incident is closed. Its score, uptime and response times are lost: if you watch it again, it starts from zero.",
  },
  confirmName: { fr: "Nom du projet, pour confirmer", en: "Name of the project, to confirm" },
  delete: { fr: "Supprimer", en: "Delete" },
} as const satisfies Record<string, Text>;

/** The pages of the settings. */
export const SETTINGS_TITLES: Readonly<Record<SettingsPage, Text>> = {
  general: { fr: "Général", en: "General" },
  urls: { fr: "URL", en: "URLs" },
  people: { fr: "Personnes", en: "People" },
  hooks: { fr: "Déploiements entrants", en: "Hooks" },
  alerts: { fr: "Alertes", en: "Alerts" },
  gate: { fr: "Seuil", en: "Gate" },
  previews: { fr: "Aperçus", en: "Previews" },
  maintenance: { fr: "Maintenance", en: "Maintenance" },
  badge: { fr: "Badge", en: "Badge" },
  "status-page": { fr: "Page d'état", en: "Status page" },
};

export const PROBLEMS = {
  name_empty: {
    fr: "Donnez un nom au projet, par exemple celui du site.",
    en: "Give the project a name, such as that of the site.",
  },
  ...NAME_FAULTS,
  tooManyProjects: {
    fr: `Vous avez déjà ${MAX_PROJECTS} projets, le maximum d'un compte. Supprimez-en un, ou cédez-le, puis recommencez.`,
    en: `You own ${MAX_PROJECTS} projects, the most an account can own. Delete one, or transfer it, then try again.`,
  },
  busy: {
    fr: "Trop d'adresses de votre compte sont en cours de vérification. Réessayez dans quelques secondes.",
    en: "Too many addresses of your account are being checked. Try again in a few seconds.",
  },
  noUrls: {
    fr: "Saisissez au moins une URL, une par ligne.",
    en: "Type at least one URL, one per line.",
  },
  nameWrong: {
    fr: "Ce n'est pas le nom de ce projet, et rien n'a été supprimé. Saisissez-le tel qu'il est écrit ici.",
    en: "This is not the name of this project, and nothing was deleted. Type it as it is written here.",
  },
} as const satisfies Partial<Record<InputFault, Text>> & Record<string, Text>;

export const intervalTooShort = (least: number): Text => ({
  fr: `L'intervalle est d'au moins ${least} s sur ce serveur.`,
  en: `The interval is at least ${least} s on this server.`,
});

/** Nothing was looked up: the form has more host names than are left of the hour's. */
export const tooManyNames = ({ retryAfterSeconds }: { retryAfterSeconds: number }): Text =>
  describeWait(retryAfterSeconds, {
    fr: `Un compte peut faire chercher ${few.format(LOOKUPS_AN_HOUR)} noms d'hôte par heure, et ce formulaire en demande plus qu'il n'en reste. Rien n'a été enregistré. Donnez moins de noms d'hôte, ou attendez.`,
    en: `An account can have ${many.format(LOOKUPS_AN_HOUR)} host names looked up an hour, and this form needs more than are left. Nothing was saved. Give fewer host names, or wait.`,
  });

export const tooManyNewProjects = ({ retryAfterSeconds }: { retryAfterSeconds: number }): Text =>
  describeWait(retryAfterSeconds, {
    fr: `Un compte peut créer ${PROJECTS_A_DAY} projets par jour, et ce nombre est atteint. Rien n'a été créé.`,
    en: `An account can create ${PROJECTS_A_DAY} projects a day, and it has. Nothing was created.`,
  });

export const tooManyLines = (limit: number): Text => ({
  fr: `La liste a plus de ${few.format(limit)} lignes, et rien n'a été ajouté. Raccourcissez-la.`,
  en: `The list has over ${many.format(limit)} lines, and nothing was added. Shorten it.`,
});

export const watchedHint = (count: number): Text => ({
  fr: `Ce projet surveille ${few.format(count)} URL sur ${few.format(MAX_WATCHED_URLS)} possibles, son adresse comprise.`,
  en: `This project watches ${many.format(count)} of at most ${many.format(MAX_WATCHED_URLS)} URLs, its address included.`,
});

export const typeName = (name: string): Text => ({
  fr: `Saisissez : ${name}`,
  en: `Type: ${name}`,
});

export const SITEMAP = {
  title: { fr: "Importer d'un sitemap", en: "Import from a sitemap" },
  address: { fr: "Adresse du sitemap", en: "Address of the sitemap" },
  hint: {
    fr: "Ce serveur le lit, et montre les pages qui ne sont pas encore surveillées. Rien n'est ajouté avant votre choix.",
    en: "This server reads it, and shows the pages that are not watched yet. Nothing is added before you choose.",
  },
  read: { fr: "Lire", en: "Read" },
  pages: { fr: "Pages à surveiller", en: "Pages to watch" },
  watch: { fr: "Surveiller les pages cochées", en: "Watch the ticked pages" },
} as const satisfies Record<string, Text>;

/** What a sitemap lists, of which so many are shown. */
export function describeFound({ pages, watched, elsewhere }: Sitemap, shown: number): Text {
  const fr = [
    pages.length === 0
      ? "Aucune page à ajouter."
      : `Pages à ajouter : ${few.format(pages.length)}.`,
    shown < pages.length &&
      `Les ${few.format(shown)} premières sont ci-dessous ; lisez de nouveau le sitemap pour les suivantes.`,
    watched > 0 && `Déjà surveillées : ${few.format(watched)}.`,
    elsewhere > 0 && `Laissées de côté, d'un autre hôte ou sans https : ${few.format(elsewhere)}.`,
  ];
  const en = [
    pages.length === 0 ? "There is no page to add." : `Pages to add: ${many.format(pages.length)}.`,
    shown < pages.length &&
      `The first ${many.format(shown)} are below; read the sitemap again for the next ones.`,
    watched > 0 && `Watched already: ${many.format(watched)}.`,
    elsewhere > 0 && `Left out, of another host or without https: ${many.format(elsewhere)}.`,
  ];
  return { fr: fr.filter(Boolean).join(" "), en: en.filter(Boolean).join(" ") };
}

/** Why nothing could be read of a sitemap. */
export function describeNoSitemap(why: NoSitemap): Text {
  if ("status" in why)
    return {
      fr: `L'adresse répond ${why.status}. Donnez celle du sitemap, que robots.txt nomme souvent.`,
      en: `The address answers ${why.status}. Give that of the sitemap, which robots.txt often names.`,
    };
  return why.failure === "unreachable"
    ? {
        fr: "Le serveur du site n'a pas répondu à temps. Réessayez plus tard, ou collez les adresses ci-dessus.",
        en: "The site's server did not answer in time. Try again later, or paste the addresses above.",
      }
    : {
        fr: "Ce n'est pas un sitemap. Donnez l'adresse d'un fichier XML, gzip ou texte qui liste des pages.",
        en: "This is not a sitemap. Give the address of an XML, gzip or text file that lists pages.",
      };
}

/** What stands above the URLs that were refused. */
export function describeRefused(refused: number, added: number): Text {
  const kept =
    refused === 1
      ? {
          fr: "Une URL n'a pas été ajoutée ; elle est encore dans le champ.",
          en: "One URL was not added; it is still in the field.",
        }
      : {
          fr: `${few.format(refused)} URL n'ont pas été ajoutées ; elles sont encore dans le champ.`,
          en: `${many.format(refused)} URLs were not added; they are still in the field.`,
        };
  if (added === 0) return kept;
  const others =
    added === 1
      ? { fr: "Une URL a été ajoutée.", en: "One URL was added." }
      : {
          fr: `${few.format(added)} URL ont été ajoutées.`,
          en: `${many.format(added)} URLs were added.`,
        };
  return { fr: `${others.fr} ${kept.fr}`, en: `${others.en} ${kept.en}` };
}

const TOO_MANY_URLS: Text = {
  fr: `Un projet surveille au plus ${few.format(MAX_WATCHED_URLS)} URL, son adresse comprise. Retirez-en d'abord.`,
  en: `A project watches at most ${many.format(MAX_WATCHED_URLS)} URLs, its address included. Remove some first.`,
};
export const TOO_MANY_ACCOUNT_URLS: Text = {
  fr: `Un compte surveille au plus ${few.format(MAX_ACCOUNT_URLS)} URL, tous projets confondus. Retirez-en d'abord.`,
  en: `An account watches at most ${many.format(MAX_ACCOUNT_URLS)} URLs over all its projects. Remove some first.`,
};
const NOT_VETTED: Text = {
  fr: "Le temps a manqué pour les vérifier. Envoyez-les à nouveau.",
  en: "There was no time to check them. Send them again.",
};

/** Why a URL was not added. Throws an error that says something else. */
export function describeUrlError(error: AppError): Text {
  if (isAppError(error, "url_refused")) return describeRefusal(error.parameters);
  if (isAppError(error, "too_many_urls")) return TOO_MANY_URLS;
  if (isAppError(error, "too_many_account_urls")) return TOO_MANY_ACCOUNT_URLS;
  if (isAppError(error, "url_not_vetted")) return NOT_VETTED;
  throw error;
}
