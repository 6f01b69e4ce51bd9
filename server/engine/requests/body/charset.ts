import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { Slice } from "../../net/slice.ts";

const PRESCAN_BYTES = 1024;
const LONGEST_UTF8_TAIL = 3;
const PIECE_BYTES = 32_768;

export type BomEncoding = "utf-8" | "utf-16be" | "utf-16le";

export interface DecodedText {
  text: string;
  bom: BomEncoding | null;
  charsetError: boolean;
  /** `bomBytes`: bytes before the text. `isUtf8`: the offsets count UTF-8 bytes. */
  bomBytes: number;
  isUtf8: boolean;
}

function findBom(bytes: Buffer): { label: BomEncoding; length: number } | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return { label: "utf-8", length: 3 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { label: "utf-16be", length: 2 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { label: "utf-16le", length: 2 };
  return undefined;
}

/** A meta that could be read is not UTF-16 (HTML, 13.2.3.2). */
function findMetaCharset(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, PRESCAN_BYTES).replace(/<!--[^]*?(?:-->|$)/g, "");
  const meta = /<meta\s[^<>]*?charset\s?=\s?["']?\s?([^\s"'/>;]+)/i.exec(start)?.[1];
  return meta && /^utf-?16/i.test(meta) ? "utf-8" : meta;
}

function openDecoder(label: string, fatal: boolean): TextDecoder | undefined {
  try {
    return new TextDecoder(label, { fatal });
  } catch {
    return undefined;
  }
}

function withoutCutTail(bytes: Buffer): Buffer {
  for (let back = 1; back <= LONGEST_UTF8_TAIL && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) return bytes;
  }
  return bytes;
}

async function decodePieces(
  bytes: Buffer,
  decoder: TextDecoder,
  isWhole: boolean,
  slice: Slice,
): Promise<string> {
  const pieces: string[] = [];
  for (let position = 0; position < bytes.length; position += PIECE_BYTES) {
    const piece = bytes.subarray(position, position + PIECE_BYTES);
    pieces.push(decoder.decode(piece, { stream: true }));
    if (slice.isOver) await slice.end();
    if (slice.isLate) return pieces.join("");
  }
  if (isWhole) pieces.push(decoder.decode());
  return pieces.join("");
}

/** In windows-1252, no character has these bytes. */
const UNUSED = /[\x81\x8d\x8f\x90\x9d]/;
/** Accented letters rarely follow each other, as the letters of other alphabets do. */
const LETTER_RUN = /[\xc0-\xff]{3}/;
const HIGH = /[\x80-\xff]/g;
const UTF8_SEQUENCE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

/** Whether browsers show the text right although nothing declares its encoding. */
function isLikelyWindows1252(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  if (UNUSED.test(text) || LETTER_RUN.test(text)) return false;
  const highCount = text.match(HIGH)?.length ?? 0;
  const pairedCount = text.match(UTF8_SEQUENCE)?.join("").length ?? 0;
  return highCount > 2 * pairedCount;
}

/** `charsetError`: the bytes are invalid in the charset, or the charset is unknown. */
export async function decodeText(
  bytes: Buffer,
  declared: string | null,
  isWhole: boolean,
  slice = new Slice(),
): Promise<DecodedText> {
  const bom = findBom(bytes);
  const stated = bom?.label ?? declared ?? findMetaCharset(bytes);
  const complete = isWhole ? bytes : withoutCutTail(bytes);
  const isGuessed = stated === undefined && !isUtf8(complete);
  const label = stated ?? (isGuessed && isLikelyWindows1252(bytes) ? "windows-1252" : "utf-8");
  const decoder = openDecoder(label, false) ?? new TextDecoder();
  const common = {
    bom: bom?.label ?? null,
    bomBytes: bom?.length ?? 0,
    isUtf8: decoder.encoding === "utf-8",
  };

  if (common.isUtf8) {
    const text = complete.toString("utf8", common.bomBytes);
    const charsetError = !isUtf8(complete) || !openDecoder(label, false);
    return { ...common, text, charsetError };
  }
  try {
    const strict = new TextDecoder(label, { fatal: true });
    const text = await decodePieces(bytes, strict, isWhole, slice);
    return { ...common, text, charsetError: false };
  } catch {
    const text = await decodePieces(bytes, decoder, true, slice);
    return { ...common, text, charsetError: true };
  }
}
