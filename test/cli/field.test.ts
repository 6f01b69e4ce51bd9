import { expect, test } from "vitest";
import { pickField } from "../../cli/terminal/field.ts";
import { CHECK } from "../harness/contract-double.ts";

test.each([
  ["", /^the result has no field $/],
  ["nonesuch", /no field nonesuch/],
  ["score.x", /no field score\.x/],
  ["findings.9", /no field findings\.9/],
  ["findings.-1", /no field findings/],
  ["findings.length", /no field findings\.length/],
  ["quota.toString", /no field quota\.toString/],
  ["__proto__", /no field __proto__/],
])("%j is not there", (path, message) => {
  expect(() => pickField(CHECK, path)).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(() => pickField(CHECK, path)).toThrow(message);
});

test("what there is instead is told", () => {
  const advices = ["quota.x", "score.x", "findings.9"].map((path) => {
    try {
      return pickField(CHECK, path);
    } catch (error) {
      return (error as { advice: string }).advice;
    }
  });
  expect(advices).toEqual([
    "In quota there is used, limit, remaining",
    "In score there is a single value",
    "In findings there are 4, from 0",
  ]);
});

test.each([
  ["score", "59"],
  ["quota.remaining", "288"],
  ["findings.0.id", "hdr.csp"],
  ["preview", "false"],
  ["scoreRange", '{\n  "min": 59,\n  "max": 59\n}'],
])("%s is %s", (path, text) => {
  expect(pickField(CHECK, path)).toBe(text);
});

test("null is an empty line, and a text has no line of its own", () => {
  expect(pickField({ lastShip: null }, "lastShip")).toBe("");
  expect(pickField({ url: "a\nb\u001b[1m" }, "url")).toBe("a b [1m");
});
