import { describe, expect, test } from "vitest";
import { type Checked, describeGate } from "../../../cli/check/results.ts";
import { formatSarifReport } from "../../../cli/reports/sarif.ts";
import { CHECK } from "../../harness/contract-double.ts";
import { listJsonFaults } from "../../harness/schemas.ts";
import { ABOUT, answerWithStatus, CLEAN_RUNS, judge, PASSED, UNCHECKED, UNMET } from "./runs.ts";

interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly properties: { readonly tags: readonly string[]; readonly "security-severity"?: string };
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: { readonly startLine: number };
    };
  }[];
  readonly partialFingerprints: { readonly primaryLocationLineHash: string };
}

interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly SarifRule[] } };
  readonly invocations: readonly {
    readonly executionSuccessful: boolean;
    readonly toolExecutionNotifications: readonly { readonly level: string }[];
  }[];
  readonly results: readonly SarifResult[];
  readonly properties?: object;
}

function runOf(checked: readonly Checked[]): SarifRun {
  const { runs } = JSON.parse(formatSarifReport(checked, ABOUT)) as { runs: SarifRun[] };
  const [run] = runs;
  if (run === undefined || runs.length > 1) throw new Error("code scanning takes one run");
  return run;
}

test("the schema rejects what is not SARIF", async () => {
  const run = { tool: { driver: {} }, results: [{ message: "text" }] };
  expect(await listJsonFaults("sarif-2.1.0.json", { version: "2.1.0", runs: [run] })).not.toEqual(
    [],
  );
});

describe.each(CLEAN_RUNS)("the SARIF report of %s", (_, checked) => {
  test("is valid", async () => {
    const report: unknown = JSON.parse(formatSarifReport(checked, ABOUT));
    expect(await listJsonFaults("sarif-2.1.0.json", report)).toEqual([]);
  });

  test("keeps the rules of code scanning", () => {
    const { results, tool } = runOf(checked);
    const { rules } = tool.driver;
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const { shortDescription } of rules)
      expect(shortDescription.text.length).toBeLessThanOrEqual(1024);
    for (const { ruleId, ruleIndex, message, locations, partialFingerprints } of results) {
      expect(rules[ruleIndex]?.id).toBe(ruleId);
      expect(message.text).not.toContain("](");
      expect(partialFingerprints.primaryLocationLineHash).toMatch(/^[0-9a-f]{32}:1$/);
      expect(locations).toHaveLength(1);
      for (const { physicalLocation } of locations) {
        expect(physicalLocation.artifactLocation.uri).toMatch(/^[^:/\s]+(?:\/[^:\s]*)?$/);
        expect(physicalLocation.region).toEqual({ startLine: 1 });
      }
    }
  });
});

test("of a page that ships has rules and no result", () => {
  const { results, tool } = runOf([PASSED]);
  expect([results.length, tool.driver.rules.length]).toEqual([0, 1]);
});

test.each([
  [{ status: "partial", earned: 6.5 }, 79, "error", "9.0"],
  [{ status: "partial", earned: 4 }, undefined, "warning", "7.0"],
  [{ status: "fail", earned: 4.5 }, undefined, "note", "7.0"],
])("a finding %j with a cap of %s is %s, of severity %s", (change, limit, level, severity) => {
  const findings = CHECK.findings.slice(0, 1).map((finding) => ({ ...finding, ...change }));
  const caps = limit === undefined ? [] : [{ findingId: "hdr.csp", limit, reason: "It is." }];
  const { results, tool } = runOf([judge({ ...CHECK, findings, caps })]);
  expect(results).toMatchObject([{ ruleId: "hdr.csp", level }]);
  expect(tool.driver.rules[0]?.properties["security-severity"]).toBe(severity);
});

