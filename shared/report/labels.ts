import type { Words } from "./reported.ts";

/** The labels of reports for people, besides those that pages of the server have too. */
export const LABELS = {
  page: { fr: "Page", en: "Page" },
  score: { fr: "Score", en: "Score" },
  verdict: { fr: "Verdict", en: "Verdict" },
  gate: { fr: "Conditions", en: "Gate" },
  accepted: { fr: "Accepté", en: "Accepted" },
  changes: { fr: "Depuis la référence", en: "Since the baseline" },
  met: { fr: "remplie", en: "met" },
  notMet: { fr: "non remplie", en: "not met" },
  allMet: { fr: "remplies", en: "met" },
  notAllMet: { fr: "non remplies", en: "not met" },
  category: { fr: "Catégorie", en: "Category" },
  check: { fr: "vérification", en: "check" },
  nothingLost: { fr: "Chaque règle rapporte ses points.", en: "Every rule earns its points." },
} as const satisfies Readonly<Record<string, Words>>;
