import { expect, test } from "vitest";
import { parseNetworks } from "../../../server/engine/net/address.ts";
import type { HostClass } from "../../../server/engine/evidence/html.ts";
import { openGuard, type Guard } from "../../../server/engine/net/guard.ts";

const ADDRESSES = ["10.20.0.2"];

async function openGuardAt(url: string, allowNetworks: string): Promise<Guard> {
  const resolver = { resolve: async () => ({ outcome: "found" as const, addresses: ADDRESSES }) };
  const network = {
    resolver,
    allowNetworks: parseNetworks(allowNetworks),
    localAddresses: () => ["8.8.4.4"],
  };
  const guard = openGuard(network, new AbortController().signal);
  await guard.vet(url);
  resolver.resolve = () => Promise.reject(new Error("classify looks nothing up"));
  return guard;
}

/** A URL, its place for a check that began outside, and for one that began in an allowed network. */
const ROWS: [string, HostClass, HostClass][] = [
  ["mailto:me@example.com", "invalid", "invalid"],
  ["file:///etc/passwd", "invalid", "invalid"],
  ["https://a..b/", "invalid", "invalid"],
  ["http://localhost:3000/", "private", "allowed"],
  ["https://app.localhost/", "private", "allowed"],
  ["https://printer.local/", "private", "private"],
  ["https://10.21.0.1/", "private", "private"],
  ["https://8.8.4.4/", "private", "private"],
  ["http://127.0.0.1:5173/x.js", "private", "allowed"],
  ["https://git.corp/", "private", "allowed"],
  ["https://inside.example.com/", "public", "public"],
  ["http://user@example.com:81/", "public", "public"],
  ["ws://example.com/", "public", "public"],
];

test.each(ROWS)("%s is %s, and from inside %s", async (text, outside, inside) => {
  const stranger = await openGuardAt("https://1.1.1.1/", "127.0.0.0/8,10.20.0.0/16");
  const neighbour = await openGuardAt("https://wiki.corp/", "127.0.0.0/8,10.20.0.0/16");
  const url = new URL(text);
  expect([stranger.classify(url), neighbour.classify(url)]).toEqual([outside, inside]);
});
