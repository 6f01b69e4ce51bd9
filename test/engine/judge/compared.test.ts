import { describe, expect, it } from "vitest";
import { listDifferences, POLICIES } from "../../../tools/compare/policies.ts";

describe("the comparison with csp_evaluator", () => {
  it("has no unsettled difference", () => {
    expect(listDifferences(POLICIES.settled)).toEqual([]);
  });

  it("reports a difference without a settlement, and a settlement without a difference", () => {
    const settlement = { why: "", section: "", url: "", cases: ["none", "no such case"] };
    expect(listDifferences([settlement])).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^a bad escape: ours says partial/),
        "none: settled, but the same",
        "no such case: settled, but no case",
      ]),
    );
  });

  it("has at least 200 cases", () => {
    expect(Object.keys(POLICIES.rows).length).toBeGreaterThanOrEqual(200);
  });
});
