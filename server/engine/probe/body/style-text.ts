import { LineCounter } from "../../../base/syntax/line-counter.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import type { StyleAddress } from "../../evidence/file.ts";
import type { Slice } from "../../net/slice.ts";
import { redactUrl } from "../privacy/redact.ts";

const MAX_ADDRESSES = 5;
/** A comment; a rule whose address only names something; or an address over http that a style sheet loads. */
const TOKEN =
  /\/\*|@(?:namespace|document|-moz-document)[^;{]{0,500}|@import\s{0,20}(?:url\(\s{0,20})?["']?(http:\/\/[^\s"'()]{1,1000})|\burl\(\s{0,20}["']?(http:\/\/[^\s"'()]{1,1000})/gi;
/** Files of fonts, and hosts whose style sheets hold nothing else. */
const FONT = /\.(?:woff2?|[ot]tf|eot)$/i;
const FONT_HOSTS = ["fonts.googleapis.com", "fonts.bunny.net", "use.typekit.net"];

/** What a style sheet loads over http, at most 5; in slices, until the deadline. */
export async function findPlainUrls(text: string, slice: Slice): Promise<StyleAddress[]> {
  const found: StyleAddress[] = [];
  const lines = new LineCounter(text);
  for (let position = 0; !slice.isLate && found.length < MAX_ADDRESSES;) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(text);
    if (!match) break;
    position = TOKEN.lastIndex;
    if (slice.isOver) await slice.end();
    const [whole, imported, address = imported] = match;
    if (whole === "/*") {
      position = text.indexOf("*/", position);
      if (position < 0) break;
      continue;
    }
    const url = address === undefined ? undefined : findUrl(address);
    if (!url) continue;
    const isFont = FONT.test(url.pathname) || FONT_HOSTS.includes(url.hostname);
    const other = imported === undefined ? "image" : "style";
    const line = lines.lineAt(match.index);
    found.push({ url: redactUrl(url), line, kind: isFont ? "font" : other });
  }
  return found;
}
