import { isIP } from "node:net";
import type { RefusalCode } from "../evidence/exchange.ts";
import { bareHost, findUrl, MAX_HOST_LENGTH, MAX_URL_LENGTH } from "../../base/syntax/url.ts";

export type Scheme = "https:" | "http:";

/** The host as DNS, SNI, Host and SANs use it: without brackets or a trailing dot. */
export interface Site {
  url: URL;
  host: string;
  literal: boolean;
}

/** Backslashes, control characters (C0, DEL, C1, bidi) and spaces, even zero-width. Parsers rewrite or hide them. */
const FORBIDDEN = /[\\\p{Cc}\p{Bidi_Control}\p{Z}\u200B\u2060\uFEFF]/u;

const LABEL = /^[a-z0-9_-]{1,63}$/;

/** A reference, which has a base, comes from a site: it is parsed as browsers parse it. */
export function readSite(raw: string, scheme: Scheme, base?: URL): Site | RefusalCode {
  if (raw.length > MAX_URL_LENGTH) return "too_long";
  if (base === undefined && FORBIDDEN.test(raw)) return "characters";
  const url = findUrl(raw, base);
  if (!url) return "unparseable";
  if (url.protocol !== scheme) return "not_https";
  if (url.username !== "" || url.password !== "" || hasUserinfo(raw, base)) return "userinfo";
  return findSite(url) ?? "unparseable";
}

export function findSite(parsed: URL): Site | undefined {
  const url = new URL(parsed);
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0) return { url, host, literal: true };
  if (!isName(host)) return undefined;
  url.hostname = host;
  return { url, host, literal: false };
}

/** Searches the raw authority for `@`, because the WHATWG parser drops an empty user and password. */
function hasUserinfo(raw: string, base: URL | undefined): boolean {
  const parts = /^(?:([a-z][a-z0-9+.-]*:))?(\/*)([^/?#]*)/i.exec(raw);
  const [, scheme, slashes = "", authority = ""] = parts ?? [];
  const isPath =
    base !== undefined &&
    slashes.length < 2 &&
    (scheme === undefined || scheme.toLowerCase() === base.protocol);
  return !isPath && authority.includes("@");
}

function isName(name: string): boolean {
  return name.length <= MAX_HOST_LENGTH && name.split(".").every((label) => LABEL.test(label));
}
