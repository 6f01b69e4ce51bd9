import { getDomain } from "tldts";

/** The registrable domain of a URL's host, which has one owner; an address, or a name without one, is its own. */
export function domainOf(url: string): string {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
