import type { Headers } from "./evidence.ts";
import { redactPolicy, redactRefresh, redactText, redactUrl, redactUrlsIn } from "./redact.ts";

/** JSON bytes that the headers of one answer may take in the evidence, by what the rules need of it. */
export const PAGE_HEADER_BYTES = 24_576;
export const REDIRECT_HEADER_BYTES = 2048;
export const SIDE_HEADER_BYTES = 1536;
const MAX_ENTRIES = 200;
const MAX_COOKIE_PARTS = 16;
const MAX_POLICY_LENGTH = 16_384;

type Keep = (value: string) => string;

const token: Keep = (value) => redactText(value, 256);
const words: Keep = (value) => redactUrlsIn(value, 256);
const list: Keep = (value) => redactText(value, 4096);
const policy: Keep = (value) => redactPolicy(value, MAX_POLICY_LENGTH);

const COOKIE_ATTRIBUTES = new Set([
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

function keepCookie(value: string): string {
  const [pair = "", ...attributes] = value.split(";", MAX_COOKIE_PARTS);
  const equals = pair.indexOf("=");
  const name = redactText(pair.slice(0, Math.max(equals, 0)), 128);
  const masked = pair.slice(equals + 1).trim() && "***";
  const kept = attributes
    .map((attribute) => redactText(attribute, 256))
    .filter((attribute) => COOKIE_ATTRIBUTES.has(attributeName(attribute)));
  return [equals < 0 ? masked : `${name}=${masked}`, ...kept].join("; ");
}

function attributeName(attribute: string): string {
  const [name = ""] = attribute.split("=", 1);
  return name.trim().toLowerCase();
}

function keepScheme(value: string): string {
  const [scheme = ""] = value.trim().split(/[\s,]/, 1);
  return token(scheme);
}

const KEPT = new Map<string, Keep>([
  ["strict-transport-security", token],
  ["content-security-policy", policy],
  ["content-security-policy-report-only", policy],
  ["x-frame-options", words],
  ["x-content-type-options", token],
  ["referrer-policy", token],
  ["permissions-policy", list],
  ["feature-policy", list],
  ["cross-origin-opener-policy", token],
  ["cross-origin-embedder-policy", token],
  ["cross-origin-resource-policy", token],
  ["server", words],
  ["x-powered-by", words],
  ["x-aspnet-version", words],
  ["x-aspnetmvc-version", words],
  ["x-generator", words],
  ["cache-control", token],
  ["expires", token],
  ["etag", token],
  ["last-modified", token],
  ["age", token],
  ["vary", token],
  ["content-type", token],
  ["content-encoding", token],
  ["content-length", token],
  ["x-robots-tag", list],
  ["set-cookie", keepCookie],
  ["location", redactUrl],
  ["refresh", redactRefresh],
  ["www-authenticate", keepScheme],
  ["cf-mitigated", token],
  ["retry-after", token],
  ["access-control-allow-origin", token],
  ["access-control-allow-credentials", token],
]);

/** Headers that sites make long; they have the room that the others leave. */
const LONG = new Set([
  "content-security-policy",
  "content-security-policy-report-only",
  "permissions-policy",
  "feature-policy",
  "x-robots-tag",
  "set-cookie",
]);

/**
 * The headers that some rule reads, names lower-cased, in the order received, secrets cut: at most 200 entries and
 * `maxBytes` of JSON. A header that no longer fits is left out.
 * @param raw name, value, name, value, as undici's `responseHeaders: "raw"` gives them, decoded as latin1
 */
export function keepHeaders(raw: readonly string[], maxBytes: number): Headers {
  const kept = new Map<number, Headers[number]>();
  let room = maxBytes;
  for (const isLong of [false, true]) {
    for (let index = 0; index + 1 < raw.length && kept.size < MAX_ENTRIES; index += 2) {
      const name = raw[index]?.toLowerCase() ?? "";
      const keep = LONG.has(name) === isLong ? KEPT.get(name) : undefined;
      if (!keep || room <= 0) continue;
      const entry: Headers[number] = [name, keep(raw[index + 1] ?? "")];
      const bytes = Buffer.byteLength(JSON.stringify(entry)) + 1;
      if (bytes > room) continue;
      room -= bytes;
      kept.set(index, entry);
    }
  }
  return [...kept].toSorted(([one], [other]) => one - other).map(([, entry]) => entry);
}
