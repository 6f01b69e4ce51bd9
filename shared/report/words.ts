import type { CategoryId, FindingStatus, Timings, Verdict } from "../check.ts";
import type { ReportLanguage, Words } from "./reported.ts";

const words = (fr: string, en: string): Words => ({ fr, en });

const VERDICTS: Readonly<Record<Verdict, Words>> = {
  ship: words("Bon à livrer", "Ship"),
  ship_with_warnings: words("À livrer avec réserves", "Ship with warnings"),
  do_not_ship: words("À ne pas livrer", "Do not ship"),
  inconclusive: words("Non concluant", "Inconclusive"),
};

export const CATEGORIES: Readonly<Record<CategoryId, Words>> = {
  reach: words("Accès", "Reach"),
  tls: words("TLS et certificat", "TLS and certificate"),
  redirects: words("Redirections", "Redirects"),
  headers: words("En-têtes de sécurité", "Security headers"),
  cookies: words("Cookies et CORS", "Cookies and CORS"),
  html: words("HTML et référencement", "HTML and search engines"),
  assets: words("Fichiers et liens", "Files and links"),
  performance: words("Performance", "Performance"),
};

export const STATUSES: Readonly<Record<FindingStatus, Words>> = {
  pass: words("réussie", "pass"),
  partial: words("partielle", "partial"),
  fail: words("échouée", "fail"),
  unknown: words("indéterminée", "unknown"),
  not_applicable: words("sans objet", "not applicable"),
  blocked: words("bloquée", "blocked"),
};

/** The results of findings that cost nothing. */
export const FREE_STATUSES: Readonly<Record<string, Words>> = {
  pass: words("Réussie", "Passed"),
  not_applicable: words("Rien à juger", "Nothing to judge"),
};

export const TIMINGS: Readonly<Record<keyof Timings, Words>> = {
  dnsMs: words("Résolution du nom", "Name lookup"),
  connectMs: words("Connexion", "Connection"),
  tlsMs: words("Négociation TLS", "TLS handshake"),
  firstByteMs: words("Premier octet", "First byte"),
  downloadMs: words("Téléchargement", "Download"),
};

export const WORDS = {
  colon: words(" : ", ": "),
  checked: words("Vérifiée le", "Checked"),
  readAt: words("Lue à l'adresse", "Read at"),
  readAtInline: words("lue à l'adresse", "read at"),
  ruleset: words("règles", "ruleset"),
  notChecked: words("Non vérifiée", "Not checked"),
  of100: words("sur 100", "of 100"),
  of: words("sur", "of"),
  point: words("point", "point"),
  points: words("points", "points"),
  pointsColumn: words("Points", "Points"),
  atMost: words("Au plus", "At most"),
  capsScoreAt: words("plafonne le score à", "caps the score at"),
  categories: words("Catégories", "Categories"),
  costs: words(
    "Points à gagner : plafonds d'abord, puis du plus au moins",
    "Points to win: caps first, then the largest",
  ),
  unjudged: words("Non jugé", "Not judged"),
  notJudged: words("non jugé", "not judged"),
  notJudgedPlural: words("non jugés", "not judged"),
  free: words("Ce qui ne coûte rien", "What costs nothing"),
  rule: words("Règle", "Rule"),
  result: words("Résultat", "Result"),
  seen: words("Constat", "Seen"),
  fix: words("Remède", "Fix"),
  timings: words("Temps de réponse", "Timings"),
  notReached: words("pas atteint", "not reached"),
} as const;

/** A French sentence with no-break spaces where its punctuation needs them. */
export function typesetFrench(sentence: string): string {
  return sentence.replaceAll(/ ([:;!?»])/g, "\u00a0$1").replaceAll("« ", "«\u00a0");
}

/** The words in one language, ready to be set. */
export function say(said: Words, language: ReportLanguage): string {
  return language === "fr" ? typesetFrench(said.fr) : said.en;
}

/** The text with a large first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `Fix: the text`, with the no-break space that French has before a colon. */
export function labelText(label: string, text: string, language: ReportLanguage): string {
  return `${label}${say(WORDS.colon, language)}${text}`;
}

/** A verdict in words; one that only a newer server knows, as it is. */
export function describeVerdict(verdict: string, language: ReportLanguage = "en"): string {
  return Object.hasOwn(VERDICTS, verdict) ? VERDICTS[verdict as Verdict][language] : verdict;
}

/** The status of a finding in words; one that only a newer server knows, as it is. */
export function describeStatus(status: string, language: ReportLanguage): string {
  return Object.hasOwn(STATUSES, status) ? STATUSES[status as FindingStatus][language] : status;
}

/** A category by its name; one that only a newer server knows, by its id. */
export function describeCategory(id: string, language: ReportLanguage): string {
  return Object.hasOwn(CATEGORIES, id) ? CATEGORIES[id as CategoryId][language] : id;
}

/** `4.5`, or `4,5` in French. */
export function describePoints(points: number, language: ReportLanguage = "en"): string {
  const figure = String(Number(points.toFixed(2)));
  return language === "fr" ? figure.replace(".", ",") : figure;
}

/** Whether so many things are named in the singular: in French also 0 and 1.5. */
export const isSingular = (count: number, language: ReportLanguage) =>
  language === "fr" ? count < 2 : count === 1;

/** The word for so many points. */
export const namePoints = (points: number, language: ReportLanguage) =>
  say(isSingular(points, language) ? WORDS.point : WORDS.points, language);

/** What so many points are that were not judged. */
export const nameUnjudged = (points: number, language: ReportLanguage) =>
  say(isSingular(points, language) ? WORDS.notJudged : WORDS.notJudgedPlural, language);

/** `4 not judged`. */
export const describeUnjudged = (points: number, language: ReportLanguage) =>
  `${describePoints(points, language)} ${nameUnjudged(points, language)}`;

/** `2026-11-20 08:30 UTC` from an ISO 8601 date; `20/11/2026 à 08:30 UTC` in French. */
export function describeTime(date: string, language: ReportLanguage = "en"): string {
  const [day, minute] = [date.slice(0, 10), date.slice(11, 16)];
  if (language === "en") return `${day} ${minute} UTC`;
  return `${day.split("-").toReversed().join("/")} à ${minute} UTC`;
}
