import { describeAge, describeDay, describeMoment } from "./age.ts";
import { useReader } from "./reader.tsx";

/** How long ago, or in how long, with the exact time in the title. */
export function Time({ at }: { at: Date }) {
  const reader = useReader();
  return (
    <time dateTime={at.toISOString()} title={describeMoment(at, reader)}>
      {describeAge(at, reader.now, reader.language)}
    </time>
  );
}

/** The exact time. */
export function Moment({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{describeMoment(at, useReader())}</time>;
}

/** A day in words, with the exact time in the title. */
export function Day({ at }: { at: Date }) {
  const reader = useReader();
  return (
    <time dateTime={at.toISOString()} title={describeMoment(at, reader)}>
      {describeDay(at, reader)}
    </time>
  );
}
