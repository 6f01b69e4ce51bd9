import type { CheckAnswer } from "../answers.ts";
import { listChecks, type Checked } from "../checked.ts";
import { formatJson } from "../views/json.ts";
import {
  describeFinding,
  docsUrlOf,
  findCap,
  fingerprintOf,
  listCosts,
  listUnknown,
  pathOf,
  urlOf,
  type Finding,
} from "./costs.ts";
import { prose } from "./markdown-text.ts";
import type { About } from "./report.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const HOMEPAGE_PATH = "./docs/rules";

/** What GitHub takes of a description. */
const MAX_TEXT = 1024;

const SECURITY_CATEGORIES: readonly string[] = ["tls", "redirects", "headers", "cookies"];

/** Without the links that SARIF reads in a message: `[text](target)`. */
function plain(text: string): string {
  return text.replaceAll("](", "] (");
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

function levelOf(check: CheckAnswer, finding: Finding): "error" | "warning" | "note" {
  if (findCap(check, finding)) return "error";
  return finding.status === "fail" ? "warning" : "note";
}

/** GitHub's scale: above 7 is high, from 4 medium, below it low. */
function securitySeverityOf({ points }: Finding): string {
  return Math.min(8.9, Math.max(1, points)).toFixed(1);
}

function formatRule(finding: Finding, { baseUrl }: About) {
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

function formatResult(check: CheckAnswer, finding: Finding, ruleIndex: number) {
  const cap = findCap(check, finding);
  const reasons = cap ? [`${cap.reason} The score is at most ${cap.limit}.`] : [];
  const text = [`${finding.title}.`, ...reasons, describeFinding(finding)].join(" ");
  const location = { artifactLocation: { uri: pathOf(check.url) }, region: { startLine: 1 } };
  return {
    ruleId: finding.id,
    ruleIndex,
    level: levelOf(check, finding),
    message: { text: plain(text) },
    locations: [{ physicalLocation: location }],
    partialFingerprints: { primaryLocationLineHash: `${fingerprintOf(check.url, finding)}:1` },
    properties: { url: check.url, earned: finding.earned, points: finding.points },
  };
}

function listNotifications(checked: Checked) {
  const address = urlOf(checked);
  if ("error" in checked)
    return [{ level: "error", message: { text: plain(`${address}: ${checked.error.message}`) } }];
  return listUnknown(checked.check).map(({ id, title, evidence }) => ({
    level: "note",
    associatedRule: { id },
    message: { text: plain(`${address}: ${title} could not be judged. ${evidence}`) },
  }));
}

/**
 * SARIF 2.1.0 as GitHub's code scanning takes it: one run, a result for each finding that costs points.
 * What could not be judged or checked is a notification.
 * @see https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
 */
export function formatSarifReport(checked: readonly Checked[], about: About): string {
  const checks = listChecks(checked);
  const findings = new Map(
    checks.flatMap((check) => check.findings.map((finding) => [finding.id, finding])),
  );
  const ruleIds = [...findings.keys()];
  const run = {
    tool: {
      driver: {
        name: "shipscore",
        semanticVersion: about.version,
        informationUri: new URL(HOMEPAGE_PATH, about.baseUrl).href,
        rules: [...findings.values()].map((finding) => formatRule(finding, about)),
      },
    },
    automationDetails: { id: "shipscore/" },
    invocations: [
      {
        executionSuccessful: checks.length === checked.length,
        endTimeUtc: about.now.toISOString(),
        toolExecutionNotifications: checked.flatMap(listNotifications),
      },
    ],
    language: about.language,
    results: checks.flatMap((check) =>
      listCosts(check).map((finding) => formatResult(check, finding, ruleIds.indexOf(finding.id))),
    ),
  };
  return formatJson({ $schema: SCHEMA, version: "2.1.0", runs: [run] });
}
