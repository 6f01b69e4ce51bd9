import type { Text } from "../../../../shared/language.ts";
import { describeWait } from "../time.tsx";
import { PASSWORD_LENGTH } from "../../../access/passwords.ts";
import type { PasswordFault } from "../../../base/errors.ts";
import { MAX_NAME_LENGTH } from "../../../access/name.ts";

export const REFUSED: Text = {
  fr: "L'adresse e-mail ou le mot de passe est faux. Vérifiez les deux, ou demandez un lien par e-mail.",
  en: "The e-mail address or the password is wrong. Check both, or ask for a link by e-mail.",
};

/** The text of the sign-in page past a bound. Sign-ins by link do not count towards it. */
export function describeSignInWait(seconds: number): Text {
  const { fr, en } = describeWait(seconds);
  return {
    fr: `${fr} Un lien par e-mail fonctionne tout de suite.`,
    en: `${en} A link by e-mail works at once.`,
  };
}

/** Where a passkey answers in the place of a password. */
export const PASSKEY = {
  use: { fr: "Utiliser une clé d'accès", en: "Use a passkey" },
  failed: {
    fr: "Votre navigateur n'a pas donné de clé d'accès. Réessayez, ou saisissez votre mot de passe.",
    en: "Your browser gave no passkey. Try again, or type your password.",
  },
  refused: {
    fr: "Cette clé d'accès n'est pas connue ici, ou ne l'est plus. Utilisez-en une autre, ou votre mot de passe.",
    en: "This passkey is not known here, or not any more. Use another, or your password.",
  },
} satisfies Record<string, Text>;

export const CONFIRM = {
  withoutPassword: {
    fr: "Ce compte n'a pas de mot de passe. Utilisez une clé d'accès, ou définissez un mot de passe au moyen d'un lien : déconnectez-vous, puis « Mot de passe oublié ? ».",
    en: "This account has no password. Use a passkey, or set a password with a link: sign out, then “Forgotten your password?”.",
  },
  label: { fr: "Votre mot de passe actuel", en: "Your current password" },
  hint: {
    fr: "Demandé avant toute action sensible, au plus une fois toutes les 15 minutes.",
    en: "Asked before anything sensitive, at most once every 15 minutes.",
  },
  button: { fr: "Confirmer", en: "Confirm" },
  missing: {
    fr: "Saisissez votre mot de passe actuel pour confirmer.",
    en: "Type your current password to confirm.",
  },
  wrong: {
    fr: "Ce mot de passe n'est pas le vôtre. Vérifiez-le et saisissez-le à nouveau.",
    en: "This is not your password. Check it and type it again.",
  },
};

/** What a code of the second factor is asked for with. */
export const CODE = {
  label: { fr: "Code", en: "Code" },
  hint: {
    fr: "Les 6 chiffres que montre votre application, ou un code de récupération.",
    en: "The 6 digits that your app shows, or a recovery code.",
  },
  wrong: {
    fr: "Ce code est faux, ou a déjà servi. Attendez que l'application en montre un autre.",
    en: "This code is wrong, or was used before. Wait until the app shows another.",
  },
  wrongHere: {
    fr: "Le code est faux, ou a déjà servi. Saisissez votre mot de passe, et un nouveau code.",
    en: "The code is wrong, or was used before. Type your password, and a new code.",
  },
} satisfies Record<string, Text>;

const { min, max } = PASSWORD_LENGTH;

/** What the field of a new password says below it. */
export const PASSWORD_HINT: Text = {
  fr: `Au moins ${min} caractères, de n'importe quelle sorte : une phrase convient.`,
  en: `At least ${min} characters of any kind: a sentence will do.`,
};

/** What the field of a new password says when it was refused. */
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
    fr: "Ce mot de passe fait partie de ceux que l'on essaie en premier. Choisissez-en un autre.",
    en: "This password is one of those that are tried first. Choose another.",
  },
};

/** What is wrong with a name, besides that there is none. */
export const NAME_FAULTS = {
  name_too_long: {
    fr: `Ce nom a plus de ${MAX_NAME_LENGTH} caractères. Raccourcissez-le.`,
    en: `This name is over ${MAX_NAME_LENGTH} characters. Shorten it.`,
  },
  name_has_controls: {
    fr: "Ce nom contient des caractères de contrôle. Saisissez-le sur une ligne, sans tabulation.",
    en: "This name has control characters. Type it on one line, without tabs.",
  },
} satisfies Record<string, Text>;

export const EMAIL_INVALID: Text = {
  fr: "Ce n'est pas une adresse e-mail. Écrivez-la comme nom@example.com.",
  en: "This is not an e-mail address. Write it like name@example.com.",
};
