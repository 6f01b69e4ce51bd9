import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHashedName } from "../../../server/base/syntax/hashed-name.ts";

/** How names were known before, in time that doubled with every few characters: only for short ones. */
const REFERENCE =
  /[.\-_](?:(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{8,64}|(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*[a-zA-Z][\w-]*\d[\w-]*[a-zA-Z])[\w-]{8}|(?=[A-Z0-9]*[A-Z]\d+[A-Z])[A-Z0-9]{8})(?:\.[a-z0-9]+)+$/;

const pieces = fc.constantFrom(
  ..."a f g z A F G Z 0 7 _ - . . / é % a1b2c3d4 BcD3f4Gh K3JX7Q2M 20261121 .js .map -index".split(
    " ",
  ),
  "0a".repeat(31),
);
const ends = fc.constantFrom("", "", ".js", ".a1b2c3d4.css", "-BcD3f4Gh.mjs", "_K3JX7Q2M.js.map");
const names = fc
  .tuple(fc.array(pieces, { maxLength: 14 }), ends)
  .map(([parts, end]) => parts.join("") + end);

describe("a versioned file's name", () => {
  it.each([
    ["/app.js", false],
    ["/app.20261121.js", false],
    ["/app.2026EDIT.js", false],
    ["/photo-1280X720.jpg", false],
    ["3f9c2b1a.js", false],
    ["/app.3f9c2b1a", false],
    ["/app.3f9c2b1a.JS", false],
    [`/app.${"3f".repeat(33)}.js`, false],
    ["/app.3f9c2b1a.js", true],
    [`/app.${"3f".repeat(32)}.js`, true],
    ["/app.3f9c2b1a.js.map", true],
    ["/index-BcD3f4Gh.css", true],
    ["/index-B_D3-4Gh.css", true],
    ["/main-K3JX7Q2M.js", true],
  ])("%s: %s", (name, expected) => {
    expect(isHashedName(name)).toBe(expected);
    expect(REFERENCE.test(name)).toBe(expected);
  });

  it.each([
    ["/_next/static/css/3f9c2b1a7d8e4f10.css", true],
    ["/docs/_next/static/chunks/a6dad97d9634a72d.js", true],
    ["/_next/static/chunks/webpack.js", false],
    ["/_next/static/media/3f9c2b1a7d8e4f10.js.map", false],
    ["/files/3f9c2b1a7d8e4f10.css", false],
  ])("may be the hash alone in Next.js: %s: %s", (name, expected) => {
    expect(isHashedName(name)).toBe(expected);
  });

  it("is not recognized by a UUID, which is not a hash", () => {
    expect(isHashedName("/photo-3f2504e0-4f89-41d3-9a0c-0305e82c3301.jpg")).toBe(false);
  });

  it("is matched as by the expression before it, now in linear time", () => {
    fc.assert(
      fc.property(names, (name) => isHashedName(name) === REFERENCE.test(name)),
      { numRuns: 20_000, seed: 20_261 },
    );
    const hashed = fc.sample(names, { numRuns: 20_000, seed: 20_261 }).filter(isHashedName);
    expect(hashed.length).toBeGreaterThan(500);
  });
});
