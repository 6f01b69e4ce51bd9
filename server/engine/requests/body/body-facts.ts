import { type PageTexts, plainPage } from "./page-texts.ts";
import { CHALLENGES, findSignature, LEAKS } from "./signature.ts";
import type { PageStyles } from "../named-files.ts";
import { readPageNames } from "./page-names.ts";
import { Slice } from "../../net/slice.ts";
import type { Leak, Body } from "../../evidence/evidence.ts";
import { findTrace } from "./traces.ts";
import { decodeText, type DecodedText } from "./charset.ts";
import { type Content, isGzip } from "../../net/content.ts";
import type { Guard } from "../../net/guard.ts";
import { readHtml } from "./html.ts";
import { mayLeadOn, PageStep } from "./page-step.ts";
import {
  type AssetCandidate,
  type LinkCandidate,
  References,
  type CardImageCandidate,
} from "./html-references.ts";
import {
  type MediaType,
  extractMediaType,
  HTML_TYPE,
  HTML_TYPES,
} from "../../../base/syntax/media-type.ts";
import { redactUrlsIn } from "../privacy/redact.ts";

/** A challenge page has no more visible characters than this, in all its languages together. */
const MAX_TEXT = 3000;
const MARKS = new RegExp(CHALLENGES.map(({ mark }) => mark.source).join("|"), "i");

/** False for most pages, at a fraction of the cost of reading them. */
export function mayShowChallenge(text: string): boolean {
  return MARKS.test(text);
}

export async function findChallenge(page: PageTexts, slice = new Slice()): Promise<string | null> {
  if (page.textLength > MAX_TEXT) return null;
  const found = await findSignature(CHALLENGES, page, slice);
  return found?.name ?? null;
}

export async function findLeak(page: PageTexts, slice = new Slice()): Promise<Leak | null> {
  const found = await findSignature(LEAKS, page, slice);
  return found ? { signature: found.name, offset: found.offset } : findTrace(page);
}

const MAX_START_LENGTH = 120;
const MAX_SNIFFED_LENGTH = 65_536;
const MAX_RAW_START_LENGTH = 2000;
const HTML_START =
  /<(?:!doctype\s+html|html|head|title|meta|link|base|script|style|noscript|body|header|main|nav|section|article|div|span|table|iframe|form|h[1-6]|p|a|b|br|hr|img|center|font|pre|ul|ol)(?=[\s/>])/iy;

