import { isIP } from "node:net";
import { isPublicAddress, findPrivateSuffix } from "../../base/syntax/private-hosts.ts";
import { isInNetworks, isOneOf, type Networks } from "./address.ts";
import type { RefusalCode } from "../evidence/exchange.ts";
import type { HostClass } from "../evidence/html.ts";
import type { Resolution, Resolver } from "./resolve.ts";
import { findSite, readSite, type Scheme, type Site } from "./site.ts";

const OWN_MACHINE_ALONE = /^(?:127\.|169\.254\.|::1$|fe80:)/i;

/**
 * A route needs an own address of the same family, and for public IPv6 a public one. IPv4 needs no public address,
 * because every network translates it.
 */
export function mayHaveRoute(localAddresses: readonly string[], address: string): boolean {
  const family = isIP(address);
  const isPublicIpv6 = family === 6 && isPublicAddress(address);
  return localAddresses.some(
    (own) =>
      isIP(own) === family &&
      !OWN_MACHINE_ALONE.test(own) &&
      (!isPublicIpv6 || isPublicAddress(own)),
  );
}

export interface Network {
  resolver: Resolver;
  allowNetworks: Networks;
  /** Called when the first URL of a check is refused because its host is private. */
  onPrivate?: (host: string) => void;
  localAddresses: () => readonly string[];
  /** The NAT64 networks, whose addresses represent IPv4 addresses. If absent, there are none. */
  translations?: () => Promise<Networks>;
  /** A port that plain http may use in addition to 80. */
  httpPort?: number;
  /** If absent, the guard assumes that this thread never stalls. */
  standstill?: Standstill;
}

/** Returns the total time, in milliseconds, for which the thread has been unable to run. */
export type Standstill = () => number;

/** A URL that may be visited, and the only addresses that may be dialed for it. */
export interface Target {
  url: URL;
  /** The host for SNI, Host and SAN, without brackets or a trailing dot. */
  host: string;
  literal: boolean;
  /** IPv4 addresses come first. */
  addresses: readonly string[];
  /** Whether this machine has a route to an address. Without a route, a failure says nothing about the site. */
  reachable: boolean;
  /** Whether the addresses are in an allowed network that this check may enter. */
  allowed: boolean;
  dnsMs: number;
}

export interface Refusal {
  code: RefusalCode;
  /** Null if the URL has no host, or one that is not safe to repeat. */
  host: string | null;
  addresses: readonly string[];
  dnsMs: number;
  /** Whether a second name server also cannot resolve the name. If so, this machine is not the cause. */
  isConfirmed?: boolean;
}

export type Vetting = { ok: true; target: Target } | { ok: false; refusal: Refusal };

export interface Guard {
  /** Resolves each name once per check. The first URL decides whether the check may enter allowed networks. */
  vet(raw: string, options?: { base?: URL; scheme?: Scheme }): Promise<Vetting>;
  /** Classifies an absolute URL of any scheme by its host name or address alone, without DNS. */
  classify(url: URL): HostClass;
  /** Returns plain data, so that the guard of another thread can continue without new lookups. */
  getKnown(): Promise<KnownNames>;
}

/** `allowed`: the settings allow the host's network. */
interface Host extends Pick<Target, "addresses" | "reachable" | "allowed" | "dnsMs"> {
  outcome: Resolution["outcome"];
  isConfirmed: boolean;
  isOpen: boolean;
}

type Lookup = { resolution: Resolution; dnsMs: number };
export type KnownNames = readonly (readonly [host: string, lookup: Lookup])[];

const MAX_ADDRESSES = 32;
const HTTPS_PORTS = [443, 8443];
const UNRESOLVED = {
  found: "not_found",
  not_found: "not_found",
  failed: "dns_failure",
  timeout: "dns_timeout",
} as const;

export function isVettedAddress(target: Target, remoteAddress: string | undefined): boolean {
  return remoteAddress !== undefined && isOneOf(target.addresses, remoteAddress);
}

function isOpenPort({ httpPort }: Network, url: URL): boolean {
  if (url.protocol === "https:") return HTTPS_PORTS.includes(Number(url.port || 443));
  return [80, httpPort].includes(Number(url.port || 80));
}

/** The caller skips this for a check that may enter private networks. */
function findEarlyRefusal(network: Network, site: Site): RefusalCode | undefined {
  if (findSuffix(site) !== undefined) return "private";
  return site.literal || isOpenPort(network, site.url) ? undefined : "port";
}

/** Returns undefined if the host is an IP address, or if the guard refuses the URL before a lookup. */
export function findLookupName(network: Network, url: string, scheme: Scheme = "https:") {
  const site = readSite(url, scheme);
  if (typeof site === "string" || site.literal) return undefined;
  const isRefused =
    network.allowNetworks.count === 0 && findEarlyRefusal(network, site) !== undefined;
  return isRefused ? undefined : site.host;
}

