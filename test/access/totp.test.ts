import { expect, test } from "vitest";
import {
  findStep,
  makeRecoveryCode,
  makeSecret,
  uriOf,
} from "../../server/access/second-factor.ts";

/** Of RFC 6238, in base32. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, 1, "287082"],
  [1_111_111_109, 37_037_036, "081804"],
  [2_000_000_000, 66_666_666, "279037"],
])("at %i s the code of step %i matches RFC 6238", (seconds, step, code) => {
  expect(findStep(SECRET, code, new Date(seconds * 1000))).toBe(step);
});

test.each([
  ["two steps fast", -60, undefined],
  ["a step fast", -30, 37_037_036],
  ["right", 0, 37_037_036],
  ["a step slow", 30, 37_037_036],
  ["two steps slow", 60, undefined],
])("a phone's clock may be %s: a server at %i s finds step %s", (_what, offset, step) => {
  expect(findStep(SECRET, "081804", new Date((1_111_111_109 + offset) * 1000))).toBe(step);
});

test.each(["", "08180", "0818040", "81804", "08180a", "٠٨١٨٠٤", "1e5"])(
  "%j is not a code",
  (text) => {
    expect(findStep(SECRET, text, new Date(1_111_111_109_000))).toBeUndefined();
  },
);

test("secrets have 160 random bits, recovery codes 120, and the app's URL names the account", () => {
  expect(makeSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(makeRecoveryCode()).toMatch(/^[A-Z2-7]{24}$/);
  expect(uriOf(SECRET, "a&b@example.com")).toBe(
    `otpauth://totp/shipscore:a%26b%40example.com?issuer=shipscore&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
  );
});
