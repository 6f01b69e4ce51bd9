export const LIST = {
  title: { fr: "Vérifications", en: "Checks" },
  lead: {
    fr: "Ce que l'API et la ligne de commande ont vérifié pour vous en 90 jours.",
    en: "What the API and the command line checked for you in 90 days.",
  },
  page: { fr: "Page", en: "Page" },
  score: { fr: "Score", en: "Score" },
  verdict: { fr: "Verdict", en: "Verdict" },
  when: { fr: "Quand", en: "When" },
  empty: {
    fr: "Aucune vérification en 90 jours. Lancez-en une :",
    en: "No check in 90 days. Start one:",
  },
  emptyHint: {
    fr: "Il lui faut un jeton, qui se crée dans les",
    en: "It needs a token, which is created in the",
  },
  settings: { fr: "réglages de l'API", en: "API settings" },
  end: { fr: "Il n'y en a pas de plus anciennes.", en: "There are no older ones." },
} as const;

export const REPORT = {
  evidence: { fr: "Télécharger ce qui a été vu (JSON)", en: "Download what was seen (JSON)" },
  again: { fr: "Juger à nouveau", en: "Judge again" },
  againLead: {
    fr: "La page n'est pas visitée : ce qui en a été vu est jugé par une autre version des règles.",
    en: "The page is not visited: what was seen of it is judged by another ruleset.",
  },
  with: { fr: "Version des règles", en: "Ruleset" },
  unknown: {
    fr: "Ce serveur n'a pas cette version des règles. Choisissez-en une dans la liste.",
    en: "This server does not have that ruleset. Choose one from the list.",
  },
  rule: { fr: "Règle", en: "Rule" },
  points: { fr: "Points", en: "Points" },
  why: { fr: "Pourquoi", en: "Why" },
  nothing: { fr: "Aucun point ne change.", en: "No point moves." },
  caps: { fr: "Plafonds", en: "Caps" },
  noCap: { fr: "aucun", en: "none" },
  ruleset: { fr: "Règles", en: "Ruleset" },
  checkId: { fr: "vérification", en: "check" },
} as const;
