import type { Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { HTML_TYPE, XHTML_TYPE } from "../../../base/syntax/media-type.ts";
import { readContentType } from "./content-type.ts";
import { findAnswer, pageHeader, pageUrl } from "../../evidence/accessors.ts";
import { findUrl } from "../../../base/syntax/url.ts";
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

/** In characters. A page that only redirects has less text than this. */
const MAX_TEXT_LENGTH = 500;
/** See HTML, 4.2.5.3. */
const REFRESH = /^\s*([\d.]*)[\s;,]*(?:url\s*=\s*)?["']?([^"']*)/i;

export function findRefreshTarget(evidence: Evidence): URL | undefined {
  const { textLength = 0 } = evidence.page.body?.html ?? {};
  if (textLength > MAX_TEXT_LENGTH) return undefined;
  const page = pageUrl(evidence);
  return [...pageHeader(evidence, "refresh"), ...metaContents(evidence, "refresh")]
    .map((value) => findTarget(value, page))
    .find((target) => target !== undefined && target.href !== page.href);
}

function findTarget(value: string, page: URL): URL | undefined {
  const [, delay = "", url = ""] = REFRESH.exec(value) ?? [];
  const isAtOnce = delay !== "" && Number.parseFloat(delay) < 1;
  return isAtOnce && url !== "" ? findUrl(url.trim(), page) : undefined;
}

export function findPageReferrerPolicy(evidence: Evidence): string | undefined {
  return (
    findMetaReferrerPolicy(metaContents(evidence, "referrer")) ??
    findReferrerPolicy(pageHeader(evidence, "referrer-policy"))
  );
}
