import * as fc from "fast-check";
import * as z from "zod";
import { Evidence } from "../../server/engine/evidence/evidence.ts";
import { RefusalCode } from "../../server/engine/evidence/exchange.ts";
import { keepHeaders, PAGE_HEADER_BYTES } from "../../server/engine/requests/headers.ts";
import { goodEvidence } from "../engine/judge/evidence-fixtures.ts";
import { headersOf } from "./header-values.ts";
import { textOf } from "./noise.ts";

type Path = readonly string[];

const URLS = [
  ..."https://www.example.com/ https://www.example.com/a/b?x=*** http://www.example.com/".split(
    " ",
  ),
  ..."https://example.com/ https://example.com:8443/ https://[2606:4700::1]/ https://93.184.215.14/".split(
    " ",
  ),
  ..."https://localhost:8443/ https://app-git-main-x.vercel.app/ https://cdn.example.net/app.3f9c2b1a.js".split(
    " ",
  ),
  ..."https://xn--exmple-cua.com/ https://www.example.com/%E2%80%AE".split(" "),
];
const PAGE_URLS = [
  ...URLS,
  "file:///C:/a.js",
  "https://cdn.polyfill.io/v3/polyfill.js",
  "https://cdn.jsdelivr.net/npm/vue@3.4.21/vue.js",
  "https://www.example.com/undefined/%7B%7Bx%7D%7D",
  "//x",
  "/card.png",
  "",
  "data:,",
  "https://",
  "http:x",
];

/** What is worth saying at a key of the evidence; other strings are noise. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  url: URLS,
  host: ["www.example.com", "example.com", "93.184.215.14", "2606:4700::1", "localhost", ""],
  address: ["93.184.215.14", "2606:4700::1"],
  addresses: ["93.184.215.14", "2606:4700::1", "10.0.0.1"],
  sans: [
    "dns:www.example.com",
    "dns:*.example.com",
    "dns:*",
    "ip:93.184.215.14",
    "ip:::1",
    "x",
    ":",
  ],
  protocol: ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3", "unknown"],
  keyType: ["ec", "rsa", "ed25519", "rsa-pss", "dsa", "unknown"],
  curve: ["prime256v1", "secp384r1", "secp224r1", "brainpoolP256r1"],
  signatureAlgorithm: [
    "ecdsa-with-SHA256",
    "sha1WithRSAEncryption",
    "md5WithRSAEncryption",
    "oid 2b",
  ],
  code: [
    ...RefusalCode.options,
    ..."ECONNREFUSED ETIMEDOUT UND_ERR_HEADERS_TIMEOUT CERT_HAS_EXPIRED CERT_NOT_YET_VALID".split(
      " ",
    ),
    ..."DEPTH_ZERO_SELF_SIGNED_CERT UNSPECIFIED ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL".split(
      " ",
    ),
  ],
  message: ["CA md too weak", "certificate has expired", "unspecified"],
  encoding: ["br", "gzip", "zstd", "identity"],
  doctype: ["doctype html", 'DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN"', "doctype x", "--"],
  lang: ["en", "fr-CA", "english", "en_US", "x-klingon", " fr ", "i-default", "de-CH-1901"],
  label: ["utf-8", "UTF8", "latin1", "utf-16", "x-user-defined", "nope"],
  integrity: ["", "garbage", `sha384-${"a".repeat(64)}`, `sha256-${"a".repeat(43)}=`],
  text: [
    "undefined",
    "{{ name }}",
    "[object Object]",
    "Lorem ipsum dolor sit amet",
    "Page not found",
    "This domain is for sale.",
    "Welcome to nginx!",
  ],
  title: ["A good page", "Vite App", " ", "Untitled", "404 Not Found", "Coming soon | Tea"],
  headings: ["Page not found", "Coming soon", "Tea"],
  name: [
    ..."session sid theme".split(" "),
    ..."description viewport robots googlebot bingbot referrer refresh".split(" "),
    ..."og:title og:description og:image content-security-policy".split(" "),
  ],
  content: [
    ..."width=device-width noindex,none unsafe-url upgrade-insecure-requests https://x.example/a.png".split(
      " ",
    ),
    ..."width=device-width, user-scalable=no|width=device-width, maximum-scale=1|0; url=/".split(
      "|",
    ),
    "script-src 'nonce-r4nd0mV4lue'; object-src 'none'; base-uri 'none'",
  ],
  tag: ["script", "link", "img", '<img src="a.png">', "iframe"],
  agent: ["*", "Googlebot", "Bingbot"],
  location: [
    "/",
    "https://www.example.com/",
    "https://",
    "//",
    "https://www.example.com/shipscore-5b1e/",
  ],
  challenge: ["Cloudflare", "captcha"],
  canonical: [...URLS, "/", ""],
  sitemaps: [...URLS, "https://www.example.com/sitemap.xml", "http://x", "x"],
  emptyRootId: ["root", "app"],
  origin: ["https://shipscore-probe.example", "null", "*"],
  origins: ["https://www.example.com", "https://cdn.example.net:8443", "data:", ""],
};
const NOISE = [
  "undefine",
  "null",
  "<",
  ">",
  '"',
  "…",
  "{",
  "}",
  "%s",
  "$&",
  "$1",
  "${x}",
  "\\n",
  " ",
];

const DATES = [
  ..."2026-11-20T08:30:00.000Z 2026-11-20T08:30:00Z 2027-01-30T00:00:00.000Z".split(" "),
  ..."0001-01-01T00:00:00.000Z 9999-12-31T23:59:59.999Z 1970-01-01T00:00:00.000Z".split(" "),
];
const date = fc.oneof(
  fc.constantFrom(...DATES),
  fc
    .date({ min: new Date("2026-08-01"), max: new Date("2027-08-01"), noInvalidDate: true })
    .map((day) => day.toISOString()),
);

const STATUSES = [
  200, 204, 206, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 410, 429, 451, 500, 503, 0, -1,
  99, 299, 399, 999,
];
const BOUNDS = [0, 1, 2, 6, 7, 8, 49, 50, 1023, 1024, 1400, 1401, 500_000, 500_001, 800, 801, 1801];
const integer = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...BOUNDS) },
  { weight: 2, arbitrary: fc.nat({ max: 10_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER) },
);
const double = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...BOUNDS, 0.5, 799.6, 800.4, -0, -1, 1e21, 5e-324) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
);

/** The probe's own URLs are parsed ones; those of the page's HTML, and of what a server says, may be anything. */
function stringAt(path: Path): fc.Arbitrary<string> {
  const key = path.at(-1) ?? "";
  const words = WORDS[key];
  if (key === "url" && path.includes("html"))
    return fc.oneof(fc.constantFrom(...PAGE_URLS), textOf(PAGE_URLS, { maxPieces: 3 }));
  if (key === "url") return fc.constantFrom(...URLS);
  const noise = textOf([...NOISE, ...(words ?? [])], { maxPieces: 4, maxLength: 3000 });
  return words === undefined
    ? noise
    : fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...words) },
        { weight: 1, arbitrary: noise },
      );
}

