import { areOfOneDomain } from "../../../base/syntax/host-pattern.ts";
import { isFontSheet } from "../../../base/syntax/font-hosts.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Resource, Inline } from "../../evidence/html.ts";
import { HTML_TYPE } from "../../../base/syntax/media-type.ts";
import { readContentType } from "./content-type.ts";
import { headerValues, urlOf, pageHeader, pageUrl } from "../../evidence/accessors.ts";
import { findDigests } from "../../evidence/source-hash.ts";
import { requiresIntegrity } from "./integrity-policy.ts";
import { findForeignBlock } from "./foreign-files.ts";
import { type SourceIndex, governs, lacksToken, enforcedPolicies, type Policy } from "./policy.ts";
import { blocksScripts } from "./policy-holes.ts";
import {
  type Blocked,
  findPolicyBlock,
  listDirectives,
  GOVERNING,
  isScriptKind,
  type Judged,
  type Block,
  sandboxed,
} from "./block.ts";
import { isAside, isOfNetwork } from "./script-hosts.ts";
import { allowsScriptFile, allowsStyleFile, allowsUrl, allowsInline } from "./source-match.ts";
import { isUnfilled } from "./waiting-text.ts";
import type { Text } from "../../../../shared/language.ts";

/** Kinds that browsers move to https by themselves (Mixed Content, 4.1). */
const UPGRADED: readonly string[] = ["image", "icon", "media"];
/** Frameworks keep the scripts that control the page in these folders, on any host. */
const FRAMEWORK = /\/(?:_next|_nuxt|_astro|_app\/immutable|_gatsby)\//;

/** Returns undefined if browsers block the file as mixed content, because another rule assesses that. */
function findRequestedUrl({ policies }: Judged, file: Resource): URL | undefined {
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
  answer: { fr: "contenu non conforme à integrity", en: "content does not match integrity" },
};

/** An integrity counts only if browsers may compare the file with it, which they do with CORS. */
function findUnproven(
  { requiresIntegrity: isRequired }: Judged,
  file: Resource,
): Block | undefined {
  if (!isRequired || !isScriptKind(file.kind)) return undefined;
  const isProven = findDigests(file.integrity).length > 0;
  if (isProven && (file.kind === "module" || file.crossorigin !== null)) return undefined;
  const name = "Integrity-Policy";
  return {
    cause: "unproven",
    answer: isProven
      ? { fr: `${name} : crossorigin manque`, en: `${name}: no crossorigin` }
      : { fr: `${name} : integrity manque`, en: `${name}: no integrity` },
  };
}

/** Chromium also treats an object or embed with a document as a frame. CSP 3 has only object-src (6.1.9). */
function isFramed({ tag }: Resource, asset: Evidence["assets"][number] | undefined): boolean {
  const isPlugin = tag === "object" || tag === "embed";
  return isPlugin && readContentType(asset?.headers ?? []).essence === HTML_TYPE;
}

function findFileBlock(judged: Judged, file: Resource, url: URL): Block | undefined {
  const { page, policies, assets } = judged;
  if (isScriptKind(file.kind) && policies.some(blocksScripts)) return sandboxed("allow-scripts");
  const asset = assets.get(file.url);
  const own = listDirectives(file.kind, file.tag);
  const refuseBy = (names: readonly string[], requested: URL, isRedirected: boolean) =>
    findPolicyBlock(judged, file, names, (list) =>
      allowsFile(list, file, requested, page, isRedirected),
    );
  const refuse = (requested: URL, isRedirected: boolean) =>
    refuseBy(own, requested, isRedirected) ??
    (isFramed(file, asset) ? refuseBy(GOVERNING.frame, requested, isRedirected) : undefined);
  const [location] = headerValues(asset?.headers ?? [], "location");
  const isRedirect = (asset?.status ?? 0) >= 300 && (asset?.status ?? 0) < 400;
  const target = isRedirect && location ? findUrl(location, url) : undefined;
  const refused = refuse(url, false) ?? (target && refuse(target, true));
  if (refused) return refused;
  return (
    findUnproven(judged, file) ??
    findForeignBlock(judged, file, url) ??
    (asset?.file?.integrityMatches === false ? ALTERED : undefined)
  );
}

function isOwnScript({ page }: Judged, { kind }: Resource, url: URL): boolean {
  const isOwn = areOfOneDomain(url.hostname, page.hostname);
  return isScriptKind(kind) && isOwn && !isOfNetwork(url);
}

/** `needsForeignScripts`: the page is empty, and none of the site's own scripts can run to fill it. */
function isVitalFile(
  judged: Judged,
  file: Resource,
  url: URL,
  needsForeignScripts: boolean,
): boolean {
  if (file.kind === "style") return !isFontSheet(url);
  if (!isScriptKind(file.kind)) return false;
  if (needsForeignScripts) return !isAside(url);
  return FRAMEWORK.test(url.pathname) || isOwnScript(judged, file, url);
}

function findBlockedFiles(judged: Judged): Blocked[] {
  const requested = judged.html.resources.flatMap((file) => {
    const url = findRequestedUrl(judged, file);
    return url ? [{ file, url, block: findFileBlock(judged, file, url) }] : [];
  });
  const needsForeignScripts =
    isUnfilled(judged.html) &&
    !requested.some(({ file, url, block }) => !block && isOwnScript(judged, file, url));
  return requested.flatMap(({ file, url, block }): Blocked[] => {
    if (!block) return [];
    const { tag, line, kind } = file;
    const isVital = isVitalFile(judged, file, url, needsForeignScripts);
    return [{ url: file.url, tag, line, kind, ...block, isVital }];
  });
}

