import { describe, expect, test } from "vitest";
import { mayHaveRoute } from "../../../server/engine/net/guard.ts";
import { findClosedPort } from "../../harness/site.ts";
import { probeUrl, UNROUTED } from "../../harness/probing.ts";

const LOOPBACK = ["127.0.0.1", "::1"];
const IPV4 = [...LOOPBACK, "192.168.1.20", "fe80::1"];
const PRIVATE_IPV6 = [...IPV4, "fd00::2"];
const BOTH = [...IPV4, "2a02:8388::2"];

describe("whether a machine may have a route to an address", () => {
  test.each<[string, readonly string[], string, boolean]>([
    ["none but its own", LOOPBACK, "93.184.215.14", false],
    ["none but its own", LOOPBACK, "2606:4700::1", false],
    ["IPv4 alone", IPV4, "2606:4700::1", false],
    ["a link's own IPv4", ["169.254.3.4"], "93.184.215.14", false],
    ["a private IPv6, which nothing translates", PRIVATE_IPV6, "2606:4700::1", false],
    ["a private IPv6, and a private site", PRIVATE_IPV6, "fd00::9", true],
    ["IPv4, translated", IPV4, "93.184.215.14", true],
    ["both", BOTH, "2606:4700::1", true],
    ["both", BOTH, "93.184.215.14", true],
  ])("%s, to %s: %s", (_what, own, address, expected) => {
    expect(mayHaveRoute(own, address)).toBe(expected);
  });
});

describe("a site without a route in the kernel", () => {
  const visit = async (addresses: string[], localAddresses: readonly string[] = []) => {
    const url = `https://shop.test:${await findClosedPort()}/`;
    const { page } = await probeUrl(url, {
      localAddresses,
      resolve: () => ({ outcome: "found", addresses }),
    });
    return page.failure?.code;
  };

  test("is down if this machine may have a route", async () => {
    expect(await visit([UNROUTED], IPV4)).toBe("ENETUNREACH");
  });

  test("is down if another of its addresses refuses, in any order", async () => {
    expect(await visit(["127.0.0.2", UNROUTED])).toBe("ECONNREFUSED");
    expect(await visit([UNROUTED, "127.0.0.2"])).toBe("ECONNREFUSED");
  });

  test("is inconclusive if this machine is not connected to that family", async () => {
    expect(await visit([UNROUTED])).toBe("ERR_NO_ROUTE");
  });
});
