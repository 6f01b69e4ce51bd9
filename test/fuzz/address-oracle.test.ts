import { expect, it } from "vitest";
import { isPublic } from "./address-oracle.ts";

it.each([
  ["", false],
  ["example.com", false],
  ["::ffff:8.8.8.8", false],
  ["64:ff9b::808:808", false],
  ["2002:808:808::", false],
  ["2001:1ff:ffff::", false],
  ["9.255.255.255", true],
  ["10.0.0.0", false],
  ["10.255.255.255", false],
  ["11.0.0.0", true],
  ["168.63.129.16", false],
  ["223.255.255.255", true],
  ["224.0.0.0", false],
  ["1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false],
  ["2000::", true],
  ["2001:200::", true],
  ["2606:4700::1%eth0", false],
  ["2606:4700::8.8.8.8", true],
  ["4000::", false],
])("%j is public: %s", (text, expected) => {
  expect(isPublic(text)).toBe(expected);
});
