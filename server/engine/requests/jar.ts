import {
  cookieHost,
  type CookieScope,
  findScope,
  isDeleted,
  isWithin,
  parseSetCookie,
  pathOf,
} from "../../base/syntax/set-cookie.ts";

const MAX_COOKIES = 50;
/** Limit for all cookies of a jar; servers refuse longer Cookie headers. */
const MAX_BYTES = 8192;

interface Cookie extends CookieScope {
  name: string;
  pair: string;
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

function isOnPath({ pathname }: URL, path: string): boolean {
  if (!pathname.startsWith(path)) return false;
  return pathname.length === path.length || path.endsWith("/") || pathname[path.length] === "/";
}

/** The name prefixes that require attributes (RFC 6265bis, 4.1.3). */
function keepsPromise(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (/^__secure-/i.test(name)) return attributes.has("secure");
  if (!/^__host-/i.test(name)) return true;
  const isWhole = attributes.get("path") === "/" && !attributes.get("domain");
  return attributes.has("secure") && isWhole;
}

function readCookie(url: URL, line: string, trusted: boolean) {
  const read = parseSetCookie(line);
  const scope = read && findScope(read, url);
  if (!read || !scope || !keepsPromise(read.name, read.attributes)) return undefined;
  const { name, value } = read;
  const pair = name === "" ? value : `${name}=${value}`;
  const cookie = { name, pair, ...scope, path: pathOf(read, url), trusted };
  return { cookie, isOver: isDeleted(read, Date.now()) };
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
      const host = cookieHost(url);
      return cookies
        .filter(({ domain, hostOnly }) => (hostOnly ? host === domain : isWithin(host, domain)))
        .filter((cookie) => isOnPath(url, cookie.path) && (trusted || !cookie.trusted))
        .toSorted((one, other) => other.path.length - one.path.length)
        .map(({ pair }) => pair)
        .join("; ");
    },
  };
}
