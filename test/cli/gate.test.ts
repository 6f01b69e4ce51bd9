import { expect, test } from "vitest";
import { describeCondition, evaluateGate } from "../../cli/gate.ts";

test.each([
  [79, "ship_with_warnings", 80, 1, ["gate not met: score 79, at least 80 asked"]],
  [0, "do_not_ship", 1, 1, ["gate not met: score 0, at least 1 asked"]],
  [
    90,
    "inconclusive",
    80,
    4,
    [
      "gate met: score 90, at least 80 asked",
      "gate not met: verdict inconclusive, which decides nothing",
    ],
  ],
  [
    90,
    "ship_on_fridays",
    80,
    4,
    [
      "gate met: score 90, at least 80 asked",
      "gate not met: verdict ship_on_fridays, which decides nothing",
    ],
  ],
  [80, "ship", 80, 0, ["gate met: score 80, at least 80 asked"]],
  [0, "do_not_ship", 0, 0, ["gate met: score 0, at least 0 asked"]],
])("score %i, %s, under --min-score %i exits %i", (score, verdict, minScore, exitCode, lines) => {
  const gate = evaluateGate({ score, verdict }, { minScore });
  expect(gate.exitCode).toBe(exitCode);
  expect(gate.conditions.map(describeCondition)).toEqual(lines);
});

test.each(["inconclusive", "do_not_ship"])("without a condition %s exits 0", (verdict) => {
  expect(evaluateGate({ score: 0, verdict }, {})).toEqual({ conditions: [], exitCode: 0 });
});
