import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const MIN_LENGTH = 1400;

export type Encoding = "br" | "gzip";

/** The better encoding that a client accepts, if any (RFC 9110, section 12.5.3). */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  const accepted = new Set(
    (acceptEncoding ?? "")
      .toLowerCase()
      .split(",")
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(";", 1)[0]?.trim()),
  );
  return (["br", "gzip"] as const).find((encoding) => accepted.has(encoding));
}

/** A text in an encoding; undefined where it is too short to gain by it. */
export async function pack(text: string, encoding: Encoding): Promise<Buffer | undefined> {
  if (text.length < MIN_LENGTH) return undefined;
  return encoding === "br" ? compressBrotli(text, BROTLI) : compressGzip(text);
}