export function openGuard(network: Network, signal: AbortSignal, known: KnownNames = []): Guard {
  const { resolver, allowNetworks, standstill: readStandstill = () => 0 } = network;
  const localAddresses = network.localAddresses();
  const lookups = new Map(known.map(([host, lookup]) => [host, Promise.resolve(lookup)]));
  const hosts = new Map<string, Promise<Host>>();
  let translations: Networks | undefined;
  let firstVetting: Promise<Vetting> | undefined;
  let enteredSite: Target | undefined;

  async function lookUp({ host, literal }: Site): Promise<Lookup> {
    if (literal) return { resolution: { outcome: "found", addresses: [host] }, dnsMs: 0 };
    const startedAt = performance.now();
    const stalledBefore = readStandstill();
    const resolution = limitAddresses(await resolver.resolve(host, signal));
    // A stalled thread does not receive the answers of name servers.
    if (readStandstill() > stalledBefore && "isConfirmed" in resolution)
      delete resolution.isConfirmed;
    return { resolution, dnsMs: performance.now() - startedAt };
  }

  function lookUpOnce(site: Site): Promise<Lookup> {
    const lookup = lookups.get(site.host) ?? lookUp(site);
    lookups.set(site.host, lookup);
    return lookup;
  }

  function isOpenAddress(address: string): boolean {
    const isTranslated = translations !== undefined && isInNetworks(translations, address);
    return isPublicAddress(address) && !isTranslated && !isOneOf(localAddresses, address);
  }

  async function vetHost(site: Site, mayEnter: boolean): Promise<Host> {
    translations ??= await network.translations?.();
    const { resolution, dnsMs } = await lookUpOnce(site);
    const { outcome } = resolution;
    const isConfirmed = "isConfirmed" in resolution;
    const addresses = outcome === "found" ? sortByFamily(resolution.addresses) : [];
    const allowed = mayEnter && addresses.every((address) => isInNetworks(allowNetworks, address));
    const isOpen = allowed || addresses.every(isOpenAddress);
    const reachable = addresses.some((address) => mayHaveRoute(localAddresses, address));
    return { outcome, isConfirmed, addresses, reachable, allowed, isOpen, dnsMs };
  }

  function vetHostOnce(site: Site, mayEnter: boolean): Promise<Host> {
    const vetted = hosts.get(site.host) ?? vetHost(site, mayEnter);
    hosts.set(site.host, vetted);
    return vetted;
  }

  async function vetSite(site: Site | RefusalCode, mayEnter: boolean): Promise<Vetting> {
    if (typeof site === "string") return refuse(site, null);
    const { url, host, literal } = site;
    const early = findEarlyRefusal(network, site);
    if (!mayEnter && early !== undefined) return refuse(early, host);

    const { outcome, isConfirmed, isOpen, ...found } = await vetHostOnce(site, mayEnter);
    const { addresses, allowed, dnsMs } = found;
    if (addresses.length === 0) {
      return refuse(early ?? UNRESOLVED[outcome], host, { dnsMs, isConfirmed });
    }
    if (!allowed && (early === "private" || !isOpen)) return refuse("private", host, found);
    if (!allowed && !isOpenPort(network, url)) return refuse("port", host, found);
    return { ok: true, target: { url, host, literal, ...found } };
  }

  async function vetFirst(site: Site | RefusalCode): Promise<Vetting> {
    const vetting = await vetSite(site, allowNetworks.count > 0);
    if (vetting.ok && vetting.target.allowed) enteredSite = vetting.target;
    if (!vetting.ok && vetting.refusal.code === "private")
      network.onPrivate?.(vetting.refusal.host ?? "");
    return vetting;
  }

  /** Accepts names under the private site's suffix, and `localhost` if the loopback is allowed. */
  function isAllowedSite(site: Site): boolean {
    if (enteredSite === undefined) return false;
    if (site.literal) return isInNetworks(allowNetworks, site.host);
    const suffix = findSuffix(site);
    if (suffix === findSuffix(enteredSite)) return true;
    return suffix === "localhost" && isInNetworks(allowNetworks, "127.0.0.1");
  }

  return {
    async vet(raw, { base, scheme = "https:" } = {}) {
      const site = readSite(raw, scheme, base);
      if (firstVetting === undefined) return (firstVetting = vetFirst(site));
      await firstVetting;
      return vetSite(site, enteredSite !== undefined);
    },
    classify(url) {
      const site = findSite(url);
      if (site === undefined) return "invalid";
      const isPublic = site.literal ? isOpenAddress(site.host) : findSuffix(site) === undefined;
      if (isPublic) return "public";
      return isAllowedSite(site) ? "allowed" : "private";
    },
    getKnown: () =>
      Promise.all([...lookups].map(async ([host, lookup]) => [host, await lookup] as const)),
  };
}

function findSuffix({ host, literal }: Site): string | undefined {
  return literal ? undefined : findPrivateSuffix(host);
}

function limitAddresses(resolution: Resolution): Resolution {
  if (resolution.outcome !== "found") return resolution;
  return { ...resolution, addresses: resolution.addresses.slice(0, MAX_ADDRESSES) };
}

function sortByFamily(addresses: readonly string[]): string[] {
  return [...new Set(addresses)].toSorted((a, b) => isIP(a) - isIP(b));
}

function refuse(
  code: RefusalCode,
  host: string | null,
  { addresses = [], dnsMs = 0, isConfirmed = false }: Partial<Host> = {},
): Vetting {
  return { ok: false, refusal: { code, host, addresses, dnsMs, isConfirmed } };
}
