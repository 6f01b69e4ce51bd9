import type { Headers } from "../../evidence/exchange.ts";
import { extractMediaType, type MediaType } from "../../../base/syntax/media-type.ts";
import { headerValues } from "../../evidence/accessors.ts";

const NONE: MediaType = { essence: "", charset: null };

/** The media type that all Content-Type headers give together. Its essence is empty if browsers can read none. */
export function readContentType(headers: Headers): MediaType {
  return extractMediaType(headerValues(headers, "content-type").join(", ")) ?? NONE;
}

/** The encoding of a label (Encoding, 4.2), such as `utf-8`; undefined if the label is unknown. */
export function findEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
