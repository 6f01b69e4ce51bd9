import type { Text } from "../../../../shared/language.ts";
import { describeCount } from "../../../../shared/report/words.ts";
import { MAX_KEY_BITS, MIN_KEY_BITS } from "../../../statuses/app-token.ts";
import type { Status } from "../../../db/deployments/commit-statuses.ts";
import type { StateWords } from "./state-badges.tsx";

export const STATUS_REPORTING = {
  title: { fr: "Publication des statuts", en: "Status reporting" },
  lead: {
    fr: "Le commit de chaque déploiement reçoit un statut : « en attente », puis son score. Rendez ce statut obligatoire dans les règles de votre branche, pour qu'aucune pull request ne soit fusionnée sans lui.",
    en: "The commit of each deployment gets a status: pending, then its score. Require this status in your branch rules, so that no pull request is merged without it.",
  },
  help: {
    fr: "Documentation et autorisations nécessaires",
    en: "Documentation and required permissions",
  },
  repository: { fr: "Dépôt", en: "Repository" },
  gitlabHint: {
    fr: "Chemin du projet, comme groupe/projet, ou son numéro.",
    en: "The project's path, such as group/project, or its number.",
  },
  token: { fr: "Jeton", en: "Token" },
  tokenHint: {
    fr: "Il est testé tout de suite, puis chiffré, et n'est plus jamais affiché.",
    en: "It is tested immediately, then encrypted, and never shown again.",
  },
  api: { fr: "URL de l'API", en: "API URL" },
  apiHint: {
    fr: "Laissez vide, sauf si vous hébergez vous-même GitHub ou GitLab.",
    en: "Leave empty, unless you host GitHub or GitLab yourself.",
  },
  context: { fr: "Nom du statut des aperçus", en: "Status name for previews" },
  contextHint: {
    fr: "À remplir si leur environnement change de nom à chaque pull request.",
    en: "Fill in if their environment has a different name on each pull request.",
  },
  report: { fr: "Rapport", en: "Report" },
  comment: {
    fr: "Le publier aussi en commentaire de la pull request",
    en: "Also post it as a comment on the pull request",
  },
  app: { fr: "Une GitHub App à la place du jeton", en: "A GitHub App instead of the token" },
  appId: { fr: "Identifiant de l'app", en: "App ID" },
  installationId: { fr: "Identifiant de l'installation", en: "Installation ID" },
  key: { fr: "Clé privée (PEM)", en: "Private key (PEM)" },
  save: { fr: "Tester et enregistrer", en: "Test and save" },
  off: { fr: "Désactiver", en: "Turn off" },
  offName: { fr: "Désactiver la publication des statuts", en: "Turn off status reporting" },
  commit: { fr: "Commit", en: "Commit" },
  status: { fr: "Statut", en: "Status" },
  when: { fr: "Date", en: "Time" },
  outcome: { fr: "Envoi", en: "Delivery" },
} satisfies Record<string, Text>;

export const REPORTING_STATES: Readonly<Record<"active" | "refused", StateWords>> = {
  active: { sign: "●", tone: "good", words: { fr: "Active", en: "On" } },
  refused: {
    sign: "■",
    tone: "bad",
    words: {
      fr: "Jeton ou clé de l'app refusés : saisissez-en d'autres",
      en: "Token or app key refused: enter another",
    },
  },
};

export const SENT_STATES: Readonly<Record<Status["sent"], StateWords>> = {
  pending: { sign: "○", tone: "soft", words: { fr: "En attente", en: "Pending" } },
  sent: { sign: "●", tone: "good", words: { fr: "Envoyé", en: "Sent" } },
  dead: { sign: "■", tone: "bad", words: { fr: "Non envoyé", en: "Not sent" } },
  superseded: { sign: "○", tone: "soft", words: { fr: "Remplacé", en: "Replaced" } },
};

export const STATES: Readonly<Record<Status["state"], Text>> = {
  pending: { fr: "en attente", en: "pending" },
  success: { fr: "réussi", en: "success" },
  failure: { fr: "en échec", en: "failure" },
  error: { fr: "erreur", en: "error" },
  comment: { fr: "commentaire", en: "comment" },
};

export const OWN_FAILURES: Readonly<Record<string, Text>> = {
  repository: {
    fr: "Le commit appartient à un autre dépôt.",
    en: "The commit belongs to another repository.",
  },
  host: {
    fr: "L'administrateur de ce serveur n'autorise pas cette URL.",
    en: "The administrator of this server does not allow this URL.",
  },
  off: {
    fr: "La publication des statuts a été désactivée.",
    en: "Status reporting was turned off.",
  },
  handed_over: { fr: "Le projet a été transféré.", en: "The project was transferred." },
  refused: {
    fr: "Le jeton ou la clé de l'app sont refusés.",
    en: "The token or app key was refused.",
  },
  key: {
    fr: "La clé de l'app est inutilisable : saisissez-en une autre.",
    en: "The app's key cannot be used: enter another.",
  },
};

export const REPORTING_PROBLEMS = {
  repository: {
    fr: "Saisissez PROPRIÉTAIRE/DÉPÔT ; pour GitLab, le chemin du projet ou son numéro.",
    en: "Enter OWNER/REPO; for GitLab, the project's path or its number.",
  },
  credential: {
    fr: "Saisissez un jeton, ou bien les identifiants et la clé d'une app.",
    en: "Enter a token, or the IDs and the key of an app.",
  },
  key: {
    fr: `Saisissez la clé privée de l'app telle que GitHub la fournit : RSA de ${describeCount(MIN_KEY_BITS, "fr")} à ${describeCount(MAX_KEY_BITS, "fr")} bits, en PEM.`,
    en: `Enter the app's private key as GitHub provides it: RSA of ${describeCount(MIN_KEY_BITS, "en")} to ${describeCount(MAX_KEY_BITS, "en")} bits, in PEM.`,
  },
  api: {
    fr: "Saisissez une URL https, par exemple https://HÔTE/api/v3 ou, pour GitLab, https://HÔTE/api/v4.",
    en: "Enter an https URL, such as https://HOST/api/v3 or, for GitLab, https://HOST/api/v4.",
  },
  context: {
    fr: "Le nom doit tenir sur une ligne de 100 caractères au plus.",
    en: "The name must be one line of at most 100 characters.",
  },
} satisfies Record<string, Text>;

export const hostRefused = (host: string): Text => ({
  fr: `L'administrateur de ce serveur n'autorise pas l'envoi de statuts à ${host}.`,
  en: `The administrator of this server does not allow statuses to be sent to ${host}.`,
});

export const cannotWrite = (why: Text): Text => ({
  fr: `Ce jeton ou cette clé d'app n'a pas les autorisations d'écriture nécessaires. ${why.fr}`,
  en: `This token or app key lacks the required write permissions. ${why.en}`,
});
