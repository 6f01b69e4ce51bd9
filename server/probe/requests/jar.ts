import { isIP } from "node:net";
import { getDomain } from "tldts";
import { findCookieTime } from "../../syntax/cookie-time.ts";
import { keepCookie, readAttribute } from "./set-cookie.ts";

const MAX_COOKIES = 50;
/** Limit for all cookies of a jar; servers refuse longer Cookie headers. */
const MAX_BYTES = 8192;

interface Cookie {
  name: string;
  pair: string;
  domain: string;
  /** True for a host-only cookie, which is not sent to subdomains. */
  hostOnly: boolean;
  path: string;
  /** Whether it came over a connection whose certificate proved the host; it is sent back only over such. */
  trusted: boolean;
}

/** The cookies of one redirect chain, kept in memory until its end (RFC 6265bis, 5.7 and 5.8). */
export interface Jar {
  /** Stores the cookies of an answer's headers: name, value, name, value. */
  note(url: URL, rawHeaders: readonly string[], trusted: boolean): void;
  /** The Cookie header for a URL; empty if there is none. */
  cookiesFor(url: URL, trusted: boolean): string;
}

/** Whether a host is a domain or a subdomain of it. */
function isWithin(host: string, domain: string): boolean {
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

function isOnPath({ pathname }: URL, path: string): boolean {
  if (!pathname.startsWith(path)) return false;
  return pathname.length === path.length || path.endsWith("/") || pathname[path.length] === "/";
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, "");
}

function readAttributes(parts: readonly string[]): ReadonlyMap<string, string> {
  const read = parts.map(readAttribute).filter((attribute) => attribute !== undefined);
  return new Map(read.map(({ name, value }) => [name, value]));
}

function isOver(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = findCookieTime(attributes.get("expires") ?? "");
  return expires !== undefined && expires <= Date.now();
}

/** The domain that a cookie is sent back to; undefined if the host may not set it, as for a public suffix. */
function readScope(url: URL, named: string): Pick<Cookie, "domain" | "hostOnly"> | undefined {
  const host = hostOf(url);
  const domain = named.replace(/^\./, "").toLowerCase();
  if (domain === "") return { domain: host, hostOnly: true };
  if (!isWithin(host, domain)) return undefined;
  const isSuffix = getDomain(domain, { allowPrivateDomains: true }) === null;
  if (isSuffix) return domain === host ? { domain, hostOnly: true } : undefined;
  return { domain, hostOnly: false };
}

function readPath({ pathname }: URL, named: string): string {
  if (named.startsWith("/")) return named;
  return pathname.slice(0, Math.max(pathname.lastIndexOf("/"), 1));
}

/** The name prefixes that require attributes (RFC 6265bis, 4.1.3). */
function keepsPromise(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (/^__secure-/i.test(name)) return attributes.has("secure");
  if (!/^__host-/i.test(name)) return true;
  const isWhole = attributes.get("path") === "/" && !attributes.get("domain");
  return attributes.has("secure") && isWhole;
}

function readCookie(url: URL, line: string, trusted: boolean) {
  if (keepCookie(line) === undefined) return undefined;
  const [given = "", ...parts] = line.split(";");
  const equals = given.indexOf("=");
  const name = given.slice(0, Math.max(equals, 0)).trim();
  const value = given.slice(equals + 1).trim();
  const attributes = readAttributes(parts);
  const scope = readScope(url, attributes.get("domain") ?? "");
  if (!scope || !keepsPromise(name, attributes) || (name === "" && value === "")) return undefined;
  const pair = name === "" ? value : `${name}=${value}`;
  const path = readPath(url, attributes.get("path") ?? "");
  return { cookie: { name, pair, ...scope, path, trusted }, isOver: isOver(attributes) };
}

export function openJar(): Jar {
  let cookies: Cookie[] = [];

  function put(url: URL, line: string, trusted: boolean): void {
    const read = readCookie(url, line, trusted);
    if (!read) return;
    const { cookie } = read;
    const isSame = ({ name, domain, path }: Cookie) =>
      name === cookie.name && domain === cookie.domain && path === cookie.path;
    const others = cookies.filter((each) => !isSame(each));
    const bytes = [...others, cookie].reduce((sum, { pair }) => sum + pair.length + 2, 0);
    if (read.isOver) cookies = others;
    else if (others.length < MAX_COOKIES && bytes <= MAX_BYTES) cookies = [...others, cookie];
  }

  return {
    note(url, rawHeaders, trusted) {
      for (let index = 0; index + 1 < rawHeaders.length; index += 2)
        if (rawHeaders[index]?.toLowerCase() === "set-cookie")
          put(url, rawHeaders[index + 1] ?? "", trusted);
    },
    cookiesFor(url, trusted) {
      if (url.protocol !== "https:") return "";
      const host = hostOf(url);
      return cookies
        .filter(({ domain, hostOnly }) => (hostOnly ? host === domain : isWithin(host, domain)))
        .filter((cookie) => isOnPath(url, cookie.path) && (trusted || !cookie.trusted))
        .toSorted((one, other) => other.path.length - one.path.length)
        .map(({ pair }) => pair)
        .join("; ");
    },
  };
}
