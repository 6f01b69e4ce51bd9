const DAY_MS = 86_400_000;

/** Returns milliseconds. */
function offsetAt(at: number, zone: string): number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const of: Partial<Record<string, number>> = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day, hour, minute, second } = of;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** Which of the two is meant when a local time occurs twice. */
export type WhichTime = "first" | "second";

/** `local` has the form `2026-10-25T02:30`. A time that the clocks skip moves forward by the size of the skip. */
export function findLocalTime(local: string, zone: string, which: WhichTime): Date {
  const shown = Date.parse(`${local}Z`);
  const before = shown - offsetAt(shown - DAY_MS, zone);
  const after = shown - offsetAt(shown + DAY_MS, zone);
  const times = [before, after].filter((at) => at + offsetAt(at, zone) === shown);
  if (times.length === 0) return new Date(before);
  return new Date(which === "first" ? Math.min(...times) : Math.max(...times));
}

const MINUTE_MS = 60_000;

/**
 * Both times have the form `2026-10-25T02:30`. A period that the clocks skip entirely moves forward by the size of the
 * skip. One that would then begin after its end begins at the skip. Otherwise each time is that of `findLocalTime`.
 */
export function findLocalPeriod(from: string, to: string, zone: string): Period {
  const period = {
    from: findLocalTime(from, zone, "first"),
    to: findLocalTime(to, zone, "second"),
  };
  if (period.from < period.to || from >= to) return period;
  const skip = findSkip(from, zone);
  return period.to > skip.at
    ? { from: skip.at, to: period.to }
    : { from: period.from, to: new Date(period.to.getTime() + skip.sizeMs) };
}

/** `local` is a time that the clocks of the zone skip. */
function findSkip(local: string, zone: string): { at: Date; sizeMs: number } {
  const shown = Date.parse(`${local}Z`);
  const [before, after] = [offsetAt(shown - DAY_MS, zone), offsetAt(shown + DAY_MS, zone)];
  let at = Math.floor((shown - after) / MINUTE_MS) * MINUTE_MS;
  while (offsetAt(at, zone) === before) at += MINUTE_MS;
  return { at: new Date(at), sizeMs: after - before };
}

export const WEEKDAYS = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
] as const;

/** If `to` is not later than `from`, it is on the next day. Both are `HH:MM`. */
export interface Weekly {
  day: string;
  from: string;
  to: string;
}

export interface Period {
  from: Date;
  to: Date;
}

/** Uses UTC if there is no zone. */
export function nextPeriod({ day, from, to }: Weekly, zone: string | null, after: Date): Period {
  const clocks = zone ?? "UTC";
  const today = after.getTime() + offsetAt(after.getTime(), clocks);
  // Yesterday's period may still be running.
  for (let days = -1; ; days++) {
    const date = (more: number) => new Date(today + (days + more) * DAY_MS);
    if (WEEKDAYS[date(0).getUTCDay()] !== day) continue;
    const at = (time: string, more: number) => `${date(more).toISOString().slice(0, 10)}T${time}`;
    const period = findLocalPeriod(at(from, 0), at(to, to > from ? 0 : 1), clocks);
    if (period.to > after) return period;
  }
}
