import { parseNetworks } from "../../server/engine/net/address.ts";
import { openGuard, type Guard } from "../../server/engine/net/guard.ts";
import type { Resolution } from "../../server/engine/net/resolve.ts";

/** An address of the server's own machine, and public. */
export const OWN_ADDRESS = "8.8.4.4";

const NEVER = new AbortController().signal;

/** A guard with no allowed network, for which every name leads to the same answer. */
export function openFuzzGuard(resolution: Resolution): Guard {
  const network = {
    resolver: { resolve: () => Promise.resolve(resolution) },
    allowNetworks: parseNetworks(""),
    localAddresses: () => [OWN_ADDRESS],
  };
  return openGuard(network, NEVER);
}
