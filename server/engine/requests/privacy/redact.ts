import { hideCredentials } from "./credentials.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { findUrl } from "../../../base/syntax/url.ts";

const MAX_LENGTH = 1024;
/** User information after a scheme at the start, or after two slashes. A cut text may end within it. */
const USER_INFORMATION = /(?<=^[a-z][a-z0-9+.-]*:[/\\]?|[/\\]{2})[^/\\]*(?:@|…$)/i;

/** Masks `;jsessionid=…` and the like, which servers read like a query (RFC 3986, 3.3). */
export function redactParameters(path: string): string {
  return path.replace(/;([^;=/]*)=[^;/]*/g, ";$1=***");
}

function redactQuery(query: string): string {
  const parts = query.slice(0, 2 * MAX_LENGTH).split("&");
  const masked = parts.map((part) => {
    const equals = part.indexOf("=");
    if (equals < 0) return part && "***";
    return `${part.slice(0, equals)}=***`;
  });
  return masked.join("&");
}

function redactAsText(text: string): string {
  const [withoutFragment = ""] = text.split("#", 1);
  const mark = withoutFragment.indexOf("?");
  const address = mark < 0 ? withoutFragment : withoutFragment.slice(0, mark);
  const query = mark < 0 ? "" : `?${redactQuery(withoutFragment.slice(mark + 1))}`;
  return redactParameters(address.replace(USER_INFORMATION, "")) + query;
}

/** A web URL is returned in its parsed form; anything else, such as a relative reference, as written. */
export function redactUrl(url: string | URL): string {
  const parsed = typeof url === "string" ? findUrl(url) : url;
  if (parsed && /^https?:$/.test(parsed.protocol)) {
    const { protocol, host, pathname, search } = parsed;
    const origin = `${protocol}//${host}`;
    const query = search && `?${redactQuery(search.slice(1))}`;
    const redacted = `${origin}${redactParameters(pathname)}${query}`;
    return hideCredentials(redacted, origin.length).slice(0, MAX_LENGTH);
  }
  const text = oneLine(String(url).slice(0, 4 * MAX_LENGTH), 2 * MAX_LENGTH);
  return oneLine(hideCredentials(redactAsText(text)), MAX_LENGTH);
}

/** Redacts before the cut, because only the part that is cut off may show whether a text is a password or a host. */
function redactWords(text: string, words: RegExp, maxLength: number): string {
  const line = oneLine(text, maxLength + MAX_LENGTH);
  const redacted = hideCredentials(
    line.replace(words, (word) => (isUrl(word) ? redactAsText(word) : word)),
  );
  const isMarked = redacted.endsWith("…") || !line.endsWith("…");
  return oneLine(isMarked ? redacted : `${redacted}…`, maxLength);
}

function isUrl(word: string): boolean {
  return /\?|\/\/|^\/[^;]*;/.test(word);
}

/** Returns one line of text with every URL redacted and every credential masked. */
export function redactUrlsIn(text: string, maxLength: number): string {
  return redactWords(text, /[^\s"'<>]+/g, maxLength);
}

/** Replaces characters that `oneLine` strips or folds. Like them, U+FFFD makes the token around it invalid. */
export function markStripped(text: string): string {
  return text.replace(/[^\S\t-\r ]|[\x80-\x9f]|\p{Bidi_Control}/gu, "\ufffd");
}

export function redactPolicy(policy: string, maxLength: number): string {
  return redactWords(markStripped(policy), /[^\s"'<>;,]+/g, maxLength);
}

export function redactRefresh(refresh: string): string {
  const line = oneLine(refresh, 2 * MAX_LENGTH);
  const [, delay = "", url = ""] = /^([^;,]*[;,]? ?(?:url ?= ?)?)([^]*)/i.exec(line) ?? [];
  return delay + redactUrl(url.replace(/^["']|["'][^]*/g, ""));
}
