import { BlockList, isIP } from "node:net";
import { bareHost } from "./url.ts";

type Family = "ipv4" | "ipv6";

/**
 * Every entry of the IANA IPv4 Special-Purpose Address Registry, regardless of its Globally Reachable column; then multicast, and the
 * public address at which Azure answers its own machines.
 */
export const SPECIAL_IPV4: Readonly<Record<string, string>> = {
  "0.0.0.0/8": "RFC 791, this network",
  "0.0.0.0/32": "RFC 1122, this host on this network",
  "10.0.0.0/8": "RFC 1918, private use",
  "100.64.0.0/10": "RFC 6598, shared address space",
  "127.0.0.0/8": "RFC 1122, loopback",
  "169.254.0.0/16": "RFC 3927, link local",
  "172.16.0.0/12": "RFC 1918, private use",
  "192.0.0.0/24": "RFC 6890, IETF protocol assignments",
  "192.0.0.0/29": "RFC 7335, IPv4 service continuity",
  "192.0.0.8/32": "RFC 7600, IPv4 dummy address",
  "192.0.0.9/32": "RFC 7723, Port Control Protocol anycast",
  "192.0.0.10/32": "RFC 8155, TURN anycast",
  "192.0.0.170/32": "RFC 8880, NAT64 and DNS64 discovery",
  "192.0.0.171/32": "RFC 8880, NAT64 and DNS64 discovery",
  "192.0.2.0/24": "RFC 5737, documentation",
  "192.31.196.0/24": "RFC 7535, AS112",
  "192.52.193.0/24": "RFC 7450, AMT",
  "192.88.99.0/24": "RFC 7526, 6to4 relay anycast, deprecated",
  "192.88.99.2/32": "RFC 6751, 6a44 relay anycast",
  "192.168.0.0/16": "RFC 1918, private use",
  "192.175.48.0/24": "RFC 7534, direct delegation AS112",
  "198.18.0.0/15": "RFC 2544, benchmarking",
  "198.51.100.0/24": "RFC 5737, documentation",
  "203.0.113.0/24": "RFC 5737, documentation",
  "240.0.0.0/4": "RFC 1112, reserved",
  "255.255.255.255/32": "RFC 8190, limited broadcast",
  "224.0.0.0/4": "RFC 5771, multicast",
  "168.63.129.16/32": "Azure, platform address",
};

/** Every entry of the IANA IPv6 Special-Purpose Address Registry, including those outside global unicast. */
export const SPECIAL_IPV6: Readonly<Record<string, string>> = {
  "::1/128": "RFC 4291, loopback",
  "::/128": "RFC 4291, unspecified",
  "::ffff:0:0/96": "RFC 4291, IPv4-mapped",
  "64:ff9b::/96": "RFC 6052, NAT64",
  "64:ff9b:1::/48": "RFC 8215, NAT64 of local use",
  "100::/64": "RFC 6666, discard only",
  "100:0:0:1::/64": "RFC 9780, dummy prefix",
  "2001::/23": "RFC 2928, IETF protocol assignments",
  "2001::/32": "RFC 4380, Teredo",
  "2001:1::1/128": "RFC 7723, Port Control Protocol anycast",
  "2001:1::2/128": "RFC 8155, TURN anycast",
  "2001:1::3/128": "RFC 9665, DNS-SD service registration anycast",
  "2001:2::/48": "RFC 5180, benchmarking",
  "2001:3::/32": "RFC 7450, AMT",
  "2001:4:112::/48": "RFC 7535, AS112",
  "2001:10::/28": "RFC 4843, ORCHID, deprecated",
  "2001:20::/28": "RFC 7343, ORCHIDv2",
  "2001:30::/28": "RFC 9374, drone remote identification",
  "2001:db8::/32": "RFC 3849, documentation",
  "2002::/16": "RFC 3056, 6to4",
  "2620:4f:8000::/48": "RFC 7534, direct delegation AS112",
  "3fff::/20": "RFC 9637, documentation",
  "5f00::/16": "RFC 9602, segment routing SIDs",
  "fc00::/7": "RFC 4193, unique local",
  "fe80::/10": "RFC 4291, link local",
};

/**
 * Lists suffixes that do not exist on the public Internet, by source. They are IANA's special-use domain names, names that ICANN keeps out
 * of the root, and common names of local networks. example.com, example.net and example.org are missing, since these are real sites.
 */
const PRIVATE_SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  "RFC 6761": ["example", "invalid", "localhost", "test"],
  "RFC 6762": ["local"],
  "RFC 6762, appendix G": ["intranet", "internal", "private", "corp", "home", "lan"],
  "RFC 7686": ["onion"],
  "RFC 8375": ["home.arpa"],
  "RFC 8880": ["ipv4only.arpa"],
  "RFC 9031": ["6tisch.arpa"],
  "RFC 9140": ["eap-noob.arpa"],
  "RFC 9462": ["resolver.arpa"],
  "RFC 9476": ["alt"],
  "RFC 9665": ["service.arpa"],
  "RFC 9965": ["eap.arpa"],
  "ICANN, name collisions, 2018": ["corp", "home", "mail"],
  "ICANN, private use, 2024": ["internal"],
  "RFC 3172, reverse zones, where no site is": ["in-addr.arpa", "ip6.arpa"],
  "Default of many systems": ["localdomain"],
};

const SUFFIXES = new Set(Object.values(PRIVATE_SUFFIXES).flat());

/** The lists are separate because a BlockList treats an IPv4 address like its IPv4-mapped IPv6 form. */
const SPECIAL = { ipv4: listNetworks(SPECIAL_IPV4), ipv6: listNetworks(SPECIAL_IPV6) };
const GLOBAL_UNICAST = listNetworks({ "2000::/3": "RFC 4291, global unicast" });

export function findFamily(address: string): Family | undefined {
  if (address.includes("%")) return undefined;
  return ({ 4: "ipv4", 6: "ipv6" } as const)[isIP(address)];
}

function listNetworks(table: Readonly<Record<string, string>>): BlockList {
  const list = new BlockList();
  for (const network of Object.keys(table)) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), findFamily(address));
  }
  return list;
}

export function isPublicAddress(address: string): boolean {
  const family = findFamily(address);
  if (family === undefined || SPECIAL[family].check(address, family)) return false;
  return family === "ipv4" || GLOBAL_UNICAST.check(address, family);
}

/** `name` is in lower-case ASCII, without a trailing dot. Returns "" for a single label without a suffix, undefined for a public name. */
export function findPrivateSuffix(name: string): string | undefined {
  const labels = name.split(".");
  const endings = labels.map((_, index) => labels.slice(index).join("."));
  const suffix = endings.find((ending) => SUFFIXES.has(ending));
  return suffix ?? (labels.length === 1 ? "" : undefined);
}

/** Reads only the name or literal, without a DNS lookup. An empty host is not private. */
export function isPrivateHost(hostname: string): boolean {
  const host = bareHost(hostname.toLowerCase());
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return host !== "" && findPrivateSuffix(host) !== undefined;
}

/**
 * Returns the network of one organization: the first 48 bits of an IPv6 address, or 24 bits of an IPv4 address. `address` is as
 * `findVisitor` returns it.
 */
export function networkOf(address: string): string {
  const [prefix = ""] = address.split("::", 1);
  return address.includes(":")
    ? prefix
        .split(":")
        .slice(0, 3)
        .join(":")
        .replace(/(?<!:0)(?::0)+$/, "")
    : address.replace(/\.\d+$/, "");
}
