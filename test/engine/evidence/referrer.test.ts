import { expect, it } from "vitest";
import { findReferer } from "../../../server/engine/evidence/referrer.ts";

const PAGE = "https://shop.test/tea/?lot=7#top";
const OWN = "https://shop.test/app.js";
const OTHER = "https://cdn.test/app.js";
const WHOLE = "https://shop.test/tea/?lot=7";
const ORIGIN = "https://shop.test/";

it.each([
  ["no-referrer", undefined, undefined],
  ["same-origin", WHOLE, undefined],
  [undefined, WHOLE, ORIGIN],
  ["origin", ORIGIN, ORIGIN],
  ["strict-origin", ORIGIN, ORIGIN],
  ["strict-origin-when-cross-origin", WHOLE, ORIGIN],
  ["origin-when-cross-origin", WHOLE, ORIGIN],
  ["no-referrer-when-downgrade", WHOLE, ORIGIN],
  ["unsafe-url", WHOLE, ORIGIN],
])("under %s the page's own files get %s, others %s", (policy, own, other) => {
  expect(findReferer(new URL(PAGE), new URL(OWN), policy)).toBe(own);
  expect(findReferer(new URL(PAGE), new URL(OTHER), policy)).toBe(other);
});

it("treats another port as another origin", () => {
  expect(findReferer(new URL(PAGE), new URL("https://shop.test:8443/"), undefined)).toBe(ORIGIN);
});
