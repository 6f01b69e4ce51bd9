import type { Headers } from "./evidence.ts";
import { redactPolicy, redactRefresh, redactText, redactUrl } from "./redact.ts";

const MAX_ENTRIES = 200;
const MAX_TOTAL_LENGTH = 65_536;
const MAX_COOKIE_PARTS = 16;
const MAX_POLICY_LENGTH = 16_384;

type Keep = (value: string) => string;

const token: Keep = (value) => redactText(value, 256);
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
  ["x-frame-options", token],
  ["x-content-type-options", token],
  ["referrer-policy", token],
  ["permissions-policy", list],
  ["feature-policy", list],
  ["cross-origin-opener-policy", token],
  ["cross-origin-embedder-policy", token],
  ["cross-origin-resource-policy", token],
  ["server", token],
  ["x-powered-by", token],
  ["x-aspnet-version", token],
  ["x-aspnetmvc-version", token],
  ["x-generator", token],
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

/**
 * The headers that some rule reads, names lower-cased, in the order received, secrets cut:
 * at most 200 entries and 65,536 characters.
 * @param raw name, value, name, value, as undici's `responseHeaders: "raw"` gives them, decoded as latin1
 */
export function keepHeaders(raw: readonly string[]): Headers {
  const kept: Headers = [];
  let room = MAX_TOTAL_LENGTH;
  for (let index = 0; index + 1 < raw.length && kept.length < MAX_ENTRIES; index += 2) {
    const name = raw[index]?.toLowerCase() ?? "";
    const value = KEPT.get(name)?.(raw[index + 1] ?? "");
    if (value === undefined) continue;
    room -= name.length + value.length;
    if (room < 0) break;
    kept.push([name, value]);
  }
  return kept;
}
