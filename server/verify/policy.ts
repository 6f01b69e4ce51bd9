import { CspEvaluator } from "csp_evaluator";
import { type Csp, Directive, Version, isDirective } from "csp_evaluator/dist/csp.js";
import { type Finding, Severity } from "csp_evaluator/dist/finding.js";
import { CspParser } from "csp_evaluator/dist/parser.js";
import type { Evidence } from "../probe/evidence.ts";
import { listMembers, metaContents, pageHeader } from "./page.ts";

/** Directives that a policy in a meta element can't set (CSP 3, 3.3). */
const NOT_IN_META = ["frame-ancestors", "report-uri", "sandbox"];

/** What a policy must close so that no script of a stranger runs; `script-src` stands for its two children too. */
const GATES = ["script-src", "object-src", "base-uri"] as const;
type Gate = (typeof GATES)[number];

export interface Policy {
  readonly source: string;
  readonly csp: Csp;
}

/** The policies in a list of header values; a comma separates two, and one without a known directive is none. */
export function parsePolicies(values: readonly string[]): Policy[] {
  return listMembers(values)
    .map((source) => ({ source, csp: new CspParser(source).csp }))
    .filter(({ csp }) => Object.keys(csp.directives).some((name) => isDirective(name)));
}

/** The policies that browsers enforce on the page: those of the header, then those of metas. */
export function enforcedPolicies(evidence: Evidence): Policy[] {
  const metas = parsePolicies(metaContents(evidence, "content-security-policy"));
  for (const { csp } of metas) for (const name of NOT_IN_META) delete csp.directives[name];
  return [...parsePolicies(pageHeader(evidence, "content-security-policy")), ...metas];
}

function gatesOf(finding: Finding, csp: Csp): Gate[] {
  const { directive } = finding;
  if (directive.startsWith("script-src")) return ["script-src"];
  if (directive !== "default-src") return GATES.filter((gate) => gate === directive);
  const names = [Directive.SCRIPT_SRC, Directive.SCRIPT_SRC_ATTR, Directive.SCRIPT_SRC_ELEM];
  const isScripts = csp.getEffectiveDirectives(names).includes("default-src");
  const isObjects = csp.getEffectiveDirective(Directive.OBJECT_SRC) === "default-src";
  return [
    ...(isScripts ? ["script-src" as const] : []),
    ...(isObjects ? ["object-src" as const] : []),
  ];
}

/** The HIGH findings of csp_evaluator about one policy, by the gate that each leaves open. */
function openGates({ csp }: Policy): Map<Gate, string> {
  const open = new Map<Gate, string>();
  for (const finding of new CspEvaluator(csp).evaluate()) {
    if (finding.severity !== Severity.HIGH) continue;
    const words =
      finding.value === undefined ? finding.directive : `${finding.directive} ${finding.value}`;
    for (const gate of gatesOf(finding, csp)) open.set(gate, open.get(gate) ?? words);
  }
  if (!csp.directives[Directive.BASE_URI]) open.set("base-uri", open.get("base-uri") ?? "base-uri");
  return open;
}

function restsOnNonces({ csp }: Policy): boolean {
  return (
    csp.policyHasScriptNonces() || (csp.policyHasScriptHashes() && csp.policyHasStrictDynamic())
  );
}

/**
 * The directives that leave a bypass open. All policies hold at once, so that a bypass is one that each leaves open;
 * base-uri counts only where scripts are let in by nonce or hash, for which a base element changes what they load.
 */
export function findBypasses(policies: readonly Policy[]): string[] {
  const open = policies.map(openGates);
  const gates = policies.some(restsOnNonces) ? GATES : GATES.filter((gate) => gate !== "base-uri");
  return gates.flatMap((gate) => {
    const ways = open.map((words) => words.get(gate)).filter((way) => way !== undefined);
    return ways.length === policies.length ? ways.slice(0, 1) : [];
  });
}

/** Whether the policy lets scripts in by nonce or hash alone, or lets none in: never by the host they come from. */
export function isStrict({ csp }: Policy): boolean {
  const effective = csp.getEffectiveCsp(Version.CSP3);
  return [Directive.SCRIPT_SRC, Directive.SCRIPT_SRC_ELEM].every((name) => {
    const sources = effective.directives[effective.getEffectiveDirective(name)];
    if (sources === undefined) return false;
    if (sources.every((source) => source === "'none'")) return true;
    const isProven = effective.policyHasScriptNonces(name) || effective.policyHasScriptHashes(name);
    return isProven && sources.every((source) => source.startsWith("'"));
  });
}
