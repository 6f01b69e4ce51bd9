import { isIP } from "node:net";
import type { RefusalCode } from "../evidence/evidence.ts";
import { isName } from "./name.ts";
import { findUrl, MAX_URL_LENGTH } from "../syntax/url.ts";

export type Scheme = "https:" | "http:";

/** A URL and its host as named everywhere (DNS, SNI, Host, SAN): no brackets, no trailing dot. */
export interface Site {
  url: URL;
  host: string;
  literal: boolean;
}

/** Backslashes, controls (C0, DEL, C1, bidirectional) and spaces, those without width too: parsers rewrite or hide them. */
const FORBIDDEN = /[\\\p{Cc}\p{Bidi_Control}\p{Z}\u200B\u2060\uFEFF]/u;

/** Parses what somebody wrote, relative text against `base`, or says what is wrong with it whichever host it names. */
export function readSite(raw: string, scheme: Scheme, base?: URL): Site | RefusalCode {
  if (raw.length > MAX_URL_LENGTH) return "too_long";
  if (FORBIDDEN.test(raw)) return "characters";
  const url = findUrl(raw, base);
  if (!url) return "unparseable";
  if (url.protocol !== scheme) return "not_https";
  if (hasUserinfo(raw, base)) return "userinfo";
  return findSite(url) ?? "unparseable";
}

/** Undefined for a URL without a host, or with one that neither DNS nor an address could be. */
export function findSite(parsed: URL): Site | undefined {
  const url = new URL(parsed);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (isIP(host) !== 0) return { url, host, literal: true };
  if (!isName(host)) return undefined;
  url.hostname = host;
  return { url, host, literal: false };
}

/** Looks for any `@` in the raw authority, since the WHATWG parser drops an empty user and password. */
function hasUserinfo(raw: string, base: URL | undefined): boolean {
  const parts = /^(?:([a-z][a-z0-9+.-]*:))?(\/*)([^/?#]*)/i.exec(raw);
  const [, scheme, slashes = "", authority = ""] = parts ?? [];
  const isPath =
    base !== undefined &&
    slashes.length < 2 &&
    (scheme === undefined || scheme.toLowerCase() === base.protocol);
  return !isPath && authority.includes("@");
}
