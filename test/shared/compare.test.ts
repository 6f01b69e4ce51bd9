import { expect, test } from "vitest";
import { compareFindings, explainDifference } from "../../shared/report/compare.ts";
import type { ReportedCheck, ReportedFinding } from "../../shared/report/reported.ts";
import { CHECK } from "../harness/contract-double.ts";

const STATUS = { "?": "unknown", "#": "blocked" } as const;

/**
 * A check of four rules of 30, 20, 10.5 and 39.5 points, by what each earned, as in `30 20 10.5 39.5`; `?` was unknown, `#`
 * blocked. `caps` are rules and limits, as in `a:59`.
 */
function checkOf(earned: string, caps = "", ruleset = "2026.2"): ReportedCheck {
  const points = [30, 20, 10.5, 39.5];
  const findings = earned.split(" ").map((text, place): ReportedFinding => {
    const status = STATUS[text as keyof typeof STATUS];
    const all = points[place] ?? 0;
    const own = status === undefined ? Number(text) : status === "blocked" ? all : 0;
    const judged = own === all ? "pass" : own === 0 ? "fail" : "partial";
    const finding = { ...CHECK.findings[0]!, id: "abcd"[place]!, points: all, earned: own };
    return { ...finding, status: status ?? judged };
  });
  const limits = caps
    .split(" ")
    .filter(Boolean)
    .map((cap) => cap.split(":"));
  const sum = findings.reduce((total, one) => total + one.earned, 0);
  return {
    ...CHECK,
    ruleset,
    findings,
    caps: limits.map(([findingId = "", limit]) => ({
      findingId,
      limit: Number(limit),
      reason: "",
    })),
    score: Math.floor(Math.min(sum, ...limits.map(([, limit]) => Number(limit)))),
  };
}

test.each<
  [
    before: Parameters<typeof checkOf>,
    now: Parameters<typeof checkOf>,
    changes: string,
    why: string[],
  ]
>([
  [["30 20 10.5 39.5"], ["30 20 10.5 39.5"], "", []],
  [["0 20 10.5 39.5"], ["30 0 10.5 39.5"], "new b -20, fixed a 30", []],
  [["10 20 10.5 39.5"], ["20 20 10.5 39.5"], "fixed a 10", []],
  [
    ["0 20 10.5 39.5", "a:59"],
    ["30 20 10.5 39.5"],
    "fixed a 30",
    ["a no longer caps the score at 59."],
  ],
  [["30 20 10.5 39.5"], ["30 0 10.5 39.5", "b:59"], "new b -20", ["b now caps the score at 59."]],
  [
    ["30 0 10.5 39.5", "b:59"],
    ["30 0 0 39.5", "b:59"],
    "new c -10.5",
    ["b caps both scores at 59."],
  ],
  [
    ["0 20 10.5 39.5", "a:69"],
    ["0 20 0 0", "a:69"],
    "new d -39.5, new c -10.5",
    ["Before, a capped the score at 69."],
  ],
  [
    ["? 20 10.5 39.5"],
    ["30 20 10.5 39.5"],
    "unchanged a 30",
    ["Only one of the two checks could assess a."],
  ],
  [
    ["30 20 10.5 39.5"],
    ["30 20 ? 39.5"],
    "unjudged c -10.5",
    ["Only one of the two checks could assess c."],
  ],
  [["30 20 # 39.5"], ["30 20 0 39.5"], "new c -10.5", ["Each score is rounded down."]],
  [
    ["30 20 10.5 39.5", "", "2026.1"],
    ["30 20 10.5 0"],
    "new d -39.5",
    ["The rules changed in the meantime (2026.1, then 2026.2)."],
  ],
])("%j, then %j: %s", (before, now, expected, why) => {
  const [earlier, later] = [checkOf(...before), checkOf(...now)];
  const changes = compareFindings(earlier, later);
  const told = changes.flatMap(({ finding, change, gain }) =>
    change === "unchanged" && gain === 0 ? [] : [`${change} ${finding.id} ${gain}`],
  );
  expect(told.join(", ")).toBe(expected);
  expect(explainDifference(earlier, later, changes).map(({ en }) => en)).toEqual(why);
});
