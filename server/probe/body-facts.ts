import { createHash } from "node:crypto";
import { findChallenge } from "./challenge.ts";
import { decodeText, type DecodedText } from "./charset.ts";
import type { Body } from "./evidence.ts";
import type { Guard } from "./guard.ts";
import { readHtml } from "./html.ts";
import { References, type AssetCandidate, type LinkCandidate } from "./html-references.ts";
import { findLeak } from "./leaks.ts";
import { redactUrlsIn } from "./redact.ts";

const MAX_START_LENGTH = 120;
const MAX_SNIFFED_LENGTH = 65_536;
const MAX_RAW_START_LENGTH = 2000;
const HTML_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;
const HTML_START =
  /<(?:!doctype\s+html|html|head|title|meta|link|base|script|style|noscript|body|header|main|nav|section|article|div|span|table|iframe|form|h[1-6]|p|a|b|br|hr|img|center|font|pre|ul|ol)(?=[\s/>])/iy;

export interface BodyInput {
  /** The decoded body. */
  bytes: Buffer;
  wireBytes: number;
  encoding: string | null;
  state: Body["state"];
  contentType: string | null;
  /** The final URL, which relative ones are resolved against. */
  url: URL;
  guard: Pick<Guard, "place">;
}

export interface BodyReading {
  body: Body;
  assets: AssetCandidate[];
  links: LinkCandidate[];
}

function toByteOffset(decoded: DecodedText, offset: number): number {
  const before = decoded.text.slice(0, offset);
  return decoded.bomBytes + (decoded.isUtf8 ? Buffer.byteLength(before) : before.length);
}

/** Whether the first tag after white space, comments and an XML declaration is one of HTML. */
function startsAsHtml(text: string): boolean {
  const skipped = /\s+|<!--[^]*?-->|<\?xml[^>]*>/y;
  let position = 0;
  while (position < MAX_SNIFFED_LENGTH && skipped.test(text)) position = skipped.lastIndex;
  HTML_START.lastIndex = position;
  return HTML_START.test(text);
}

/**
 * The facts of a body: bounded (under 150 KB as JSON), without secrets, in time linear in its size.
 * A body in a coding that could not be undone is counted and hashed, not read.
 */
export function readBody(input: BodyInput): BodyReading {
  const { bytes, wireBytes, encoding, state } = input;
  const isReadable = state !== "unsupported" && state !== "undecodable";
  const references = new References(input.url, input.guard.place);
  const decoded = decodeText(
    isReadable ? bytes : Buffer.alloc(0),
    input.contentType,
    state === "whole",
  );
  const { text } = decoded;

  const looksLikeHtml = startsAsHtml(text);
  const isHtml = text.trim() !== "" && (looksLikeHtml || HTML_TYPE.test(input.contentType ?? ""));
  const html = isHtml ? readHtml(text, references) : null;
  if (html?.charset) html.charset.offset = toByteOffset(decoded, html.charset.offset);
  const leak = findLeak(text);

  const body: Body = {
    wireBytes,
    decodedBytes: bytes.length,
    encoding,
    state,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bom: decoded.bom,
    charsetError: decoded.charsetError,
    start: redactUrlsIn(text.slice(0, MAX_RAW_START_LENGTH), MAX_START_LENGTH),
    looksLikeHtml,
    leak: leak && { ...leak, offset: toByteOffset(decoded, leak.offset) },
    challenge: findChallenge(text),
    html,
  };
  return { body, assets: references.assetCandidates, links: references.linkCandidates };
}
