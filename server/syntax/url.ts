/** In UTF-16 code units, as JavaScript counts. */
export const MAX_URL_LENGTH = 2048;
/** What DNS can hold; more would cost a parser a time that is quadratic in it (Punycode). */
export const MAX_HOST_LENGTH = 253;
const AUTHORITY = /^[\0-\x20]*(?:[a-z][a-z0-9+.-]*:[/\\]*|[/\\]{2,})([^/\\?#]*)/i;
const OWN_PATH = /^[\0-\x20]*[/\\]/;

/** As a parser would cut it out: it passes over tabs and line ends anywhere, and takes backslashes for slashes. */
function nameHost(text: string): string {
  const [, authority = ""] = AUTHORITY.exec(text.replace(/[\t\n\r]+/g, "")) ?? [];
  return authority.slice(authority.lastIndexOf("@") + 1).replace(/\.?(?::\d*)?$/, "");
}

/**
 * The URL that a text names, relative text against `base`; undefined for what is none, and for what is longer than any
 * URL need be: 2,048 characters in all, or 253 of host. Whatever a site sent is parsed here and nowhere else.
 */
export function findUrl(text: string, base?: URL): URL | undefined {
  if (text.length > MAX_URL_LENGTH || nameHost(text).length > MAX_HOST_LENGTH) return undefined;
  const against = base && findBase(text, base);
  return URL.canParse(text, against) ? new URL(text, against) : undefined;
}

/** Of a long base its origin, which a text with a path of its own needs alone. */
function findBase(text: string, { href, origin }: URL): string | undefined {
  if (href.length <= MAX_URL_LENGTH) return href;
  return OWN_PATH.test(text) ? origin : undefined;
}

/** A URL's host as used in DNS, SNI and SANs: without brackets or a trailing dot. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
