import { isUrl } from "../../../shared/url.ts";

/** Counted in UTF-16 code units, like lengths in JavaScript. */
export const MAX_URL_LENGTH = 2048;
/** The limit of DNS. Parsing a longer host takes time quadratic in its length (Punycode). */
export const MAX_HOST_LENGTH = 253;
const AUTHORITY = /^[\0-\x20]*(?:[a-z][a-z0-9+.-]*:[/\\]*|[/\\]{2,})([^/\\?#]*)/i;
const OWN_PATH = /^[\0-\x20]*[/\\]/;

/** Like a URL parser, ignores tabs and line breaks, and counts backslashes as slashes. */
function nameHost(text: string): string {
  const [, authority = ""] = AUTHORITY.exec(text.replace(/[\t\n\r]+/g, "")) ?? [];
  return authority.slice(authority.lastIndexOf("@") + 1).replace(/\.?(?::\d*)?$/, "");
}

/** All URLs that sites send are parsed here. */
export function findUrl(text: string, base?: URL): URL | undefined {
  if (text.length > MAX_URL_LENGTH) return undefined;
  if (text.length > MAX_HOST_LENGTH && nameHost(text).length > MAX_HOST_LENGTH) return undefined;
  const against = base && findBase(text, base);
  return isUrl(text, against) ? new URL(text, against) : undefined;
}

/** The origin of a long base is enough for an absolute path. */
function findBase(text: string, { href, origin }: URL): string | undefined {
  if (href.length <= MAX_URL_LENGTH) return href;
  return OWN_PATH.test(text) ? origin : undefined;
}

/** Returns the host as DNS, SNI and SANs use it, without brackets or a trailing dot. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

export function shortenUrl(url: string, base: string): string {
  const { origin } = findUrl(base) ?? {};
  return url.startsWith(`${origin}/`) ? url.slice(`${origin}`.length) : url;
}

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;

/** The caller must vet the result. */
export function completeUrl(typed: string): string {
  const text = typed.trim();
  if (text === "") return text;
  return SCHEME.test(text) ? text.replace(/^http:/i, "https:") : `https://${text}`;
}
