import type { Language, Text } from "../language.ts";

const LOCALES: Readonly<Record<Language, string>> = { fr: "fr-FR", en: "en-GB" };
/** French writes the first of a month as "1er décembre". */
const FIRST_DAY = /(?<!\d)1 (?=\p{L})/gu;
const FIRST_DAYS: Text = { fr: "1er ", en: "1 " };
const DAY = { day: "numeric", month: "long", year: "numeric" } as const;
const TIME = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;

/** An unknown time zone becomes UTC. */
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
  const first = (text: string) => text.replaceAll(FIRST_DAY, FIRST_DAYS[language]);
  return {
    at: (at: Date) => first(format.format(at)),
    range: (from: Date, to: Date) => first(format.formatRange(from, to)),
  };
}

/** `timeZone` is a name of the IANA database, by default UTC. */
export interface TimeReader {
  readonly language: Language;
  readonly timeZone?: string | null;
}

const PARTS = { day: {}, short: { month: "short", year: undefined }, time: TIME };

type Writers = Partial<Record<keyof typeof PARTS, ReturnType<typeof formatterOf>>>;

const known = new WeakMap<TimeReader, Writers>();

/** Cached: creating a formatter takes as long as a hundred uses, and a page has hundreds of times. */
function writerOf(reader: TimeReader, form: keyof typeof PARTS) {
  const writers = known.get(reader) ?? {};
  known.set(reader, writers);
  return (writers[form] ??= formatterOf(reader, PARTS[form]));
}

/** `22 December 2026`. */
export const describeDay = (at: Date, reader: TimeReader): string => writerOf(reader, "day").at(at);

/** `22 Dec`. */
export const describeShortDay = (at: Date, reader: TimeReader): string =>
  writerOf(reader, "short").at(at);

/** `22 December 2026 at 08:30 CET`. */
export const describeMoment = (at: Date, reader: TimeReader): string =>
  writerOf(reader, "time").at(at);

/** `22 December 2026, 08:30–09:00 CET`. */
export const describeRange = (from: Date, to: Date, reader: TimeReader): string =>
  writerOf(reader, "time").range(from, to);
