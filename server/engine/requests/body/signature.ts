import type { PageTexts } from "./page-texts.ts";
import type { Slice } from "../../net/slice.ts";
import table from "./signatures.json" with { type: "json" };

/** Every given part must be present. */
interface SignatureSource<Expression = string> {
  name: string;
  title?: Expression | undefined;
  /** A literal text. Finding it takes a fraction of the time of `also`. */
  text?: string | undefined;
  also?: Expression | undefined;
  code?: Expression | undefined;
  /** The most visible characters of such a page. An article about it has more. */
  maxText?: number | undefined;
}
export type Signature = SignatureSource<RegExp>;

function readExpression(written: string): RegExp {
  const end = written.lastIndexOf("/");
  return new RegExp(written.slice(1, end), written.slice(end + 1));
}

const readPart = (written: string | undefined) =>
  written === undefined ? undefined : readExpression(written);

function readSignature(written: SignatureSource): Signature {
  const [title, also, code] = [written.title, written.also, written.code].map(readPart);
  return { ...written, title, also, code };
}

/** Only the product itself writes this markup: a page about it would have to escape it. */
export const LEAKS = [...table.defaults, ...table.debug].map(readSignature);

/**
 * The pages of gatekeepers themselves. Scripts that they add to pages they let through prove nothing: Cloudflare's
 * challenge-platform, DataDome's tags.js, Imperva's _Incapsula_Resource or a Turnstile in a form. `mark`: a contiguous
 * text in the source of every such page, in upper or lower case. Blanking parts of a page never creates a mark.
 */
export const CHALLENGES = table.challenges.map((written) => ({
  ...readSignature(written),
  mark: readExpression(written.mark),
}));

const TITLE = /<title[^<>]{0,200}>([^<]{0,300})/i;
const MAX_TITLE_DEPTH = 65_536;

export interface Title {
  text: string;
  offset: number;
}

export function findTitle({ markup }: PageTexts): Title | null {
  const match = TITLE.exec(markup.slice(0, MAX_TITLE_DEPTH));
  return match && { text: match[1]?.trim() ?? "", offset: match.index };
}

function findOffset(signature: Signature, page: PageTexts, title: Title | null): number {
  const { text, also, code, maxText = Infinity } = signature;
  if (page.textLength > maxText) return -1;
  if (signature.title && !(title && signature.title.test(title.text))) return -1;
  const textOffset = text === undefined ? 0 : page.markup.indexOf(text);
  if (textOffset < 0) return -1;
  const alsoOffset = also ? page.markup.search(also) : 0;
  if (alsoOffset < 0) return -1;
  const codeOffset = code ? page.code.search(code) : 0;
  if (codeOffset < 0) return -1;
  return signature.title ? (title?.offset ?? 0) : alsoOffset || textOffset || codeOffset;
}

export async function findSignature(
  signatures: readonly Signature[],
  page: PageTexts,
  slice: Slice,
): Promise<{ name: string; offset: number } | null> {
  const title = findTitle(page);
  for (const signature of signatures) {
    const offset = findOffset(signature, page, title);
    if (offset >= 0) return { name: signature.name, offset };
    if (slice.isOver) await slice.end();
    if (slice.isLate) break;
  }
  return null;
}
