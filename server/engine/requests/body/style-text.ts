import { isFontSheet } from "../../../base/syntax/font-hosts.ts";
import { LineCounter } from "../../../base/syntax/text.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import type { StyleAddress } from "../../evidence/html.ts";
import type { Slice } from "../../net/slice.ts";
import { redactUrl } from "../privacy/redact.ts";
import type { Reference } from "./html-resources.ts";

const MAX_ADDRESSES = 5;
const MAX_INLINE_LENGTH = 16_384;
/** A comment, a rule whose address only names something, or an address over http that a style sheet loads. */
const TOKEN =
  /\/\*|@(?:namespace|document|-moz-document)[^;{]{0,500}|@import\s{0,20}(?:url\(\s{0,20})?["']?(http:\/\/[^\s"'()]{1,1000})|\burl\(\s{0,20}["']?(http:\/\/[^\s"'()]{1,1000})/gi;
const CUSTOM = /(--[\w-]{1,60})\s{0,20}:[^;{}]{0,200}$/;
const MAX_CUSTOM = 20;
const FONT = /\.(?:woff2?|[ot]tf|eot)$/i;

/** Yields null for a token without an address, so that the caller can pause. */
function* readPlainUrls(text: string) {
  let customCount = 0;
  for (let position = 0; ;) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(text);
    if (!match) return;
    position = TOKEN.lastIndex;
    const [whole, imported, address = imported] = match;
    if (whole === "/*") {
      position = text.indexOf("*/", position);
      if (position < 0) return;
    }
    const url = address === undefined ? undefined : findUrl(address);
    if (!url) {
      yield null;
      continue;
    }
    const [, name] = CUSTOM.exec(text.slice(Math.max(0, match.index - 300), match.index)) ?? [];
    if (name !== undefined && (customCount++ >= MAX_CUSTOM || !isUsed(text, name))) {
      yield null;
      continue;
    }
    const isFont = FONT.test(url.pathname) || isFontSheet(url);
    const kind: StyleAddress["kind"] = imported === undefined ? "image" : "style";
    yield { url, index: match.index, kind: isFont ? ("font" as const) : kind };
  }
}

/** Browsers load the address of a custom property only where a declaration uses it. */
function isUsed(text: string, name: string): boolean {
  const at = text.indexOf(`(${name}`);
  return at >= 0 || /\(\s{1,20}--/.test(text);
}

export async function findPlainUrls(text: string, slice: Slice): Promise<StyleAddress[]> {
  const found: StyleAddress[] = [];
  const lines = new LineCounter(text);
  for (const one of readPlainUrls(text)) {
    if (one) found.push({ url: redactUrl(one.url), line: lines.lineAt(one.index), kind: one.kind });
    if (found.length === MAX_ADDRESSES) break;
    if (slice.isOver) await slice.end();
    if (slice.isLate) break;
  }
  return found;
}

/** A static import over http at the start of a line, which code in quotes hardly ever has. */
const IMPORT = /^[ \t]{0,20}import\b[^"'`;()]{0,300}["'](http:\/\/[^\s"']{1,1000})["']/gm;

export function findPlainImports(script: string): Reference[] {
  const found = [...script.slice(0, MAX_INLINE_LENGTH).matchAll(IMPORT)].slice(0, MAX_ADDRESSES);
  return found.map(([, url = ""]) => ({ url, kind: "module", blocking: false, isSample: false }));
}

export function findPlainReferences(style: string): Reference[] {
  const text = style.slice(0, MAX_INLINE_LENGTH);
  if (!/http:/i.test(text)) return [];
  const found = [...readPlainUrls(text)].filter((one) => one !== null).slice(0, MAX_ADDRESSES);
  return found.map(({ url: { href }, kind }) => ({
    url: href,
    kind,
    blocking: false,
    isSample: false,
  }));
}

const BACKGROUND =
  /(?:^|;)\s{0,20}background(?:-image)?\s{0,20}:[^;"'()]{0,200}url\(\s{0,20}["']?(?!http:|data:|#)([^\s"'()]{1,1000})/gi;

/** The backgrounds that a style attribute loads. Those over http are plain references. */
export function findStyleImages(style: string): Reference[] {
  if (!style.includes("url(")) return [];
  const found = [...style.slice(0, MAX_INLINE_LENGTH).matchAll(BACKGROUND)].slice(0, MAX_ADDRESSES);
  return found.map(([, url = ""]) => ({ url, kind: "image", blocking: false, isSample: true }));
}
