import { expect, test } from "vitest";
import { networkOf } from "../../../server/base/syntax/private-hosts.ts";

test.each([
  ["192.0.2.7", "192.0.2"],
  ["2001:db8:1:2::/64", "2001:db8:1"],
  ["2001:db8:1:ffff::/64", "2001:db8:1"],
  ["2001:db8:1::/64", "2001:db8:1"],
  ["2001:db8:0:1::/64", "2001:db8"],
  ["2001:db8::/64", "2001:db8"],
  ["0:0:0:1::/64", "0"],
  ["::/64", ""],
  ["", ""],
])("the network of %s is %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
