import { isUtf8 } from "node:buffer";
import { DEBUG_HEADERS } from "../evidence/debug-headers.ts";
import type { Headers } from "../evidence/exchange.ts";
import {
  markStripped,
  redactPolicy,
  redactRefresh,
  redactUrl,
  redactUrlsIn,
} from "./privacy/redact.ts";
import { escapeLocation, parseLinks } from "../../base/syntax/http.ts";
import { readDictionary } from "../../base/syntax/structured-field.ts";
import { oneLine } from "../../base/syntax/text.ts";
import { keepCookie } from "./cookies.ts";

/** Limits per answer, in JSON bytes. They depend on how much of its headers the rules read. */
export const PAGE_HEADER_BYTES = 24_576;
export const REDIRECT_HEADER_BYTES = 2048;
export const LATER_HEADER_BYTES = 512;
export const SIDE_HEADER_BYTES = 1536;
/** For files and links, of which there are many. */
export const SAMPLE_HEADER_BYTES = 512;
const MAX_ENTRIES = 200;
/** Enough to keep values whole that a rule parses. */
const MAX_VALUE_LENGTH = 4096;
/** Entries of up to this many JSON bytes have priority over longer ones. */
const LONG_BYTES = 512;
const MAX_POLICY_LENGTH = 16_384;

/** Undefined for a value that browsers ignore. */
type ValueFilter = (value: string) => string | undefined;

/** The values were decoded as latin1, but may be UTF-8. */
function decode(value: string): string {
  if (/^[\0-\x7f]*$/.test(value)) return value;
  const bytes = Buffer.from(value, "latin1");
  return markStripped(isUtf8(bytes) ? bytes.toString() : value);
}

const token: ValueFilter = (value) => oneLine(decode(value), MAX_VALUE_LENGTH);
const words: ValueFilter = (value) => redactUrlsIn(decode(value), 256);
const policy: ValueFilter = (value) => redactPolicy(decode(value), MAX_POLICY_LENGTH);

/** Keeps only the fact that the header was sent: its value may open a debugger. */
const nothing: ValueFilter = () => "";

function keepScheme(value: string): string | undefined {
  const [scheme = ""] = value.trim().split(/[\s,]/, 1);
  return token(scheme);
}

/** Drops the file name. */
const keepDisposition: ValueFilter = (value) => token(value.split(";", 1)[0] ?? "");

/** One less than the limit of `redactUrl`, so that no URL ends in …: masking looks for cut secrets before that sign. */
const MAX_CANONICAL_LENGTH = 1023;

function keepCanonical(value: string): string | undefined {
  const canonical = parseLinks(value).find(({ relations }) => relations.includes("canonical"));
  if (!canonical) return undefined;
  return `<${oneLine(redactUrl(canonical.url), MAX_CANONICAL_LENGTH)}>; rel="canonical"`;
}

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 64;

function joinNames(names: readonly string[]): string {
  return names
    .slice(0, MAX_NAMES)
    .map((name) => oneLine(name, MAX_NAME_LENGTH))
    .join(", ");
}

/** Members of a JSON list without its brackets, as in Report-To and NEL. */
function readJsonField(value: string): Record<string, unknown>[] {
  try {
    const list: unknown = JSON.parse(`[${value.slice(0, MAX_VALUE_LENGTH)}]`);
    return Array.isArray(list) ? list.filter((one) => typeof one === "object" && one !== null) : [];
  } catch {
    return [];
  }
}

/** Keeps the names, because rules do not need the URLs. A group without a name is `default`. */
const keepNames =
  (key: string): ValueFilter =>
  (value) => {
    const names = readJsonField(value).map((member) => member[key] ?? "default");
    return joinNames(names.filter((name) => typeof name === "string"));
  };

const keepKeys: ValueFilter = (value) =>
  joinNames([...(readDictionary(value.slice(0, MAX_VALUE_LENGTH))?.keys() ?? [])]);

/** Keeps the protocols, such as `h3`. */
const keepProtocols: ValueFilter = (value) =>
  joinNames(value.match(/(?<=^|[,\s])h[\w%-]{1,20}(?==)/g) ?? []);

