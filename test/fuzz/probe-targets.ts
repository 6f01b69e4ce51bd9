import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import * as fc from "fast-check";
import { readBody } from "../../server/engine/requests/body/body-facts.ts";
import { readCertificate } from "../../server/engine/net/certificate.ts";
import { Body } from "../../server/engine/evidence/evidence.ts";
import { Headers, Tls } from "../../server/engine/evidence/exchange.ts";
import { keepHeaders, PAGE_HEADER_BYTES } from "../../server/engine/requests/headers.ts";
import {
  redactPolicy,
  redactRefresh,
  redactUrl,
  redactUrlsIn,
} from "../../server/engine/requests/privacy/redact.ts";
import { oneLine } from "../../server/base/syntax/text.ts";
import { readRobots } from "../../server/engine/requests/body/robots.ts";
import { findBlocks } from "../../server/engine/requests/body/robots-rules.ts";
import { readSitemap } from "../../server/engine/requests/body/sitemap.ts";
import { Slice } from "../../server/engine/net/slice.ts";
import { CERTIFICATES } from "./certificates.ts";
import { COOKIE_SECRET, headersOf, setCookie, shout } from "./header-values.ts";
import { markup, secretPage } from "./markup.ts";
import { openFuzzGuard } from "./network.ts";
import { mutationOf, textOf } from "./noise.ts";
import { target, type Target } from "./target.ts";
import { secretUrl, URL_SECRET, urlText } from "./urls.ts";

const MAX_BODY_FACTS_BYTES = 150_000;
const PAGE = new URL("https://example.com/shop/page?x=1");
const guard = openFuzzGuard({ outcome: "not_found" });

/** Evidence is printed and stored: nothing in it may steer a terminal or turn a line around. */
function assertClean(value: unknown): void {
  if (typeof value === "string") assert.doesNotMatch(value, /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
  else if (typeof value === "object" && value !== null) Object.values(value).forEach(assertClean);
}

const rawHeaders = fc
  .tuple(headersOf(), fc.nat({ max: 2 ** 30 }))
  .map(([entries, pattern]) => entries.flatMap(([name, value]) => [shout(name, pattern), value]));

/** For what is not kept of the line: a control character, or a name and value past 4,096 octets (RFC 6265bis, 5.6). */
function isIgnored(line: string): boolean {
  const [pair = ""] = line.split(";");
  const [name = "", ...value] = pair.includes("=") ? pair.split("=") : ["", pair];
  const isControl = (code: number) => code === 127 || (code < 32 && code !== 9);
  return (
    name.trim().length + value.join("=").trim().length > 4096 ||
    line.split("").some((character) => isControl(character.charCodeAt(0)))
  );
}

const CHARSETS =
  "utf-8 UTF8 latin1 windows-1252 utf-16 utf-16be shift_jis gbk x-user-defined nope".split(" ");
const STATES = ["whole", "over_limit", "cut_short", "unsupported", "undecodable"] as const;
const BOMS = ["", "\u00ef\u00bb\u00bf", "\u00ff\u00fe", "\u00fe\u00ff"];

const body = fc
  .record({
    text: markup,
    coding: fc.constantFrom<BufferEncoding>("utf8", "utf8", "utf8", "latin1", "utf16le"),
    bom: fc.constantFrom(...BOMS, "", "", ""),
    contentType: fc.oneof(
      fc.constantFrom(null, "text/html", "text/plain", "application/xhtml+xml"),
      fc.constantFrom(...CHARSETS).map((label) => `text/html; charset=${label}`),
      textOf(["text/html", ";", "charset", "=", '"', ...CHARSETS], { maxPieces: 6 }),
    ),
    state: fc.constantFrom("whole" as const, ...STATES),
  })
  .map(({ text, coding, bom, contentType, state }) => ({
    bytes: Buffer.concat([Buffer.from(bom, "latin1"), Buffer.from(text, coding)]),
    contentType,
    state,
  }));

async function readPage(
  bytes: Buffer,
  contentType: string | null,
  state: Body["state"],
): Promise<Body> {
  const content = { bytes, wireBytes: bytes.length, encoding: null, oddities: [], state };
  const reading = await readBody({ ...content, contentType, url: PAGE, guard });
  return reading.body;
}

const ROBOTS_WORDS = [
  ..."User-agent: Disallow: Allow: Sitemap: Crawl-delay: Host: * Googlebot Bingbot / /shop /shop/page $ # : ? %2f %zz".split(
    " ",
  ),
  ..."\n|\n|\n|\r\n| |https://example.com/sitemap.xml|/*|*x|/shop/page?x=1$|\ufeff".split("|"),
];
const ROBOTS =
  "User-agent: *\nDisallow: /private/\nAllow: /*.html$\n\nUser-agent: Googlebot\nDisallow: /shop/*?x=\n\nSitemap: https://example.com/sitemap.xml\n";

const SITEMAP_WORDS = [
  ..."<urlset> </urlset> <sitemapindex> </sitemapindex> <url> </url> <loc> </loc> <url/> <x:urlset> <!-- --> <? ?>".split(
    " ",
  ),
  ..."<![CDATA[ ]]> <!DOCTYPE < > / & &amp; &#38; &lol; = ".split(" "),
  ...`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">|https://example.com/?a=1&amp;b=2| `.split(
    "|",
  ),
];
const SITEMAP =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n<url><loc>https://example.com/</loc><lastmod>2026-11-20</lastmod></url>\n<!-- end -->\n</urlset>\n';

const der = fc
  .tuple(
    fc.constantFrom(...CERTIFICATES),
    fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat({ max: 255 })),
      { maxLength: 12 },
    ),
    fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  )
  .map(([certificate, edits, end]) => {
    const bytes = Buffer.from(certificate.raw);
    for (const [place, byte] of edits) bytes[Math.floor(place * bytes.length)] = byte;
    return {
      certificate,
      bytes: end === null ? bytes : bytes.subarray(0, Math.floor(end * bytes.length)),
    };
  });

