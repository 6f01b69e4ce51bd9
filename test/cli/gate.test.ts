import { describe, expect, test } from "vitest";
import { describeCondition, evaluateGate, type Baseline, type GateFlags } from "../../cli/gate.ts";
import { CHECK, LAST_SHIP } from "../harness/contract-double.ts";

/** 59 points, do_not_ship; tls 16 of 16, headers 14 of 18, assets 3.5 of 8; one finding of each status. */
const judge = (flags: GateFlags, edit: object = {}, baseline?: Baseline) => {
  const gate = evaluateGate({ ...CHECK, ...edit }, flags, baseline);
  return [gate.exitCode, ...gate.conditions.map(describeCondition)];
};

describe("a condition that is not met exits 1", () => {
  test.each<[flags: GateFlags, line: string]>([
    [{ minScore: 60 }, "score 59, at least 60 asked"],
    [{ minCategory: [{ id: "headers", points: 14.5 }] }, "headers 14 of 18, at least 14.5 asked"],
    [{ minCategory: [{ id: "speed", points: 0 }] }, "speed is no category of this result"],
    [{ require: ["asset.broken"] }, "asset.broken must pass: fail"],
    [{ require: ["hdr.csp"] }, "hdr.csp must pass: partial"],
    [{ require: ["perf.http2"] }, "perf.http2 must pass: unknown"],
    [{ require: ["assets"] }, "assets must pass: asset.broken fail"],
    [{ require: ["hdr.nonesuch"] }, "hdr.nonesuch is no finding and no category of this result"],
  ])("%j", (flags, line) => {
    expect(judge(flags)).toEqual([1, `gate not met: ${line}`]);
  });
});

describe("a condition that is met exits 0", () => {
  test.each<[flags: GateFlags, line: string]>([
    [{ minScore: 59 }, "score 59, at least 59 asked"],
    [{ minScore: 0 }, "score 59, at least 0 asked"],
    [{ minCategory: [{ id: "assets", points: 3.5 }] }, "assets 3.5 of 8, at least 3.5 asked"],
    [{ require: ["tls.chain"] }, "tls.chain passes"],
    [{ require: ["tls"] }, "tls passes"],
  ])("%j", (flags, line) => {
    expect(judge(flags)).toEqual([0, `gate met: ${line}`]);
  });
});

test("all conditions are told, and one unmet is enough", () => {
  expect(judge({ minScore: 50, require: ["tls", "hdr.csp"] })).toEqual([
    1,
    "gate met: score 59, at least 50 asked",
    "gate met: tls passes",
    "gate not met: hdr.csp must pass: partial",
  ]);
});

describe("an inconclusive verdict, or one that is not known, exits 4", () => {
  test.each(["inconclusive", "ship_on_fridays"])("%s", (verdict) => {
    for (const [score, met] of [
      [90, "met"],
      [10, "not met"],
    ] as const)
      expect(judge({ minScore: 80 }, { score, verdict })).toEqual([
        4,
        `gate ${met}: score ${score}, at least 80 asked`,
        `gate not met: verdict ${verdict}, which decides nothing`,
      ]);
  });
});

test.each(["inconclusive", "do_not_ship"])("without a condition %s exits 0", (verdict) => {
  expect(judge({}, { score: 0, verdict })).toEqual([0]);
});

describe("--max-drop", () => {
  const { lastShip } = LAST_SHIP;
  const ship = (edit: object): Baseline => lastShip && { ...lastShip, ...edit };

  test.each<[why: string, baseline: Baseline, line: string]>([
    ["nothing was shipped", null, "since nothing was shipped yet"],
    ["it has no score", ship({ score: null }), "since the last ship has no score yet"],
    [
      "it has another ruleset",
      ship({ ruleset: "2026.0" }),
      "since the last ship was judged by ruleset 2026.0, not 2026.1",
    ],
  ])("has no baseline where %s: it fails, or passes where that was asked", (_, baseline, line) => {
    const text = `no baseline to compare with, ${line}`;
    expect(judge({ maxDrop: 100 }, {}, baseline)).toEqual([1, `gate not met: ${text}`]);
    expect(judge({ maxDrop: 0, missingBaseline: "pass" }, {}, baseline)).toEqual([
      0,
      `gate met: ${text}`,
    ]);
  });

  test.each<[drop: number, score: number, exitCode: number]>([
    [28, 88, 1],
    [29, 88, 0],
    [0, 59, 0],
    [0, 40, 0],
  ])("of %i from %i to 59", (maxDrop, score, exitCode) => {
    const met = exitCode === 0 ? "met" : "not met";
    const line = `gate ${met}: score 59 after ${score}, a drop of at most ${maxDrop} asked`;
    expect(judge({ maxDrop }, {}, ship({ score }))).toEqual([exitCode, line]);
  });
});
