import { networkInterfaces } from "node:os";
import type { Networks } from "./address.ts";
import type { Network } from "./guard.ts";
import { createTranslations } from "./nat64.ts";
import { createResolver } from "./resolve.ts";

function listLocalAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  );
}

/** The network as this machine sees it. */
export function openNetwork(allowNetworks: Networks): Network {
  const resolver = createResolver();
  return {
    resolver,
    allowNetworks,
    localAddresses: listLocalAddresses,
    translations: createTranslations(resolver),
  };
}
