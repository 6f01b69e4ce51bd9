import type { ReceivedCheck, ReceivedFinding } from "../client/received.ts";
import type { Checked } from "../check/checked.ts";
import { describeError, type CliError } from "../terminal/errors.ts";
import type { Condition } from "../check/gate.ts";
import {
  describeObstacles,
  isUnjudged,
  listObstacles,
  listOpenRoots,
} from "../../shared/report/obstacles.ts";
import { describePoints, describeVerdict } from "../../shared/report/words.ts";
import { costOf, describeFinding } from "../../shared/report/costs.ts";
import { docsUrlOf, urlOf } from "../check/addresses.ts";
import type { About } from "./report.ts";
import { element, xmlText, type Attributes, type Xml } from "./xml.ts";

type Outcome = "passed" | "failed" | "skipped" | "broken";

interface Case {
  readonly outcome: Outcome;
  readonly xml: Xml;
}

function outcomeOf(check: ReceivedCheck, finding: ReceivedFinding, isGated: boolean): Outcome {
  if (listOpenRoots(check).includes(finding) && !isGated) return "broken";
  if (isUnjudged(finding)) return "skipped";
  return finding.status === "fail" && !isGated ? "failed" : "passed";
}

/** Why a finding was not judged, what was seen there, and what to do first. */
function explainUnjudged(check: ReceivedCheck, finding: ReceivedFinding): string[] {
  return listObstacles(check, [finding]).flatMap((obstacle) => [
    `not judged: ${describeObstacles([obstacle])}`,
    obstacle.root.evidence,
    obstacle.root.fix,
  ]);
}

function formatCase(
  name: string,
  group: string,
  outcome: Outcome,
  message: string,
  details: string,
): Case {
  const content: Readonly<Record<Outcome, () => Xml[]>> = {
    passed: () => (details === "" ? [] : [element("system-out", {}, xmlText(details))]),
    failed: () => [element("failure", { type: group, message }, xmlText(details))],
    skipped: () => [element("skipped", {}, xmlText(details))],
    broken: () => [element("error", { type: group, message }, xmlText(details))],
  };
  const attributes = { classname: `shipscore.${group}`, name, time: 0 };
  return { outcome, xml: element("testcase", attributes, content[outcome]()) };
}

function explain(check: ReceivedCheck, finding: ReceivedFinding, { baseUrl }: About): string[] {
  const { evidence, fix, earned, points } = finding;
  const share = `${describePoints(earned)} of ${describePoints(points)} points`;
  const docsUrl = docsUrlOf(finding, baseUrl);
  if (isUnjudged(finding)) return [...explainUnjudged(check, finding), docsUrl];
  return costOf(finding) === 0 ? [] : [evidence, fix, share, docsUrl];
}

function formatFindingCase(
  check: ReceivedCheck,
  finding: ReceivedFinding,
  isGated: boolean,
  about: About,
): Case {
  const { id, title, category } = finding;
  const outcome = outcomeOf(check, finding, isGated);
  const details = explain(check, finding, about);
  return formatCase(
    `${id}: ${title}`,
    category,
    outcome,
    describeFinding(finding),
    details.filter((line) => line !== "").join("\n"),
  );
}

function formatConditionCase({ isMet, text }: Condition): Case {
  return formatCase(text, "gate", isMet ? "passed" : "failed", `not met: ${text}`, "");
}

function formatErrorCase(error: CliError): Case {
  return formatCase("check", "run", "broken", error.message, describeError(error));
}

function listProperties(check: ReceivedCheck): Attributes {
  return {
    score: check.score,
    verdict: check.verdict,
    coverage: check.coverage,
    ruleset: check.ruleset,
    finalUrl: check.finalUrl,
    checkId: check.id,
  };
}

function formatSuite(checked: Checked, index: number, about: About): Xml {
  const address = urlOf(checked);
  const check = "check" in checked ? checked.check : undefined;
  const isGated = "gate" in checked && checked.gate.conditions.length > 0;
  const cases =
    "check" in checked
      ? [
          ...checked.gate.conditions.map(formatConditionCase),
          ...checked.check.findings.map((finding) =>
            formatFindingCase(checked.check, finding, isGated, about),
          ),
        ]
      : [formatErrorCase(checked.error)];
  const count = (outcome: Outcome) => cases.filter((each) => each.outcome === outcome).length;
  const startedAt = check?.checkedAt ?? about.now.toISOString();
  const attributes = {
    id: index,
    name: address,
    package: "shipscore",
    hostname: URL.canParse(address) ? new URL(address).host : address,
    timestamp: startedAt.slice(0, "2026-11-20T08:30:00".length),
    time: Math.round(check?.durationMs ?? 0) / 1000,
    tests: cases.length,
    failures: count("failed"),
    errors: count("broken"),
    skipped: count("skipped"),
  };
  const summary = check ? `${check.score}/100 ${describeVerdict(check.verdict)}` : "not checked";
  const properties = Object.entries(check ? listProperties(check) : {}).map(([name, value]) =>
    element("property", { name, value }),
  );
  return element("testsuite", attributes, [
    ...(properties.length > 0 ? [element("properties", {}, properties)] : []),
    ...cases.map(({ xml }) => xml),
    element("system-out", {}, xmlText(summary)),
  ]);
}

/**
 * JUnit XML as Jenkins and GitLab read it: a suite a page, a case a condition of the gate and a finding.
 * Under a gate its unmet conditions alone are failures, as they alone decide the exit code; without one, failed findings
 * are, and what kept the page from being judged is an error. A case is skipped where nothing was judged.
 */
export function formatJunitReport(checked: readonly Checked[], about: About): string {
  const suites = checked.map((each, index) => formatSuite(each, index, about));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", {}, suites)}\n`;
}
