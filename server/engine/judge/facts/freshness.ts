import type { Headers } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/accessors.ts";
import { findCookieTime } from "../../../base/syntax/set-cookie.ts";

/** A comma in quotes does not separate directives (RFC 9111, 5.2). */
const DIRECTIVE = /([^\s",=]+)(?:\s*=\s*(?:"([^"]*)"|([^\s",]*)))?/g;

/** Names are in lower case. If a directive is repeated, the first one counts (RFC 9111, 4.2.1). */
export function cacheDirectives(values: readonly string[]): Map<string, string> {
  const directives = new Map<string, string>();
  for (const [, name = "", quoted, token = ""] of values.join(",").matchAll(DIRECTIVE))
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), quoted ?? token);
  return directives;
}

/** The three date formats of HTTP (RFC 9110, 5.6.7). */
const HTTP_DATE =
  /^(?:[a-z]{3}, \d{2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT|[a-z]{6,9}, \d{2}-[a-z]{3}-\d{2} \d{2}:\d{2}:\d{2} GMT|[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/i;

/** Returns 0 if the value is no HTTP date, such as `0` or `-1` (RFC 9111, 5.3). */
function secondsUntil(date: string, checkedAt: string): number {
  const time = HTTP_DATE.test(date) ? findCookieTime(date) : undefined;
  return time === undefined ? 0 : (time - Date.parse(checkedAt)) / 1000;
}

/** The lifetime in a browser. Returns 0 for an invalid max-age. */
export function freshSeconds(headers: Headers, checkedAt: string): number {
  const directives = cacheDirectives(headerValues(headers, "cache-control"));
  if (directives.has("no-store") || directives.has("no-cache")) return 0;
  const maxAge = directives.get("max-age");
  if (maxAge !== undefined) return /^\d+$/.test(maxAge) ? Number(maxAge) : 0;
  return secondsUntil(headerValues(headers, "expires")[0]?.trim() ?? "", checkedAt);
}
