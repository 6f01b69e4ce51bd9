import type { Headers } from "../../evidence/exchange.ts";
import { extractMediaType, type MediaType } from "../../../base/syntax/media-type.ts";
import { headerValues } from "../../evidence/accessors.ts";

const NONE: MediaType = { essence: "", charset: null };

/** The essence is empty if browsers can read no type from the headers. */
export function readContentType(headers: Headers): MediaType {
  return extractMediaType(headerValues(headers, "content-type").join(", ")) ?? NONE;
}

/** Returns undefined for an unknown label (Encoding, 4.2). */
export function findEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
