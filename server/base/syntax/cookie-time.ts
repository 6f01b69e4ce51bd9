const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Milliseconds since 1970 of a cookie's date (RFC 6265bis, 5.1.1), always UTC; undefined if it is none, such as 31 February. */
export function findCookieTime(date: string): number | undefined {
  let time: string[] | undefined;
  let day: number | undefined;
  let month: number | undefined;
  let year: number | undefined;
  for (const token of date.split(/[^0-9a-z:]+/i)) {
    const clock = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/.exec(token);
    const named = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
    if (!time && clock) time = clock.slice(1);
    else if (day === undefined && /^\d{1,2}(?!\d)/.test(token)) day = parseInt(token, 10);
    else if (month === undefined && named >= 0) month = named;
    else if (year === undefined && /^\d{2,4}(?!\d)/.test(token)) year = parseInt(token, 10);
  }
  if (!time || day === undefined || month === undefined || year === undefined) return undefined;
  const fullYear = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year;
  const [hour = 0, minute = 0, second = 0] = time.map(Number);
  if (day < 1 || day > 31 || fullYear < 1601 || hour > 23 || minute > 59 || second > 59)
    return undefined;
  const ms = Date.UTC(fullYear, month, day, hour, minute, second);
  return new Date(ms).getUTCDate() === day ? ms : undefined;
}
