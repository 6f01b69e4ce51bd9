import { expect, test } from "vitest";
import { FORMATS } from "../../../cli/reports/formats.ts";
import { subjectOf } from "../../../cli/check/results.ts";
import { CHECK } from "../../harness/contract-double.ts";
import { ABOUT, HOSTILE_CHECK, judge, UNCHECKED, UNMET } from "./runs.ts";

const formatJsonReport = await FORMATS.json.load();

const GATE = {
  met: false,
  conditions: [{ asked: "--min-score 80", met: false, text: "score 59, minimum 80" }],
};

const NOT_CHECKED = {
  url: "https://late.example/shop?key=***",
  error: "the monthly quota is used up",
  exitCode: 49,
};

test("the JSON report of one page is the API's value and the gate's, even if it is hostile", () => {
  expect(JSON.parse(formatJsonReport([UNMET], ABOUT))).toEqual({ ...CHECK, gate: GATE });
  expect(JSON.parse(formatJsonReport([judge(HOSTILE_CHECK)], ABOUT))).toMatchObject(HOSTILE_CHECK);
});

test("without a gate it is the API's value alone", () => {
  const gate = { conditions: [], result: "met" } as const;
  expect(
    JSON.parse(formatJsonReport([{ ...subjectOf(CHECK.url), check: CHECK, gate }], ABOUT)),
  ).toEqual(CHECK);
});

test("the report of one page without a check contains the reason, and no secrets", () => {
  expect(JSON.parse(formatJsonReport([UNCHECKED], ABOUT))).toEqual(NOT_CHECKED);
});

test("the report of a list is what --json prints: the checks, and the reasons for missing ones", () => {
  const list = { ...ABOUT, isList: true };
  expect(JSON.parse(formatJsonReport([UNMET, UNCHECKED], list))).toEqual({
    checks: [{ ...CHECK, gate: GATE }],
    errors: [NOT_CHECKED],
  });
  expect(JSON.parse(formatJsonReport([UNMET], list))).toEqual({
    checks: [{ ...CHECK, gate: GATE }],
  });
});
