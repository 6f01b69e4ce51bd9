import type { Evidence } from "../../evidence/evidence.ts";
import type { Inline } from "../../evidence/html.ts";
import { findWholeHtml, pageUrl, urlOf } from "../../evidence/accessors.ts";
import { isPlainHost } from "./hosts.ts";
import { isScriptKind } from "./block.ts";

/** Whether nothing on the page needs `'unsafe-inline'`, a nonce or the hash of an inline script. */
export function hasNoInlineScripts(evidence: Evidence): boolean {
  const html = findWholeHtml(evidence);
  return html !== undefined && !html.hasHandlers && !html.inlines.some(isInlineScript);
}

const isInlineScript = ({ kind }: Inline): boolean => isScriptKind(kind);

/**
 * The sources that let every script of the page run. Undefined if a script may need more than its own source, or if the
 * evidence does not list every script.
 */
export function findScriptSources(evidence: Evidence): readonly string[] | undefined {
  const html = findWholeHtml(evidence);
  if (!html || html.hasHandlers) return undefined;
  const inlines = html.inlines.filter(isInlineScript);
  if (inlines.some(({ kind }) => kind === "importmap")) return undefined;
  const files = html.resources.filter(({ tag }) => tag === "script");
  if (inlines.length + files.length !== html.scriptCount) return undefined;
  if (inlines.some(({ sha256, addsCode }) => sha256 === "" || addsCode)) return undefined;
  const known = new Map(evidence.assets.map(({ url, file }) => [url, file]));
  const { origin } = pageUrl(evidence);
  const isKnown = ({ url }: { url: string }): boolean => {
    const file = known.get(url);
    return urlOf(url).origin === origin && file?.isWhole === true && !file.addsCode;
  };
  if (!files.every(isKnown)) return undefined;
  const hashes = new Set(inlines.map(({ sha256 }) => `'sha256-${sha256}'`));
  const sources = [...(files.length > 0 ? ["'self'"] : []), ...hashes];
  return sources.length > 0 ? sources : ["'none'"];
}

const MAX_NAMED = 6;

/** The sources of the scripts that the page is known to load, as far as a policy can contain them. */
export function listScriptSources({ page: { body } }: Evidence, origin: string): readonly string[] {
  const { resources = [], inlines = [] } = body?.html ?? {};
  const origins = resources
    .filter(({ tag }) => tag === "script")
    .map(({ url }) => urlOf(url))
    .filter(({ protocol, hostname }) => protocol === "https:" && isPlainHost(hostname))
    .map((url) => (url.origin === origin ? "'self'" : url.origin));
  const hashes = inlines.flatMap(({ sha256 }) => (sha256 === "" ? [] : [`'sha256-${sha256}'`]));
  return [...new Set([...origins, ...hashes])].slice(0, MAX_NAMED);
}
