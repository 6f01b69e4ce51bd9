import { PASSWORD_LENGTH } from "../../../access/passwords.ts";
import type { PasswordFault } from "../../../base/errors.ts";
import type { Text } from "../../../base/language.ts";

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
  password_breached: {
    fr: "Ce mot de passe figure parmi ceux qui ont été volés à d'autres sites. Choisissez-en un autre.",
    en: "This password is one of those that were stolen from other sites. Choose another.",
  },
};