/** The certificate as OpenSSL reads it, its key too; undefined where it is none, so that no handshake could bring it. */
function parse(bytes: Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(bytes);
    return certificate.publicKey.type === "public" ? certificate : undefined;
  } catch {
    return undefined;
  }
}

/** A certificate whose bytes are others than those that OpenSSL has read. */
function withBytes(certificate: X509Certificate, raw: Buffer): X509Certificate {
  return Object.create(certificate, { raw: { value: raw } }) as X509Certificate;
}

export const PROBE_TARGETS: readonly Target[] = [
  target("headers", rawHeaders, (raw) => {
    const kept = Headers.parse(keepHeaders(raw, PAGE_HEADER_BYTES));
    assert.ok(kept.length <= 200);
    assert.ok(Buffer.byteLength(JSON.stringify(kept)) <= PAGE_HEADER_BYTES + 2);
    assertClean(kept);
  }),

  target("cookies-kept", setCookie, (line) => {
    const [[name, value] = []] = keepHeaders(["Set-Cookie", line], PAGE_HEADER_BYTES);
    assert.equal(name, isIgnored(line) ? undefined : "set-cookie");
    assert.ok(!value?.includes(COOKIE_SECRET), value);
  }),

  target("html", body, async ({ bytes, contentType, state }) => {
    const facts = await readPage(bytes, contentType, state);
    const { html, ...others } = Body.parse(facts);
    const lines = html?.text?.split("\n");
    assertClean({ ...others, html: { ...html, text: lines } });
    assert.ok(Buffer.byteLength(JSON.stringify(facts)) < MAX_BODY_FACTS_BYTES);
  }),

  target("secrets", secretPage, async (page) => {
    const facts = await readPage(Buffer.from(page), "text/html", "whole");
    assert.ok(!JSON.stringify(facts).includes(URL_SECRET), JSON.stringify(facts));
  }),

  target("redaction", fc.tuple(secretUrl, urlText), ([secret, text]) => {
    const source = secret.replaceAll(";", "");
    const kept = [
      redactUrl(secret),
      redactUrlsIn(`Disallow: ${secret} "${secret}"`, 300),
      redactPolicy(`script-src ${source} ${source}; report-uri ${source}`, 8192),
      redactRefresh(`5; url=${secret}`),
      redactRefresh(`0;URL='${secret}'`),
    ];
    for (const line of kept) assert.ok(!line.includes(URL_SECRET), line);
    const lines = [redactUrl(text), oneLine(text, 64), redactRefresh(text), redactPolicy(text, 99)];
    assertClean([...lines, redactUrlsIn(text, 300)]);
  }),

  target(
    "robots",
    fc.oneof(
      textOf(ROBOTS_WORDS, { maxPieces: 40, maxLength: 100_000 }),
      mutationOf([ROBOTS], ROBOTS_WORDS),
    ),
    async (text) => {
      const { rules, badLine, sitemaps } = await readRobots(text);
      const blocks = (await findBlocks(rules, PAGE, new Slice())) ?? [];
      assertClean([blocks, badLine]);
      assert.ok(blocks.length <= 3 && sitemaps.length <= 3);
      for (const { line } of blocks)
        assert.match(text.split(/\r\n|\n|\r/)[line - 1] ?? "", /disallow/i);
    },
  ),

  target(
    "sitemap",
    fc.oneof(
      textOf(SITEMAP_WORDS, { maxPieces: 30, maxLength: 65_536 }),
      mutationOf([SITEMAP], SITEMAP_WORDS),
    ),
    async (text) => {
      if ((await readSitemap(text)).valid)
        assert.match(text, /<(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|RDF)|^\s*https?:\/\//i);
    },
  ),

  target("certificate", der, ({ certificate, bytes }) => {
    const read = parse(bytes);
    for (const one of [withBytes(certificate, bytes), ...(read ? [read] : [])]) {
      const facts = Tls.shape.certificate.parse(readCertificate(one, "www.example.com"));
      assert.ok(facts.sans.length <= 200);
      assertClean(facts);
    }
  }),
];
