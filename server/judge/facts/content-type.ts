import type { Headers } from "../../evidence/exchange.ts";
import { extractMediaType, type MediaType } from "../../syntax/media-type.ts";
import { headerValues } from "../../evidence/page.ts";

const NONE: MediaType = { essence: "", charset: null };

/** What the Content-Type headers say together; an empty essence where they name no type that browsers can read. */
export function readContentType(headers: Headers): MediaType {
  return extractMediaType(headerValues(headers, "content-type").join(", ")) ?? NONE;
}

/** The name of the encoding that a label stands for (Encoding, 4.2), such as `utf-8`; undefined for no label. */
export function findEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
