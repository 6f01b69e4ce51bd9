import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Finder } from "../../../server/engine/requests/privacy/finder.ts";
import { findFrom } from "../../../server/engine/requests/privacy/search.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 });
const needle = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 6 });

/** A text with the characters that lie in some needle marked, found one by one. */
function markAll(needles: readonly string[], where: string): string {
  const marks = Array.from(where, () => ".");
  for (const each of needles)
    for (let at = where.indexOf(each); at >= 0; at = where.indexOf(each, at + 1))
      marks.fill("#", at, at + each.length);
  return marks.join("");
}

describe("a search that takes a time linear in what it searches", () => {
  it("finds what indexOf finds", () => {
    fc.assert(
      fc.property(
        text,
        fc.string({ unit: fc.constantFrom("a", "b") }),
        fc.nat(40),
        (a, b, from) => {
          fc.pre(from <= a.length);
          expect(findFrom(a, b, from)).toBe(a.indexOf(b, from));
        },
      ),
      { numRuns: 5000, seed: 20_261 },
    );
  });

  it("finds many at once, and how much of one ends the text", () => {
    fc.assert(
      fc.property(fc.array(needle, { minLength: 1, maxLength: 5 }), text, (needles, where) => {
        const finder = new Finder(needles);
        const { spans, rest } = finder.find(where);
        expect(finder.seen).toEqual(new Set(needles.filter((each) => where.includes(each))));
        const marks = Array.from(where, () => ".");
        for (const [start, end] of spans) marks.fill("#", start, end);
        expect(marks.join("")).toBe(markAll(needles, where));
        const rests = needles.flatMap((each) =>
          Array.from(each, (_, index) => each.slice(0, index + 1)).filter((one) =>
            where.endsWith(one),
          ),
        );
        expect(rest).toBe(Math.max(0, ...rests.map(({ length }) => length)));
      }),
      { numRuns: 5000, seed: 20_262 },
    );
  });
});
