import { isIP } from "node:net";
import { getDomain } from "tldts";

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** See RFC 6265bis, 5.1.1. Returns UTC milliseconds since 1970, or undefined for an invalid date such as 31 February. */
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

/** Limits in octets for name plus value, and for an attribute's value. Browsers ignore longer ones (RFC 6265bis, 5.6). */
const MAX_PAIR_BYTES = 4096;
const MAX_ATTRIBUTE_BYTES = 1024;
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;
const PREFIX = /^__(?:secure|host)-/i;

const ATTRIBUTES = new Set([
  "expires",
  "max-age",
  "domain",
  "path",
  "secure",
  "httponly",
  "samesite",
  "partitioned",
  "priority",
]);

export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** The attributes that browsers know, by lower-case name; the last of repeated ones counts (RFC 6265bis, 5.7). */
  readonly attributes: ReadonlyMap<string, string>;
  readonly written: readonly string[];
}

/** Returns undefined for an attribute that browsers ignore. An earlier attribute of the same name counts instead. */
function readAttribute(part: string): { name: string; value: string } | undefined {
  const [key = "", ...rest] = part.split("=");
  const name = key.trim().toLowerCase();
  const value = rest.join("=").trim();
  if (!ATTRIBUTES.has(name) || value.length > MAX_ATTRIBUTE_BYTES) return undefined;
  if (name === "max-age" && !/^-?\d+$/.test(value)) return undefined;
  if (name === "expires" && findCookieTime(value) === undefined) return undefined;
  return { name, value };
}

/** Undefined for a line that browsers ignore (RFC 6265bis, 5.6 and 5.7). `line` is decoded as latin1, one character per octet. */
export function parseSetCookie(line: string): SetCookie | undefined {
  const [pair = "", ...parts] = line.split(";");
  const equals = pair.indexOf("=");
  const name = pair.slice(0, Math.max(equals, 0)).trim();
  const value = pair.slice(equals + 1).trim();
  if (CONTROL.test(line) || name.length + value.length > MAX_PAIR_BYTES) return undefined;
  if (name === "" && (value === "" || PREFIX.test(value))) return undefined;
  const attributes = new Map<string, string>();
  const written = new Map<string, string>();
  for (const part of parts) {
    const attribute = readAttribute(part);
    if (!attribute) continue;
    attributes.set(attribute.name, attribute.value);
    written.delete(attribute.name);
    written.set(attribute.name, part);
  }
  return { name, value, attributes, written: [...written.values()] };
}

/** Max-Age takes precedence over Expires. `now` is in milliseconds since 1970. */
export function isDeleted({ attributes }: SetCookie, now: number): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = findCookieTime(attributes.get("expires") ?? "");
  return expires !== undefined && expires <= now;
}

/** A host-only cookie is not sent to subdomains. */
export interface CookieScope {
  readonly domain: string;
  readonly hostOnly: boolean;
}

export function cookieHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, "");
}

export function isWithin(host: string, domain: string): boolean {
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

/** Undefined if browsers reject the cookie (RFC 6265bis, 5.7). */
export function findScope({ attributes }: SetCookie, url: URL): CookieScope | undefined {
  const host = cookieHost(url);
  const domain = (attributes.get("domain") ?? "").replace(/^\./, "").toLowerCase();
  if (domain === "") return { domain: host, hostOnly: true };
  if (!isWithin(host, domain)) return undefined;
  const isSuffix = getDomain(domain, { allowPrivateDomains: true }) === null;
  if (isSuffix) return domain === host ? { domain, hostOnly: true } : undefined;
  return { domain, hostOnly: false };
}

/** See RFC 6265bis, 5.1.4. */
export function pathOf({ attributes }: SetCookie, { pathname }: URL): string {
  const path = attributes.get("path") ?? "";
  return path.startsWith("/") ? path : pathname.slice(0, Math.max(pathname.lastIndexOf("/"), 1));
}
