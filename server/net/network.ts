import { networkInterfaces } from "node:os";
import type { Networks } from "./address.ts";
import type { Network } from "./guard.ts";
import { createTranslations } from "./nat64.ts";
import { createResolver } from "./resolve.ts";
import { startStandstill } from "./standstill.ts";

function listLocalAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  );
}

/** The network as this machine sees it. `dnsServers`: the second name servers, instead of the system's others. */
export function openNetwork(allowNetworks: Networks, dnsServers?: readonly string[]): Network {
  const resolver = createResolver(dnsServers && { secondServers: dnsServers });
  return {
    resolver,
    allowNetworks,
    localAddresses: listLocalAddresses,
    translations: createTranslations(resolver),
    standstill: startStandstill(),
  };
}
