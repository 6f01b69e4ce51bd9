import type { Language, Text } from "../language.ts";

const LOCALES: Readonly<Record<Language, string>> = { fr: "fr-FR", en: "en-GB" };
/** French writes the first of a month as "1er décembre". */
const FIRST_DAY = /(?<!\d)1 (?=\p{L})/gu;
const FIRST_DAYS: Text = { fr: "1er ", en: "1 " };
const DAY = { day: "numeric", month: "long", year: "numeric" } as const;
const TIME = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;

function createWriter(language: Language, timeZone: string, parts: object) {
  const format = new Intl.DateTimeFormat(LOCALES[language], { ...DAY, ...parts, timeZone });
  const first = (text: string) => text.replaceAll(FIRST_DAY, FIRST_DAYS[language]);
  return {
    at: (at: Date) => first(format.format(at)),
    range: (from: Date, to: Date) => first(format.formatRange(from, to)),
  };
}

const UTC = "UTC";

/** An unknown time zone becomes UTC. */
function resolveZone(timeZone: string): string {
  try {
    return Intl.DateTimeFormat("en", { timeZone }) && timeZone;
  } catch {
    return UTC;
  }
}

/** `timeZone` is a name of the IANA database, by default UTC. */
export interface TimeReader {
  readonly language: Language;
  readonly timeZone?: string | null;
}

const PARTS = { day: {}, short: { month: "short", year: undefined }, time: TIME };

const writers = new Map<string, ReturnType<typeof createWriter>>();

/**
 * Cached: creating a formatter takes as long as a hundred uses, and a page has hundreds of times. The cache is bounded, because an unknown
 * time zone becomes UTC.
 */
function writerOf({ language, timeZone }: TimeReader, form: keyof typeof PARTS) {
  const keyOf = (zone: string) => `${language} ${zone} ${form}`;
  const known = writers.get(keyOf(timeZone ?? UTC));
  if (known) return known;
  const zone = resolveZone(timeZone ?? UTC);
  const writer = writers.get(keyOf(zone)) ?? createWriter(language, zone, PARTS[form]);
  writers.set(keyOf(zone), writer);
  return writer;
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
