import { getPublicSuffix } from "tldts";
import { findUrl } from "./url.ts";

/** `::1`, `[::1]` and `0:0::1` are the same address. */
function normalizeAddress(address: string): string {
  const bare = address.replace(/^\[|\]$/g, "");
  const literal = bare.includes(":") ? `[${bare}]` : bare;
  return findUrl(`https://${literal}/`)?.hostname ?? bare;
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

export function isAddress(host: string): boolean {
  return host.includes(":") || /^\d+(\.\d+){3}$/.test(host);
}

/**
 * Browsers let no wildcard cover all names of a registry, nor of an ending that the list does not know. A company may
 * have one for its own suffix, such as *.github.io, which is in the private part of the list.
 */
function isRegistry(suffix: string): boolean {
  const options = { allowPrivateDomains: false, validateHostname: false };
  return getPublicSuffix(`a.${suffix}`, options) === suffix;
}

/** Implements RFC 9525, 6.3: a wildcard is the whole left-most label and matches one label. */
function matchesName(pattern: string, host: string): boolean {
  if (!pattern.startsWith("*.")) return !pattern.includes("*") && pattern === host;
  const suffix = pattern.slice(2);
  const dot = host.indexOf(".");
  return dot > 0 && host.slice(dot + 1) === suffix && !isRegistry(suffix);
}

/** Each of `sans` has the form `dns:name` or `ip:address`. The common name is ignored. */
export function coversHost(host: string, sans: readonly string[]): boolean {
  return sans.some((san) => {
    const colon = san.indexOf(":");
    const kind = san.slice(0, colon).toLowerCase();
    const value = san.slice(colon + 1);
    if (isAddress(host)) return kind === "ip" && normalizeAddress(value) === normalizeAddress(host);
    return kind === "dns" && matchesName(normalizeName(value), normalizeName(host));
  });
}

/** Returns the wildcard that would cover the host if it did not cover a whole registry. */
export function findRegistryWildcard(host: string, sans: readonly string[]): string | undefined {
  const name = normalizeName(host);
  const suffix = name.slice(name.indexOf(".") + 1);
  const wildcard = sans.find((san) => normalizeName(san) === `dns:*.${suffix}`);
  return isRegistry(suffix) ? wildcard?.slice("dns:".length) : undefined;
}
