import * as fc from "fast-check";
import { textOf } from "./noise.ts";

const CSP_WORDS = (
  "default-src script-src script-src-elem script-src-attr style-src img-src object-src base-uri " +
  "frame-ancestors frame-src form-action report-uri report-to sandbox upgrade-insecure-requests " +
  "require-trusted-types-for trusted-types block-all-mixed-content worker-src 'self' 'none' " +
  "'unsafe-inline' 'unsafe-eval' 'strict-dynamic' 'report-sample' 'wasm-unsafe-eval' " +
  "'unsafe-hashes' 'nonce-r4nd0mV4lue' 'nonce-' 'nonce-a 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' " +
  "'sha256-x' * *.example.com https: http: data: blob: https://cdn.example.com " +
  "https://ajax.googleapis.com https://cdnjs.cloudflare.com/ajax/libs/angular.js/ " +
  "https://www.google.com/jsapi http://127.0.0.1 https://*:* *:443 //x __proto__ constructor toString"
).split(" ");

/** Words of each header's own grammar, and of the mistakes that people make in it. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  "strict-transport-security": [
    ..."max-age = ; , includeSubDomains preload 31536000 15552000 15551999 0".split(" "),
    ...`max-age="31536000"|max-age=0|max-age=abc|max-age=31536000|"|\\"| `.split("|"),
  ],
  "content-security-policy": [...CSP_WORDS, " ", " ", "; ", "; ", ","],
  "content-security-policy-report-only": [...CSP_WORDS, " ", " ", "; ", "; ", ","],
  "x-frame-options": "DENY SAMEORIGIN deny ALLOW-FROM allowall https://x.example , ;".split(" "),
  "x-content-type-options": "nosniff NoSniff sniff none , ;".split(" "),
  "referrer-policy":
    "no-referrer no-referrer-when-downgrade same-origin origin strict-origin unsafe-url strict-origin-when-cross-origin never , ;".split(
      " ",
    ),
  "permissions-policy": "camera=() microphone=(self) geolocation=* , = ( ) ;".split(" "),
  "feature-policy": "camera 'none' ; microphone 'self'".split(" "),
  "cross-origin-opener-policy":
    "same-origin same-origin-allow-popups unsafe-none ; report-to=x".split(" "),
  "cross-origin-embedder-policy": "require-corp credentialless unsafe-none".split(" "),
  "cross-origin-resource-policy": "same-site same-origin cross-origin".split(" "),
  server: "nginx nginx/1.25.3 Apache/2.4.58 (Ubuntu) Microsoft-IIS/10.0 cloudflare h2 /2".split(
    " ",
  ),
  "x-powered-by": "PHP/8.2.1 Express ASP.NET Next.js 14".split(" "),
  "x-aspnet-version": ["4.0.30319", "x"],
  "x-aspnetmvc-version": ["5.2", "x"],
  "x-jenkins": ["2.440.1", "x"],
  "x-hudson": ["1.395"],
  "liferay-portal": ["Liferay Community Edition Portal 7.4.3"],
  "x-debug-token-link": ["https://www.example.com/_profiler/a1b2c3", "x"],
  "x-miniprofiler-ids": ['["a"]'],
  "x-generator": "Drupal 10 (https://www.drupal.org)".split(" "),
  "cache-control":
    'max-age =31536000 =0 public private no-cache no-store immutable must-revalidate s-maxage , = "'.split(
      " ",
    ),
  expires: ["0", "-1", "Fri, 20 Nov 2026 08:30:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "275760"],
  etag: ['"5f3a"', 'W/"5f3a"', "5f3a"],
  "last-modified": ["Fri, 20 Nov 2026 08:30:00 GMT", "yesterday"],
  age: ["0", "60", "-1"],
  vary: ["*", "Accept-Encoding", ",", "Origin"],
  "content-type": [
    ..."text/html application/xhtml+xml text/javascript text/css text/plain image/png ; charset =".split(
      " ",
    ),
    ...`charset=utf-8|charset="utf-8"|charset=latin1|charset=utf-16|charset=x|; `.split("|"),
  ],
  "content-encoding": ["gzip", "br", "zstd", "identity", ","],
  "content-length": ["0", "1", "18000", "-1"],
  "content-disposition": ["inline", "attachment", "; filename=a.html", "filename=a"],
  "x-amz-request-id": ["4442587FB7D0A2F9"],
  "x-robots-tag":
    "noindex nofollow none all index googlebot: bingbot: otherbot: unavailable_after: max-snippet:-1 , :".split(
      " ",
    ),
  location: [
    "/",
    "//",
    "https://",
    "http://www.example.com/",
    "www.example.com",
    "?a=b",
    "#x",
    ":",
  ],
  refresh: ["0", "5", ";", " url=", "https://www.example.com/?a=b", "'", '"', ","],
  "www-authenticate": ["Basic", "Bearer", ' realm="x"', ",", "Digest"],
  "cf-mitigated": ["challenge", "challenge, x", "none"],
  "retry-after": ["120", "Fri, 20 Nov 2026 08:30:00 GMT"],
  "access-control-allow-origin": [
    "*",
    "null",
    "https://shipscore.invalid",
    "https://www.example.com",
    "https://",
    ",",
  ],
  "access-control-allow-credentials": ["true", "TRUE", "false", ","],
  link: ["<https://www.example.com/>", "</a>", "; rel=canonical", '; rel="preload"', ",", "<", ">"],
};

/** Whole values that mean something, so that rules go past their first question. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "strict-transport-security": ["max-age=31536000; includeSubDomains", "max-age=86400"],
  "content-security-policy": [
    "default-src 'self'",
    "default-src 'self'; object-src 'none'",
    "script-src 'self' 'unsafe-inline' https:; object-src 'none'; base-uri 'none'",
    "script-src 'nonce-r4nd0mV4lue' 'strict-dynamic'; object-src 'none'; base-uri 'none'",
    "script-src 'nonce-r4nd0mV4lue'; object-src 'none'",
    "frame-ancestors 'self'",
    "frame-ancestors *",
    "upgrade-insecure-requests",
  ],
  "content-security-policy-report-only": ["default-src 'self'", "frame-ancestors *"],
  "x-frame-options": ["DENY", "SAMEORIGIN"],
  "x-content-type-options": ["nosniff"],
  "content-type": ["text/html; charset=utf-8", "text/html", "text/javascript", "text/css"],
  "cache-control": ["no-cache", "public, max-age=31536000, immutable"],
  "x-robots-tag": ["noindex", "googlebot: noindex", "otherbot: noindex"],
  "access-control-allow-origin": ["https://shipscore.invalid", "*", "null"],
  "access-control-allow-credentials": ["true"],
};

const COOKIE_WORDS = (
  "session sid __Host-id __Secure-id connect.sid csrftoken PHPSESSID = ; Secure HttpOnly SameSite " +
  "SameSite=Lax SameSite=Strict SameSite=None Path=/ Path Domain=example.com Max-Age=0 Expires " +
  "Partitioned Priority=High"
).split(" ");

/** Stands in cookie values; must never be kept. */
export const COOKIE_SECRET = "s3cr3tC00k13";

