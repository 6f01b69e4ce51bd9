import { getPublicSuffix } from "tldts";
import type { Hop } from "../../../evidence/exchange.ts";
import { headerValues, urlOf } from "./page.ts";

export interface Cookie {
  readonly name: string;
  /** Lower-cased names, with their values; of two the last counts (RFC 6265bis, 5.7). */
  readonly attributes: ReadonlyMap<string, string>;
}

function parseCookie(line: string): Cookie {
  const [pair = "", ...parts] = line.split(";");
  const equals = pair.indexOf("=");
  const attributes = parts.map((part): [string, string] => {
    const [name = "", ...value] = part.split("=");
    return [name.trim().toLowerCase(), value.join("=").trim()];
  });
  return { name: pair.slice(0, Math.max(equals, 0)).trim(), attributes: new Map(attributes) };
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Milliseconds since 1970 of a cookie's date (RFC 6265bis, 5.1.1), always UTC; undefined for what is none. */
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
  return Date.UTC(fullYear, month, day, hour, minute, second);
}

/** Whether the line deletes the cookie: Max-Age decides, and Expires where there is none that is valid. */
function isDeleted({ attributes }: Cookie, now: number): boolean {
  const maxAge = attributes.get("max-age") ?? "";
  if (/^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = findCookieTime(attributes.get("expires") ?? "");
  return expires !== undefined && expires <= now;
}

/**
 * Empty where the cookie is the host's alone; undefined where browsers refuse it, because the host does not lie in the
 * Domain, or because that is a public suffix, other than the host itself (RFC 6265bis, 5.7).
 */
function findDomain({ attributes }: Cookie, { hostname }: URL): string | undefined {
  const domain = (attributes.get("domain") ?? "").replace(/^\./, "").toLowerCase();
  if (domain === "") return "";
  if (getPublicSuffix(domain, { allowPrivateDomains: true }) === domain)
    return domain === hostname ? "" : undefined;
  return `.${hostname}`.endsWith(`.${domain}`) ? domain : undefined;
}

/** The page's folder where no Path that begins with a slash is given (RFC 6265bis, 5.1.4). */
function findPath({ attributes }: Cookie, { pathname }: URL): string {
  const path = attributes.get("path") ?? "";
  return path.startsWith("/") ? path : pathname.slice(0, pathname.lastIndexOf("/")) || "/";
}

/**
 * The cookies that an answer leaves set, in the order of their last lines: of two of one name, domain and path the later
 * replaces the earlier. Left out: what the answer itself deletes, and what browsers refuse for its Domain. `now` in milliseconds since 1970.
 */
export function readCookies(hop: Hop, now: number): Cookie[] {
  const url = urlOf(hop.url);
  const cookies = new Map<string, Cookie>();
  for (const cookie of headerValues(hop.headers, "set-cookie").map(parseCookie)) {
    const domain = findDomain(cookie, url);
    if (domain === undefined) continue;
    const identity = JSON.stringify([cookie.name, domain, findPath(cookie, url)]);
    cookies.delete(identity);
    if (!isDeleted(cookie, now)) cookies.set(identity, cookie);
  }
  return [...cookies.values()];
}
