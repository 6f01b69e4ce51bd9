import { isIP } from "node:net";
import { isPublicAddress } from "../../base/syntax/private-hosts.ts";

const OWN_MACHINE_ALONE = /^(?:127\.|169\.254\.|::1$|fe80:)/i;

/**
 * Whether a machine with these addresses can have a route to another: it needs one of the same family that is neither
 * loopback nor link-local. A public IPv6 address is reached only from a public one, while IPv4 is translated
 * everywhere.
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
