import type { Inline, Resource } from "../../evidence/html.ts";
import { findDigests } from "../../evidence/source-hash.ts";
import type { SourceIndex } from "./policy.ts";
import type { HostSource } from "./source-expression.ts";

/** The schemes that a scheme allows in addition to itself (CSP 3, 6.7.2.8). */
const ALSO: ReadonlyMap<string, readonly string[]> = new Map([
  ["http:", ["https:"]],
  ["ws:", ["wss:", "http:", "https:"]],
  ["wss:", ["https:"]],
]);
const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ["http:", "80"],
  ["https:", "443"],
]);

function isUpgrade(allowed: string, { protocol }: URL): boolean {
  return ALSO.get(allowed)?.includes(protocol) ?? false;
}

function matchesScheme(allowed: string, url: URL): boolean {
  return allowed === url.protocol || isUpgrade(allowed, url);
}

/** A port applies only to its own scheme. If http is upgraded to https, port 80 becomes 443, and other ports stay. */
function matchesPort({ port }: HostSource, url: URL, isUpgraded: boolean): boolean {
  if (port === "*") return true;
  if (port === "") return url.port === "";
  const actual = url.port || DEFAULT_PORTS.get(url.protocol);
  return isUpgraded ? port === "80" && actual === "443" : port === actual;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function matchesPath({ path }: HostSource, { pathname }: URL): boolean {
  const [allowed, actual] = [decodePath(path), decodePath(pathname)];
  return allowed.endsWith("/") ? actual.startsWith(allowed) : allowed === "" || actual === allowed;
}

function namesOf(host: string): string[] {
  const parents = [...host.matchAll(/\./g)].map(({ index }) => host.slice(index));
  return [host, ...parents, ""];
}

function matchesHost(source: HostSource, url: URL, page: URL, isRedirected: boolean): boolean {
  if (source.text === "*") return DEFAULT_PORTS.has(url.protocol);
  const scheme = source.scheme || page.protocol;
  return (
    matchesScheme(scheme, url) &&
    matchesPort(source, url, isUpgrade(scheme, url)) &&
    (isRedirected || matchesPath(source, url))
  );
}

function isSelf(url: URL, page: URL): boolean {
  const isSameHost = url.hostname === page.hostname && url.port === page.port;
  return isSameHost && matchesScheme(page.protocol, url);
}

/**
 * Matches a URL (CSP 3, 6.7.2.7). `isRedirected`: a redirect led to the URL, so browsers ignore the paths of sources.
 */
export function allowsUrl(list: SourceIndex, url: URL, page: URL, isRedirected = false): boolean {
  if (list.texts.has("'self'") && isSelf(url, page)) return true;
  if (list.schemes.some((scheme) => matchesScheme(scheme, url))) return true;
  return namesOf(url.hostname).some((name) =>
    list.hosts.get(name)?.some((source) => matchesHost(source, url, page, isRedirected)),
  );
}

function hasNonce(list: SourceIndex, nonce: string): boolean {
  return nonce !== "" && list.texts.has(`'nonce-${nonce}'`);
}

/** True if the list contains every digest of the integrity (CSP 3, 6.7.1.1). */
function hasIntegrity(list: SourceIndex, integrity: string | null): boolean {
  const digests = findDigests(integrity);
  return digests.length > 0 && digests.every((digest) => list.hashes.has(digest));
}

/** With `'strict-dynamic'`, browsers run a script file of the page only by nonce or hash. */
export function allowsScriptFile(
  list: SourceIndex,
  { nonce, integrity }: Pick<Resource, "nonce" | "integrity">,
  isAllowed: (list: SourceIndex) => boolean,
): boolean {
  if (hasNonce(list, nonce) || hasIntegrity(list, integrity) || list.hasUrlHash) return true;
  return !list.texts.has("'strict-dynamic'") && isAllowed(list);
}

export function allowsStyleFile(
  list: SourceIndex,
  { nonce }: Pick<Resource, "nonce">,
  isAllowed: (list: SourceIndex) => boolean,
): boolean {
  return hasNonce(list, nonce) || isAllowed(list);
}

/** A handler's hash counts only with `'unsafe-hashes'` (CSP 3, 6.7.3.3). */
export function allowsInline(
  list: SourceIndex,
  { nonce, hashes, kind }: Pick<Inline, "nonce" | "hashes" | "kind">,
): boolean {
  const isHashed = kind !== "handler" || list.texts.has("'unsafe-hashes'");
  if (hasNonce(list, nonce)) return true;
  if (isHashed && hashes.some((hash) => list.hashes.has(hash))) return true;
  const isDynamic = kind !== "style" && list.texts.has("'strict-dynamic'");
  const isProven = list.hashes.size > 0 || list.hasNonce;
  return list.texts.has("'unsafe-inline'") && !isDynamic && !isProven;
}
