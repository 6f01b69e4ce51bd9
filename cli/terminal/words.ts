import type { Language, Text } from "../../shared/language.ts";
import { describePoints, describeQuantity, type Noun } from "../../shared/report/words.ts";
import type { Env, Screen } from "./io.ts";

type Chalk = Screen["chalk"];

export function readLanguage(env: Env): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  return /^fr(?![a-z])/i.test(locale) ? "fr" : "en";
}

export function verdictStyle(verdict: string, chalk: Chalk): Chalk {
  if (verdict === "ship") return chalk.green;
  return verdict === "do_not_ship" ? chalk.red : chalk.yellow;
}

export function stateStyle(state: string, chalk: Chalk): Chalk {
  if (state === "up") return chalk.green;
  return state === "down" ? chalk.red : chalk.yellow;
}

/** `0.8 s`, or `24 ms` below a tenth of a second. */
export function describeDuration(durationMs: number, language: Language = "en"): string {
  if (durationMs < 100) return `${Math.round(durationMs)}\u00a0ms`;
  const seconds = Number((durationMs / 1000).toFixed(1));
  return `${describePoints(seconds, language)}\u00a0s`;
}

const SPANS = [
  [86_400_000, { fr: "j", en: "d" }],
  [3_600_000, { fr: "h", en: "h" }],
  [60_000, { fr: "min", en: "min" }],
] as const;

/** The largest whole unit: `3 d` (`3 j` in French), `2 h`, `5 min`. */
export function describeAge(date: string, now: Date, language: Language = "en"): string {
  const ageMs = now.getTime() - Date.parse(date);
  for (const [spanMs, unit] of SPANS)
    if (ageMs >= spanMs) return `${Math.floor(ageMs / spanMs)} ${unit[language]}`;
  return "0 min";
}

const NOUNS = {
  check: { fr: ["vérification", "vérifications"], en: ["check", "checks"] },
  page: { fr: ["page", "pages"], en: ["page", "pages"] },
  url: { fr: ["URL", "URL"], en: ["URL", "URLs"] },
  project: { fr: ["projet", "projets"], en: ["project", "projects"] },
  minute: { fr: ["minute", "minutes"], en: ["minute", "minutes"] },
} satisfies Record<string, Noun>;

/** `1 check`, `1,000 checks`. */
export const countOf = (count: number, name: keyof typeof NOUNS): Text => ({
  fr: describeQuantity(count, NOUNS[name], "fr"),
  en: describeQuantity(count, NOUNS[name], "en"),
});
