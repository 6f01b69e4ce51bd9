import type { Language } from "../../shared/language.ts";
import type { ReceivedCheck } from "../client/api-responses.ts";
import { describeScored, explainAcceptance, findAcceptance } from "../../shared/report/accepted.ts";
import { type Checked, type GatedCheck, docsOf, pathOf } from "../check/results.ts";
import { describeError, type CliError } from "../terminal/errors.ts";
import type { Condition } from "../../shared/report/gate.ts";
import { describeCondition } from "../../shared/report/gate-words.ts";
import {
  describeObstacles,
  isUnjudged,
  listObstacles,
  listOpenRoots,
  type Obstacle,
} from "../../shared/report/obstacles.ts";
import { labelText, say, typeset, WORDS } from "../../shared/report/words.ts";
import { costOf, describeEarned, describeAdvice, listFixLines } from "../../shared/report/costs.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import type { ReportedFinding } from "../../shared/report/reported.ts";
import { UNCHECKED } from "./issues.ts";
import type { About } from "./report.ts";
import { isUrl } from "../../shared/url.ts";

/** Only functions of this module make it. */
type Xml = string & { readonly isXml: unique symbol };

type Attributes = Readonly<Record<string, string | number>>;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** The text must be clean, because XML cannot contain control characters. */
function xmlText(text: string): Xml {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character) as Xml;
}

function element(name: string, attributes: Attributes, content: Xml | readonly Xml[] = []): Xml {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${xmlText(`${value}`)}"`,
  );
  const start = `<${name}${pairs.join("")}`;
  const inner =
    typeof content === "string" ? content : content.map((child) => `\n${child}`).join("");
  if (inner === "") return `${start}/>` as Xml;
  return `${start}>${inner}${typeof content === "string" ? "" : "\n"}</${name}>` as Xml;
}

type JunitOutcome = "passed" | "failed" | "skipped" | "broken";

interface Case {
  readonly outcome: JunitOutcome;
  readonly xml: Xml;
}

interface Unjudged {
  readonly obstacles: ReadonlyMap<ReportedFinding, Obstacle>;
  /** The causes of a missing verdict. */
  readonly openRoots: ReadonlySet<ReportedFinding>;
}

function findUnjudged(check: ReceivedCheck): Unjudged {
  const obstacles = listObstacles(check).flatMap((one) =>
    one.findings.map((finding) => [finding, one] as const),
  );
  return { obstacles: new Map(obstacles), openRoots: new Set(listOpenRoots(check)) };
}

function outcomeOf(
  finding: ReportedFinding,
  { openRoots }: Unjudged,
  isGated: boolean,
): JunitOutcome {
  if (openRoots.has(finding) && !isGated) return "broken";
  if (isUnjudged(finding)) return "skipped";
  return finding.status === "fail" && !isGated ? "failed" : "passed";
}

function listAdvice(finding: ReportedFinding, language: Language): string[] {
  const texts = [finding.evidence, finding.fix].map((text) => typeset(text, language));
  return [...texts, ...listFixLines(finding)];
}

function explainUnjudged(obstacle: Obstacle | undefined, language: Language): string[] {
  if (obstacle === undefined) return [];
  const notJudged = say(WORDS.uncheckedRule, language);
  return [
    labelText(notJudged, describeObstacles([obstacle], language), language),
    ...listAdvice(obstacle.root, language),
  ];
}

/** The name and the group of a test depend neither on the result nor on the language. */
interface Test {
  readonly name: string;
  readonly group: string;
  readonly outcome: JunitOutcome;
  readonly message: string;
  readonly details: string;
}

function formatCase(page: string, { name, group, outcome, message, details }: Test): Case {
  const content: Readonly<Record<JunitOutcome, () => Xml[]>> = {
    passed: () => (details === "" ? [] : [element("system-out", {}, xmlText(details))]),
    failed: () => [element("failure", { type: group, message }, xmlText(details))],
    skipped: () => [element("skipped", {}, xmlText(details))],
    broken: () => [element("error", { type: group, message }, xmlText(details))],
  };
  const attributes = { classname: `${page}.shipscore.${group}`, name, time: 0 };
  return { outcome, xml: element("testcase", attributes, content[outcome]()) };
}

