import type { ReceivedCheck, ReceivedFinding } from "../client/received.ts";
import { listChecks, type Checked } from "../check/checked.ts";
import { describeGate } from "../check/json.ts";
import { describeObstacle, isUnjudged, listObstacles } from "../../shared/report/obstacles.ts";
import { formatJson } from "../terminal/json.ts";
import { describeFinding, findCap } from "../../shared/report/costs.ts";
import { docsUrlOf, urlOf } from "../check/addresses.ts";
import { explainUnchecked, fingerprintOf, listReported, pathOf, UNCHECKED } from "./issues.ts";
import { prose } from "./markdown-text.ts";
import type { About } from "./report.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const HOMEPAGE_PATH = "./docs/rules";

/** The length at which GitHub cuts a description. */
const MAX_TEXT = 1024;

const SECURITY_CATEGORIES: readonly string[] = ["tls", "redirects", "headers", "cookies"];

/** The text without what SARIF reads as a link: `[text](target)`. */
function plain(text: string): string {
  return text.replaceAll("](", "] (");
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

function levelOf(check: ReceivedCheck, finding: ReceivedFinding): "error" | "warning" | "note" {
  if (isUnjudged(finding) || findCap(check, finding)) return "error";
  return finding.status === "fail" ? "warning" : "note";
}

/** GitHub's scale: above 7 is high, from 4 medium, below it low. */
function securitySeverityOf({ points }: ReceivedFinding): string {
  return Math.min(8.9, Math.max(1, points)).toFixed(1);
}

function formatRule(finding: ReceivedFinding, { baseUrl }: About) {
  const { id, title, fix, category } = finding;
  const helpUri = docsUrlOf(finding, baseUrl);
  const isSecurity = SECURITY_CATEGORIES.includes(category);
  return {
    id,
    shortDescription: { text: cut(title) },
    fullDescription: { text: cut(title) },
    helpUri,
    help: {
      text: `${fix}\n\n${helpUri}`.trim(),
      markdown: `${fix && `**Fix:** ${prose(fix)}\n\n`}[What this rule asks](<${helpUri}>)`,
    },
    defaultConfiguration: { level: "warning" },
    properties: {
      tags: isSecurity ? [category, "security"] : [category],
      precision: "very-high",
      ...(isSecurity ? { "security-severity": securitySeverityOf(finding) } : {}),
    },
  };
}

/** The rule that a page without a check breaks. */
function formatUncheckedRule({ baseUrl }: About) {
  const { id, title } = UNCHECKED;
  const helpUri = new URL(HOMEPAGE_PATH, baseUrl).href;
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: title },
    helpUri,
    help: { text: "Run 'shipscore help exit-codes' for what each refusal means." },
    defaultConfiguration: { level: "error" },
    properties: { tags: ["run"], precision: "very-high" },
  };
}

interface Fault {
  readonly id: string;
  readonly level: "error" | "warning" | "note";
  readonly text: string;
  readonly properties: object;
}

function listFaults(checked: Checked): Fault[] {
  if ("error" in checked)
    return [
      { id: UNCHECKED.id, level: "error", text: explainUnchecked(checked.error), properties: {} },
    ];
  const { check } = checked;
  return listReported(check).map((finding) => {
    const cap = findCap(check, finding);
    const reasons = cap ? [`${cap.reason} The score is at most ${cap.limit}.`] : [];
    return {
      id: finding.id,
      level: levelOf(check, finding),
      text: [`${finding.title}.`, ...reasons, describeFinding(finding)].join(" "),
      properties: { earned: finding.earned, points: finding.points },
    };
  });
}

function formatResults(checked: Checked, ruleIds: readonly string[]) {
  const address = urlOf(checked);
  const location = { artifactLocation: { uri: pathOf(address) }, region: { startLine: 1 } };
  return listFaults(checked).map(({ id, level, text, properties }) => ({
    ruleId: id,
    ruleIndex: ruleIds.indexOf(id),
    level,
    message: { text: plain(text) },
    locations: [{ physicalLocation: location }],
    partialFingerprints: { primaryLocationLineHash: `${fingerprintOf(address, { id })}:1` },
    properties: { url: address, ...properties },
  }));
}

function listNotifications(checked: Checked) {
  const address = urlOf(checked);
  if ("error" in checked)
    return [{ level: "error", message: { text: plain(`${address}: ${checked.error.message}`) } }];
  return listObstacles(checked.check).map((obstacle) => ({
    level: "note",
    associatedRule: { id: obstacle.root.id },
    message: {
      text: plain(
        `${address}: ${describeObstacle(obstacle)}. ${describeFinding(obstacle.root)}`.trim(),
      ),
    },
  }));
}

/** What came of the gate of each page; nothing without a gate. */
function listGates(checked: readonly Checked[]) {
  const gates = checked.flatMap((one) => {
    const gate = "gate" in one ? describeGate(one.gate) : undefined;
    return gate ? [{ url: urlOf(one), ...gate }] : [];
  });
  return gates.length > 0 ? { properties: { gates } } : {};
}

/**
 * SARIF 2.1.0 as GitHub's code scanning takes it: one run, with a result for each finding that costs points, and for each
 * page that could not be judged or checked, since without one GitHub would close its open alerts. What was not judged is
 * a notification too.
 * @see https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
 */
export function formatSarifReport(checked: readonly Checked[], about: About): string {
  const checks = listChecks(checked);
  const isWhole = checks.length === checked.length;
  const findings = new Map(
    checks.flatMap((check) => check.findings.map((finding) => [finding.id, finding])),
  );
  const rules = [
    ...[...findings.values()].map((finding) => formatRule(finding, about)),
    ...(isWhole ? [] : [formatUncheckedRule(about)]),
  ];
  const ruleIds = rules.map(({ id }) => id);
  const run = {
    tool: {
      driver: {
        name: "shipscore",
        semanticVersion: about.version,
        informationUri: new URL(HOMEPAGE_PATH, about.baseUrl).href,
        rules,
      },
    },
    automationDetails: { id: "shipscore/" },
    invocations: [
      {
        executionSuccessful: isWhole,
        endTimeUtc: about.now.toISOString(),
        toolExecutionNotifications: checked.flatMap(listNotifications),
      },
    ],
    language: about.language,
    results: checked.flatMap((one) => formatResults(one, ruleIds)),
    ...listGates(checked),
  };
  return formatJson({ $schema: SCHEMA, version: "2.1.0", runs: [run] });
}
