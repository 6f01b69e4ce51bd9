import type { Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { HTML_TYPE, XHTML_TYPE } from "../../../base/syntax/media-type.ts";
import { readContentType } from "./content-type.ts";
import { findAnswer, pageHeader } from "../../evidence/accessors.ts";
import { findMetaReferrerPolicy, findReferrerPolicy } from "../../evidence/referrer.ts";

/** Browsers treat the elements of XHTML as HTML only if the root is in the XHTML namespace. */
function hasHtmlElements(evidence: Evidence): boolean {
  const { essence } = readContentType(findAnswer(evidence)?.headers ?? []);
  if (essence === XHTML_TYPE) return evidence.page.body?.html?.isXhtml !== false;
  return essence === HTML_TYPE || essence === "";
}

export function pageMetas(evidence: Evidence, name: string): Html["metas"] {
  if (!hasHtmlElements(evidence)) return [];
  return (evidence.page.body?.html?.metas ?? []).filter((meta) => meta.name === name);
}

export function metaContents(evidence: Evidence, name: string): string[] {
  return pageMetas(evidence, name).map(({ content }) => content);
}

export function findPageReferrerPolicy(evidence: Evidence): string | undefined {
  return (
    findMetaReferrerPolicy(metaContents(evidence, "referrer")) ??
    findReferrerPolicy(pageHeader(evidence, "referrer-policy"))
  );
}
