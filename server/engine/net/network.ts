import type { Standstill, Network } from "./guard.ts";
import { networkInterfaces } from "node:os";
import type { Networks } from "./address.ts";
import { createTranslations } from "./nat64.ts";
import { createResolver } from "./resolve.ts";

const BEAT_MS = 100;

/**
 * Measures how long the thread could not run. In that time, timers can end requests whose answers have already arrived.
 */
function measureStandstill(): Standstill {
  let nextBeat = performance.now() + BEAT_MS;
  let totalMs = 0;
  const lateMs = (): number => {
    const ms = performance.now() - nextBeat;
    return ms < BEAT_MS ? 0 : ms;
  };
  setInterval(() => {
    totalMs += lateMs();
    nextBeat = performance.now() + BEAT_MS;
  }, BEAT_MS).unref();
  return () => totalMs + lateMs();
}

const LISTED_MS = 1000;

/** Caches the list for a second, because reading it is slow. */
function openLocalAddresses(): () => readonly string[] {
  let listed: readonly string[] = [];
  let listedAt = -Infinity;
  return () => {
    if (performance.now() - listedAt < LISTED_MS) return listed;
    listedAt = performance.now();
    listed = Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.map(({ address }) => address),
    );
    return listed;
  };
}

/** `dnsServers`: the second name servers, which replace those of the system. */
export function openNetwork(allowNetworks: Networks, dnsServers?: readonly string[]): Network {
  const resolver = createResolver(dnsServers && { secondServers: dnsServers });
  return {
    resolver,
    allowNetworks,
    localAddresses: openLocalAddresses(),
    translations: createTranslations(resolver),
    standstill: measureStandstill(),
  };
}
