import type { Language } from "../../language.ts";

const UNITS = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3600 },
  { unit: "minute", seconds: 60 },
  { unit: "second", seconds: 1 },
] as const;

/** How long ago a date was, in words: `3 minutes ago`, `il y a 3 minutes`. */
export function describeAge(date: string, now: Date, language: Language): string {
  const age = Math.max(0, Math.round((now.getTime() - Date.parse(date)) / 1000));
  const { unit, seconds } = UNITS.find((one) => age >= one.seconds) ?? UNITS[3];
  const format = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  return format.format(-Math.floor(age / seconds), unit);
}

/** A day in words: `22 December 2026`. */
export function describeDay(date: Date, language: Language): string {
  const locale = language === "fr" ? "fr-FR" : "en-GB";
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(date);
}
