import { MAX_NAME_LENGTH } from "../../../access/name.ts";
import type { Text } from "../../../base/language.ts";

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
