import type { Language, Text } from "../../base/language.ts";

const UNITS = [
  { unit: "year", seconds: 365 * 86_400 },
  { unit: "month", seconds: 30 * 86_400 },
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3600 },
  { unit: "minute", seconds: 60 },
] as const;

const SECOND = { unit: "second", seconds: 1 } as const;

const RELATIVE: Readonly<Record<Language, Intl.RelativeTimeFormat>> = {
  fr: new Intl.RelativeTimeFormat("fr", { numeric: "always" }),
  en: new Intl.RelativeTimeFormat("en", { numeric: "always" }),
};

/** How long ago a time was, or in how long it will be, in words: `3 minutes ago`, `dans 2 jours`. */
export function describeAge(at: Date, now: Date, language: Language): string {
  const age = Math.round((now.getTime() - at.getTime()) / 1000);
  const { unit, seconds } = UNITS.find((one) => Math.abs(age) >= one.seconds) ?? SECOND;
  return RELATIVE[language].format(-Math.trunc(age / seconds) || -1, unit);
}

/** How long something lasts, in its largest unit: `3 hours`, `12 minutes`. */
export function describeLength(from: Date, to: Date, language: Language): string {
  const length = Math.max(1, Math.round((to.getTime() - from.getTime()) / 1000));
  const { unit, seconds } = UNITS.find((one) => length >= one.seconds) ?? SECOND;
  const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
  return format.format(Math.trunc(length / seconds));
}

const LOCALES: Readonly<Record<Language, string>> = { fr: "fr-FR", en: "en-GB" };
const FIRST_DAY: Text = { fr: "1er ", en: "1 " };
const DAY = { day: "numeric", month: "long", year: "numeric" } as const;
const TIME = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;

/** Writes dates in words. A time zone that is not known is UTC. */
function formatterOf({ language, timeZone }: TimeReader, parts: object) {
  const options = { ...DAY, ...parts };
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat(LOCALES[language], {
      ...options,
      timeZone: timeZone ?? "UTC",
    });
  } catch {
    format = new Intl.DateTimeFormat(LOCALES[language], { ...options, timeZone: "UTC" });
  }
  return (at: Date) => format.format(at).replace(/^1 /, FIRST_DAY[language]);
}

/** Whose language and time zone a page is in; a time zone is a name of the IANA database, UTC if there is none. */
export interface TimeReader {
  readonly language: Language;
  readonly timeZone?: string | null;
}

type Writers = Readonly<Record<"day" | "short" | "time", (at: Date) => string>>;

const known = new WeakMap<TimeReader, Writers>();

/** Making one takes longer than a hundred uses, and a page has hundreds of times. */
function writersOf(reader: TimeReader): Writers {
  let writers = known.get(reader);
  if (writers === undefined) {
    writers = {
      day: formatterOf(reader, {}),
      short: formatterOf(reader, { month: "short", year: undefined }),
      time: formatterOf(reader, TIME),
    };
    known.set(reader, writers);
  }
  return writers;
}

/** A day in words: `22 December 2026`. */
export const describeDay = (at: Date, reader: TimeReader): string => writersOf(reader).day(at);

/** A day of this year, in short: `22 Dec`. */
export const describeShortDay = (at: Date, reader: TimeReader): string =>
  writersOf(reader).short(at);

/** A time to the minute, with its time zone: `22 December 2026 at 08:30 CET`. */
export const describeMoment = (at: Date, reader: TimeReader): string => writersOf(reader).time(at);

/** Asks to try again after so many seconds: `Try again in 3 minutes.` */
export function describeWait(waitSeconds: number): Text {
  const { unit, seconds } = UNITS.find((one) => waitSeconds > one.seconds) ?? SECOND;
  const wait = (language: Language) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(
      Math.max(1, Math.ceil(waitSeconds / seconds)),
    );
  return {
    fr: `Il y a eu trop de tentatives. Réessayez dans ${wait("fr")}.`,
    en: `There were too many tries. Try again in ${wait("en")}.`,
  };
}