const cookieName = fc.oneof(
  fc.constantFrom("session", "sid", "__Host-id", "__Secure-id", "csrftoken", "theme", ""),
  textOf(COOKIE_WORDS, { maxPieces: 3 }).map((text) => text.replaceAll(/[=;]/g, "")),
);
const cookieTail = fc.oneof(
  fc
    .subarray(["Secure", "HttpOnly", "SameSite=Lax", "Path=/", "Domain=example.com"])
    .map((parts) => parts.map((part) => `; ${part}`).join("")),
  textOf(COOKIE_WORDS, { maxPieces: 14 }).map((text) => `;${text}`),
);

/** Set-Cookie lines; the value of each holds COOKIE_SECRET, whatever is around it. */
export const setCookie: fc.Arbitrary<string> = fc
  .tuple(cookieName, fc.constantFrom("=", " = ", ""), cookieTail)
  .map(([name, equals, tail]) =>
    equals === "" ? `${COOKIE_SECRET}${tail}` : `${name}${equals}${COOKIE_SECRET}${tail}`,
  );

const anyValue = textOf(Object.values(WORDS).flat(), { maxPieces: 6 });

function valuesOf(name: string): fc.Arbitrary<string> {
  const grammar = textOf(WORDS[name] ?? ["x"]);
  const whole = VALUES[name];
  return fc.oneof(
    ...(whole ? [{ weight: 4, arbitrary: fc.constantFrom(...whole) }] : []),
    { weight: 4, arbitrary: grammar },
    { weight: 1, arbitrary: anyValue },
  );
}

type Entry = [name: string, value: string];

const entriesByName = new Map<string, fc.Arbitrary<Entry>>([
  ...Object.keys(WORDS).map((name): [string, fc.Arbitrary<Entry>] => [
    name,
    valuesOf(name).map((value): Entry => [name, value]),
  ]),
  ["set-cookie", setCookie.map((value): Entry => ["set-cookie", value])],
]);

const anyEntry = fc.oneof(...entriesByName.values());

/** Names and values of headers, names in lower case. */
export function headersOf(...names: readonly string[]): fc.Arbitrary<Entry[]> {
  const entries = names.map((name) => entriesByName.get(name) ?? anyEntry);
  return fc.array(entries.length > 0 ? fc.oneof(...entries) : anyEntry, { maxLength: 8 });
}

/** A name with the case of each letter left to chance. */
export function shout(name: string, pattern: number): string {
  return name
    .split("")
    .map((letter, index) => ((pattern >> (index % 30)) & 1 ? letter.toUpperCase() : letter))
    .join("");
}
