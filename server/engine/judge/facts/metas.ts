import type { Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { HTML_TYPE, XHTML_TYPE } from "../../../base/syntax/media-type.ts";
import { readContentType } from "./content-type.ts";
import { findAnswer } from "../../evidence/page.ts";

/** Whether browsers read the markup as HTML elements; of XHTML they do only if its root is in that namespace. */
function hasHtmlElements(evidence: Evidence): boolean {
  const { essence } = readContentType(findAnswer(evidence)?.headers ?? []);
  if (essence === XHTML_TYPE) return evidence.page.body?.html?.isXhtml !== false;
  return essence === HTML_TYPE || essence === "";
}

/** The page's metas of that name, in document order. */
export function pageMetas(evidence: Evidence, name: string): Html["metas"] {
  if (!hasHtmlElements(evidence)) return [];
  return (evidence.page.body?.html?.metas ?? []).filter((meta) => meta.name === name);
}

/** The contents of the page's metas of that name, in document order. */
export function metaContents(evidence: Evidence, name: string): string[] {
  return pageMetas(evidence, name).map(({ content }) => content);
}
