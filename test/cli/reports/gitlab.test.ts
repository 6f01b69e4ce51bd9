import { expect, test } from "vitest";
import type { Checked } from "../../../cli/check/results.ts";
import { formatGitlabReport } from "../../../cli/reports/gitlab.ts";
import { CHECK } from "../../harness/contract-double.ts";
import { listJsonFaults } from "../../harness/schemas.ts";
import { ABOUT, answerWithStatus, CLEAN_RUNS, judge, UNCHECKED, UNMET } from "./runs.ts";

interface Issue {
  readonly check_name: string;
  readonly severity: string;
  readonly fingerprint: string;
}

const issuesOf = (...checked: readonly Checked[]): Issue[] =>
  JSON.parse(formatGitlabReport(checked, ABOUT)) as Issue[];

test.each([
  [{ severity: "info" }, "has neither text nor fingerprint"],
  [{ severity: "grave" }, "has a severity of its own"],
])("the schema rejects an issue: %j %s", async (issue) => {
  expect(await listJsonFaults("gitlab-code-quality.json", [issue])).not.toEqual([]);
});

test.each(CLEAN_RUNS)(
  "the GitLab report is valid, each fingerprint in it once of %s",
  async (_, run) => {
    const issues = issuesOf(...run);
    expect(await listJsonFaults("gitlab-code-quality.json", issues)).toEqual([]);
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
  },
);

test.each([
  [{ status: "fail" }, 59, "blocker"],
  [{ status: "partial", earned: 6.5 }, 79, "blocker"],
  [{ status: "partial", earned: 4 }, undefined, "major"],
  [{ status: "fail", earned: 4.5 }, undefined, "minor"],
])("a finding %j with a cap of %s is %s", (change, limit, severity) => {
  const findings = CHECK.findings.slice(0, 1).map((finding) => ({ ...finding, ...change }));
  const caps = limit === undefined ? [] : [{ findingId: "hdr.csp", limit, reason: "It is." }];
  const [condition, issue] = issuesOf(judge({ ...CHECK, findings, caps }));
  expect(condition).toMatchObject({ check_name: "gate", severity: "blocker" });
  expect(issue).toMatchObject({ check_name: "hdr.csp", severity });
});

test("a page without a check is one blocking issue, never an empty list", () => {
  expect(issuesOf(UNCHECKED)).toEqual([
    {
      check_name: "not-checked",
      description: "The page was not checked: the monthly quota is used up. Wait until then.",
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      severity: "blocker",
      location: { path: "late.example/shop", lines: { begin: 1 } },
    },
  ]);
});

test("a page that could not be assessed is a blocking issue with the reason and the fix", () => {
  expect(issuesOf(judge(answerWithStatus(403)))).toContainEqual(
    expect.objectContaining({
      check_name: "reach.status",
      severity: "blocker",
      description: expect.stringMatching(/status 403\. .*SHIPSCORE_TARGET_HEADERS/),
    }),
  );
});

test("a met condition is no issue, and an unmet one keeps its fingerprint", () => {
  const gateOf = (score: number) =>
    issuesOf(judge({ ...CHECK, score })).filter(({ check_name }) => check_name === "gate");
  expect(gateOf(80)).toEqual([]);
  expect(gateOf(59)[0]?.fingerprint).toBe(gateOf(60)[0]?.fingerprint);
});

test("an issue names the page as a path", () => {
  expect(issuesOf(UNMET)[1]).toEqual({
    check_name: "asset.broken",
    description:
      "A script or stylesheet does not load: GET https://www.example.com/app.js answered 404. Publish /app.js, or remove the script element on line 12.",
    fingerprint: "dd6ccaf6beb4d21aa3d970b1c098d77f",
    location: { lines: { begin: 1 }, path: "example.com" },
    severity: "blocker",
  });
});
