import type { Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { pageUrl } from "../../evidence/page.ts";
import { type Policy, governs } from "./policy.ts";
import { findScripts, has, runsNoScript } from "./policy-holes.ts";
import type { SourceExpression } from "./source-expression.ts";

/** How many scripts the page has; undefined if none was seen but the page was not read to its end. */
export function countScripts({ page: { body } }: Evidence): number | undefined {
  const count = body?.html?.scriptCount ?? 0;
  return count === 0 && body && body.state !== "whole" ? undefined : count;
}

type Scripts = Html["scripts"];

/** Undefined if the page was not read to its end. */
function findWholeScripts({ page: { body } }: Evidence): Scripts | undefined {
  return body?.state === "whole" ? body.html?.scripts : undefined;
}

/** Whether a host source may match a file's origin, regardless of schemes, ports and paths. */
function isHostOf(host: string, origin: string): boolean {
  const hostname = findUrl(origin)?.hostname;
  if (hostname === undefined) return false;
  if (host === "*") return true;
  return host.startsWith("*.") ? hostname.endsWith(host.slice(1)) : hostname === host;
}

function isAmong(source: SourceExpression, origins: readonly string[], page: URL): boolean {
  if (source.kind === "host") return origins.some((origin) => isHostOf(source.host, origin));
  if (source.text === "'self'") return origins.some((origin) => isHostOf(page.hostname, origin));
  const isWeb = /^(?:https?|wss?):$/.test(source.text);
  return origins.some((origin) => origin.startsWith(isWeb ? "http" : source.text));
}

/** Whether a source may let one of the scripts run; if the scripts are unknown, whether it may let any script run. */
function mayLetIn(source: SourceExpression, scripts: Scripts | undefined, page: URL): boolean {
  const { kind, text } = source;
  const isInline = text === "'unsafe-inline'";
  if (kind === "keyword" && !isInline && text !== "'self'") return false;
  if (!scripts) return true;
  if (kind === "nonce") return scripts.nonceCount > 0;
  if (kind === "hash") return scripts.inlineCount + scripts.integrityCount > 0;
  if (isInline) return scripts.inlineCount > 0;
  return scripts.origins === null || isAmong(source, scripts.origins, page);
}

function stopsAll(policy: Policy, evidence: Evidence): boolean {
  const scripts = findWholeScripts(evidence);
  if (!governs(policy, { offset: scripts?.firstOffset ?? Number.MAX_SAFE_INTEGER })) return false;
  if (runsNoScript(policy)) return true;
  const elements = findScripts(policy, "script-src-elem");
  const attributes = findScripts(policy, "script-src-attr");
  if (!elements || !attributes || has(attributes, "'unsafe-inline'")) return false;
  return !elements.sources.some((source) => mayLetIn(source, scripts, pageUrl(evidence)));
}

/** Whether the policy itself forbids all scripts, as strictly as possible. */
export function forbidsScripts(policy: Policy): boolean {
  if (runsNoScript(policy)) return true;
  const { values } = findScriptDirective(policy);
  return values.every((value) => /^'none'$/i.test(value));
}

/** The directive that governs script elements, and its values. */
export function findScriptDirective({ directives }: Policy): {
  name: string;
  values: readonly string[];
} {
  const names = ["script-src-elem", "script-src", "default-src"];
  const name = names.find((one) => directives.has(one)) ?? "script-src";
  return { name, values: directives.get(name)?.values ?? ["*"] };
}

/**
 * The first policy that certainly blocks all scripts of the page; undefined if none does or the page has no scripts.
 */
export function findSilencer(policies: readonly Policy[], evidence: Evidence): Policy | undefined {
  if (countScripts(evidence) === 0) return undefined;
  return policies.find((policy) => stopsAll(policy, evidence));
}
