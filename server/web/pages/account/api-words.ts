import type { InputFault } from "../../../base/input-faults.ts";
import type { Text } from "../../../../shared/language.ts";
import { NAME_FAULTS } from "../../kit/session/sign-in-words.ts";

export const API_WORDS = {
  title: { fr: "Réglages de l'API", en: "API settings" },
  lead: {
    fr: "Avec un jeton, un programme utilise l'API en votre nom : il lance des vérifications et lit vos projets, mais n'y change rien.",
    en: "With a token, a program uses the API on your behalf: it runs checks and reads your projects, but changes nothing in them.",
  },
  help: { fr: "Documentation :", en: "Documentation:" },
  ci: { fr: "intégration continue", en: "CI" },
  assistants: { fr: "assistants (MCP)", en: "assistants (MCP)" },
  usage: { fr: "Vérifications de ce mois", en: "Checks this month" },
  usedUp: {
    fr: "Quota épuisé : jusque-là, les vérifications sont refusées.",
    en: "Quota used up: checks are refused until then.",
  },
  tokens: { fr: "Jetons", en: "Tokens" },
  none: {
    fr: "Aucun jeton actif. Créez-en un, puis collez l'un des exemples ci-dessous.",
    en: "No active tokens. Create one, then paste one of the examples below.",
  },
  name: { fr: "Nom", en: "Name" },
  created: { fr: "Créé", en: "Created" },
  lastUse: { fr: "Dernière utilisation", en: "Last used" },
  neverUsed: { fr: "Jamais utilisé", en: "Never used" },
  revoked: { fr: "Révoqué", en: "Revoked" },
  revokedTokens: { fr: "Jetons révoqués", en: "Revoked tokens" },
  revoke: { fr: "Révoquer", en: "Revoke" },
  create: { fr: "Créer un jeton", en: "Create a token" },
  nameOf: { fr: "Nom du jeton", en: "Token name" },
  nameHint: {
    fr: "L'appareil ou le programme qui l'utilisera. Créez un jeton pour chacun, pour pouvoir en révoquer un sans les autres.",
    en: "The machine or program that will use it. Create one token for each, so that you can revoke one without the others.",
  },
  shownOnce: {
    fr: "Copiez-le maintenant : il ne s'affiche qu'une fois. Si vous le perdez, révoquez-le et créez-en un autre.",
    en: "Copy it now: it is shown only once. If you lose it, revoke it and create another.",
  },
  consequence: {
    fr: "Tout programme qui l'utilise est refusé dès sa prochaine requête. Un jeton révoqué ne peut pas être rétabli.",
    en: "Any program that uses it is refused from its next request onward. A revoked token cannot be restored.",
  },
} satisfies Record<string, Text>;

export const NAME_PROBLEMS = {
  name_empty: {
    fr: "Saisissez un nom pour le jeton, par exemple celui de l'appareil.",
    en: "Enter a name for the token, such as that of the machine.",
  },
  ...NAME_FAULTS,
} satisfies Partial<Record<InputFault, Text>>;

export const describeTokenLimit = (count: number, names: readonly string[]): Text => ({
  fr: `${count} jetons sont actifs, le maximum par compte : ${names.join(", ")}. Révoquez-en un d'abord.`,
  en: `${count} tokens are active, the limit for an account: ${names.join(", ")}. Revoke one first.`,
});

/** `wait`: `in 3 days`. */
export const describeReset = (day: string, wait: string): Text => ({
  fr: `Le quota sera renouvelé le ${day} (UTC), ${wait}.`,
  en: `The quota resets on ${day} (UTC), ${wait}.`,
});

export const describeLastUse = (ago: string): Text => ({
  fr: `Dernière utilisation : ${ago}.`,
  en: `Last used ${ago}.`,
});
