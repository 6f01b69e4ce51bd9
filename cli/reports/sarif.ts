import type { Language } from "../../shared/language.ts";
import type { Acceptance } from "../../shared/acceptance.ts";
import type { ReceivedCheck } from "../client/api-responses.ts";
import { explainAcceptance, findAcceptance } from "../../shared/report/accepted.ts";
import { listChecks, listGated, type Checked, describeGate, urlOf } from "../check/results.ts";
import { describeObstacle, listObstacles } from "../../shared/report/obstacles.ts";
import { formatJson } from "../terminal/json.ts";
import { describeFinding, findCap, listFixLines } from "../../shared/report/costs.ts";

import { labelText, say, typeset, WORDS } from "../../shared/report/words.ts";
import { findTexts } from "../rules/texts.ts";
import {
  fingerprintOf,
  explainUnchecked,
  filePathOf,
  listReported,
  UNCHECKED,
  weigh,
} from "./issues.ts";
import { code, codeBlock, formatLabelled, prose } from "../../shared/report/markdown-text.ts";
import type { About } from "./report.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const HOMEPAGE_PATH = "./docs/rules";

/** The length at which GitHub cuts a description. */
const MAX_TEXT = 1024;

const RULE_WORDS = {
  more: { fr: "Ce que cette règle vérifie", en: "What this rule checks" },
  atMost: { fr: "Le score est plafonné à", en: "The score is capped at" },
  refusals: {
    fr: "Lancez « shipscore help exit-codes » pour la signification de chaque refus.",
    en: "Run 'shipscore help exit-codes' for the meaning of each refusal.",
  },
};

const SECURITY_CATEGORIES: readonly string[] = ["tls", "redirects", "headers", "cookies"];

