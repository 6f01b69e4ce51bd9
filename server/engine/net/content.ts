import type { Readable, Transform } from "node:stream";
import * as zlib from "node:zlib";
import type { Body, BodyOddity } from "../evidence/evidence.ts";
import { codeOf } from "./failure.ts";
import { oneLine } from "../../base/syntax/text.ts";

const MAX_ENCODING_LENGTH = 200;
/** Chromium refuses more. */
const MAX_CODINGS = 10;
const TOKEN = /^[\w!#$%&'*+.^`|~-]*$/;
const CRC_BYTES = 4;
const SIZE_BYTES = 4;
const ADLER_BYTES = 4;
/** Brotli and zstd keep windows of up to 16 MB, so few bodies are decoded at the same time. */
const DECODERS_AT_ONCE = 2;

export interface Content {
  bytes: Buffer;
  wireBytes: number;
  encoding: string | null;
  state: Body["state"];
  oddities: BodyOddity[];
}

interface Decoded {
  bytes: Buffer;
  /** `cut`: the coding does not end. `large`: the limit was reached. */
  end: "whole" | "cut" | "corrupt" | "large";
  oddities: BodyOddity[];
}

type Decode = (packed: Buffer, maxBytes: number) => Promise<Decoded>;

/** Missing in Node before 22.15. */
const { createZstdDecompress: createZstd = null } = zlib as {
  createZstdDecompress?: () => Transform & { bytesWritten: number };
};
const CORRUPT: Decoded = { bytes: Buffer.alloc(0), end: "corrupt", oddities: [] };

/** Each decodes as Chromium does. Null: this version of Node cannot decode it. */
const DECODERS = new Map<string, Decode | null>([
  ["gzip", decodeGzip],
  ["deflate", decodeDeflate],
  ["br", decodeBrotli],
  ["zstd", createZstd && ((packed, maxBytes) => decodeZstd(createZstd, packed, maxBytes))],
]);

export const ACCEPT_ENCODING = [...DECODERS]
  .flatMap(([coding, decode]) => (decode ? [coding] : []))
  .join(", ");

export interface ContentOptions {
  contentEncoding: string | null;
  /** The value of Content-Length. */
  length?: string | null;
  maxBytes: number;
  /** Once it aborts, the content is what arrived until then. */
  signal?: AbortSignal;
}

/** Stops at `maxBytes`, decoded or on the wire. A decompression bomb therefore costs no more than a page. */
export async function readContent(
  body: Readable,
  { contentEncoding, length = null, maxBytes, signal }: ContentOptions,
): Promise<Content> {
  const { codings, isValid } = readCodings(contentEncoding ?? "");
  const encoding = codings.join(", ") || null;
  const decoders = codings.map((coding) => DECODERS.get(coding) ?? null);
  const nothing = { bytes: Buffer.alloc(0), wireBytes: 0, encoding, oddities: [] };
  if (!isValid || decoders.includes(null)) {
    body.destroy();
    return { ...nothing, state: isValid ? "unsupported" : "undecodable" };
  }
  const wire = await collect(body, maxBytes, signal);
  const wireBytes = wire.bytes.length;
  if (wireBytes === 0) return { ...nothing, state: wire.state };
  const decoded = await decodeAll(decoders as Decode[], wire.bytes.subarray(0, maxBytes), maxBytes);
  const { bytes, oddities } = decoded;
  const content = { bytes, wireBytes, encoding, oddities };
  const isComplete = codings.length > 0 && decoded.end === "whole";
  if (decoded.end === "large") return { ...content, state: "over_limit" };
  if (decoded.end === "corrupt") return { ...content, state: "undecodable" };
  if (wire.state === "whole")
    return { ...content, state: decoded.end === "whole" ? "whole" : "cut_short" };
  if (!isComplete) return { ...content, state: wire.state };
  // Some servers send the length of the uncompressed body. Browsers accept it.
  const isBroken = wire.state === "cut_short" && Number(length) !== bytes.length;
  return { ...content, state: "whole", oddities: isBroken ? [...oddities, "break"] : oddities };
}

/** Unpacks at most `maxBytes` of a file that may be gzipped, such as a sitemap (sitemaps.org). */
export async function unpack(
  bytes: Buffer,
  maxBytes: number,
): Promise<Pick<Content, "bytes" | "state">> {
  if (!isGzip(bytes)) return { bytes, state: "whole" };
  const decoded = await decodeAll([decodeMembers], bytes, maxBytes);
  const states = { whole: "whole", cut: "cut_short", corrupt: "undecodable", large: "over_limit" };
  return { bytes: decoded.bytes, state: states[decoded.end] as Content["state"] };
}

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

/** A list with a word that is no coding is not decoded at all. A word with other characters than a token's is an error. */
function readCodings(contentEncoding: string): { codings: string[]; isValid: boolean } {
  const words = oneLine(contentEncoding, MAX_ENCODING_LENGTH).toLowerCase().split(",");
  const codings = words.map((word) => word.trim().replace(/^x-gzip$/, "gzip"));
  if (!codings.every((coding) => TOKEN.test(coding))) return { codings, isValid: false };
  if (!codings.every((coding) => DECODERS.has(coding))) return { codings: [], isValid: true };
  return { codings, isValid: codings.length <= MAX_CODINGS };
}

async function collect(
  body: Readable,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<{ bytes: Buffer; state: "whole" | "cut_short" | "late" | "over_limit" }> {
  const chunks: Buffer[] = [];
  let wireBytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      wireBytes += chunk.length;
      if (wireBytes > maxBytes) return { bytes: Buffer.concat(chunks), state: "over_limit" };
    }
    return { bytes: Buffer.concat(chunks), state: "whole" };
  } catch {
    return { bytes: Buffer.concat(chunks), state: signal?.aborted ? "late" : "cut_short" };
  }
}