/** Control characters that text never contains (MIME Sniffing, 3), within the first 1,445 bytes. */
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
const MAX_HEADER_LENGTH = 1445;
const JSON_START =
  /(?:\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\}\s*$)|\[[\s[]*(?:\{\s*["}]|\]\s*(?:[\],]|$)|(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)\s*(?:,|\]\s*(?:[\],]|$))))/y;
const OTHER_START = /%PDF-|<\?xml|<svg(?=[\s/>])/iy;

export interface BodyInput extends Content {
  /** All Content-Type headers as one list. */
  contentType: string | null;
  /** All Content-Security-Policy headers as one list. */
  policy?: string | null;
  /** The Refresh header. */
  refresh?: string | null;
  url: URL;
  guard: Pick<Guard, "classify">;
  signal?: AbortSignal;
}

export interface BodyReading {
  body: Body;
  assets: AssetCandidate[];
  links: LinkCandidate[];
  cardImages: CardImageCandidate[];
  /** Title and visible text, without the requested path. Null if the body is not a whole HTML document. */
  words: string | null;
  readShown: () => string;
  styles: PageStyles;
  own: PageTexts;
  /** The URL to which a refresh or a script sends visitors before they read the page. */
  step: URL | null;
}

function toByteOffset(decoded: DecodedText, offset: number): number {
  const before = decoded.text.slice(0, offset);
  return decoded.bomBytes + (decoded.isUtf8 ? Buffer.byteLength(before) : before.length);
}

function skip(text: string, skipped: RegExp): number {
  let position = 0;
  while (skipped.test(text)) position = skipped.lastIndex;
  return position;
}

function startsWith(start: RegExp, text: string, position: number): boolean {
  start.lastIndex = position;
  return start.test(text);
}

export function startsAsHtml(text: string): boolean {
  return startsWith(HTML_START, text, skip(text, /\s+|<!--[^]*?-->|<\?xml[^>]*>/y));
}

/** True for a body that is not HTML. Browsers still show it as HTML if its type is text/html. */
function startsAsOther(text: string): boolean {
  const position = skip(text, /\s+|<!--[^]*?-->/y);
  return (
    position === text.length ||
    BINARY.test(text.slice(0, MAX_HEADER_LENGTH)) ||
    startsWith(JSON_START, text, position) ||
    startsWith(OTHER_START, text, position)
  );
}

function looksAsHtml(text: string, essence: string): boolean {
  return startsAsHtml(text) || (essence === HTML_TYPE && !startsAsOther(text));
}

function decode(
  { bytes, state }: Content,
  type: MediaType | null,
  slice: Slice,
): Promise<DecodedText> {
  const isReadable = state !== "unsupported" && state !== "undecodable";
  const read = isReadable ? bytes : Buffer.alloc(0);
  return decodeText(read, type?.charset ?? null, state === "whole", slice);
}

async function locateLeak(
  decoded: DecodedText,
  own: PageTexts,
  slice: Slice,
): Promise<Leak | null> {
  const leak = await findLeak(own, slice);
  return leak && { ...leak, offset: toByteOffset(decoded, leak.offset) };
}

/** After its end tag, a page that breaks off or is late lacks nothing. */
function endText({ state, oddities }: Content): Pick<Content, "state" | "oddities"> {
  if (state === "late") return { state: "whole", oddities };
  if (state === "cut_short") return { state: "whole", oddities: [...oddities, "break"] };
  return { state, oddities };
}

/** Without its end tag, a page breaks off where its first member of gzip ends. */
function cutText({ state, oddities }: Content): Pick<Content, "state" | "oddities"> {
  const isCut = state === "whole" && oddities.includes("members");
  return { state: isCut ? "cut_short" : state, oddities };
}

/** Whether the body may be a challenge page, or may lead on to another page. */
export async function mayReplacePage(input: BodyInput): Promise<boolean> {
  const type = extractMediaType(input.contentType ?? "");
  const { text } = await decode(input, type, new Slice(input.signal));
  return Boolean(input.refresh) || mayShowChallenge(text) || mayLeadOn(text);
}

/** Without secrets, under 150 KB as JSON. Reads in slices and in linear time until the deadline. */
export async function readBody(input: BodyInput): Promise<BodyReading> {
  const { bytes, wireBytes, encoding } = input;
  const references = new References(input.url, input.guard.classify);
  const slice = new Slice(input.signal);
  const type = extractMediaType(input.contentType ?? "");
  const decoded = await decode(input, type, slice);
  const { text } = decoded;

  if (slice.isOver) await slice.end();
  const essence = type?.essence ?? "";
  const looksLikeHtml = looksAsHtml(text.slice(0, MAX_SNIFFED_LENGTH), essence);
  const isHtml = /\S/.test(text) && (looksLikeHtml || HTML_TYPES.includes(essence));
  const { policy, refresh = null } = input;
  const step = new PageStep(policy ?? "", refresh);
  const reading = isHtml ? await readHtml(text, references, slice, policy ?? "", step) : null;
  const { state, oddities } = reading?.hasEnded ? endText(input) : cutText(input);
  const isLate = state === "late" || (state === "whole" && slice.isLate);
  // Without the whole head, nothing tells what the page lacks.
  const isUnread = isLate && reading?.html.isHeadWhole === false;
  const html = (isUnread ? null : reading?.html) ?? null;
  const own = reading?.own ?? plainPage(text);
  if (html?.charset) html.charset.offset = toByteOffset(decoded, html.charset.offset);

  const leak = await locateLeak(decoded, own, slice);
  // The text of a debug page may contain a password.
  if (leak && html) html.text = "";

  const body: Body = {
    wireBytes,
    decodedBytes: bytes.length,
    encoding,
    state: isLate ? "late" : state,
    oddities,
    isGzip: isGzip(bytes),
    bomEncoding: decoded.bom,
    charsetError: decoded.charsetError,
    start: redactUrlsIn(text.slice(0, MAX_RAW_START_LENGTH), MAX_START_LENGTH),
    looksLikeHtml,
    leak,
    challenge: await findChallenge(own, slice),
    html,
  };
  const words = html && body.state === "whole" ? `${html.title}\n${own.shown}` : null;
  return {
    body,
    assets: references.assetCandidates,
    links: references.linkCandidates,
    cardImages: references.cardImages.found,
    words: words && words.replaceAll(input.url.pathname, ""),
    readShown: reading?.readShown ?? (() => text),
    styles: {
      inline: reading?.styles ?? [],
      base: references.baseUrl,
      readNames: () => readPageNames(text, new Slice(input.signal)),
    },
    own,
    step: html ? findStep(body, step.find(html.textLength), references, input.url) : null,
  };
}

/** A challenge page or a page in place of the site's own is judged as what it is. */
function findStep(
  { state, challenge, leak }: Body,
  raw: string | undefined,
  references: References,
  page: URL,
): URL | null {
  if (raw === undefined || state !== "whole" || challenge !== null || leak) return null;
  const url = references.resolveStep(raw);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  url.hash = "";
  const here = new URL(page);
  here.hash = "";
  return url.href === here.href ? null : url;
}
