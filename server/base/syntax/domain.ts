import { getDomain, getDomainWithoutSuffix } from "tldts";

const OPTIONS = { allowPrivateDomains: true };

/** The registrable domain of a host, which has one owner; an address, or a name without one, is its own. */
export function domainOfHost(host: string): string {
  return getDomain(host, OPTIONS) ?? host;
}

/** Whether two hosts have one owner. */
export function areOfOneDomain(host: string, other: string): boolean {
  return domainOfHost(host) === domainOfHost(other);
}

export function domainOf(url: string): string {
  return domainOfHost(new URL(url).hostname);
}

/** The name that the host's owner registered, without its ending; empty if it has none. */
export function registeredName(host: string): string {
  return getDomainWithoutSuffix(host, OPTIONS) ?? "";
}
