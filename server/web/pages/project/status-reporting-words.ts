import type { Text } from "../../../../shared/language.ts";
import type { Status } from "../../../db/deployments/commit-statuses.ts";
import type { StateWords } from "./state-badges.tsx";

/** The words of status reporting on the page of a hook. */
export const STATUS_REPORTING = {
  title: { fr: "Publication des statuts", en: "Status reporting" },
  lead: {
    fr: "Le commit de chaque déploiement reçoit un statut : « en attente », puis son score. Rendez-le obligatoire, et aucune pull request ne passe sans lui.",
    en: "The commit of each deployment gets a status: pending, then its score. Make it a required check, and no pull request is merged without it.",
  },
  help: {
    fr: "Mode d'emploi et droits nécessaires",
    en: "How it works, and which permissions it needs",
  },
  repository: { fr: "Dépôt", en: "Repository" },
  gitlabHint: {
    fr: "Son chemin, comme groupe/projet, ou son numéro.",
    en: "The project's path, such as group/project, or its number.",
  },
  token: { fr: "Jeton", en: "Token" },
  tokenHint: {
    fr: "Essayé tout de suite, puis chiffré. Il n'est plus jamais affiché.",
    en: "Tried at once, then encrypted. It is never shown again.",
  },
  api: { fr: "Adresse de l'API", en: "Address of the API" },
  apiHint: {
    fr: "Laissez vide, sauf pour une installation qui est la vôtre.",
    en: "Leave empty, unless you run the provider yourself.",
  },
  context: { fr: "Nom du statut des aperçus", en: "Name of the previews' status" },
  contextHint: {
    fr: "Si leur environnement change de nom à chaque pull request.",
    en: "If their environment has another name on each pull request.",
  },
  report: { fr: "Rapport", en: "Report" },
  comment: {
    fr: "Le garder aussi dans un commentaire de la pull request",
    en: "Keep it in a comment on the pull request too",
  },
  app: { fr: "Une GitHub App à la place du jeton", en: "A GitHub app in place of the token" },
  appId: { fr: "Identifiant de l'app", en: "App ID" },
  installationId: { fr: "Identifiant de l'installation", en: "Installation ID" },
  key: { fr: "Clé privée (PEM)", en: "Private key (PEM)" },
  save: { fr: "Essayer et enregistrer", en: "Try and save" },
  off: { fr: "Désactiver", en: "Switch off" },
  offName: { fr: "Désactiver la publication des statuts", en: "Switch off status reporting" },
  commit: { fr: "Commit", en: "Commit" },
  status: { fr: "Statut", en: "Status" },
  when: { fr: "Quand", en: "When" },
  outcome: { fr: "Envoi", en: "Sent" },
} satisfies Record<string, Text>;

export const REPORTING_STATES: Readonly<Record<"active" | "refused", StateWords>> = {
  active: { sign: "●", tone: "good", words: { fr: "Active", en: "On" } },
  refused: {
    sign: "■",
    tone: "bad",
    words: {
      fr: "Jeton refusé : saisissez-en un autre",
      en: "Credential refused: enter another",
    },
  },
};

export const SENT_STATES: Readonly<Record<Status["sent"], StateWords>> = {
  pending: { sign: "○", tone: "soft", words: { fr: "En attente", en: "Waiting" } },
  sent: { sign: "●", tone: "good", words: { fr: "Envoyé", en: "Sent" } },
  dead: { sign: "■", tone: "bad", words: { fr: "Pas envoyé", en: "Not sent" } },
  superseded: { sign: "○", tone: "soft", words: { fr: "Remplacé", en: "Replaced" } },
};

export const STATES: Readonly<Record<Status["state"], Text>> = {
  pending: { fr: "en attente", en: "pending" },
  success: { fr: "réussi", en: "success" },
  failure: { fr: "échoué", en: "failure" },
  error: { fr: "erreur", en: "error" },
  comment: { fr: "commentaire", en: "comment" },
};

/** Why a status was not sent, where the provider did not answer. */
export const WHY_NOT: Readonly<Record<string, Text>> = {
  repository: { fr: "Le commit est d'un autre dépôt.", en: "The commit is of another repository." },
  host: {
    fr: "L'exploitant de ce serveur n'autorise pas cette adresse.",
    en: "This server's operator does not allow the address.",
  },
  off: {
    fr: "La publication des statuts a été désactivée.",
    en: "Status reporting was switched off.",
  },
  handed_over: { fr: "Le projet a été cédé.", en: "The project was transferred." },
  refused: { fr: "Le jeton est refusé.", en: "The credential is refused." },
  key: {
    fr: "La clé de l'app est inutilisable : saisissez-en une autre.",
    en: "The app's key cannot be used: enter another.",
  },
};

export const REPORTING_PROBLEMS = {
  repository: {
    fr: "Écrivez PROPRIÉTAIRE/DÉPÔT ; pour GitLab, le chemin du projet ou son numéro.",
    en: "Type OWNER/REPO; for GitLab, the project's path or its number.",
  },
  credential: {
    fr: "Saisissez un jeton, ou bien les identifiants et la clé d'une app.",
    en: "Type a token, or else the ids and the key of an app.",
  },
  key: {
    fr: "Saisissez la clé privée de l'app telle que GitHub la donne : RSA de 2 048 à 4 096 bits, en PEM.",
    en: "Type the app's private key as GitHub gives it: RSA of 2,048 to 4,096 bits, in PEM.",
  },
  api: {
    fr: "Écrivez une adresse en https, comme https://HOST/api/v3, pour GitLab https://HOST/api/v4.",
    en: "Type an https address such as https://HOST/api/v3, for GitLab https://HOST/api/v4.",
  },
  context: {
    fr: "Un nom est une ligne de 100 caractères au plus.",
    en: "A name is one line of at most 100 characters.",
  },
} satisfies Record<string, Text>;

export const hostRefused = (host: string): Text => ({
  fr: `L'exploitant de ce serveur n'autorise pas de statuts vers ${host}.`,
  en: `This server's operator does not allow statuses to ${host}.`,
});

export const mayNotWrite = (why: Text): Text => ({
  fr: `Ce jeton ne peut pas écrire ce qui est demandé. ${why.fr}`,
  en: `This credential may not write what is asked. ${why.en}`,
});
