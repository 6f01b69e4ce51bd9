import type { Text } from "../../../../shared/language.ts";
import { describeWait } from "../time.tsx";
import { PASSWORD_LENGTH } from "../../../access/passwords.ts";
import type { PasswordFault } from "../../../base/errors.ts";
import { MAX_NAME_LENGTH } from "../../../access/name.ts";

export const REFUSED: Text = {
  fr: "Adresse e-mail ou mot de passe incorrect. Vérifiez-les, ou demandez un lien par e-mail.",
  en: "Incorrect e-mail address or password. Check both, or ask for a link by e-mail.",
};

/** Sign-ins by link do not count toward the limit. */
export function describeSignInWait(seconds: number): Text {
  const { fr, en } = describeWait(seconds);
  return {
    fr: `${fr} Vous pouvez aussi vous connecter dès maintenant avec un lien reçu par e-mail.`,
    en: `${en} You can also sign in now with a link sent by e-mail.`,
  };
}

export const PASSKEY = {
  use: { fr: "Utiliser une clé d'accès", en: "Use a passkey" },
  failed: {
    fr: "Votre navigateur n'a fourni aucune clé d'accès. Réessayez, ou saisissez votre mot de passe.",
    en: "Your browser provided no passkey. Try again, or enter your password.",
  },
  refused: {
    fr: "Cette clé d'accès n'est pas, ou n'est plus, associée à un compte de ce serveur. Utilisez-en une autre, ou votre mot de passe.",
    en: "This passkey is not, or is no longer, known to this server. Use another one, or your password.",
  },
} satisfies Record<string, Text>;

export const CONFIRM = {
  withoutPassword: {
    fr: "Ce compte n'a pas de mot de passe. Utilisez une clé d'accès, ou définissez un mot de passe avec un lien : déconnectez-vous, puis choisissez « Mot de passe oublié ? ».",
    en: "This account has no password. Use a passkey, or set a password with a link: sign out, then choose “Forgot your password?”.",
  },
  label: { fr: "Votre mot de passe actuel", en: "Your current password" },
  hint: {
    fr: "Demandé avant toute action sensible, au plus une fois toutes les 15 minutes.",
    en: "Asked for before sensitive actions, at most once every 15 minutes.",
  },
  button: { fr: "Confirmer", en: "Confirm" },
  missing: {
    fr: "Saisissez votre mot de passe actuel pour confirmer.",
    en: "Enter your current password to confirm.",
  },
  wrong: {
    fr: "Mot de passe incorrect. Vérifiez-le et saisissez-le à nouveau.",
    en: "Incorrect password. Check it and enter it again.",
  },
};

export const CODE = {
  label: { fr: "Code", en: "Code" },
  hint: {
    fr: "Les 6 chiffres affichés par votre application, ou un code de récupération.",
    en: "The 6 digits shown by your app, or a recovery code.",
  },
  wrong: {
    fr: "Code incorrect ou déjà utilisé. Attendez que l'application en affiche un autre.",
    en: "This code is incorrect or has already been used. Wait until the app shows another one.",
  },
  wrongHere: {
    fr: "Code incorrect ou déjà utilisé. Saisissez votre mot de passe et un nouveau code.",
    en: "This code is incorrect or has already been used. Enter your password and a new code.",
  },
} satisfies Record<string, Text>;

const { min, max } = PASSWORD_LENGTH;

export const PASSWORD_HINT: Text = {
  fr: `Au moins ${min} caractères, quels qu'ils soient : une phrase convient.`,
  en: `At least ${min} characters of any kind: a sentence will do.`,
};

export const PASSWORD_PROBLEMS: Readonly<Record<PasswordFault, Text>> = {
  password_too_short: {
    fr: `Ce mot de passe a moins de ${min} caractères. Choisissez-en un plus long.`,
    en: `This password has fewer than ${min} characters. Choose a longer one.`,
  },
  password_too_long: {
    fr: `Ce mot de passe dépasse ${max} caractères. Choisissez-en un plus court.`,
    en: `This password is over ${max} characters. Choose a shorter one.`,
  },
  password_common: {
    fr: "Ce mot de passe est trop courant : il fait partie des premiers que l'on essaie. Choisissez-en un autre.",
    en: "This password is too common: it is one of the first that attackers try. Choose another.",
  },
};

export const NAME_FAULTS = {
  name_too_long: {
    fr: `Ce nom a plus de ${MAX_NAME_LENGTH} caractères. Raccourcissez-le.`,
    en: `This name is over ${MAX_NAME_LENGTH} characters. Shorten it.`,
  },
  name_has_controls: {
    fr: "Ce nom contient des caractères de contrôle. Saisissez-le sur une ligne, sans tabulation.",
    en: "This name contains control characters. Enter it on one line, without tabs.",
  },
} satisfies Record<string, Text>;

export const EMAIL_INVALID: Text = {
  fr: "Adresse e-mail non valide. Saisissez-la sous la forme nom@example.com.",
  en: "This is not an e-mail address. Enter it in the form name@example.com.",
};
