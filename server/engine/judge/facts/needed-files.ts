import type { Evidence } from "../../evidence/evidence.ts";
import type { Resource } from "../../evidence/html.ts";
import { pageUrl, urlOf } from "../../evidence/accessors.ts";
import { isAside } from "./script-hosts.ts";
import { isUnfilled } from "./waiting-text.ts";

const VITAL_KINDS = ["script", "module", "style"];

/** Scripts that the page waits for, including async scripts and those of other sites. */
function findFillers({ page }: Evidence): ReadonlySet<string> {
  const html = page.body?.html;
  const scripts = html && isUnfilled(html) ? html.resources : [];
  return new Set(scripts.flatMap(({ kind, url }) => (kind === "script" ? [url] : [])));
}

/** Returns a test for files without which the page lacks its design, its functions or its content. */
export function findNeeds(evidence: Evidence): (file: Pick<Resource, "kind" | "url">) => boolean {
  const fillers = findFillers(evidence);
  const { host } = pageUrl(evidence);
  return ({ kind, url }) => {
    const isOwnFrame = kind === "frame" && urlOf(url).host === host;
    const isMissed = VITAL_KINDS.includes(kind) || fillers.has(url) || isOwnFrame;
    return isMissed && !isAside(urlOf(url));
  };
}