function explain(finding: ReportedFinding, obstacle: Obstacle | undefined, about: About): string[] {
  const { docsBase, language } = about;
  const title = typeset(finding.title, language);
  const share = describeEarned(finding, language);
  const docsUrl = docsOf(finding, docsBase);
  if (isUnjudged(finding)) return [title, ...explainUnjudged(obstacle, language), docsUrl];
  if (costOf(finding) === 0) return [];
  return [title, ...listAdvice(finding, language), share, docsUrl];
}

/** An attribute cannot hold line breaks, and lines to paste are alternatives. */
function describeTest(finding: ReportedFinding, language: Language): string {
  const words = [describeAdvice(finding, language), ...listFixLines(finding).slice(0, 1)].join(" ");
  return labelText(typeset(finding.title, language), words, language);
}

function testFinding(
  finding: ReportedFinding,
  unjudged: Unjudged,
  checked: GatedCheck,
  about: About,
): Test {
  const isGated = checked.gate.conditions.length > 0;
  const acceptance = findAcceptance(checked, finding.id);
  const details = explain(finding, unjudged.obstacles.get(finding), about);
  return {
    name: finding.id,
    group: finding.category,
    outcome: acceptance ? "skipped" : outcomeOf(finding, unjudged, isGated),
    message: describeTest(finding, about.language),
    details: acceptance
      ? explainAcceptance(acceptance, about.language)
      : details.filter((line) => line !== "").join("\n"),
  };
}

function testCondition(condition: Condition, language: Language): Test {
  const message = describeCondition(condition, language);
  return {
    name: condition.asked.replace(/^--/, ""),
    group: "gate",
    outcome: condition.isMet ? "passed" : "failed",
    message,
    details: condition.isMet ? message : "",
  };
}

function testRun(error: CliError, language: Language): Test {
  const message = say(error.what, language);
  const details = describeError(error, language);
  return { name: "check", group: "run", outcome: "broken", message, details };
}

function listTests(checked: Checked, about: About): Test[] {
  if ("error" in checked) return [testRun(checked.error, about.language)];
  const { check, gate } = checked;
  const unjudged = findUnjudged(check);
  return [
    ...gate.conditions.map((condition) => testCondition(condition, about.language)),
    ...check.findings.map((finding) => testFinding(finding, unjudged, checked, about)),
  ];
}

function listProperties(check: ReceivedCheck): Attributes {
  return {
    score: check.score,
    verdict: check.verdict,
    coverage: check.coverage,
    ruleset: check.ruleset,
    url: withoutSecrets(check.url),
    finalUrl: check.finalUrl,
    checkId: check.id,
  };
}

function formatSuite(checked: Checked, index: number, about: About): Xml {
  const address = withoutSecrets(checked.as);
  const check = "check" in checked ? checked.check : undefined;
  const cases = listTests(checked, about).map((test) => formatCase(pathOf(checked.as), test));
  const count = (outcome: JunitOutcome) => cases.filter((each) => each.outcome === outcome).length;
  const startedAt = check?.checkedAt ?? about.now.toISOString();
  const attributes = {
    id: index,
    name: address,
    package: "shipscore",
    hostname: isUrl(address) ? new URL(address).host : address,
    timestamp: startedAt.slice(0, "2026-11-20T08:30:00".length),
    time: Math.round(check?.durationMs ?? 0) / 1000,
    tests: cases.length,
    failures: count("failed"),
    errors: count("broken"),
    skipped: count("skipped"),
  };
  const summary =
    "check" in checked
      ? describeScored(checked, about.language)
      : say(UNCHECKED.title, about.language);
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
 * Cases have the names of rules and flags, and their classes begin with the page, so that a test keeps its history.
 * With a gate, only its unmet conditions are failures, because only they decide the exit code. Without one, failed findings
 * are failures, and the cause of a missing verdict is an error.
 */
export function formatJunitReport(checked: readonly Checked[], about: About): string {
  const suites = checked.map((each, index) => formatSuite(each, index, about));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", {}, suites)}\n`;
}
