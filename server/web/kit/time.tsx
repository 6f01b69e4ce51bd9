import { describeAge, describeDay, describeMoment, type TimeReader } from "./age.ts";

interface TimeProps {
  at: Date;
  /** By the database's clock. */
  now: Date;
  reader: TimeReader;
}

/** How long ago, or in how long, with the exact time in the title. */
export function Time({ at, now, reader }: TimeProps) {
  return (
    <time dateTime={at.toISOString()} title={describeMoment(at, reader)}>
      {describeAge(at, now, reader.language)}
    </time>
  );
}

/** The exact time. */
export function Moment({ at, reader }: Pick<TimeProps, "at" | "reader">) {
  return <time dateTime={at.toISOString()}>{describeMoment(at, reader)}</time>;
}

/** A day in words, with the exact time in the title. */
export function Day({ at, reader }: Pick<TimeProps, "at" | "reader">) {
  return (
    <time dateTime={at.toISOString()} title={describeMoment(at, reader)}>
      {describeDay(at, reader)}
    </time>
  );
}
