import type { Text } from "../../../base/language.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import type { Inline } from "../../evidence/html.ts";
import { urlOf } from "../../evidence/page.ts";
import { isFontSheet } from "../../../base/syntax/font-hosts.ts";
import { lacksToken, type SourceIndex } from "./policy.ts";
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
import { allowsInline, allowsScriptFile, allowsStyleFile, allowsUrl } from "./source-match.ts";

function findInlineBlock(judged: Judged, inline: Inline): Block | undefined {
  const { kind, tag, scheme, nonce } = inline;
  const isRun = isScriptKind(kind) || kind === "handler";
  if (isRun && judged.policies.some(runsNoScript)) return sandboxed("allow-scripts");
  const names = governing(kind, tag);
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

/**
 * What the page holds itself. Scripts are vital where none of them may run, without those that only count visits; styles,
 * where nothing else gives the page its looks; a handler, where no other style sheet applies than the one that it would.
 */
export function findBlockedInlines(judged: Judged, files: readonly Blocked[]): Blocked[] {
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

/** The forms that are not sent. One with a handler, or that says neither how nor where, is left to the page's scripts. */
export function findBlockedForms(judged: Judged): Blocked[] {
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

/** A base element that is refused, which leads all addresses that are relative to it astray. */
export function findBlockedBase(judged: Judged): Blocked[] {
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
