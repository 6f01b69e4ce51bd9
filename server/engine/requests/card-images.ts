import type { CardImage } from "../evidence/evidence.ts";
import { ACCEPT_ANY } from "./answer.ts";
import type { CardImageCandidate } from "./body/html-references.ts";
import { redactUrl } from "./privacy/redact.ts";
import { fetchSample } from "./samples.ts";
import type { VisitContext } from "./context.ts";

type Image = NonNullable<CardImage["image"]>;

const SVG =
  /^(?:\ufeff|\s|<\?xml[^>]{0,200}>|<!--[^>]{0,500}-->|<!DOCTYPE svg[^>]{0,500}>){0,10}<svg[\s>]/i;
const MAX_SVG_START = 2000;
/** AVIF, HEIC, BMP, icons and TIFF have their size deeper in the file. */
const OTHER = /^(?:.{4}ftyp(?:avif|avis|heic|mif1)|BM|\0\0\x01\0|II\*\0|MM\0\*)/s;
/** JPEG frames that contain a size: all but DHT, JPG and DAC (ITU T.81, table B.1). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

export function readImage(bytes: Buffer): Image | null {
  const start = bytes.toString("latin1", 0, MAX_SVG_START);
  const sized = (type: Image["type"], isThere: boolean, read: () => [number, number]): Image => {
    const [width, height] = isThere ? read() : [null, null];
    return { type, width, height };
  };
  if (start.startsWith("\x89PNG\r\n\x1a\n"))
    return sized("png", bytes.length >= 24, () => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]);
  if (/^GIF8[79]a/.test(start))
    return sized("gif", bytes.length >= 10, () => [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]);
  if (/^RIFF.{4}WEBP/s.test(start))
    return sized("webp", bytes.length >= 30, () => sizeOfWebp(bytes));
  if (start.startsWith("\xff\xd8\xff")) return sizeOfJpeg(bytes);
  if (SVG.test(start)) return { type: "svg", width: null, height: null };
  return OTHER.test(start) ? { type: "other", width: null, height: null } : null;
}

/** See RFC 9649, 2.5 to 2.7. */
function sizeOfWebp(bytes: Buffer): [number, number] {
  const chunk = bytes.toString("latin1", 12, 16);
  if (chunk === "VP8X") return [1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3)];
  if (chunk === "VP8L") {
    const bits = bytes.readUInt32LE(21);
    return [1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff)];
  }
  return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
}

function sizeOfJpeg(bytes: Buffer): Image {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker))
      return {
        type: "jpeg",
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return { type: "jpeg", width: null, height: null };
}

/** Enough for the size of nearly all images. */
const MAX_START_BYTES = 65_536;

/** R11. Null if no request was left. */
export async function fetchCardImage(
  context: VisitContext,
  { url, meta }: CardImageCandidate,
): Promise<CardImage | null> {
  const options = { accept: ACCEPT_ANY, maxBytes: MAX_START_BYTES };
  const sent = await fetchSample(context, url, options);
  if (!sent) return null;
  const image = sent.content && readImage(sent.content.bytes);
  return { ...sent.answer, url: redactUrl(url), meta, image };
}