let freeDecoders = DECODERS_AT_ONCE;
const waiting: (() => void)[] = [];

/** The coding that was applied last is decoded first. */
async function decodeAll(
  decoders: readonly Decode[],
  packed: Buffer,
  maxBytes: number,
): Promise<Decoded> {
  if (decoders.length === 0) return { bytes: packed, end: "whole", oddities: [] };
  if (freeDecoders > 0) freeDecoders--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    const ends: Decoded["end"][] = [];
    const oddities = new Set<BodyOddity>();
    let bytes = packed;
    for (const decode of decoders.toReversed()) {
      const decoded = await decode(bytes, maxBytes);
      bytes = decoded.bytes;
      ends.push(decoded.end);
      for (const oddity of decoded.oddities) oddities.add(oddity);
    }
    const end = ends.find((one) => one !== "whole") ?? "whole";
    return { bytes, end, oddities: [...oddities] };
  } finally {
    const next = waiting.shift();
    if (next) next();
    else freeDecoders++;
  }
}

/** Reads the first member without its trailer (RFC 1952, 2.3). */
async function decodeGzip(packed: Buffer, maxBytes: number): Promise<Decoded> {
  if (packed.length >= 3 && !isGzip(packed)) return CORRUPT;
  const start = findGzipData(packed);
  const { rest, ...decoded } = await inflate(packed.subarray(start), maxBytes);
  if (decoded.end !== "whole") return decoded;
  const isRight =
    rest.length >= CRC_BYTES + SIZE_BYTES &&
    rest.readUInt32LE(0) === zlib.crc32(decoded.bytes) &&
    rest.readUInt32LE(CRC_BYTES) === decoded.bytes.length;
  const after = rest.subarray(CRC_BYTES + SIZE_BYTES);
  if (await isMember(after))
    return { ...decoded, oddities: [...listOddities(isRight, false), "members"] };
  return { ...decoded, oddities: listOddities(isRight, after.length > 0) };
}

/** False for the empty member that some programs write last. */
async function isMember(packed: Buffer): Promise<boolean> {
  if (!isGzip(packed)) return false;
  const { bytes } = await inflate(packed.subarray(findGzipData(packed)), 1);
  return bytes.length > 0;
}

/** A file has all its members (RFC 1952, 2.2). */
const decodeMembers: Decode = (packed, maxBytes) => run(zlib.createGunzip(), packed, maxBytes);

const FLAGS = { headerCrc: 2, extra: 4, name: 8, comment: 16 };
const FIXED_HEAD_BYTES = 10;

