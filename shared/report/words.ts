import type { Language, Text } from "../language.ts";
import type { CategoryId, FindingStatus, Timings, Verdict } from "../check.ts";

const VERDICTS: Readonly<Record<Verdict, Text>> = {
  ship: { fr: "Bon à livrer", en: "Ship" },
  ship_with_warnings: { fr: "À livrer avec réserves", en: "Ship with warnings" },
  do_not_ship: { fr: "Ne pas livrer", en: "Do not ship" },
  inconclusive: { fr: "Non concluant", en: "Inconclusive" },
};

export const CATEGORIES: Readonly<Record<CategoryId, Text>> = {
  reach: { fr: "Accès", en: "Reach" },
  tls: { fr: "TLS et certificat", en: "TLS and certificate" },
  redirects: { fr: "Redirections", en: "Redirects" },
  headers: { fr: "En-têtes de sécurité", en: "Security headers" },
  cookies: { fr: "Cookies et CORS", en: "Cookies and CORS" },
  html: { fr: "HTML et référencement", en: "HTML and search engines" },
  assets: { fr: "Fichiers et liens", en: "Files and links" },
  performance: { fr: "Performance", en: "Performance" },
};

export const STATUSES: Readonly<Record<FindingStatus, Text>> = {
  pass: { fr: "réussie", en: "pass" },
  partial: { fr: "partielle", en: "partial" },
  fail: { fr: "en échec", en: "fail" },
  unknown: { fr: "indéterminée", en: "unknown" },
  not_applicable: { fr: "sans objet", en: "not applicable" },
  blocked: { fr: "bloquée", en: "blocked" },
};

export const FREE_STATUSES: Readonly<Record<string, Text>> = {
  pass: { fr: "Réussie", en: "Passed" },
  not_applicable: { fr: "Rien à évaluer", en: "Nothing to assess" },
};

export const TIMINGS: Readonly<Record<keyof Timings, Text>> = {
  dnsMs: { fr: "Résolution du nom", en: "Name lookup" },
  connectMs: { fr: "Connexion", en: "Connection" },
  tlsMs: { fr: "Négociation TLS", en: "TLS handshake" },
  firstByteMs: { fr: "Premier octet", en: "First byte" },
  downloadMs: { fr: "Téléchargement", en: "Download" },
};

export const WORDS = {
  colon: { fr: " : ", en: ": " },
  checked: { fr: "Vérifiée le", en: "Checked on" },
  readAt: { fr: "URL finale", en: "Final URL" },
  readAtInline: { fr: "URL finale", en: "final URL" },
  ruleset: { fr: "règles", en: "ruleset" },
  notChecked: { fr: "Non vérifiée", en: "Not checked" },
  of100: { fr: "sur 100", en: "of 100" },
  of: { fr: "sur", en: "of" },
  point: { fr: "point", en: "point" },
  points: { fr: "points", en: "points" },
  pointsColumn: { fr: "Points", en: "Points" },
  maximum: { fr: "Maximum", en: "Maximum" },
  atMost: { fr: "Au plus", en: "At most" },
  capsScoreAt: { fr: "plafonne le score à", en: "caps the score at" },
  categories: { fr: "Catégories", en: "Categories" },
  costs: { fr: "À corriger d'abord", en: "Fix first" },
  others: { fr: "À corriger ensuite", en: "Then fix" },
  unchecked: { fr: "Règles non vérifiées", en: "Not checked" },
  uncheckedRule: { fr: "non vérifiée", en: "not checked" },
  uncheckedOne: { fr: "non vérifié", en: "not checked" },
  uncheckedMany: { fr: "non vérifiés", en: "not checked" },
  accepted: { fr: "acceptée", en: "accepted" },
  free: { fr: "Règles réussies", en: "Passed" },
  notes: { fr: "Pour information", en: "For information" },
  rule: { fr: "Règle", en: "Rule" },
  result: { fr: "Résultat", en: "Result" },
  found: { fr: "Constaté", en: "Found" },
  why: { fr: "Enjeu", en: "Why it matters" },
  fix: { fr: "Correction", en: "Fix" },
  measures: { fr: "Ce qui est vérifié", en: "What is checked" },
  timings: { fr: "Temps de réponse", en: "Timings" },
  notReached: { fr: "étape non atteinte", en: "not reached" },
  page: { fr: "Page", en: "Page" },
  score: { fr: "Score", en: "Score" },
  verdict: { fr: "Verdict", en: "Verdict" },
  gate: { fr: "Conditions", en: "Gate" },
  acceptedList: { fr: "Constats acceptés", en: "Accepted" },
  changes: { fr: "Depuis la référence", en: "Since the baseline" },
  met: { fr: "remplie", en: "met" },
  notMet: { fr: "non remplie", en: "not met" },
  allMet: { fr: "remplies", en: "met" },
  notAllMet: { fr: "non remplies", en: "not met" },
  category: { fr: "Catégorie", en: "Category" },
  check: { fr: "vérification", en: "check" },
  nothingLost: { fr: "Aucune règle ne coûte de points.", en: "No rule costs points." },
} as const;

