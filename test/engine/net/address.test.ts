import { describe, expect, test } from "vitest";
import { rethrowForOperator } from "../../harness/operator-errors.ts";
import { isInNetworks, isOneOf, parseNetworks } from "../../../server/engine/net/address.ts";
import {
  isPublicAddress,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
} from "../../../server/base/syntax/private-hosts.ts";

/** The first and the last address of a network, as text. */
function edgesOf(network: string): [string, string] {
  const [address = "", prefix] = network.split("/");
  const isIpv4 = !address.includes(":");
  const groups = isIpv4 ? address.split(".").map(Number) : ipv6Groups(address);
  const groupBits = isIpv4 ? 8 : 16;
  const last = groups.map((group, index) => {
    const freeBits = Math.min(groupBits, Math.max(0, (index + 1) * groupBits - Number(prefix)));
    return group | (2 ** freeBits - 1);
  });
  const write = (all: number[]): string =>
    isIpv4 ? all.join(".") : all.map((group) => group.toString(16)).join(":");
  return [write(groups), write(last)];
}

function ipv6Groups(address: string): number[] {
  const [before = [], after = []] = address
    .split("::")
    .map((part) => part.split(":").filter(Boolean).map(parseHexadecimal));
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function parseHexadecimal(digits: string): number {
  return Number.parseInt(digits, 16);
}

describe("isPublicAddress", () => {
  const networks = [
    ...Object.keys(SPECIAL_IPV4),
    ...Object.keys(SPECIAL_IPV6),
    "::/3",
    "4000::/2",
    "8000::/1",
    "fec0::/10",
    "ff00::/8",
  ];
  test.each(networks)("rejects both ends of %s", (network) => {
    const [first, last] = edgesOf(network);
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
  });

  test.each([
    ["IPv4-mapped, public", "::ffff:8.8.8.8"],
    ["IPv4-mapped, in hexadecimal", "::ffff:808:808"],
    ["NAT64 of a public address", "64:ff9b::8.8.8.8"],
    ["public with a zone id", "2606:4700:4700::1111%eth0"],
    ["octal-looking", "010.8.8.8"],
    ["short", "8.8"],
    ["decimal", "134744072"],
    ["in brackets", "[2606:4700:4700::1111]"],
    ["a name", "example.com"],
    ["nothing", ""],
  ])("rejects what is %s: %j", (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  const neighbours = `
    1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    168.63.129.15 168.63.129.17 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0
    198.17.255.255 198.20.0.0 223.255.255.255 2000:: 2001:200:: 2001:db7:ffff::
    2001:db9:: 2003:: 2620:4f:7fff:: 2620:4f:8001:: 2606:4700:4700::1111 3ffe::
    3fff:1000:: 2606:4700:0:0:0:0:0:1
  `;
  test.each(neighbours.trim().split(/\s+/))("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("parseNetworks", () => {
  test.each([
    ["10.0.0.0/33", "10.0.0.0/33"],
    ["::1/129", "::1/129"],
    ["10.0.0.0/8,example.com/8", "example.com/8"],
    ["10.0.0.0/-1", "10.0.0.0/-1"],
    ["10.0.0.0/", "10.0.0.0/"],
    ["10.0.0.0/08", "10.0.0.0/08"],
    ["10.0.0.0/8/8", "10.0.0.0/8/8"],
    ["10.0/16", "10.0/16"],
    ["fe80::1%eth0/64", "fe80::1%eth0/64"],
    ["10.0.0.0/8,,::1", ""],
    ["10.0.0.0/8;::1/128", "10.0.0.0/8;::1/128"],
  ])("rejects %j and names the invalid entry", (text, entry) => {
    expect(() => rethrowForOperator(() => parseNetworks(text))).toThrow(`"${entry}" `);
  });

  test.each(["", "  "])("reads %j as no network", (text) => {
    const networks = parseNetworks(text);
    expect(networks.count).toBe(0);
    expect(isInNetworks(networks, "127.0.0.1")).toBe(false);
  });

  test.each([
    ["127.0.0.0/8, ::1/128", "127.255.255.255", true],
    ["127.0.0.0/8, ::1/128", "0:0:0:0:0:0:0:1", true],
    ["127.0.0.0/8, ::1/128", "::2", false],
    ["127.0.0.0/8", "128.0.0.0", false],
    ["127.0.0.0/8", "::ffff:127.0.0.1", false],
    ["::/0", "127.0.0.1", false],
    ["0.0.0.0/0", "::1", false],
    ["10.20.3.4", "10.20.3.4", true],
    ["10.20.3.4", "10.20.3.5", false],
    ["10.20.3.4/16", "10.20.255.1", true],
    ["fe80::/10", "fe80::1%eth0", false],
    ["127.0.0.0/8", "localhost", false],
  ])("%j contains %s: %s", (text, address, expected) => {
    expect(isInNetworks(parseNetworks(text), address)).toBe(expected);
  });
});

test.each([
  [["192.0.2.1"], "192.0.2.2", false],
  [["192.0.2.1"], "", false],
  [[], "192.0.2.1", false],
  [["2001:db8::1"], "2001:db8::1%eth0", false],
  [["192.0.2.1"], "::192.0.2.1", false],
  [["192.0.2.1"], "192.0.2.1", true],
  [["192.0.2.1"], "::ffff:192.0.2.1", true],
  [["2001:db8::1"], "2001:DB8:0::1", true],
])("isOneOf(%j, %j) is %s", (addresses, address, expected) => {
  expect(isOneOf(addresses, address)).toBe(expected);
});
