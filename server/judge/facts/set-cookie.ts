import { getPublicSuffix } from "tldts";
import { findCookieTime } from "../../syntax/cookie-time.ts";
import type { Hop } from "../../evidence/exchange.ts";
import { headerValues, urlOf } from "../../evidence/page.ts";

export interface Cookie {
  readonly name: string;
  /** Attributes by lower-cased name; of repeated ones the last counts (RFC 6265bis, 5.7). */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Undefined for a cookie with neither name nor value, which browsers ignore (RFC 6265bis, 5.7). */
function findCookie(line: string): Cookie | undefined {
  const [pair = "", ...parts] = line.split(";");
  if (/^\s*(?:=\s*)?$/.test(pair)) return undefined;
  const equals = pair.indexOf("=");
  const attributes = parts.map((part): [string, string] => {
    const [name = "", ...value] = part.split("=");
    return [name.trim().toLowerCase(), value.join("=").trim()];
  });
  return { name: pair.slice(0, Math.max(equals, 0)).trim(), attributes: new Map(attributes) };
}

/** Whether the line deletes the cookie: Max-Age decides, or Expires if there is no valid Max-Age. */
function isDeleted({ attributes }: Cookie, now: number): boolean {
  const maxAge = attributes.get("max-age") ?? "";
  if (/^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = findCookieTime(attributes.get("expires") ?? "");
  return expires !== undefined && expires <= now;
}

/**
 * The domain of a cookie: empty if it is only sent to its host; undefined if browsers reject it, because the host is
 * not within the Domain or the Domain is a public suffix other than the host itself (RFC 6265bis, 5.7).
 */
function findDomain({ attributes }: Cookie, { hostname }: URL): string | undefined {
  const domain = (attributes.get("domain") ?? "").replace(/^\./, "").toLowerCase();
  if (domain === "") return "";
  if (getPublicSuffix(domain, { allowPrivateDomains: true }) === domain)
    return domain === hostname ? "" : undefined;
  return `.${hostname}`.endsWith(`.${domain}`) ? domain : undefined;
}

/** The Path attribute, or the folder of the page if that does not begin with a slash (RFC 6265bis, 5.1.4). */
function findPath({ attributes }: Cookie, { pathname }: URL): string {
  const path = attributes.get("path") ?? "";
  return path.startsWith("/") ? path : pathname.slice(0, pathname.lastIndexOf("/")) || "/";
}

/**
 * The cookies that an answer leaves set, in the order of their last lines: of those with the same name, domain and
 * path only the last. Without cookies that the answer itself deletes, and those that browsers reject for their Domain.
 * `now` is in milliseconds since 1970.
 */
export function readCookies(hop: Hop, now: number): Cookie[] {
  const url = urlOf(hop.url);
  const cookies = new Map<string, Cookie>();
  for (const line of headerValues(hop.headers, "set-cookie")) {
    const cookie = findCookie(line);
    const domain = cookie && findDomain(cookie, url);
    if (!cookie || domain === undefined) continue;
    const identity = JSON.stringify([cookie.name, domain, findPath(cookie, url)]);
    cookies.delete(identity);
    if (!isDeleted(cookie, now)) cookies.set(identity, cookie);
  }
  return [...cookies.values()];
}