/** SARIF writes links as `[text](target)`. */
function plain(text: string): string {
  return text.replaceAll("](", "] (");
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

const LEVELS = { blocking: "error", heavy: "warning", light: "note" } as const;

/** GitHub's scale: critical from 9, high from 7, medium from 4, else low. */
function severityOf(points: number, isCapping: boolean): string {
  return isCapping ? "9.0" : Math.min(8.9, Math.max(1, points)).toFixed(1);
}

function describeRule(id: string, helpUri: string | undefined, language: Language) {
  const texts = findTexts(id);
  const reference = helpUri ?? `shipscore explain ${id}`;
  const link = helpUri ? `[${say(RULE_WORDS.more, language)}](<${helpUri}>)` : code(reference);
  if (!texts)
    return {
      shortDescription: { text: cut(id) },
      help: { text: reference, markdown: link },
    };
  const { title, measures, why, fix } = texts;
  const lines = listFixLines(texts);
  const advice = formatLabelled(say(WORDS.fix, language), say(fix, language), language);
  return {
    shortDescription: { text: cut(title.en) },
    fullDescription: { text: cut(say(measures, language)) },
    help: {
      text: [
        say(why, language),
        say(fix, language),
        ...(lines.length > 0 ? [lines.join("\n")] : []),
        reference,
      ].join("\n\n"),
      markdown: [
        prose(say(why, language)),
        advice,
        ...(lines.length > 0 ? [codeBlock(lines)] : []),
        link,
      ].join("\n\n"),
    },
  };
}

interface Rule {
  readonly id: string;
  readonly category: string;
  readonly points: number;
  readonly isCapping: boolean;
}

function listRules(checks: readonly ReceivedCheck[]): Rule[] {
  const rules = new Map<string, Rule>();
  for (const check of checks)
    for (const finding of check.findings) {
      const { id, category, points } = finding;
      const known = rules.get(id) ?? { id, category, points, isCapping: false };
      const isCapping = known.isCapping || findCap(check, finding) !== undefined;
      rules.set(id, { ...known, isCapping });
    }
  return [...rules.values()];
}

const findHelpUri = ({ docsBase }: About, fragment = "") =>
  docsBase ? new URL(HOMEPAGE_PATH + fragment, docsBase).href : undefined;

function formatRule({ id, category, points, isCapping }: Rule, about: About) {
  const helpUri = findHelpUri(about, `#${encodeURIComponent(id)}`);
  const isSecurity = SECURITY_CATEGORIES.includes(category);
  return {
    id,
    ...describeRule(id, helpUri, about.language),
    ...(helpUri && { helpUri }),
    defaultConfiguration: { level: "warning" },
    properties: {
      tags: isSecurity ? [category, "security"] : [category],
      precision: "very-high",
      ...(isSecurity ? { "security-severity": severityOf(points, isCapping) } : {}),
    },
  };
}

function formatUncheckedRule(about: About) {
  const { id, title } = UNCHECKED;
  const helpUri = findHelpUri(about);
  return {
    id,
    shortDescription: { text: title.en },
    ...(helpUri && { helpUri }),
    help: { text: say(RULE_WORDS.refusals, about.language) },
    defaultConfiguration: { level: "error" },
    properties: { tags: ["run"], precision: "very-high" },
  };
}

interface SarifFault {
  readonly id: string;
  readonly level: "error" | "warning" | "note";
  readonly text: string;
  readonly properties: object;
  readonly acceptance?: Acceptance | undefined;
}

function listFaults(checked: Checked, { language }: About): SarifFault[] {
  if ("error" in checked)
    return [
      {
        id: UNCHECKED.id,
        level: "error",
        text: explainUnchecked(checked.error, language),
        properties: {},
      },
    ];
  const { check } = checked;
  return listReported(check).map((finding) => {
    const cap = findCap(check, finding);
    const reasons = cap
      ? [`${typeset(cap.reason, language)} ${say(RULE_WORDS.atMost, language)} ${cap.limit}.`]
      : [];
    const title = `${typeset(finding.title, language)}.`;
    return {
      id: finding.id,
      level: LEVELS[weigh(check, finding)],
      text: [title, ...reasons, describeFinding(finding, language)].join(" "),
      properties: { earned: finding.earned, points: finding.points },
      acceptance: findAcceptance(checked, finding.id),
    };
  });
}

/** If one result of a run has suppressions, all must have them. */
function formatSuppressions(acceptance: Acceptance | undefined, language: Language) {
  if (acceptance === undefined) return [];
  const justification = explainAcceptance(acceptance, language);
  return [{ kind: "external", status: "accepted", justification }];
}

function formatResults(
  checked: Checked,
  { ruleIds, isAnyAccepted }: { ruleIds: readonly string[]; isAnyAccepted: boolean },
  about: About,
) {
  const location = { artifactLocation: { uri: filePathOf(checked.as) }, region: { startLine: 1 } };
  return listFaults(checked, about).map(({ id, level, text, properties, acceptance }) => ({
    ruleId: id,
    ruleIndex: ruleIds.indexOf(id),
    level,
    message: { text: plain(text) },
    locations: [{ physicalLocation: location }],
    partialFingerprints: { primaryLocationLineHash: `${fingerprintOf(checked.as, id)}:1` },
    ...(isAnyAccepted && { suppressions: formatSuppressions(acceptance, about.language) }),
    properties: { url: urlOf(checked), ...properties },
  }));
}

function listNotifications(checked: Checked, { language }: About) {
  const address = urlOf(checked);
  if ("error" in checked)
    return [
      {
        level: "error",
        message: { text: plain(labelText(address, say(checked.error.what, language), language)) },
      },
    ];
  return listObstacles(checked.check).map((obstacle) => ({
    level: "note",
    associatedRule: { id: obstacle.root.id },
    message: {
      text: plain(
        labelText(
          address,
          `${describeObstacle(obstacle, language)}. ${describeFinding(obstacle.root, language)}`.trim(),
          language,
        ),
      ),
    },
  }));
}

function listGates(checked: readonly Checked[]) {
  const gates = listGated(checked).flatMap((one) => {
    const gate = describeGate(one.gate);
    return gate ? [{ url: urlOf(one), ...gate }] : [];
  });
  return gates.length > 0 ? { properties: { gates } } : {};
}

/**
 * A page that could not be checked or assessed has a result too, because otherwise GitHub would close its open alerts.
 * @see https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
 */
export function formatSarifReport(checked: readonly Checked[], about: About): string {
  const checks = listChecks(checked);
  const isWhole = checks.length === checked.length;
  const rules = [
    ...listRules(checks).map((rule) => formatRule(rule, about)),
    ...(isWhole ? [] : [formatUncheckedRule(about)]),
  ];
  const ruleIds = rules.map(({ id }) => id);
  const isAnyAccepted = listGated(checked).some(({ gate }) => gate.accepted !== undefined);
  const informationUri = findHelpUri(about);
  const run = {
    tool: {
      driver: {
        name: "shipscore",
        semanticVersion: about.version,
        ...(informationUri && { informationUri }),
        rules,
      },
    },
    automationDetails: { id: "shipscore/" },
    invocations: [
      {
        executionSuccessful: isWhole,
        endTimeUtc: about.now.toISOString(),
        toolExecutionNotifications: checked.flatMap((one) => listNotifications(one, about)),
      },
    ],
    language: about.language,
    results: checked.flatMap((one) => formatResults(one, { ruleIds, isAnyAccepted }, about)),
    ...listGates(checked),
  };
  return formatJson({ $schema: SCHEMA, version: "2.1.0", runs: [run] });
}
