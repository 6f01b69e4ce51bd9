import { oneLine } from "../../base/syntax/text.ts";
import {
  parseSetCookie,
  cookieHost,
  type CookieScope,
  findScope,
  isDeleted,
  isWithin,
  pathOf,
} from "../../base/syntax/set-cookie.ts";
import { BoundedList } from "../evidence/bounded-list.ts";
import type { Evidence } from "../evidence/evidence.ts";

/** Masks the value. Undefined for a line that browsers ignore. */
export function keepCookie(line: string): string | undefined {
  const cookie = parseSetCookie(line);
  if (!cookie) return undefined;
  const masked = cookie.value && "***";
  const isNamed = line.split(";", 1)[0]?.includes("=");
  const shown = isNamed ? `${oneLine(cookie.name, 128)}=${masked}` : masked;
  return [shown, ...cookie.written.map((attribute) => oneLine(attribute, 256))].join("; ");
}

const MAX_COOKIES = 50;
/** Limit for all cookies of a jar. Servers refuse longer Cookie headers. */
const MAX_BYTES = 8192;

interface Cookie extends CookieScope {
  name: string;
  pair: string;
  path: string;
  /** If the certificate proved the host, the cookie is only sent back over such a connection. */
  trusted: boolean;
}

/** Held in memory until the end of one redirect chain (RFC 6265bis, 5.7 and 5.8). */
export interface Jar {
  /** `rawHeaders`: name, value, name, value. */
  note(url: URL, rawHeaders: readonly string[], trusted: boolean): void;
  cookiesFor(url: URL, trusted: boolean): string;
}

function isOnPath({ pathname }: URL, path: string): boolean {
  if (!pathname.startsWith(path)) return false;
  return pathname.length === path.length || path.endsWith("/") || pathname[path.length] === "/";
}

/** See RFC 6265bis, 4.1.3. Browsers also reject a Partitioned cookie without Secure. */
function meetsPrefix(name: string, attributes: ReadonlyMap<string, string>): boolean {
  const needsSecure = /^__(?:secure|host)-/i.test(name) || attributes.has("partitioned");
  if (needsSecure && !attributes.has("secure")) return false;
  if (!/^__host-/i.test(name)) return true;
  return attributes.get("path") === "/" && !attributes.get("domain");
}

function readCookie(url: URL, line: string, trusted: boolean) {
  const read = parseSetCookie(line);
  const scope = read && findScope(read, url);
  if (!read || !scope || !meetsPrefix(read.name, read.attributes)) return undefined;
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

const MAX_DRAWN_COOKIES = 50;
const MAX_DRAWN_BYTES = 4096;
const RUN = /[0-9A-Za-z_-]{16,}/g;
const DATE = /^\d{4}-?\d\d-?\d\d(?:T|$)/;
const MIN_TURNS = 3;
const TEXT = /^[\t\n\r\x20-\x7e]{6,}$/;
/** Laravel's cookie envelope. Its content is encrypted, with a new IV for each answer. */
const ENCRYPTED = /^\{"iv":/;

/** Unlike a random value, words, numbers and dates do not mix letters and digits. */
function looksDrawn(value: string): boolean {
  return (value.match(RUN) ?? []).some((run) => {
    const turns = run.match(/[A-Za-z](?=[_-]*\d)|\d(?=[_-]*[A-Za-z])/g)?.length ?? 0;
    const isOneWord = /^[0-9A-Za-z]+$/.test(run);
    return !DATE.test(run) && turns >= (isOneWord ? 1 : MIN_TURNS);
  });
}

type DrawnCookie = Evidence["drawnCookies"][number];

export type DrawnCookies = ReadonlyMap<string, string>;

export function readDrawnCookies(rawHeaders: readonly string[]): DrawnCookies {
  const drawn = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length && drawn.size < MAX_DRAWN_COOKIES; index += 2) {
    const line = rawHeaders[index + 1] ?? "";
    const kept = rawHeaders[index]?.toLowerCase() === "set-cookie" ? keepCookie(line) : undefined;
    const name = /^([^=;]+)=\*{3}/.exec(kept ?? "")?.[1];
    const value = line.slice(line.indexOf("=") + 1).split(";", 1)[0] ?? "";
    if (name !== undefined && looksDrawn(value)) drawn.set(name, value.trim());
  }
  return drawn;
}

/** Base64 of text may hold the session itself, so two visitors may get the same. */
function isReadable(value: string): boolean {
  const [first = ""] = decodeEscapes(value).split(".", 1);
  const start = Buffer.from(first, "base64").toString("latin1").slice(0, 12);
  return TEXT.test(start) && !ENCRYPTED.test(start);
}

function decodeEscapes(value: string): string {
  return value.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/**
 * The result has no values.
 * @param isKnown whether the requests identified their sender, who may rightly get the same session twice
 */
export function compareDrawnCookies(
  page: DrawnCookies,
  again: DrawnCookies | null,
  isKnown: boolean,
): DrawnCookie[] {
  const compared = new BoundedList<DrawnCookie>(MAX_DRAWN_BYTES, MAX_DRAWN_COOKIES);
  for (const [name, value] of page) {
    const isEqual = again?.get(name) === value;
    const isUnclear = again === null || (isEqual && isKnown);
    const isRepeated = isUnclear ? null : isEqual;
    compared.offer(() => ({ name, isState: isReadable(value), isRepeated }));
  }
  return compared.items;
}
