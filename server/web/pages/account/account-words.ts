import type { Plan } from "../../../access/plans.ts";
import type { Text } from "../../../base/language.ts";

const text = (fr: string, en: string): Text => ({ fr, en });

export const ACCOUNT_WORDS = {
  title: text("Compte", "Account"),
  save: text("Enregistrer", "Save"),

  email: text("Adresse e-mail", "E-mail address"),
  emailIs: text("Vous vous connectez avec", "You sign in with"),
  newEmail: text("Nouvelle adresse e-mail", "New e-mail address"),
  newEmailHint: text(
    "Un lien y est envoyé. Une fois confirmée par ce lien, elle remplace l'actuelle, et vos autres sessions se terminent.",
    "A link is sent to it. Once you confirm by that link, it replaces the present one, and your other sessions end.",
  ),
  changeEmail: text("Changer l'adresse", "Change the address"),
  noMail: text(
    "Ce serveur n'envoie pas d'e-mails, et l'adresse ne peut donc pas être changée ici.",
    "This server sends no e-mail, so the address cannot be changed here.",
  ),

  password: text("Mot de passe", "Password"),
  noPassword: text(
    "Ce compte n'a pas encore de mot de passe.",
    "This account has no password yet.",
  ),
  currentPassword: text("Mot de passe actuel", "Current password"),
  newPassword: text("Nouveau mot de passe", "New password"),
  changePassword: text("Changer le mot de passe", "Change the password"),
  passwordEnds: text("Vos autres sessions se terminent.", "Your other sessions end."),

  sessions: text("Sessions", "Sessions"),
  browser: text("Navigateur", "Browser"),
  unknownBrowser: text("Navigateur inconnu", "Unknown browser"),
  address: text("Adresse", "Address"),
  begun: text("Ouverte", "Begun"),
  used: text("Utilisée", "Last used"),
  thisOne: text("Celle-ci", "This one"),
  end: text("Terminer", "End"),
  endOthers: text("Terminer les autres", "End the others"),

  preferences: text("Langue et heure", "Language and time"),
  language: text("Langue", "Language"),
  ofBrowser: text("Celle du navigateur", "The browser's"),
  timeZone: text("Fuseau horaire", "Time zone"),

  plan: text("Offre", "Plan"),
  planChange: text(
    "L'exploitant de ce serveur peut la changer.",
    "The operator of this server can change it.",
  ),
  used30: text(
    "Votre consommation du mois est dans les",
    "What you have used this month is in the",
  ),
  api: text("réglages de l'API", "API settings"),

  delete: text("Supprimer le compte", "Delete the account"),
  deleteLead: text(
    "Vos jetons et vos sessions cessent aussitôt de fonctionner, et vos vérifications sont effacées. Cela ne peut pas être annulé.",
    "Your tokens and sessions stop working at once, and your checks are erased. This cannot be undone.",
  ),
  deleteFirst: text(
    "Supprimez ou cédez d'abord vos projets :",
    "Delete your projects or hand them over first:",
  ),
  confirm: text("Votre adresse e-mail", "Your e-mail address"),
  confirmHint: text("Saisissez-la pour confirmer.", "Type it to confirm."),
  deleteButton: text("Supprimer", "Delete"),
} as const;

const inFrench = (count: number) => count.toLocaleString("fr");
const inEnglish = (count: number) => count.toLocaleString("en");

/** What each plan gives, with so many checks a month. */
export const PLAN_WORDS: Readonly<Record<Plan, (checks: number) => Text>> = {
  free: (checks) =>
    text(
      `Free : ${inFrench(checks)} vérifications par mois.`,
      `Free: ${inEnglish(checks)} checks a month.`,
    ),
  pro: (checks) =>
    text(
      `Pro : ${inFrench(checks)} vérifications par mois.`,
      `Pro: ${inEnglish(checks)} checks a month.`,
    ),
  team: (checks) =>
    text(
      `Team : ${inFrench(checks)} vérifications par mois, et le serveur MCP pour les assistants.`,
      `Team: ${inEnglish(checks)} checks a month, and the MCP server for assistants.`,
    ),
};

/** How many of all sessions are shown. */
export const tellShown = (shown: number, all: number): Text =>
  text(`Les ${shown} dernières utilisées, sur ${all}.`, `The ${shown} last used, of ${all}.`);

/** What has just been done. */
export const DONE = {
  email: text(
    "Un lien vient d'être envoyé à la nouvelle adresse. Ouvrez-le dans les 30 minutes.",
    "A link is on its way to the new address. Open it within 30 minutes.",
  ),
  password: text(
    "Le mot de passe est changé, et vos autres sessions sont terminées.",
    "The password is changed, and your other sessions have ended.",
  ),
  session: text("La session est terminée.", "The session has ended."),
  sessions: text("Vos autres sessions sont terminées.", "Your other sessions have ended."),
  preferences: text("C'est enregistré.", "Saved."),
} as const;

export const PROBLEMS = {
  emailInvalid: text(
    "Ce n'est pas une adresse e-mail. Écrivez-la comme nom@example.com.",
    "This is not an e-mail address. Write it like name@example.com.",
  ),
  emailOwn: text("C'est déjà votre adresse.", "This is your address already."),
  timeZone: text(
    "Ce fuseau horaire n'est pas connu. Choisissez-en un dans la liste.",
    "This time zone is not known. Choose one from the list.",
  ),
  language: text(
    "Cette langue n'est pas connue. Choisissez-en une dans la liste.",
    "This language is not known. Choose one from the list.",
  ),
  confirm: text(
    "Ce n'est pas l'adresse e-mail de ce compte. Saisissez-la telle qu'elle est en haut de cette page.",
    "This is not the e-mail address of this account. Type it as it stands at the top of this page.",
  ),
} as const;