function findInlineBlock(judged: Judged, inline: Inline): Block | undefined {
  const { kind, tag, scheme, nonce } = inline;
  const isRun = isScriptKind(kind) || kind === "handler";
  if (isRun && judged.policies.some(blocksScripts)) return sandboxed("allow-scripts");
  const names = listDirectives(kind, tag);
  return findPolicyBlock(judged, inline, names, (list) => {
    if (scheme === "") return allowsInline(list, inline);
    const isAllowed = (one: SourceIndex) => allowsUrl(one, new URL(scheme), judged.page);
    if (isScriptKind(kind)) return allowsScriptFile(list, { nonce, integrity: null }, isAllowed);
    return kind === "style" ? allowsStyleFile(list, inline, isAllowed) : isAllowed(list);
  });
}

const INLINE_SCRIPTS = { fr: "script en ligne", en: "inline script" };
const INLINE_STYLES = { fr: "style en ligne", en: "inline style" };
const HANDLERS = {
  fr: "onload qui applique une feuille de style",
  en: "onload that applies a style sheet",
};

function nameInline({ kind, scheme }: Inline): Text | string {
  if (scheme !== "") return scheme;
  if (kind === "handler") return HANDLERS;
  return kind === "style" ? INLINE_STYLES : INLINE_SCRIPTS;
}

/** Scripts that only count visits are not vital. A handler is vital only if no other style sheet applies. */
function findBlockedInlines(judged: Judged, files: readonly Blocked[]): Blocked[] {
  const found = judged.html.inlines.map((inline) => ({
    inline,
    block: findInlineBlock(judged, inline),
  }));
  const isAll = (isOne: (inline: Inline) => boolean) =>
    found.every(({ inline, block }) => block !== undefined || !isOne(inline));
  const isScript = ({ kind, scheme, isTracker }: Inline) =>
    isScriptKind(kind) && scheme === "" && !isTracker;
  const isStyle = ({ kind }: Inline) => kind === "style" || kind === "handler";
  const blocked = new Set(files.map(({ url }) => url));
  const sheets = judged.html.resources.filter(
    ({ kind, url }) => kind === "style" && !blocked.has(url) && !isFontSheet(urlOf(url)),
  );
  const handled = new Set(
    found.flatMap(({ inline }) => (inline.kind === "handler" ? [inline.offset] : [])),
  );
  const isStyled = sheets.some(({ offset }) => !handled.has(offset));
  const sheetOffsets = new Set(sheets.map(({ offset }) => offset));
  const hasModules = judged.html.resources.some(({ kind }) => kind === "module");
  const [areScriptsVital, areStylesVital] = [isAll(isScript), isAll(isStyle) && !isStyled];
  return found.flatMap(({ inline, block }): Blocked[] => {
    if (!block) return [];
    const { tag, line, kind } = inline;
    const isVital =
      (isScript(inline) && areScriptsVital) ||
      (kind === "style" && areStylesVital) ||
      (kind === "handler" && !isStyled && sheetOffsets.has(inline.offset)) ||
      (kind === "importmap" && hasModules);
    return [{ url: nameInline(inline), tag, line, kind, ...block, isVital }];
  });
}

/** Leaves out forms that the page's scripts may send. */
function findBlockedForms(judged: Judged): Blocked[] {
  const { html, page, policies } = judged;
  return html.forms.flatMap((form): Blocked[] => {
    const url = findUrl(form.url);
    const isSent = form.hasAction || form.method !== null || html.scriptCount === 0;
    if (form.hasHandler && html.scriptCount > 0) return [];
    if (!url || !/^https?:$/.test(url.protocol) || form.method === "dialog" || !isSent) return [];
    const block = policies.some((policy) => lacksToken(policy, "allow-forms"))
      ? sandboxed("allow-forms")
      : findPolicyBlock(judged, form, GOVERNING.form, (list) => allowsUrl(list, url, page));
    const { tag, line } = form;
    return block ? [{ url: form.url, tag, line, kind: "form", ...block, isVital: true }] : [];
  });
}

/** If browsers block the base element, all URLs relative to it lead elsewhere. */
function findBlockedBase(judged: Judged): Blocked[] {
  const { html, page } = judged;
  const url = html.base && findUrl(html.base.url);
  if (!html.base || !url) return [];
  const block = findPolicyBlock(judged, html.base, GOVERNING.base, (list) =>
    allowsUrl(list, url, page),
  );
  const { line, isUsed } = html.base;
  return block && isUsed
    ? [{ url: html.base.url, tag: "base", line, kind: "base", ...block, isVital: true }]
    : [];
}

function isIsolated(evidence: Evidence): boolean {
  const value = pageHeader(evidence, "cross-origin-embedder-policy").join(", ");
  return /^require-corp[\t ]*(?:;|$)/.test(value.trim());
}

/** Ignores files that scripts and style sheets load, because the evidence does not list them. */
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
    requiresIntegrity: requiresIntegrity(evidence),
  };
  const files = findBlockedFiles(judged);
  const others = [findBlockedInlines(judged, files), findBlockedForms(judged)];
  return [...findBlockedBase(judged), ...files, ...others.flat()];
}

export function findBlockedScripts(evidence: Evidence): Blocked[] {
  return findBlocked(evidence).filter(
    ({ kind, cause, isVital }) =>
      isVital && isScriptKind(kind) && (cause === "policy" || cause === "sandbox"),
  );
}
