/** `2021-04-28 21:50:00 +0200` or `... UTC`, as GitLab writes times. */
const RUBY_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (?:([+-]\d\d):?(\d\d)|UTC)$/;

/** A time as a provider writes it: ISO 8601, milliseconds since 1970, or Ruby's way; null if it is none. */
export function readTime(value: string | number | null | undefined): Date | null {
  if (value === null || value === undefined) return null;
  const time = typeof value === "number" ? value : readText(value);
  return Number.isFinite(time) && time >= 0 && time < 8e15 ? new Date(time) : null;
}

function readText(text: string): number {
  const [, day, time, hours, minutes] = RUBY_TIME.exec(text) ?? [];
  if (day === undefined) return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Date.parse(`${day}T${time}${hours === undefined ? "Z" : `${hours}:${minutes}`}`);
}