const UNITS =
  "ms|s|min|h|o|ko|Mo|Go|Kio|Mio|Gio|px|octets?|secondes?|minutes?|heures?|jours?|mois|ans?";

/**
 * The spaces that must not break in French: before `: ; ? ! %`, inside « », in a number and before its unit. Code in
 * backticks, quotations in straight quotes, elements, and what follows the name of a header stay unchanged.
 */
const FRENCH_SPACES = new RegExp(
  [
    String.raw`(?<verbatim>\x60[^\x60]*\x60|"[^"]*"|<[^<>]*>|(?<=[\w-]): .*?(?=\. |\) | »|$))`,
    String.raw` (?=[:;?!%»](?:[\s.,;:)…]|$))`,
    String.raw`(?<=«) `,
    String.raw`(?<=\d) (?=(?:\d{3}|${UNITS})(?![\p{L}\d']))`,
  ].join("|"),
  "gu",
);

const TYPESETTERS: Readonly<Record<Language, (sentence: string) => string>> = {
  fr: (sentence) =>
    sentence.replaceAll(FRENCH_SPACES, (_, verbatim?: string) => verbatim ?? "\u00a0"),
  en: (sentence) => sentence,
};

/** Puts in U+00A0. */
export const typeset = (sentence: string, language: Language): string =>
  TYPESETTERS[language](sentence);

export const say = (said: Text, language: Language): string => typeset(said[language], language);

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `Fix: the text`, in French with a space before the colon. */
export function labelText(label: string, text: string, language: Language): string {
  return `${label}${say(WORDS.colon, language)}${text}`;
}

/** A newer server may have verdicts that this version does not know. */
export function describeVerdict(verdict: string, language: Language = "en"): string {
  return Object.hasOwn(VERDICTS, verdict) ? VERDICTS[verdict as Verdict][language] : verdict;
}

export function describeStatus(status: string, language: Language): string {
  if (status === "accepted") return WORDS.accepted[language];
  return Object.hasOwn(STATUSES, status) ? STATUSES[status as FindingStatus][language] : status;
}

export function describeCategory(id: string, language: Language): string {
  return Object.hasOwn(CATEGORIES, id) ? CATEGORIES[id as CategoryId][language] : id;
}

const DECIMAL_SIGNS: Text = { fr: ",", en: "." };

/** `4.5`, or `4,5` in French. */
export const describePoints = (points: number, language: Language = "en"): string =>
  String(Number(points.toFixed(2))).replace(".", DECIMAL_SIGNS[language]);

/** Created when first used, because that is slow. */
const numberFormats: Partial<Record<Language, Intl.NumberFormat>> = {};

/** `1,000`, or `1 000` in French, with a plain space that `typeset` replaces. */
export const describeCount = (count: number, language: Language): string =>
  (numberFormats[language] ??= new Intl.NumberFormat(language))
    .format(count)
    .replaceAll(/\s/g, " ");

const SINGULARS: Readonly<Record<Language, (count: number) => boolean>> = {
  fr: (count) => count < 2,
  en: (count) => count === 1,
};

/** In French, 0 and 1.5 take the singular too. */
export const isSingular = (count: number, language: Language) => SINGULARS[language](count);

export type Noun = Readonly<Record<Language, readonly [singular: string, plural: string]>>;

export const describeQuantity = (count: number, noun: Noun, language: Language): string =>
  `${describeCount(count, language)} ${noun[language][isSingular(count, language) ? 0 : 1]}`;

const OTHERS: Noun = { fr: ["autre", "autres"], en: ["more", "more"] };

/** `3 more`, in French `3 autres`. */
export const countOthers = (count: number): Text => ({
  fr: describeQuantity(count, OTHERS, "fr"),
  en: describeQuantity(count, OTHERS, "en"),
});

export const namePoints = (points: number, language: Language) =>
  say(isSingular(points, language) ? WORDS.point : WORDS.points, language);

export const nameUnchecked = (points: number, language: Language) =>
  say(isSingular(points, language) ? WORDS.uncheckedOne : WORDS.uncheckedMany, language);

/** `4 not checked`. */
export const describeUnchecked = (points: number, language: Language) =>
  `${describePoints(points, language)} ${nameUnchecked(points, language)}`;
