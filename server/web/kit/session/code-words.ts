import type { Text } from "../../../base/language.ts";

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
