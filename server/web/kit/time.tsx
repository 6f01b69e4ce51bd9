import { describeAge, describeDay, describeMoment, type TimeReader } from "./age.ts";

interface TimeProps {
  at: Date;
  /** By the database's clock. */
  now: Date;
  visit: TimeReader;
}

/** How long ago, or in how long, with the exact time in the title. */
export function Time({ at, now, visit }: TimeProps) {
  return (
    <time dateTime={at.toISOString()} title={describeMoment(at, visit)}>
      {describeAge(at, now, visit.language)}
    </time>
  );
}

/** A day in words, with the exact time in the title. */
export function Day({ at, visit }: Pick<TimeProps, "at" | "visit">) {
  return (
    <time dateTime={at.toISOString()} title={describeMoment(at, visit)}>
      {describeDay(at, visit)}
    </time>
  );
}
