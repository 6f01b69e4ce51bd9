import { BlockList } from "node:net";
import { AppError, type ErrorParameters } from "../../base/errors.ts";
import { findFamily } from "../../base/syntax/private-hosts.ts";

type NetworkSetting = ErrorParameters["network_invalid"]["setting"];

/**
 * IPv4 and IPv6 networks are in separate lists, because one BlockList treats an IPv4 address like its IPv4-mapped IPv6
 * address.
 */
export interface Networks {
  readonly count: number;
  readonly ipv4: BlockList;
  readonly ipv6: BlockList;
}

function addNetwork(networks: Networks, entry: string, setting: NetworkSetting): void {
  const [, address = "", prefix] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(entry) ?? [];
  const family = findFamily(address);
  if (family === undefined) throw new AppError("network_invalid", { setting, entry });
  const maxBits = family === "ipv4" ? 32 : 128;
  const bits = Number(prefix ?? maxBits);
  if (bits > maxBits) throw new AppError("network_prefix_too_long", { setting, entry, maxBits });
  networks[family].addSubnet(address, bits, family);
}

/** Throws `network_invalid` and `network_prefix_too_long`, with the setting and the bad entry. */
export function parseNetworks(
  text: string,
  setting: NetworkSetting = "SHIPSCORE_ALLOW_NETWORKS",
): Networks {
  const entries = text.trim() === "" ? [] : text.split(",").map((entry) => entry.trim());
  const networks = { count: entries.length, ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of entries) addNetwork(networks, entry, setting);
  return networks;
}

export function isInNetworks(networks: Networks, address: string): boolean {
  const family = findFamily(address);
  return family !== undefined && networks[family].check(address, family);
}

const lists = new WeakMap<readonly string[], BlockList>();

function listAddresses(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const address of addresses) {
    const family = findFamily(address);
    if (family !== undefined) list.addAddress(address, family);
  }
  lists.set(addresses, list);
  return list;
}

/**
 * Treats `::ffff:192.0.2.1` as equal to `192.0.2.1`. The function reads the list at the first call, so callers must not
 * change it.
 */
export function isOneOf(addresses: readonly string[], address: string): boolean {
  const list = lists.get(addresses) ?? listAddresses(addresses);
  const family = findFamily(address);
  return family !== undefined && list.check(address, family);
}
