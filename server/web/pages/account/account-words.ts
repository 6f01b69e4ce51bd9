import type { Plan } from "../../../base/plans.ts";
import type { Text } from "../../../../shared/language.ts";

export const ACCOUNT_WORDS = {
  title: { fr: "Compte", en: "Account" },
  save: { fr: "Enregistrer", en: "Save" },

  email: { fr: "Adresse e-mail", en: "E-mail address" },
  emailIs: { fr: "Vous vous connectez avec", en: "You sign in with" },
  newEmail: { fr: "Nouvelle adresse e-mail", en: "New e-mail address" },
  newEmailHint: {
    fr: "Un lien y est envoyé. Une fois confirmée par ce lien, elle remplace l'actuelle, et vos autres sessions se terminent.",
    en: "A link is sent to it. Once you confirm by that link, it replaces the present one, and your other sessions end.",
  },
  changeEmail: { fr: "Changer l'adresse", en: "Change the address" },
  noMail: {
    fr: "Ce serveur n'envoie pas d'e-mails, et l'adresse ne peut donc pas être changée ici.",
    en: "This server sends no e-mail, so the address cannot be changed here.",
  },

  password: { fr: "Mot de passe", en: "Password" },
  noPassword: {
    fr: "Ce compte n'a pas encore de mot de passe.",
    en: "This account has no password yet.",
  },
  newPassword: { fr: "Nouveau mot de passe", en: "New password" },
  changePassword: { fr: "Changer le mot de passe", en: "Change the password" },
  passwordEnds: { fr: "Vos autres sessions se terminent.", en: "Your other sessions end." },

  sessions: { fr: "Sessions", en: "Sessions" },
  browser: { fr: "Navigateur", en: "Browser" },
  unknownBrowser: { fr: "Navigateur inconnu", en: "Unknown browser" },
  address: { fr: "Adresse", en: "Address" },
  begun: { fr: "Connexion", en: "Signed in" },
  used: { fr: "Utilisée", en: "Last used" },
  thisOne: { fr: "Celle-ci", en: "This one" },
  end: { fr: "Terminer", en: "End" },
  confirmToEnd: {
    fr: "Avant de terminer une session, confirmez que c'est bien vous.",
    en: "Before you end a session, confirm that it is you.",
  },
  endOthers: { fr: "Terminer les autres", en: "End the others" },

  preferences: { fr: "Langue et heure", en: "Language and time" },
  language: { fr: "Langue", en: "Language" },
  ofBrowser: { fr: "Celle du navigateur", en: "The browser's" },
  timeZone: { fr: "Fuseau horaire", en: "Time zone" },
  timeZoneHint: {
    fr: "Tapez une partie du nom, comme Paris. Vide : UTC, puis celui du navigateur à la prochaine connexion.",
    en: "Type a part of its name, such as Paris. Empty: UTC, then your browser's at the next sign-in.",
  },

  plan: { fr: "Offre", en: "Plan" },
  planChange: {
    fr: "L'exploitant de ce serveur peut la changer.",
    en: "The operator of this server can change it.",
  },
  used30: {
    fr: "Votre consommation du mois est dans les",
    en: "What you have used this month is in the",
  },
  api: { fr: "réglages de l'API", en: "API settings" },

  delete: { fr: "Supprimer le compte", en: "Delete the account" },
  deleteLead: {
    fr: "Vos jetons et vos sessions cessent aussitôt de fonctionner, et vos vérifications sont effacées. Cela ne peut pas être annulé.",
    en: "Your tokens and sessions stop working at once, and your checks are erased. This cannot be undone.",
  },
  deleteFirst: {
    fr: "Supprimez ou cédez d'abord vos projets :",
    en: "Delete or transfer your projects first:",
  },
  confirm: { fr: "Votre adresse e-mail", en: "Your e-mail address" },
  confirmHint: { fr: "Saisissez-la pour confirmer.", en: "Type it to confirm." },
  deleteButton: { fr: "Supprimer", en: "Delete" },
} as const;

const inFrench = (count: number) => count.toLocaleString("fr");
const inEnglish = (count: number) => count.toLocaleString("en");

/** What each plan gives, with so many checks a month. */
export const PLAN_WORDS: Readonly<Record<Plan, (checks: number) => Text>> = {
  free: (checks) => ({
    fr: `Free : ${inFrench(checks)} vérifications par mois.`,
    en: `Free: ${inEnglish(checks)} checks a month.`,
  }),
  pro: (checks) => ({
    fr: `Pro : ${inFrench(checks)} vérifications par mois.`,
    en: `Pro: ${inEnglish(checks)} checks a month.`,
  }),
  team: (checks) => ({
    fr: `Team : ${inFrench(checks)} vérifications par mois, et le serveur MCP pour les assistants.`,
    en: `Team: ${inEnglish(checks)} checks a month, and the MCP server for assistants.`,
  }),
};

/** How many of all sessions are shown. */
export const describeShownSessions = (shown: number, all: number): Text => ({
  fr: `Les ${shown} dernières utilisées, sur ${all}.`,
  en: `The ${shown} last used, of ${all}.`,
});

export const PROBLEMS = {
  emailOwn: { fr: "C'est déjà votre adresse.", en: "This is your address already." },
  timeZone: {
    fr: "Ce fuseau horaire n'est pas connu. Choisissez-en un dans la liste.",
    en: "This time zone is not known. Choose one from the list.",
  },
  language: {
    fr: "Cette langue n'est pas connue. Choisissez-en une dans la liste.",
    en: "This language is not known. Choose one from the list.",
  },
  confirm: {
    fr: "Ce n'est pas l'adresse e-mail de ce compte. Saisissez celle avec laquelle vous vous connectez.",
    en: "This is not the e-mail address of this account. Type the one that you sign in with.",
  },
} as const;
