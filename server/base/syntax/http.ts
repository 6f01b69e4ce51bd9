/** A link of a Link header (RFC 8288): its target and its relations, in lower case. */
interface HeaderLink {
  readonly url: string;
  readonly relations: readonly string[];
}

const TARGET = /[\s,]*<([^>]*)>/y;
const PARAMETER = /\s*;\s*([\w!#$%&'*+.^`|~-]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;

/** Links with an anchor are about another page, so they are left out. Takes linear time. */
export function parseLinks(value: string): HeaderLink[] {
  const links: HeaderLink[] = [];
  let at = 0;

  function read(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(value);
    if (found) at = pattern.lastIndex;
    return found;
  }

  for (let target = read(TARGET); target; target = read(TARGET)) {
    const parameters = new Map<string, string>();
    for (let found = read(PARAMETER); found; found = read(PARAMETER)) {
      const [, name = "", quoted, bare = ""] = found;
      const key = name.toLowerCase();
      if (!parameters.has(key)) parameters.set(key, quoted?.replaceAll(/\\(.)/g, "$1") ?? bare);
    }
    const relations = (parameters.get("rel") ?? "").toLowerCase().split(/\s+/);
    if (!parameters.has("anchor")) links.push({ url: (target[1] ?? "").trim(), relations });
  }
  return links;
}

/** Returns seconds. The value is a number or a date (RFC 9110, 10.2.3); any other value gives undefined. */
export function readRetryAfter(value: string, now: Date): number | undefined {
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - now.getTime()) / 1000);
  return seconds > 0 ? seconds : undefined;
}

function escapeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/**
 * Returns a Location as printable ASCII that a URL parser reads as browsers read its bytes: UTF-8 in a host, any byte in
 * a path or query. A host that is not UTF-8 stays invalid.
 * @param bytes one character per byte
 */
export function escapeLocation(bytes: string): string {
  return bytes
    .replace(/[\x7f-\xff]/g, escapeByte)
    .trim()
    .replace(/[\t\r\n]/g, "")
    .replace(/[\0-\x20]/g, escapeByte);
}

export const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308];

/**
 * A login, refusals (451: in this country; 999: of robots) and a rate limit: these answers say nothing about the page
 * behind them.
 */
export const GATEKEEPER_STATUSES: readonly number[] = [401, 403, 429, 451, 999];

/** A server that cannot serve what Accept names, or a filter of robots that says so. */
export const NOT_ACCEPTABLE = 406;

/** Statuses by which a server rejects a client because of too many requests. */
export const LIMIT_STATUSES: readonly (number | null)[] = [429, 503];
