import type { Evidence } from "../evidence/evidence.ts";
import { findAnswer, findWholeHtml, headerValues, pageUrl, urlOf } from "../evidence/page.ts";
import { domainOfHost } from "../../base/syntax/domain.ts";
import { oneLine } from "../../base/syntax/one-line.ts";

const KINDS: readonly string[] = ["script", "module", "style"];
const MAX_PARTS = 60;
const MAX_PART_LENGTH = 200;

/**
 * What a deployment changes in a page, sorted: the paths of its own scripts and styles, of which Next.js puts its buildId into
 * some, with the ETags of those that were asked for, and the generator. Undefined for a page that was not read whole, or of
 * whose files one did not answer.
 */
export function findFingerprint(evidence: Evidence): string[] | undefined {
  const html = findWholeHtml(evidence);
  if (html === undefined || findAnswer(evidence)?.status !== 200) return undefined;
  const domain = domainOfHost(pageUrl(evidence).hostname);
  const isOwn = ({ url, kind }: { url: string; kind: string }) =>
    KINDS.includes(kind) && domainOfHost(urlOf(url).hostname) === domain;
  const asked = evidence.assets.filter(isOwn);
  if (asked.some(({ status }) => status === null)) return undefined;
  const etagOf = (url: string) => {
    const headers = asked.find((asset) => asset.url === url)?.headers ?? [];
    return headerValues(headers, "etag").map((etag) => ` ${etag}`);
  };
  const files = html.resources.filter(isOwn).map(({ url }) => {
    const { pathname, search } = urlOf(url);
    return `${pathname}${search}${etagOf(url).join("")}`;
  });
  const generators = html.metas.flatMap(({ name, content }) =>
    name === "generator" ? [`generator ${content}`] : [],
  );
  const parts = [...files, ...generators].map((part) => oneLine(part, MAX_PART_LENGTH));
  return [...new Set(parts)].toSorted().slice(0, MAX_PARTS);
}
