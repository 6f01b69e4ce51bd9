import { findCookieTime } from "../../syntax/cookie-time.ts";
import { oneLine } from "../../syntax/one-line.ts";

/** Octets of name plus value, and of an attribute's value, above which browsers ignore them (RFC 6265bis, 5.6). */
const MAX_PAIR_BYTES = 4096;
const MAX_ATTRIBUTE_BYTES = 1024;
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;
const PREFIX = /^__(?:secure|host)-/i;

const ATTRIBUTES = new Set([
  "expires",
  "max-age",
  "domain",
  "path",
  "secure",
  "httponly",
  "samesite",
  "partitioned",
  "priority",
]);

/**
 * An attribute with its name lower-cased; undefined for one that browsers ignore, so that an earlier one of that name
 * counts.
 */
export function readAttribute(part: string): { name: string; value: string } | undefined {
  const [key = "", ...rest] = part.split("=");
  const name = key.trim().toLowerCase();
  const value = rest.join("=").trim();
  if (value.length > MAX_ATTRIBUTE_BYTES) return undefined;
  if (name === "max-age" && !/^-?\d+$/.test(value)) return undefined;
  if (name === "expires" && findCookieTime(value) === undefined) return undefined;
  return { name, value };
}

/** The attributes that browsers know; the last of a name counts. */
function keepAttributes(parts: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const part of parts) {
    const { name = "" } = readAttribute(part) ?? {};
    if (!ATTRIBUTES.has(name)) continue;
    kept.delete(name);
    kept.set(name, oneLine(part, 256));
  }
  return [...kept.values()];
}

/**
 * A Set-Cookie line without its value. Undefined if browsers ignore it for a reason that the evidence would not show:
 * its length, a control character, or a value that imitates a name prefix (RFC 6265bis, 5.6 and 5.7).
 * @param line decoded as latin1, one character per octet
 */
export function keepCookie(line: string): string | undefined {
  const [pair = "", ...parts] = line.split(";");
  const equals = pair.indexOf("=");
  const name = pair.slice(0, Math.max(equals, 0)).trim();
  const value = pair.slice(equals + 1).trim();
  if (CONTROL.test(line) || name.length + value.length > MAX_PAIR_BYTES) return undefined;
  if (name === "" && PREFIX.test(value)) return undefined;
  const masked = value && "***";
  const shown = equals < 0 ? masked : `${oneLine(name, 128)}=${masked}`;
  return [shown, ...keepAttributes(parts)].join("; ");
}
