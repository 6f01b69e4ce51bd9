import { areOfOneDomain } from "../../../base/syntax/domain.ts";
import { isFontSheet } from "../../../base/syntax/font-hosts.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Resource } from "../../evidence/html.ts";
import { HTML_TYPE } from "../../../base/syntax/media-type.ts";
import { readContentType } from "./content-type.ts";
import { headerValues, urlOf } from "../../evidence/page.ts";
import { findForeignBlock } from "./foreign-files.ts";
import { type SourceIndex, governs } from "./policy.ts";
import { runsNoScript } from "./policy-holes.ts";
import {
  type Blocked,
  findPolicyBlock,
  governing,
  GOVERNING,
  isScriptKind,
  type Judged,
  type Block,
  sandboxed,
} from "./block.ts";
import { isAside, isOfNetwork } from "./script-hosts.ts";
import { allowsScriptFile, allowsStyleFile, allowsUrl } from "./source-match.ts";
import { isUnfilled } from "./waiting-text.ts";

/** Kinds that browsers move to https by themselves (Mixed Content, 4.1). */
const UPGRADED: readonly string[] = ["image", "icon", "media"];
/** Where frameworks keep the scripts that take the page over, on any host. */
const FRAMEWORK = /\/(?:_next|_nuxt|_astro|_app\/immutable|_gatsby)\//;

/** The URL that browsers ask for; undefined for one that they block as mixed content, which another rule judges. */
function findAsked({ policies }: Judged, file: Resource): URL | undefined {
  const url = urlOf(file.url);
  if (url.protocol !== "http:") return url.protocol === "https:" ? url : undefined;
  const isUpgraded = policies.some(
    (policy) => policy.directives.has("upgrade-insecure-requests") && governs(policy, file),
  );
  if (!isUpgraded && !UPGRADED.includes(file.kind)) return undefined;
  return urlOf(file.url.replace(/^http:/, "https:"));
}

function allowsFile(list: SourceIndex, file: Resource, url: URL, page: URL, isRedirected: boolean) {
  const isAllowed = (one: SourceIndex) => allowsUrl(one, url, page, isRedirected);
  if (isScriptKind(file.kind)) return allowsScriptFile(list, file, isAllowed);
  return file.kind === "style" ? allowsStyleFile(list, file, isAllowed) : isAllowed(list);
}

const ALTERED: Block = {
  cause: "altered",
  answer: { fr: "contenu différent d'integrity", en: "content differs from integrity" },
};

/** Whether an object or embed shows a document, which Chromium takes for a frame too; CSP 3 names object-src alone (6.1.9). */
function isFramed({ tag }: Resource, asset: Evidence["assets"][number] | undefined): boolean {
  const isPlugin = tag === "object" || tag === "embed";
  return isPlugin && readContentType(asset?.headers ?? []).essence === HTML_TYPE;
}

/** How a policy, the file's own headers or its integrity has browsers refuse it. */
function findFileBlock(judged: Judged, file: Resource, url: URL): Block | undefined {
  const { page, policies, assets } = judged;
  if (isScriptKind(file.kind) && policies.some(runsNoScript)) return sandboxed("allow-scripts");
  const asset = assets.get(file.url);
  const own = governing(file.kind, file.tag);
  const refuseBy = (names: readonly string[], asked: URL, isRedirected: boolean) =>
    findPolicyBlock(judged, file, names, (list) =>
      allowsFile(list, file, asked, page, isRedirected),
    );
  const refuse = (asked: URL, isRedirected: boolean) =>
    refuseBy(own, asked, isRedirected) ??
    (isFramed(file, asset) ? refuseBy(GOVERNING.frame, asked, isRedirected) : undefined);
  const [location] = headerValues(asset?.headers ?? [], "location");
  const isRedirect = (asset?.status ?? 0) >= 300 && (asset?.status ?? 0) < 400;
  const target = isRedirect && location ? findUrl(location, url) : undefined;
  const refused = refuse(url, false) ?? (target && refuse(target, true));
  if (refused) return refused;
  return (
    findForeignBlock(judged, file, url) ??
    (asset?.file?.integrityMatches === false ? ALTERED : undefined)
  );
}

function isOwnScript({ page }: Judged, { kind }: Resource, url: URL): boolean {
  const isOwn = areOfOneDomain(url.hostname, page.hostname);
  return isScriptKind(kind) && isOwn && !isOfNetwork(url);
}

/** Whether the page is broken without the file. `isLeft`: no script of the site's own is there to fill the page. */
function isVitalFile(judged: Judged, file: Resource, url: URL, isLeft: boolean): boolean {
  if (file.kind === "style") return !isFontSheet(url);
  if (!isScriptKind(file.kind)) return false;
  if (isLeft) return !isAside(url);
  return FRAMEWORK.test(url.pathname) || isOwnScript(judged, file, url);
}

/** The files that browsers refuse. */
export function findBlockedFiles(judged: Judged): Blocked[] {
  const asked = judged.html.resources.flatMap((file) => {
    const url = findAsked(judged, file);
    return url ? [{ file, url, block: findFileBlock(judged, file, url) }] : [];
  });
  const isLeft =
    isUnfilled(judged.html) &&
    !asked.some(({ file, url, block }) => !block && isOwnScript(judged, file, url));
  return asked.flatMap(({ file, url, block }): Blocked[] => {
    if (!block) return [];
    const { tag, line, kind } = file;
    const isVital = isVitalFile(judged, file, url, isLeft);
    return [{ url: file.url, tag, line, kind, ...block, isVital }];
  });
}
