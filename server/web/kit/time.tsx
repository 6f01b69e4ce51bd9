import { describeCount, typeset } from "../../../shared/report/words.ts";
import { describeDay, describeMoment } from "../../../shared/report/times.ts";
import type { Language, Text } from "../../../shared/language.ts";
import { useReader } from "./reader.tsx";

export {
  describeDay,
  describeMoment,
  describeRange,
  describeShortDay,
  type TimeReader,
} from "../../../shared/report/times.ts";

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

/** `3 minutes ago`, `dans 2 jours`. */
export function describeAge(at: Date, now: Date, language: Language): string {
  const age = Math.round((now.getTime() - at.getTime()) / 1000);
  const { unit, seconds } = UNITS.find((one) => Math.abs(age) >= one.seconds) ?? SECOND;
  return typeset(RELATIVE[language].format(-Math.trunc(age / seconds) || -1, unit), language);
}

/** `3 hours`, `12 minutes`. */
export function describeLength(from: Date, to: Date, language: Language): string {
  const length = Math.max(1, Math.round((to.getTime() - from.getTime()) / 1000));
  const { unit, seconds } = UNITS.find((one) => length >= one.seconds) ?? SECOND;
  const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
  return typeset(format.format(Math.trunc(length / seconds)), language);
}

export const describeMs = (ms: number, language: Language): string =>
  describeLength(new Date(0), new Date(ms), language);

/** `1,234 ms`. */
export const describeMilliseconds = (ms: number, language: Language): string =>
  typeset(`${describeCount(Math.round(ms), language)} ms`, language);

const TOO_MANY_TRIES: Text = {
  fr: "Trop de tentatives.",
  en: "Too many attempts.",
};

/** `Too many attempts. Try again in 3 minutes.` */
export function describeWait(waitSeconds: number, why = TOO_MANY_TRIES): Text {
  const { unit, seconds } = UNITS.find((one) => waitSeconds > one.seconds) ?? SECOND;
  const wait = (language: Language) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(
      Math.max(1, Math.ceil(waitSeconds / seconds)),
    );
  return {
    fr: `${why.fr} Réessayez dans ${wait("fr")}.`,
    en: `${why.en} Try again in ${wait("en")}.`,
  };
}

export function Time({ at }: { at: Date }) {
  const reader = useReader();
  return (
    <time dateTime={at.toISOString()} title={describeMoment(at, reader)}>
      {describeAge(at, reader.now, reader.language)}
    </time>
  );
}

export function Moment({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{describeMoment(at, useReader())}</time>;
}

export function Day({ at }: { at: Date }) {
  const reader = useReader();
  return (
    <time dateTime={at.toISOString()} title={describeMoment(at, reader)}>
      {describeDay(at, reader)}
    </time>
  );
}
