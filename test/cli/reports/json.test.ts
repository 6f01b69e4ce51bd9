import { expect, test } from "vitest";
import { formatJsonReport } from "../../../cli/reports/json.ts";
import { CHECK } from "../../harness/contract-double.ts";
import { HOSTILE_CHECK, judge, UNCHECKED, UNMET } from "./runs.ts";

test("the JSON report of one page is the API's value, unclean as it may be", () => {
  expect(JSON.parse(formatJsonReport([UNMET]))).toEqual(CHECK);
  expect(JSON.parse(formatJsonReport([judge(HOSTILE_CHECK)]))).toEqual(HOSTILE_CHECK);
});

test("that of several pages lists them, and says why one has no check", () => {
  expect(JSON.parse(formatJsonReport([UNMET, UNCHECKED]))).toEqual({
    checks: [
      CHECK,
      {
        url: "https://late.example/shop?key=***",
        error: "the month's quota is used up",
        exitCode: 49,
      },
    ],
  });
});
