import type { InputFault } from "../../../base/input-faults.ts";
import type { Text } from "../../../../shared/language.ts";
import { NAME_FAULTS } from "../../kit/session/sign-in-words.ts";

export const API_WORDS = {
  title: { fr: "Réglages de l'API", en: "API settings" },
  lead: {
    fr: "Avec un jeton, un programme utilise l'API en votre nom : il lance des vérifications et lit vos projets, mais n'y change rien.",
    en: "With a token, a program uses the API in your name: it runs checks and reads your projects, but changes nothing in them.",
  },
  help: { fr: "Modes d'emploi :", en: "How to use it:" },
  ci: { fr: "intégration continue", en: "in CI" },
  assistants: { fr: "assistants (MCP)", en: "in an assistant (MCP)" },
  usage: { fr: "Vérifications de ce mois", en: "Checks this month" },
  usedUp: {
    fr: "Tout est utilisé : d'ici là, les vérifications sont refusées.",
    en: "All are used: until then, checks are refused.",
  },
  tokens: { fr: "Jetons", en: "Tokens" },
  none: {
    fr: "Aucun jeton actif. Créez-en un, puis collez l'un des exemples ci-dessous.",
    en: "No active token. Create one, then paste one of the examples below.",
  },
  name: { fr: "Nom", en: "Name" },
  created: { fr: "Créé", en: "Created" },
  lastUse: { fr: "Dernière utilisation", en: "Last used" },
  neverUsed: { fr: "Jamais utilisé", en: "Never used" },
  revoked: { fr: "Révoqué", en: "Revoked" },
  revokedTokens: { fr: "Jetons révoqués", en: "Revoked tokens" },
  revoke: { fr: "Révoquer", en: "Revoke" },
  create: { fr: "Créer un jeton", en: "Create a token" },
  nameOf: { fr: "Nom du jeton", en: "Name of the token" },
  nameHint: {
    fr: "L'appareil ou le programme qui s'en servira. Donnez à chacun le sien, pour pouvoir en révoquer un sans les autres.",
    en: "The machine or program that will use it. Give each its own, so that you can revoke one without the others.",
  },
  shownOnce: {
    fr: "Copiez-le maintenant : il n'est affiché que cette fois. S'il se perd, révoquez-le et créez-en un autre.",
    en: "Copy it now: it is shown only once. If it gets lost, revoke it and create another.",
  },
  consequence: {
    fr: "Tout programme qui s'en sert est refusé dès sa prochaine requête. Un jeton révoqué ne peut pas être rétabli.",
    en: "Any program that uses it is refused from its next request on. A revoked token cannot be restored.",
  },
} satisfies Record<string, Text>;

/** What is wrong with the name of a token that was asked for. */
export const NAME_PROBLEMS = {
  name_empty: {
    fr: "Donnez un nom au jeton, par exemple celui de l'appareil.",
    en: "Give the token a name, such as that of the machine.",
  },
  ...NAME_FAULTS,
} satisfies Partial<Record<InputFault, Text>>;

/** Why another token cannot be created: `count` are active, by these names. */
export const tooMany = (count: number, names: readonly string[]): Text => ({
  fr: `${count} jetons sont actifs, le maximum d'un compte : ${names.join(", ")}. Révoquez-en un d'abord.`,
  en: `${count} tokens are active, the most an account can have: ${names.join(", ")}. Revoke one first.`,
});

/** When the month's count turns: the day, and in how long. */
export const describeReset = (day: string, wait: string): Text => ({
  fr: `Le compte repart de zéro le ${day} (UTC), ${wait}.`,
  en: `The count starts again at zero on ${day} (UTC), ${wait}.`,
});

/** When a token was last used. */
export const describeLastUse = (ago: string): Text => ({
  fr: `Dernière utilisation : ${ago}.`,
  en: `Last used ${ago}.`,
});
