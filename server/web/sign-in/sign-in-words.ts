import type { Text } from "../../language.ts";

export const REFUSED: Text = {
  fr: "L'adresse e-mail ou le mot de passe est faux. Vérifiez les deux, ou demandez un lien par e-mail.",
  en: "The e-mail address or the password is wrong. Check both, or ask for a link by e-mail.",
};

/** What the page says past a bound. */
export function tooOften(seconds: number): Text {
  const minutes = Math.ceil(seconds / 60);
  const fr = minutes === 1 ? "une minute" : `${minutes} minutes`;
  const en = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return {
    fr: `Trop d'essais ont échoué. Réessayez dans ${fr}, ou demandez un lien par e-mail : il fonctionne tout de suite.`,
    en: `Too many tries have failed. Try again in ${en}, or ask for a link by e-mail, which works at once.`,
  };
}
