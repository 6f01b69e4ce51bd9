/** The seconds that a Retry-After asks to wait, from `now` on: a number or a date (RFC 9110, 10.2.3); undefined for neither. */
export function readRetryAfter(value: string, now: Date): number | undefined {
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - now.getTime()) / 1000);
  return seconds > 0 ? seconds : undefined;
}
