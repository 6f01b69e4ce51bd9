import { expect, test } from "vitest";
import { subjectOf } from "../../../cli/check/results.ts";
import { evaluateGate } from "../../../shared/report/gate.ts";
import type { ReportedFinding } from "../../../shared/report/reported.ts";
import { formatJunitReport } from "../../../cli/reports/junit.ts";
import { listXmlFaults } from "../../harness/schemas.ts";
import { ONE_IN } from "../../harness/thorough.ts";
import { CHECK } from "../../harness/contract-double.ts";
import { ABOUT, CLEAN_RUNS, UNCHECKED, UNMET } from "./runs.ts";

test("the schema rejects what is not JUnit", async () => {
  const suite = '<testsuites><testsuite name="a" tests="1"><test/></testsuite></testsuites>';
  expect(await listXmlFaults("junit.xsd", suite)).not.toEqual([]);
  expect(await listXmlFaults("junit.xsd", "<testsuites>]]></testsuites>")).not.toEqual([]);
});

test("as many pages without a verdict as a saved answer holds are written quickly", () => {
  const finding = CHECK.findings.find(({ status }) => status === "unknown");
  const findings = Array.from({ length: 300 }, (_, index) => ({
    ...(finding as ReportedFinding),
    id: `perf.number-${index}`,
    evidence: `The server did not answer request ${index}.`,
  }));
  const page = { ...subjectOf(CHECK.url), check: { ...CHECK, verdict: "inconclusive", findings } };
  const gate = evaluateGate(page.check, {});
  const pages = Array.from({ length: 1500 / ONE_IN }, () => ({ ...page, gate }));
  const report = formatJunitReport(pages, ABOUT);
  expect(report.match(/ errors="300"/g)).toHaveLength(pages.length);
});

test("the JUnit report of every run is valid", async () => {
  const reports = CLEAN_RUNS.map(([, run]) => formatJunitReport(run, ABOUT));
  expect(await listXmlFaults("junit.xsd", ...reports)).toEqual([]);
});

test("a message has only the first line to paste, and the details have them all", () => {
  const lines = ["Cache-Control: no-cache", "add_header Cache-Control no-cache;"];
  const finding = { ...CHECK.findings[0]!, status: "fail" as const, fixLine: lines.join("\n") };
  const check = { ...CHECK, findings: [finding] };
  const gate = evaluateGate(check, {});
  const report = formatJunitReport([{ ...subjectOf(CHECK.url), check, gate }], ABOUT);
  expect(report).toContain(`${finding.fix} ${lines[0]}">`);
  expect(report).toContain(`\n${lines.join("\n")}\n`);
});

test("a page is a suite; under a gate only unmet conditions fail, and unassessed rules are skipped", () => {
  expect(formatJunitReport([UNMET], ABOUT)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
    <testsuite id="0" name="https://example.com/" package="shipscore" hostname="example.com" timestamp="2026-11-20T08:30:00" time="0.812" tests="5" failures="1" errors="0" skipped="1">
    <properties>
    <property name="score" value="59"/>
    <property name="verdict" value="do_not_ship"/>
    <property name="coverage" value="96"/>
    <property name="ruleset" value="2026.1"/>
    <property name="url" value="https://example.com/"/>
    <property name="finalUrl" value="https://www.example.com/"/>
    <property name="checkId" value="chk_1"/>
    </properties>
    <testcase classname="example.com.shipscore.gate" name="min-score 80" time="0">
    <failure type="gate" message="not met: score 59, minimum 80"/>
    </testcase>
    <testcase classname="example.com.shipscore.headers" name="hdr.csp" time="0">
    <system-out>The Content-Security-Policy stops little
    script-src 'unsafe-inline' lets any injected script run.
    Give each script a nonce, and remove 'unsafe-inline' from script-src.
    3 of 7 points
    https://shipscore.example/team/docs/rules#hdr.csp</system-out>
    </testcase>
    <testcase classname="example.com.shipscore.assets" name="asset.broken" time="0">
    <system-out>A script or stylesheet does not load
    GET https://www.example.com/app.js answered 404.
    Publish /app.js, or remove the script element on line 12.
    0 of 4.5 points
    https://shipscore.example/team/docs/rules#asset.broken</system-out>
    </testcase>
    <testcase classname="example.com.shipscore.performance" name="perf.http2" time="0">
    <skipped>HTTP/2 is offered
    not checked: perf.http2 unknown
    The handshake timed out.
    Offer h2.
    https://shipscore.example/team/docs/rules#perf.http2</skipped>
    </testcase>
    <testcase classname="example.com.shipscore.tls" name="tls.chain" time="0"/>
    <system-out>59/100 Do not ship</system-out>
    </testsuite>
    </testsuites>
    "
  `);
});

test("a page without a check is a suite with one error, its secrets cut", () => {
  expect(formatJunitReport([UNCHECKED], ABOUT)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
    <testsuite id="0" name="https://late.example/shop?key=***" package="shipscore" hostname="late.example" timestamp="2026-11-20T08:35:00" time="0" tests="1" failures="0" errors="1" skipped="0">
    <testcase classname="late.example/shop.shipscore.run" name="check" time="0">
    <error type="run" message="the monthly quota is used up">the monthly quota is used up. Wait until then.</error>
    </testcase>
    <system-out>The page was not checked</system-out>
    </testsuite>
    </testsuites>
    "
  `);
});
