import { URLS as ANGULAR } from "csp_evaluator/dist/allowlist_bypasses/angular.js";
import { URLS as FLASH } from "csp_evaluator/dist/allowlist_bypasses/flash.js";
import { NEEDS_EVAL, URLS as JSONP } from "csp_evaluator/dist/allowlist_bypasses/jsonp.js";
import type { SourceExpression } from "./source-expression.ts";

interface KnownFile {
  readonly path: string;
  readonly needsEval: boolean;
}

/** Files with which an attacker gets around a policy, by host and by every wildcard that matches the host. */
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

function letsKnownFileIn(
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

/** Whether the source allows a script that runs code given in its URL (csp_evaluator's JSONP and Angular lists). */
export function hasScriptBypass(source: SourceExpression, evalIsAllowed: boolean): boolean {
  return letsKnownFileIn(SCRIPTS, source, evalIsAllowed);
}

/** Whether the source allows a plugin's file that does so (csp_evaluator's Flash list). */
export function hasPluginBypass(source: SourceExpression): boolean {
  return letsKnownFileIn(PLUGINS, source, false);
}
