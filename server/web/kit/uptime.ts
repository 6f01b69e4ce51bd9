import type { Language } from "../../../shared/language.ts";

export const DAY_MS = 86_400_000;
const FAIR_UPTIME = 0.99;

const percents: Readonly<Record<Language, Intl.NumberFormat>> = {
  fr: new Intl.NumberFormat("fr-FR", { style: "percent", maximumFractionDigits: 2 }),
  en: new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 2 }),
};

/** Rounds down to four decimals, so that a URL that has failed never reads as 100%. */
export const cutUptime = (uptime: number): number => Math.floor(uptime * 1e4 + 1e-6) / 1e4;

/** `uptime` is from 0 to 1. */
export const describeUptime = (uptime: number, language: Language): string =>
  percents[language].format(cutUptime(uptime));

export const toneOf = (uptime: number): "good" | "warn" | "bad" =>
  uptime === 1 ? "good" : uptime >= FAIR_UPTIME ? "warn" : "bad";

interface WatchedTimes {
  watchedSince: Date | null;
  maintained: readonly { from: Date; to: Date }[];
}

/** The milliseconds of a day (UTC) that were watched or under maintenance. Watched time excludes maintenance. */
export function timesOf(start: number, { watchedSince, maintained }: WatchedTimes, now: Date) {
  const from = Math.max(start, watchedSince?.getTime() ?? start);
  const to = Math.min(start + DAY_MS, now.getTime());
  const lengths = maintained.map((time) =>
    Math.max(0, Math.min(to, time.to.getTime()) - Math.max(from, time.from.getTime())),
  );
  const maintainedMs = lengths.reduce((sum, length) => sum + length, 0);
  return { watchedMs: Math.max(0, to - from - maintainedMs), maintainedMs };
}

/** `start` is the start of the day (UTC). `known` is undefined for a day without a record. */
export interface UptimeDay<Known> {
  start: number;
  known: Known | undefined;
}

/** Oldest first, up to today. */
export function listDays<Known extends { day: string }>(
  days: readonly Known[],
  count: number,
  now: Date,
): UptimeDay<Known>[] {
  const known = new Map(days.map((day) => [Date.parse(day.day), day]));
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return Array.from({ length: count }, (_, position) => {
    const start = today - (count - 1 - position) * DAY_MS;
    return { start, known: known.get(start) };
  });
}

/** Weighted by the watched time without maintenance. Undefined without watched time. */
export function totalUptime(
  days: readonly UptimeDay<{ uptime: number | null }>[],
  times: WatchedTimes,
  now: Date,
): number | undefined {
  const watched = days.flatMap(({ start, known }) => {
    const uptime = known?.uptime ?? null;
    return uptime === null ? [] : [{ uptime, ms: timesOf(start, times, now).watchedMs }];
  });
  const ms = watched.reduce((sum, day) => sum + day.ms, 0);
  const upMs = watched.reduce((sum, day) => sum + day.ms * day.uptime, 0);
  return ms > 0 ? upMs / ms : undefined;
}