describe("a rule's description", () => {
  const otherWords = CHECK.findings.map((finding) => ({
    ...finding,
    title: "Titre",
    evidence: "Constat.",
    fix: "Correction.",
    docsUrl: "/ailleurs",
  }));
  const rulesOf = (language: "fr" | "en", ...checked: Checked[]) => {
    const report: unknown = JSON.parse(formatSarifReport(checked, { ...ABOUT, language }));
    return (report as { runs: readonly SarifRun[] }).runs[0]?.tool.driver.rules ?? [];
  };

  test("does not depend on any page", () => {
    const alone = rulesOf("en", UNMET);
    expect(rulesOf("en", UNMET, judge({ ...CHECK, findings: otherWords }))).toEqual(alone);
    expect(alone[0]).toMatchObject({
      helpUri: "https://shipscore.example/team/docs/rules#hdr.csp",
      shortDescription: { text: "Content Security Policy (CSP)" },
      help: {
        text: expect.stringMatching(
          /^A good policy stops [^]*\n\nContent-Security-Policy-Report-Only: [^]*#hdr\.csp$/,
        ),
      },
    });
  });

  test("is in the language of the locale, but for its name", () => {
    expect(rulesOf("fr", UNMET)[0]).toMatchObject({
      shortDescription: { text: "Content Security Policy (CSP)" },
      fullDescription: {
        text: expect.stringMatching(/^Une page sans politique [^]* points\u00a0: nonce /),
      },
      help: { markdown: expect.stringContaining("**Correction\u00a0:** Envoyez d'abord") },
    });
  });

  test("of an unknown rule is its id and a link to the documentation", () => {
    const [finding] = CHECK.findings;
    const newer = judge({ ...CHECK, findings: [{ ...finding!, id: "hdr.newer" }] });
    expect(rulesOf("en", newer)[0]).toMatchObject({
      shortDescription: { text: "hdr.newer" },
      helpUri: "https://shipscore.example/team/docs/rules#hdr.newer",
      help: { text: "https://shipscore.example/team/docs/rules#hdr.newer" },
    });
  });
});

test("a result contains what was found, what it costs and how to fix it", () => {
  expect(runOf([UNMET]).results[0]).toEqual({
    ruleId: "asset.broken",
    ruleIndex: 1,
    level: "error",
    message: {
      text: "A script or stylesheet does not load. A script of the page does not load. The score is capped at 59. GET https://www.example.com/app.js answered 404. Publish /app.js, or remove the script element on line 12.",
    },
    locations: [
      { physicalLocation: { artifactLocation: { uri: "example.com" }, region: { startLine: 1 } } },
    ],
    partialFingerprints: { primaryLocationLineHash: "dd6ccaf6beb4d21aa3d970b1c098d77f:1" },
    properties: { earned: 0, points: 4.5, url: "https://example.com/" },
  });
});

test("security rules have a severity, the others none", () => {
  const severities = runOf([UNMET]).tool.driver.rules.map(({ id, properties }) => [
    id,
    properties["security-severity"],
  ]);
  expect(severities).toEqual([
    ["hdr.csp", "7.0"],
    ["asset.broken", undefined],
    ["perf.http2", undefined],
    ["tls.chain", "5.0"],
  ]);
});

test("a page without a check is a blocking result, next to those of others", () => {
  const alone = runOf([UNCHECKED]);
  expect(alone.results).toMatchObject([
    {
      ruleId: "not-checked",
      level: "error",
      message: { text: "The page was not checked: the monthly quota is used up. Wait until then." },
    },
  ]);
  expect(alone.invocations[0]?.executionSuccessful).toBe(false);
  expect(runOf([UNMET, UNCHECKED]).results.map(({ ruleId }) => ruleId)).toEqual([
    "asset.broken",
    "hdr.csp",
    "not-checked",
  ]);
});

test("a page that could not be assessed is a blocking result with the reason and the fix", () => {
  expect(runOf([judge(answerWithStatus(403))]).results).toMatchObject([
    {
      ruleId: "reach.status",
      level: "error",
      message: { text: expect.stringMatching(/status 403\. .*SHIPSCORE_TARGET_HEADERS/) },
    },
  ]);
});

test("the gate is in the properties of the run, if there is one", () => {
  const [page] = [UNMET].filter((one) => "check" in one);
  if (!page) throw new Error("no check");
  expect(runOf([UNMET]).properties).toEqual({
    gates: [{ url: "https://example.com/", ...describeGate(page.gate) }],
  });
  const gate = { conditions: [], result: "met" } as const;
  expect(runOf([{ ...page, gate }]).properties).toBeUndefined();
});

test("what could not be assessed or checked is a notification", () => {
  const unjudged = "1 point not checked: perf.http2 unknown. The handshake timed out. Offer h2.";
  const unchecked = "https://late.example/shop?key=***: the monthly quota is used up";
  expect(runOf([UNMET, UNCHECKED]).invocations).toEqual([
    {
      endTimeUtc: "2026-11-20T08:35:00.000Z",
      executionSuccessful: false,
      toolExecutionNotifications: [
        {
          associatedRule: { id: "perf.http2" },
          level: "note",
          message: { text: `https://example.com/: ${unjudged}` },
        },
        { level: "error", message: { text: unchecked } },
      ],
    },
  ]);
});

test("the same finding of the same page has the same fingerprint in each run", () => {
  const fingerprints = (checked: readonly Checked[]) =>
    runOf(checked).results.map((result) => result.partialFingerprints.primaryLocationLineHash);
  expect(fingerprints([PASSED, UNMET])).toEqual(fingerprints([UNMET]));
  expect(new Set(fingerprints([UNMET])).size).toBe(2);
});
