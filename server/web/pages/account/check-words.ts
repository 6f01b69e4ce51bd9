import type { Text } from "../../../base/language.ts";

const text = (fr: string, en: string): Text => ({ fr, en });

export const LIST = {
  title: text("Vérifications", "Checks"),
  lead: text(
    "Ce que l'API et la ligne de commande ont vérifié pour vous en 90 jours.",
    "What the API and the command line checked for you in 90 days.",
  ),
  page: text("Page", "Page"),
  score: text("Score", "Score"),
  verdict: text("Verdict", "Verdict"),
  when: text("Quand", "When"),
  empty: text(
    "Aucune vérification en 90 jours. Lancez-en une :",
    "No check in 90 days. Start one:",
  ),
  emptyHint: text(
    "Il lui faut un jeton, qui se crée dans les",
    "It needs a token, which is created in the",
  ),
  settings: text("réglages de l'API", "API settings"),
  end: text("Il n'y en a pas de plus anciennes.", "There are no older ones."),
} as const;

export const REPORT = {
  evidence: text("Télécharger ce qui a été vu (JSON)", "Download what was seen (JSON)"),
  again: text("Juger à nouveau", "Judge again"),
  againLead: text(
    "La page n'est pas visitée : ce qui en a été vu est jugé par une autre version des règles.",
    "The page is not visited: what was seen of it is judged by another ruleset.",
  ),
  with: text("Version des règles", "Ruleset"),
  unknown: text(
    "Ce serveur n'a pas cette version des règles. Choisissez-en une dans la liste.",
    "This server does not have that ruleset. Choose one from the list.",
  ),
  rule: text("Règle", "Rule"),
  points: text("Points", "Points"),
  why: text("Pourquoi", "Why"),
  nothing: text("Aucun point ne change.", "No point moves."),
  caps: text("Plafonds", "Caps"),
  noCap: text("aucun", "none"),
  ruleset: text("Règles", "Ruleset"),
  checkId: text("vérification", "check"),
} as const;
