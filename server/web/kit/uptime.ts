import type { Language } from "../../base/language.ts";

export const DAY_MS = 86_400_000;
/** What a day has at least that is still fair. */
const FAIR_UPTIME = 0.99;

const percents: Readonly<Record<Language, Intl.NumberFormat>> = {
  fr: new Intl.NumberFormat("fr-FR", { style: "percent", maximumFractionDigits: 2 }),
  en: new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 2 }),
};

/** Cut to four decimals, so that nothing that ever failed reads as 100%. */
export const cutUptime = (uptime: number): number => Math.floor(uptime * 1e4 + 1e-6) / 1e4;

/** An uptime, from 0 to 1, as a share. */
export const describeUptime = (uptime: number, language: Language): string =>
  percents[language].format(cutUptime(uptime));

export const toneOf = (uptime: number): "good" | "warn" | "bad" =>
  uptime === 1 ? "good" : uptime >= FAIR_UPTIME ? "warn" : "bad";

/** How long a URL was watched on a day (UTC), in milliseconds. */
export function watchedMs(start: number, since: Date | null, now: Date): number {
  const from = Math.max(start, since?.getTime() ?? start);
  return Math.max(0, Math.min(start + DAY_MS, now.getTime()) - from);
}

/** A day (UTC) by the time at which it begins; its uptime is null if it was not watched. */
export interface UptimeDay<Known> {
  start: number;
  known: Known | undefined;
}

/** So many days, the last of them today, oldest first, each with what is known of it. */
export function listDays<Known extends { day: string }>(
  days: readonly Known[],
  count: number,
  now: Date,
): UptimeDay<Known>[] {
  const known = new Map(days.map((day) => [Date.parse(day.day), day]));
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return Array.from({ length: count }, (_, place) => {
    const start = today - (count - 1 - place) * DAY_MS;
    return { start, known: known.get(start) };
  });
}

/** The uptime over these days, weighted by how long each, by its start, was watched; undefined if none was. */
export function totalUptime(
  days: readonly UptimeDay<{ uptime: number | null }>[],
  msOf: (start: number) => number,
): number | undefined {
  const watched = days.flatMap(({ start, known }) =>
    known === undefined || known.uptime === null ? [] : [{ uptime: known.uptime, ms: msOf(start) }],
  );
  const ms = watched.reduce((sum, day) => sum + day.ms, 0);
  const upMs = watched.reduce((sum, day) => sum + day.ms * day.uptime, 0);
  return ms > 0 ? upMs / ms : undefined;
}