function numberAt(path: Path, isInt: boolean): fc.Arbitrary<number> {
  if (path.at(-1) === "status") return fc.constantFrom(...STATUSES);
  return isInt ? integer : double;
}

const headers = headersOf().map((entries) => keepHeaders(entries.flat(), PAGE_HEADER_BYTES));

/** Any value that the schema allows at that path of the evidence. */
function anyOf(schema: unknown, path: Path = []): fc.Arbitrary<unknown> {
  if (path.at(-1) === "headers") return headers;
  if (schema instanceof z.core.$ZodObject)
    return fc.record(
      Object.fromEntries(
        Object.entries(schema._zod.def.shape).map(([key, child]) => [
          key,
          anyOf(child, [...path, key]),
        ]),
      ),
    );
  if (schema instanceof z.ZodArray) return fc.array(anyOf(schema.element, path), { maxLength: 4 });
  if (schema instanceof z.core.$ZodNullable)
    return fc.oneof(
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 3, arbitrary: anyOf(schema._zod.def.innerType, path) },
    );
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.core.$ZodNumber)
    return numberAt(path, schema instanceof z.ZodNumber && schema.isInt);
  if (schema instanceof z.ZodISODateTime) return date;
  if (schema instanceof z.ZodString) return stringAt(path);
  throw new Error(`no values are known for ${path.join(".")}`);
}

/** The value with some of its parts replaced by any that the schema allows. */
function nearTo(schema: unknown, value: unknown, path: Path = []): fc.Arbitrary<unknown> {
  const other = anyOf(schema, path);
  const isHeaders = path.at(-1) === "headers";
  if (schema instanceof z.ZodNullable && value !== null)
    return fc.oneof(
      { weight: 60, arbitrary: nearTo(schema.unwrap(), value, path) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
  if (schema instanceof z.ZodObject && typeof value === "object" && value !== null) {
    const fields = Object.entries(schema.shape).map(([key, child]) => [
      key,
      nearTo(child, Reflect.get(value, key), [...path, key]),
    ]);
    return fc.oneof(
      { weight: 1, arbitrary: fc.constant(value) },
      { weight: 3, arbitrary: fc.record(Object.fromEntries(fields)) },
    );
  }
  if (isHeaders && Array.isArray(value))
    return fc
      .tuple(fc.oneof(fc.constant(value), fc.shuffledSubarray(value)), headers, fc.nat({ max: 2 }))
      .map(([kept, added, way]) => [kept, [...kept, ...added], [...added, ...kept]][way]);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const items = fc.tuple(...value.map((item) => nearTo(schema.element, item, path)));
    return fc.oneof({ weight: 30, arbitrary: items }, { weight: 1, arbitrary: other });
  }
  return fc.oneof({ weight: 30, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other });
}

function reachPage(evidence: Evidence): Evidence {
  const dns = { ...evidence.dns, refusal: null };
  return { ...evidence, dns, page: { ...evidence.page, failure: null, stop: null } };
}

/** Evidence of any kind that the schema allows, however unlike a real visit; in half of it the page is reached. */
export const anyEvidence = fc
  .tuple(anyOf(Evidence) as fc.Arbitrary<Evidence>, fc.boolean())
  .map(([evidence, isReached]) => (isReached ? reachPage(evidence) : evidence));

/** The evidence of a good page with a few facts changed. */
export const editedEvidence = nearTo(Evidence, goodEvidence()) as fc.Arbitrary<Evidence>;
