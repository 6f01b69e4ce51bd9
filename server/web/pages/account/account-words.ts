import type { Plan } from "../../../base/plans.ts";
import type { Text } from "../../../../shared/language.ts";
import { describeCount, describeQuantity, type Noun } from "../../../../shared/report/words.ts";

export const ACCOUNT_WORDS = {
  title: { fr: "Compte", en: "Account" },
  save: { fr: "Enregistrer", en: "Save" },

  email: { fr: "Adresse e-mail", en: "E-mail address" },
  emailIs: { fr: "Vous vous connectez avec", en: "You sign in with" },
  newEmail: { fr: "Nouvelle adresse e-mail", en: "New e-mail address" },
  newEmailHint: {
    fr: "Un lien de confirmation y est envoyé. Une fois confirmée, elle remplace l'adresse actuelle, et vos autres sessions sont fermées.",
    en: "A confirmation link is sent to this address. Once you confirm it, it replaces the current address, and your other sessions are signed out.",
  },
  changeEmail: { fr: "Changer l'adresse", en: "Change the address" },
  noMail: {
    fr: "Ce serveur n'envoie pas d'e-mail : l'adresse ne peut donc pas être modifiée ici.",
    en: "This server sends no e-mail, so the address cannot be changed here.",
  },

  password: { fr: "Mot de passe", en: "Password" },
  noPassword: {
    fr: "Ce compte n'a pas encore de mot de passe.",
    en: "This account has no password yet.",
  },
  newPassword: { fr: "Nouveau mot de passe", en: "New password" },
  changePassword: { fr: "Changer le mot de passe", en: "Change the password" },
  passwordEnds: {
    fr: "Vos autres sessions seront fermées.",
    en: "Your other sessions will be signed out.",
  },

  sessions: { fr: "Sessions", en: "Sessions" },
  browser: { fr: "Navigateur", en: "Browser" },
  unknownBrowser: { fr: "Navigateur inconnu", en: "Unknown browser" },
  address: { fr: "Adresse IP", en: "IP address" },
  begun: { fr: "Connexion", en: "Signed in" },
  used: { fr: "Dernière activité", en: "Last active" },
  thisOne: { fr: "Session actuelle", en: "Current session" },
  end: { fr: "Fermer", en: "Sign out" },
  confirmToEnd: {
    fr: "Avant de fermer une session, confirmez votre identité.",
    en: "Before you sign out a session, confirm that it is you.",
  },
  endOthers: { fr: "Fermer les autres sessions", en: "Sign out the others" },

  preferences: { fr: "Langue et fuseau horaire", en: "Language and time zone" },
  language: { fr: "Langue", en: "Language" },
  ofBrowser: { fr: "Celle du navigateur", en: "The browser's" },
  timeZone: { fr: "Fuseau horaire", en: "Time zone" },
  timeZoneHint: {
    fr: "Saisissez une partie du nom, par exemple Paris. Si le champ est vide : UTC, puis le fuseau du navigateur à la prochaine connexion.",
    en: "Enter part of the name, such as Paris. If empty, UTC applies until the next sign-in, then your browser's time zone.",
  },

  plan: { fr: "Offre", en: "Plan" },
  planChange: {
    fr: "L'administrateur de ce serveur peut la changer.",
    en: "The administrator of this server can change it.",
  },
  used30: {
    fr: "Votre consommation du mois figure dans les",
    en: "This month's usage is in the",
  },
  api: { fr: "réglages de l'API", en: "API settings" },

  delete: { fr: "Supprimer le compte", en: "Delete the account" },
  deleteLead: {
    fr: "Vos jetons et vos sessions cessent aussitôt de fonctionner, et vos vérifications sont effacées. Cette action est irréversible.",
    en: "Your tokens and sessions stop working immediately, and your checks are erased. This cannot be undone.",
  },
  deleteFirst: {
    fr: "Supprimez ou transférez d'abord vos projets :",
    en: "Delete or transfer your projects first:",
  },
  confirm: { fr: "Votre adresse e-mail", en: "Your e-mail address" },
  confirmHint: { fr: "Saisissez-la pour confirmer.", en: "Enter it to confirm." },
  deleteButton: { fr: "Supprimer", en: "Delete" },
} as const;

const CHECK: Noun = { fr: ["vérification", "vérifications"], en: ["check", "checks"] };

const describeQuota = (checks: number): Text => ({
  fr: `${describeQuantity(checks, CHECK, "fr")} par mois`,
  en: `${describeQuantity(checks, CHECK, "en")} a month`,
});

export const PLAN_WORDS: Readonly<Record<Plan, (checks: number) => Text>> = {
  free: (checks) => ({
    fr: `Free : ${describeQuota(checks).fr}.`,
    en: `Free: ${describeQuota(checks).en}.`,
  }),
  pro: (checks) => ({
    fr: `Pro : ${describeQuota(checks).fr}.`,
    en: `Pro: ${describeQuota(checks).en}.`,
  }),
  team: (checks) => ({
    fr: `Team : ${describeQuota(checks).fr}, et le serveur MCP pour les assistants.`,
    en: `Team: ${describeQuota(checks).en}, and the MCP server for assistants.`,
  }),
};

export const describeShownSessions = (shown: number, all: number): Text => ({
  fr: `Les ${shown} sessions les plus récentes, sur ${describeCount(all, "fr")}.`,
  en: `The ${shown} most recent of ${describeCount(all, "en")} sessions.`,
});

export const PROBLEMS = {
  emailOwn: { fr: "C'est déjà votre adresse.", en: "This is already your address." },
  timeZone: {
    fr: "Fuseau horaire inconnu. Choisissez-en un dans la liste.",
    en: "Unknown time zone. Choose one from the list.",
  },
  language: {
    fr: "Langue inconnue. Choisissez-en une dans la liste.",
    en: "Unknown language. Choose one from the list.",
  },
  confirm: {
    fr: "Ce n'est pas l'adresse e-mail de ce compte. Saisissez celle avec laquelle vous vous connectez.",
    en: "This is not the e-mail address of this account. Enter the one that you sign in with.",
  },
} as const;