function findGzipData(packed: Buffer): number {
  const flags = packed[3] ?? 0;
  let start = FIXED_HEAD_BYTES;
  const hasLength = packed.length >= start + 2;
  if (flags & FLAGS.extra) start += 2 + (hasLength ? packed.readUInt16LE(start) : 0);
  for (const flag of [FLAGS.name, FLAGS.comment]) {
    const end = flags & flag ? packed.indexOf(0, start) : start - 1;
    start = end < 0 ? packed.length : end + 1;
  }
  return start + (flags & FLAGS.headerCrc ? 2 : 0);
}

/**
 * Reads both forms: zlib (RFC 1950) and raw deflate. Chromium reads the four bytes after the data of either form as a
 * checksum, and refuses a wrong one.
 */
async function decodeDeflate(packed: Buffer, maxBytes: number): Promise<Decoded> {
  const [first = 0, second = 0] = packed;
  const isZlib = (first & 0x0f) === 8 && first >> 4 < 8 && ((first << 8) | second) % 31 === 0;
  const { rest, ...decoded } = await inflate(packed.subarray(isZlib ? 2 : 0), maxBytes);
  if (decoded.end !== "whole") return decoded;
  const hasChecksum = rest.length >= ADLER_BYTES;
  if (hasChecksum && rest.readUInt32BE(0) !== adler32(decoded.bytes)) return CORRUPT;
  const isFollowed = rest.length > (isZlib ? ADLER_BYTES : 0);
  return { ...decoded, oddities: listOddities(hasChecksum || !isZlib, isFollowed) };
}

/** RFC 1950, 8.2. */
function adler32(bytes: Buffer): number {
  const modulus = 65_521;
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % modulus;
    high = (high + low) % modulus;
  }
  return high * 65_536 + low;
}

async function decodeBrotli(packed: Buffer, maxBytes: number): Promise<Decoded> {
  const { rest, ...decoded } = await run(zlib.createBrotliDecompress(), packed, maxBytes);
  return decoded.end === "whole"
    ? { ...decoded, oddities: listOddities(true, rest.length > 0) }
    : decoded;
}

const ZSTD_MAGIC = 0xfd2fb528;
/** Each frame takes time, even an empty one of 9 bytes. */
const MAX_FRAMES = 100;

/** Reads all frames (RFC 8878, 3.1). */
async function decodeZstd(
  create: () => Transform & { bytesWritten: number },
  packed: Buffer,
  maxBytes: number,
): Promise<Decoded> {
  const parts: Buffer[] = [];
  let length = 0;
  let rest = packed;
  for (let count = 1; ; count++) {
    const frame = await run(create(), rest, maxBytes - length);
    parts.push(frame.bytes);
    length += frame.bytes.length;
    rest = frame.rest;
    const isFollowed = frame.end === "whole" && rest.length > 0;
    const hasNext = isFollowed && rest.length >= 4 && rest.readUInt32LE(0) === ZSTD_MAGIC;
    if (hasNext && count < MAX_FRAMES) continue;
    const end = hasNext ? "large" : frame.end;
    return { bytes: Buffer.concat(parts), end, oddities: listOddities(true, isFollowed) };
  }
}

function listOddities(hasTrailer: boolean, isFollowed: boolean): BodyOddity[] {
  return [
    ...(hasTrailer ? [] : (["trailer"] as const)),
    ...(isFollowed ? (["bytes_after"] as const) : []),
  ];
}

const inflate = (packed: Buffer, maxBytes: number) =>
  run(zlib.createInflateRaw(), packed, maxBytes);

/** Keeps what was decoded before the data ends or becomes corrupt. `rest`: the bytes after the coding's end. */
async function run(
  decoder: Transform & { bytesWritten: number },
  packed: Buffer,
  maxBytes: number,
): Promise<Decoded & { rest: Buffer }> {
  const chunks: Buffer[] = [];
  let length = 0;
  let end: Decoded["end"] = "whole";
  await new Promise<void>((resolve) => {
    decoder.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= maxBytes) return;
      end = "large";
      decoder.destroy();
    });
    decoder.on("error", (error) => {
      // This error only means that the data ends too early.
      end = codeOf(error) === "Z_BUF_ERROR" ? "cut" : "corrupt";
    });
    decoder.on("end", resolve);
    decoder.on("close", resolve);
    // With the last bytes in a call of its own, an early end loses no bytes before it.
    decoder.write(packed, () => decoder.end());
  });
  const rest = packed.subarray(decoder.bytesWritten);
  decoder.destroy();
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), end, oddities: [], rest };
}
