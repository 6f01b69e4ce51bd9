import { describe, expect, test } from "vitest";
import { type Checked, subjectOf } from "../../../cli/check/results.ts";
import { formatGitlabReport } from "../../../cli/reports/gitlab.ts";
import { formatHtmlReport } from "../../../cli/reports/html.tsx";
import { formatMarkdownReport } from "../../../cli/reports/markdown.ts";
import { cleanChecked } from "../../../cli/reports/report.ts";
import { formatJunitReport } from "../../../cli/reports/junit.ts";
import { formatSarifReport } from "../../../cli/reports/sarif.ts";
import { CHECK } from "../../harness/contract-double.ts";
import { ABOUT, judge } from "./runs.ts";

type Language = "fr" | "en";

interface Identity {
  readonly fingerprints: readonly string[];
  readonly paths: readonly string[];
}

/** What GitHub and GitLab follow from run to run. */
function identify(checked: Checked, language: Language = "en"): Identity {
  const about = { ...ABOUT, language };
  const sarif = JSON.parse(formatSarifReport([checked], about)) as {
    runs: { results: { locations: unknown; partialFingerprints: object }[] }[];
  };
  const issues = JSON.parse(formatGitlabReport([checked], about)) as {
    fingerprint: string;
    location: { path: string };
  }[];
  const results = sarif.runs.flatMap((run) => run.results);
  return {
    fingerprints: [
      ...results.flatMap(({ partialFingerprints }) => Object.values(partialFingerprints)),
      ...issues.map(({ fingerprint }) => fingerprint),
    ] as string[],
    paths: [
      ...(JSON.stringify(results.map(({ locations }) => locations)).match(/(?<="uri":")[^"]*/g) ??
        []),
      ...issues.map(({ location }) => location.path),
    ],
  };
}

/** The classes and names of the cases of a JUnit report. */
function nameCases(checked: Checked, language: Language = "en"): string[] {
  const xml = formatJunitReport([checked], { ...ABOUT, language });
  return [...xml.matchAll(/<testcase classname="(.*?)" name="(.*?)"/g)].map(
    ([, group, name]) => `${group} ${name}`,
  );
}

/** The check of a URL as typed, or under a stable one. */
function checkOf(typed: string, stable?: string, change: Partial<typeof CHECK> = {}): Checked {
  const checked = judge({ ...CHECK, url: typed, finalUrl: typed, ...change });
  return cleanChecked({ ...checked, ...subjectOf(typed, stable) });
}

describe("a page under a stable URL has the identity of that page", () => {
  const preview = checkOf("https://pr-1.preview.example/shop", "https://example.com/shop");
  const production = checkOf("https://example.com/shop");

  test("in SARIF and GitLab", () => {
    expect(identify(preview)).toEqual(identify(production));
    expect(new Set(identify(preview).paths)).toEqual(new Set(["example.com/shop"]));
  });

  test("in JUnit", () => {
    expect(nameCases(preview)).toEqual(nameCases(production));
    expect(nameCases(preview)).toEqual([
      "example.com/shop.shipscore.gate min-score 80",
      "example.com/shop.shipscore.headers hdr.csp",
      "example.com/shop.shipscore.assets asset.broken",
      "example.com/shop.shipscore.performance perf.http2",
      "example.com/shop.shipscore.tls tls.chain",
    ]);
  });
});

test("two pages that differ only in their query stay two, and no value of it is shown", () => {
  const one = checkOf("https://example.com/search?q=red&session=s3cret");
  const other = checkOf("https://example.com/search?q=blue&session=s3cret");
  expect(identify(one).fingerprints).not.toEqual(identify(other).fingerprints);
  expect(new Set(identify(one).paths)).toEqual(new Set(["example.com/search"]));
  const formats = [
    formatSarifReport,
    formatGitlabReport,
    formatJunitReport,
    formatMarkdownReport,
    formatHtmlReport,
  ];
  for (const format of formats) expect(format([one, other], ABOUT)).not.toMatch(/s3cret|=red|blue/);
});

test("no part of an identity depends on the result or the language", () => {
  const now = checkOf("https://example.com/");
  const later = checkOf("https://example.com/", undefined, {
    score: 71,
    findings: CHECK.findings.map((finding) => ({ ...finding, title: "Titre", evidence: "Vu." })),
  });
  expect(identify(later, "fr")).toEqual(identify(now));
  expect(nameCases(later, "fr")).toEqual(nameCases(now));
});