const KEPT = new Map<string, ValueFilter>([
  ["strict-transport-security", token],
  ["content-security-policy", policy],
  ["content-security-policy-report-only", policy],
  ["x-frame-options", words],
  ["x-content-type-options", token],
  ["referrer-policy", token],
  ["permissions-policy", token],
  ["feature-policy", token],
  ["clear-site-data", token],
  ["cross-origin-opener-policy", token],
  ["cross-origin-embedder-policy", token],
  ["cross-origin-resource-policy", token],
  ["integrity-policy", token],
  ["integrity-policy-report-only", token],
  ["x-xss-protection", token],
  ["expect-ct", nothing],
  ["public-key-pins", nothing],
  ["public-key-pins-report-only", nothing],
  ["report-to", keepNames("group")],
  ["nel", keepNames("report_to")],
  ["reporting-endpoints", keepKeys],
  ["alt-svc", keepProtocols],
  ["server", words],
  ["x-powered-by", words],
  ["x-aspnet-version", words],
  ["x-aspnetmvc-version", words],
  ["x-generator", words],
  ["x-jenkins", words],
  ["x-hudson", words],
  ["liferay-portal", words],
  ...[...DEBUG_HEADERS.keys()].map((name): [string, ValueFilter] => [name, nothing]),
  ["cache-control", token],
  ["expires", token],
  ["etag", token],
  ["last-modified", token],
  ["age", token],
  ["content-type", token],
  ["content-encoding", token],
  ["content-length", token],
  ["content-disposition", keepDisposition],
  ["link", keepCanonical],
  ["x-amz-request-id", () => "***"],
  ["x-robots-tag", token],
  ["set-cookie", keepCookie],
  ["location", (value) => redactUrl(escapeLocation(value))],
  ["refresh", (value) => redactRefresh(decode(value))],
  ["www-authenticate", keepScheme],
  ["cf-mitigated", token],
  ["x-amzn-waf-action", token],
  ["x-vercel-mitigated", token],
  ["x-sucuri-block", nothing],
  ["retry-after", token],
  ["access-control-allow-origin", token],
  ["access-control-allow-credentials", token],
]);

/** Headers that may be long. They get the room that the others leave. */
const LONG = new Set([
  "content-security-policy",
  "content-security-policy-report-only",
  "permissions-policy",
  "feature-policy",
  "x-robots-tag",
  "set-cookie",
]);

/**
 * Keeps only headers that some rule reads, without secrets, in the order received.
 * @param raw name, value, name, value, as undici's `responseHeaders: "raw"` gives them, decoded as latin1
 */
export function keepHeaders(raw: readonly string[], maxBytes: number): Headers {
  const kept = new Map<number, Headers[number]>();
  let room = maxBytes;
  for (const isLong of [false, true]) {
    for (let index = 0; index + 1 < raw.length && kept.size < MAX_ENTRIES; index += 2) {
      const name = raw[index]?.toLowerCase() ?? "";
      const keep = kept.has(index) || (LONG.has(name) && !isLong) ? undefined : KEPT.get(name);
      if (!keep || room <= 0) continue;
      const value = keep(raw[index + 1] ?? "");
      if (value === undefined) continue;
      const entry: Headers[number] = [name, value];
      const bytes = Buffer.byteLength(JSON.stringify(entry)) + 1;
      if (bytes > (isLong ? room : Math.min(room, LONG_BYTES))) continue;
      room -= bytes;
      kept.set(index, entry);
    }
  }
  return [...kept].toSorted(([one], [other]) => one - other).map(([, entry]) => entry);
}

/** Headers that concern pages alone, and that many sites send with every file. */
const OF_PAGES =
  /^(?:content-security-policy|permissions-policy|feature-policy|referrer-policy|strict-transport-security|set-cookie|x-frame-options|x-xss-protection|x-robots-tag|report-to|reporting-endpoints|nel|link|cross-origin-(?:opener|embedder)-policy)/i;

export function dropPageHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => !OF_PAGES.test(rawHeaders[at - (at % 2)] ?? ""));
}
