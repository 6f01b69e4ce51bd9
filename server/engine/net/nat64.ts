import { isIPv6 } from "node:net";
import { type Networks, parseNetworks } from "./address.ts";
import type { Resolver } from "./resolve.ts";

/** This name has only these two IPv4 addresses. An IPv6 answer is therefore a translation of one of them (RFC 7050). */
const NAME = "ipv4only.arpa";
const ADDRESSES = ["192.0.0.170", "192.0.0.171"];

/** The positions of the four IPv4 bytes in an IPv6 address, by prefix length (RFC 6052, 2.2). */
const POSITIONS: Readonly<Record<number, readonly number[]>> = {
  32: [4, 5, 6, 7],
  40: [5, 6, 7, 9],
  48: [6, 7, 9, 10],
  56: [7, 9, 10, 11],
  64: [9, 10, 11, 12],
  96: [12, 13, 14, 15],
};

const LIFETIME_MS = 600_000;
const RETRY_MS = 60_000;

/** The first call resolves the prefixes; later calls refresh them in the background. */
export function createTranslations(resolver: Resolver): () => Promise<Networks> {
  let known = parseNetworks("");
  let first: Promise<void> | undefined;
  let nextAt = 0;

  async function refresh(): Promise<void> {
    const resolution = await resolver.resolve(NAME, new AbortController().signal);
    const { outcome } = resolution;
    if (outcome === "found")
      known = parseNetworks(resolution.addresses.flatMap(listPrefixes).join(","));
    const isSettled = outcome === "found" || outcome === "not_found";
    nextAt = performance.now() + (isSettled ? LIFETIME_MS : RETRY_MS);
  }

  return async () => {
    if (performance.now() >= nextAt) {
      nextAt = Infinity;
      const refreshing = refresh();
      first ??= refreshing;
    }
    await first;
    return known;
  };
}

function listPrefixes(address: string): string[] {
  if (!isIPv6(address) || address.includes("%")) return [];
  const bytes = readBytes(address);
  return Object.entries(POSITIONS)
    .filter(([, positions]) => ADDRESSES.includes(positions.map((at) => bytes[at]).join(".")))
    .map(([length]) => `${address}/${length}`);
}

function readBytes(address: string): number[] {
  const [head = "", tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const [before, after] = [head, tail ?? ""].map((part) => part.split(":").filter(Boolean));
  const groups = [...(before ?? [])];
  while (groups.length + (after?.length ?? 0) < 8) groups.push("0");
  return [...groups, ...(after ?? [])].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
