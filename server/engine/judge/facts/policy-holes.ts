import { URLS as ANGULAR } from "csp_evaluator/dist/allowlist_bypasses/angular.js";
import { URLS as FLASH } from "csp_evaluator/dist/allowlist_bypasses/flash.js";
import { NEEDS_EVAL, URLS as JSONP } from "csp_evaluator/dist/allowlist_bypasses/jsonp.js";
import { type SourceExpression, isAnyHost } from "./source-expression.ts";
import { lacksToken, type Policy, type SourceList, findSources } from "./policy.ts";

interface KnownFile {
  readonly path: string;
  readonly needsEval: boolean;
}

type KnownFiles = ReadonlyMap<string, readonly KnownFile[]>;

function indexFiles(urls: readonly string[], needEval: readonly string[] = []): KnownFiles {
  const files = new Map<string, KnownFile[]>();
  for (const url of urls) {
    const { hostname, pathname: path } = new URL(url, "https://a.invalid");
    const labels = hostname.split(".");
    const wildcards = labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join(".")}`);
    for (const host of [hostname, ...wildcards])
      files.set(host, [
        ...(files.get(host) ?? []),
        { path, needsEval: needEval.includes(hostname) },
      ]);
  }
  return files;
}

const SCRIPTS: readonly KnownFiles[] = [indexFiles(ANGULAR), indexFiles(JSONP, NEEDS_EVAL)];
const PLUGINS: readonly KnownFiles[] = [indexFiles(FLASH)];

function matchesPath(allowed: string, path: string): boolean {
  if (allowed === "" || allowed === "/") return true;
  return allowed.endsWith("/") ? path.startsWith(allowed) : path === allowed;
}

function allowsKnownFile(
  lists: readonly KnownFiles[],
  source: SourceExpression,
  evalIsAllowed: boolean,
): boolean {
  if (source.kind !== "host") return false;
  const { host, path: allowed } = source;
  return lists.some((files) =>
    files
      .get(host)
      ?.some(({ path, needsEval }) => (evalIsAllowed || !needsEval) && matchesPath(allowed, path)),
  );
}

/** Uses the JSONP and Angular lists of csp_evaluator. Their scripts run code from their own URL. */
function hasScriptBypass(source: SourceExpression, evalIsAllowed: boolean): boolean {
  return allowsKnownFile(SCRIPTS, source, evalIsAllowed);
}

/** Uses the Flash list of csp_evaluator. */
function hasPluginBypass(source: SourceExpression): boolean {
  return allowsKnownFile(PLUGINS, source, false);
}

const GATES = ["script-src", "object-src", "base-uri"] as const;
type Gate = (typeof GATES)[number];

/** `source` is undefined if the directive is missing. */
export interface Hole {
  readonly gate: Gate;
  readonly directive: string;
  readonly source: string | undefined;
}

function hasSource({ sources }: SourceList, text: string): boolean {
  return sources.some((source) => source.text === text);
}

function isOrigin({ kind, text }: SourceExpression): boolean {
  return kind === "host" || kind === "scheme" || text === "'self'";
}

/**
 * `'strict-dynamic'` voids every host and scheme. A nonce, a hash or `'strict-dynamic'` voids `'unsafe-inline'` (CSP 3,
 * 6.7.1.1 and 6.7.3.2).
 */
function findScripts(
  policy: Policy,
  name: "script-src-elem" | "script-src-attr",
): SourceList | undefined {
  const list = findSources(policy, name, "script-src", "default-src");
  if (!list) return undefined;
  const isDynamic = hasSource(list, "'strict-dynamic'");
  const isProven = list.sources.some(({ kind }) => kind === "nonce" || kind === "hash");
  const sources = list.sources.filter((source) =>
    source.text === "'unsafe-inline'" ? !isDynamic && !isProven : !isDynamic || !isOrigin(source),
  );
  return { ...list, sources };
}

export function blocksScripts(policy: Policy): boolean {
  return lacksToken(policy, "allow-scripts");
}

function findScriptHole(policy: Policy, known: ReadonlySet<string>): Hole | undefined {
  const gate = "script-src";
  const elements = findScripts(policy, "script-src-elem");
  const attributes = findScripts(policy, "script-src-attr");
  if (!elements || !attributes) return { gate, directive: gate, source: undefined };
  const inline = [elements, attributes].find((list) => hasSource(list, "'unsafe-inline'"));
  if (inline) return { gate, directive: inline.directive, source: "'unsafe-inline'" };
  const evalIsAllowed = hasSource(elements, "'unsafe-eval'");
  const open = elements.sources.find(
    (source) =>
      known.has(source.text) ||
      isAnyHost(source) ||
      source.text === "data:" ||
      hasScriptBypass(source, evalIsAllowed),
  );
  return open && { gate, directive: elements.directive, source: open.text };
}

function findObjectHole(policy: Policy): Hole | undefined {
  const gate = "object-src";
  const list = findSources(policy, gate, "default-src");
  if (!list) return { gate, directive: gate, source: undefined };
  const open = list.sources.find(
    (source) => isAnyHost(source) || source.text === "data:" || hasPluginBypass(source),
  );
  return open && { gate, directive: list.directive, source: open.text };
}

/**
 * A policy that allows scripts by host needs no base-uri. Such a policy blocks scripts from the host of an injected
 * base.
 */
function findBaseHole(policy: Policy, known: ReadonlySet<string>): Hole | undefined {
  const gate = "base-uri";
  if (!restsOnProof(policy) && !findScriptHole(policy, known)) return undefined;
  const list = findSources(policy, gate);
  if (!list) return { gate, directive: gate, source: undefined };
  const open = list.sources.find(isAnyHost);
  return open && { gate, directive: gate, source: open.text };
}

type FindHole = (policy: Policy, known: ReadonlySet<string>) => Hole | undefined;

const FIND_HOLE: Readonly<Record<Gate, FindHole>> = {
  "script-src": findScriptHole,
  "object-src": findObjectHole,
  "base-uri": findBaseHole,
};

/**
 * True if the policy allows scripts by nonce, or scripts loaded by a script that it allows by hash. A base element can
 * then change which scripts run.
 */
function restsOnProof(policy: Policy): boolean {
  const list = findScripts(policy, "script-src-elem");
  if (!list) return false;
  const kinds = new Set(list.sources.map(({ kind }) => kind));
  return kinds.has("nonce") || (kinds.has("hash") && hasSource(list, "'strict-dynamic'"));
}

/** A hole counts only if all policies leave it open. `known`: nonces that an attacker may know. */
export function findHoles(policies: readonly Policy[], known: ReadonlySet<string>): Hole[] {
  if (policies.some(blocksScripts)) return [];
  const gates = policies.some(restsOnProof) ? GATES : GATES.filter((gate) => gate !== "base-uri");
  return gates.flatMap((gate) => {
    const holes = policies.map((policy) => FIND_HOLE[gate](policy, known));
    return holes.includes(undefined) ? [] : holes.slice(0, 1).filter((hole) => hole !== undefined);
  });
}

function findLaxSource(policy: Policy): string | undefined {
  const lists = [findScripts(policy, "script-src-elem"), findScripts(policy, "script-src-attr")];
  const lax = lists.flatMap((list) => list?.sources ?? []).find(isOrigin);
  const compiled = findSources(policy, "script-src", "default-src");
  const allowsEval = !compiled || hasSource(compiled, "'unsafe-eval'");
  return lax?.text ?? (allowsEval ? "'unsafe-eval'" : undefined);
}

export function findLaxity(
  policies: readonly Policy[],
  known: ReadonlySet<string>,
): string | undefined {
  if (policies.some(blocksScripts)) return undefined;
  const found = policies.filter((policy) => !findScriptHole(policy, known)).map(findLaxSource);
  return found.includes(undefined) ? undefined : found[0];
}

export function ignoresScripts(policy: Policy): boolean {
  const names = ["default-src", "script-src", "script-src-elem", "script-src-attr"];
  return !blocksScripts(policy) && !names.some((name) => policy.directives.has(name));
}
