import type { Slice } from "./slice.ts";

/** What tells a known page: every part that is given must be there. */
export interface Signature {
  name: string;
  /** Of the text in the title element, as sent. */
  title?: RegExp;
  /** Somewhere in the page, to the letter. */
  text?: string;
  /** Somewhere in the page. */
  also?: RegExp;
}

const TITLE = /<title[^<>]{0,200}>([^<]{0,300})/i;
const MAX_TITLE_DEPTH = 65_536;

export interface Title {
  text: string;
  offset: number;
}

/** The first title of a page, without reading the page as HTML. */
export function findTitle(page: string): Title | null {
  const match = TITLE.exec(page.slice(0, MAX_TITLE_DEPTH));
  return match && { text: match[1]?.trim() ?? "", offset: match.index };
}

function findOffset(signature: Signature, page: string, title: Title | null): number {
  if (signature.title && !(title && signature.title.test(title.text))) return -1;
  const textOffset = signature.text === undefined ? -1 : page.indexOf(signature.text);
  if (signature.text !== undefined && textOffset < 0) return -1;
  if (signature.also && !signature.also.test(page)) return -1;
  return signature.title ? (title?.offset ?? 0) : Math.max(textOffset, 0);
}

/** The first signature of the list that the page bears, and the offset of what it was known by. */
export async function findSignature(
  signatures: readonly Signature[],
  page: string,
  slice: Slice,
): Promise<{ name: string; offset: number } | null> {
  const title = findTitle(page);
  for (const signature of signatures) {
    const offset = findOffset(signature, page, title);
    if (offset >= 0) return { name: signature.name, offset };
    if (slice.isOver) await slice.end();
  }
  return null;
}
