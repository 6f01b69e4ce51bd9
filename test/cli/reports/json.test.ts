import { expect, test } from "vitest";
import { formatJsonReport } from "../../../cli/reports/json.ts";
import { CHECK } from "../../harness/contract-double.ts";
import { HOSTILE_CHECK, judge, UNCHECKED, UNMET } from "./runs.ts";

const GATE = {
  met: false,
  conditions: [{ asked: "--min-score 80", met: false, text: "score 59, at least 80 asked" }],
};

test("the JSON report of one page is the API's value and the gate's, unclean as it may be", () => {
  expect(JSON.parse(formatJsonReport([UNMET]))).toEqual({ ...CHECK, gate: GATE });
  expect(JSON.parse(formatJsonReport([judge(HOSTILE_CHECK)]))).toMatchObject(HOSTILE_CHECK);
});

test("without a gate it is the API's value alone", () => {
  const gate = { conditions: [], exitCode: 0 } as const;
  expect(JSON.parse(formatJsonReport([{ url: CHECK.url, check: CHECK, gate }]))).toEqual(CHECK);
});

test("that of several pages lists them, and says why one has no check", () => {
  expect(JSON.parse(formatJsonReport([UNMET, UNCHECKED]))).toEqual({
    checks: [
      { ...CHECK, gate: GATE },
      {
        url: "https://late.example/shop?key=***",
        error: "the month's quota is used up",
        exitCode: 49,
      },
    ],
  });
});
