import type { Evidence } from "../../evidence/evidence.ts";
import { pageHeader, pageUrl } from "../../evidence/page.ts";
import { findBlockedFiles } from "./blocked-files.ts";
import { findBlockedBase, findBlockedForms, findBlockedInlines } from "./blocked-parts.ts";
import { enforcedPolicies, type Policy } from "./policy.ts";
import { type Blocked, isScriptKind } from "./block.ts";

function isIsolated(evidence: Evidence): boolean {
  const value = pageHeader(evidence, "cross-origin-embedder-policy").join(", ");
  return /^require-corp[\t ]*(?:;|$)/.test(value.trim());
}

/**
 * What browsers refuse of the page under these policies, as far as the evidence tells: files by a policy, by CORS, by a resource policy or for want
 * of crossorigin; scripts and styles between tags; forms and a base element. Files that scripts and style sheets ask for are
 * not known.
 */
export function findBlocked(
  evidence: Evidence,
  policies: readonly Policy[] = enforcedPolicies(evidence),
): Blocked[] {
  const html = evidence.page.body?.html;
  if (!html) return [];
  const judged = {
    html,
    page: pageUrl(evidence),
    policies,
    assets: new Map(evidence.assets.map((asset) => [asset.url, asset])),
    isIsolated: isIsolated(evidence),
  };
  const files = findBlockedFiles(judged);
  const others = [findBlockedInlines(judged, files), findBlockedForms(judged)];
  return [...findBlockedBase(judged), ...files, ...others.flat()];
}

/** Of what is refused, the page's own scripts that a policy refuses. */
export function findBlockedScripts(evidence: Evidence): Blocked[] {
  return findBlocked(evidence).filter(
    ({ kind, cause, isVital }) =>
      isVital && isScriptKind(kind) && (cause === "policy" || cause === "sandbox"),
  );
}
