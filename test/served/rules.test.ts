import { describe, expect, it, test } from "vitest";
import { ROWS } from "../../server/verify/ruleset.ts";
import { judgeEvidence, scoreEvidence } from "../../server/verify/score.ts";
import { ASSET_CASES } from "./cases/assets.ts";
import { COOKIE_CASES } from "./cases/cookies.ts";
import { HEADER_CASES } from "./cases/headers.ts";
import { HTML_CASES } from "./cases/html.ts";
import { PERFORMANCE_CASES } from "./cases/performance.ts";
import { REACH_CASES } from "./cases/reach.ts";
import { REDIRECT_CASES } from "./cases/redirects.ts";
import { SEARCH_CASES } from "./cases/search.ts";
import { TLS_CASES } from "./cases/tls.ts";
import { visitSite } from "./good-site.ts";
import { all, type Outcomes, type ServedCase } from "./served-case.ts";

const CASES: readonly ServedCase[] = [
  ["the good site", {}, {}],
  ...REACH_CASES,
  ...TLS_CASES,
  ...REDIRECT_CASES,
  ...HEADER_CASES,
  ...COOKIE_CASES,
  ...HTML_CASES,
  ...SEARCH_CASES,
  ...ASSET_CASES,
  ...PERFORMANCE_CASES,
];

const GOOD: Outcomes = all("pass", "");

describe.concurrent("a site over https", () => {
  test.each(CASES)("%s", async (_why, edit, differs) => {
    const evidence = await visitSite(edit);
    const judged = [...judgeEvidence(evidence)].map(([id, { status, grade }]) => [
      id,
      grade === undefined ? status : `${status} ${grade}`,
    ]);
    const expected: Outcomes = { ...GOOD, ...differs };
    expect(Object.fromEntries(judged)).toEqual(expected);

    const { caps, findings, score, scoreRange } = scoreEvidence(evidence, "en");
    const limits = ROWS.filter(({ id, cap }) => cap !== null && expected[id] === "fail");
    expect(caps.map(({ findingId, limit }) => [findingId, limit])).toEqual(
      limits
        .map(({ id, cap }) => [id, cap])
        .toSorted((one, other) => Number(one[1]) - Number(other[1])),
    );
    const earned = findings.reduce((sum, finding) => sum + finding.earned, 0);
    expect(score).toBe(Math.floor(Math.min(earned, caps[0]?.limit ?? 100)));
    expect(scoreRange.max).toBeLessThanOrEqual(caps[0]?.limit ?? 100);
  });
});

describe("the table above", () => {
  it("shows every status and every grade of every row, and with them every cap", () => {
    const shown = new Set(
      CASES.flatMap(([, , differs]) =>
        Object.entries({ ...GOOD, ...differs }).map(([id, outcome]) => `${id}: ${outcome}`),
      ),
    );
    const possible = ROWS.flatMap(({ id, statuses, partial }) => [
      ...statuses.filter((status) => status !== "partial").map((status) => `${id}: ${status}`),
      ...Object.keys(partial).map((grade) => `${id}: partial ${grade}`),
    ]);
    expect([...shown].toSorted()).toEqual(possible.toSorted());
  });
});
