import type { Evidence } from "../../evidence/evidence.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { metaContents } from "./metas.ts";
import { pageHeader, pageUrl } from "../../evidence/page.ts";

/** A page that only redirects has little more text than to say so. */
const MAX_TEXT_LENGTH = 500;
/** The format of a refresh (HTML, 4.2.5.3). */
const REFRESH = /^\s*([\d.]*)[\s;,]*(?:url\s*=\s*)?["']?([^"']*)/i;

/** The target of a page that does nothing but redirect at once; undefined for any other page. */
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
