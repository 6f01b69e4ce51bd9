import { Readable, type Transform, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import type { Body } from "../evidence/evidence.ts";
import { codeOf } from "./failure.ts";
import { oneLine } from "../../base/syntax/text.ts";

const MAX_ENCODING_LENGTH = 100;

/** The codings in our Accept-Encoding; `x-gzip` is another name of gzip (RFC 9110, 8.4.1.3). */
const DECODERS = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["br", createBrotliDecompress],
]);
/** Registered codings that we do not accept. Browsers ignore any other word, such as `utf-8` or `none`. */
const OTHER_CODINGS: readonly string[] = [
  "aes128gcm",
  "compress",
  "dcb",
  "dcz",
  "deflate",
  "exi",
  "zstd",
];

export interface Content {
  bytes: Buffer;
  wireBytes: number;
  encoding: string | null;
  state: Body["state"];
}

/** Stops at `maxBytes`, decoded or on the wire. A decompression bomb therefore costs no more than a page. */
export async function readContent(
  body: Readable,
  contentEncoding: string | null,
  maxBytes: number,
): Promise<Content> {
  const codings = readCodings(contentEncoding ?? "");
  const encoding = codings.join(", ") || null;
  const createDecoder = encoding === null ? null : DECODERS.get(encoding);
  if (createDecoder === undefined) {
    body.destroy();
    return { bytes: Buffer.alloc(0), wireBytes: 0, encoding, state: "unsupported" };
  }
  const chunks: Buffer[] = [];
  let decodedBytes = 0;
  let wireBytes = 0;
  let state: Body["state"] = "whole";
  async function* count() {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      wireBytes += chunk.length;
      yield chunk;
      if (wireBytes > maxBytes) return;
    }
  }

  try {
    const decoded = createDecoder ? pipeline(count, createDecoder(), () => undefined) : count();
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      decodedBytes += chunk.length;
      if (decodedBytes > maxBytes || wireBytes > maxBytes) break;
    }
  } catch (error) {
    state = isCorrupt(error) ? "undecodable" : "cut_short";
  }
  if (decodedBytes > maxBytes || wireBytes > maxBytes) state = "over_limit";
  const bytes = Buffer.concat(chunks).subarray(0, maxBytes);
  return { bytes, wireBytes, encoding, state };
}

/** Unpacks at most `maxBytes` of a file that may be gzipped, such as a sitemap (sitemaps.org). */
export async function unpack(
  bytes: Buffer,
  maxBytes: number,
): Promise<Pick<Content, "bytes" | "state">> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isPacked) return { bytes, state: "whole" };
  return readContent(Readable.from([bytes]), "gzip", maxBytes);
}

function readCodings(contentEncoding: string): string[] {
  const words = oneLine(contentEncoding, MAX_ENCODING_LENGTH).toLowerCase().split(",");
  const codings = words.map((word) => word.trim().replace(/^x-(?=gzip$|compress$)/, ""));
  return codings.filter((coding) => DECODERS.has(coding) || OTHER_CODINGS.includes(coding));
}

/** `Z_BUF_ERROR` only means that the data ended too early. */
function isCorrupt(error: unknown): boolean {
  const code = codeOf(error);
  return (
    /^(?:Z_|ERR__ERROR_|ERR_BROTLI_|ERR_BUFFER_TOO_LARGE)/.test(code) && code !== "Z_BUF_ERROR"
  );
}
