import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readBody } from "../../../../server/engine/requests/body/body-facts.ts";
import { readFile } from "../../../../server/engine/requests/samples.ts";
import { readRobots } from "../../../../server/engine/requests/body/robots.ts";
import { findBlocks } from "../../../../server/engine/requests/body/robots-rules.ts";
import { readSitemap } from "../../../../server/engine/requests/body/sitemap.ts";
import { openSecrets } from "../../../../server/engine/requests/privacy/secrets.ts";
import { Slice } from "../../../../server/engine/net/slice.ts";
import { measureLongestBlock } from "../../../harness/blocks.ts";

const BOUND_MS = 20;
const PAGE_BYTES = 1_572_864;
const ROBOTS_BYTES = 512_000;
const FILE_BYTES = 524_288;
const SITEMAP_BYTES = 65_536;

function fill(bytes: number, start: string, piece: (index: number) => string): Buffer {
  const pieces = [start];
  for (let index = 0, length = start.length; length < bytes; index++) {
    const next = piece(index);
    pieces.push(next);
    length += next.length;
  }
  return Buffer.from(pieces.join("")).subarray(0, bytes);
}

const page = (start: string, piece: (index: number) => string, end = "") =>
  Buffer.concat([fill(PAGE_BYTES - end.length, start, piece), Buffer.from(end)]);
const drawn = "q7Zr2mWx9Ld4TvBn8YcHs3Jf".repeat(5);
/** A prefix and a length of each kind of credential. */
const KEYS = [
  ["sk_live_", 24],
  ["sk_test_", 24],
  ["glpat-", 20],
  ["GOCSPX-", 28],
  ["sb_secret_", 22],
  ["sk-ant-api03-", 90],
  ["xoxb-2498713506-", 40],
  ["pypi-AgEIcHlwaS5vcmc", 60],
]
  .map(([prefix, length]) => `"${prefix}${drawn.slice(0, Number(length))}"`)
  .join();
const always = (text: string) => () => text;
const bytes = (of: (index: number) => number) =>
  Buffer.from(Uint8Array.from({ length: PAGE_BYTES }, (_, index) => of(index)));

const readShown = () => "";

function read(body: Buffer, contentType = "text/html"): Promise<unknown> {
  return readBody({
    bytes: body,
    wireBytes: body.length,
    encoding: null,
    oddities: [],
    state: "whole",
    contentType,
    url: new URL("https://example.com/"),
    guard: { classify: () => "public" },
  });
}

describe("no page of 1.5 MB blocks the process for more than 20 ms", { timeout: 60_000 }, () => {
  it.each<[string, Buffer]>([
    ["nested elements", page("<!doctype html>", always("<div>"))],
    ["distinct links", page("<p>", (index) => `<a href=/${index}>`)],
    ["scripts of as many hosts", page("<p>", (index) => `<script src=//h${index}.x></script>`)],
    ["canonicals", page("<p>", (index) => `<link rel=canonical href=/${index}>`)],
    ["srcsets", page("<p>", (index) => `<img srcset="${`${index}, `.repeat(200)}">`)],
    ["one srcset", page('<img srcset="', always("a, "))],
    ["one URL", page('<a href="/?', always("a=b&"))],
    ["one attribute of entities", page('<a href="', always("&amp;"))],
    ["attributes", page("<meta ", (index) => `a${index}=b `)],
    ["ampersands", page("<p>", always("&"))],
    ["less-than signs", page("<p>", always("<"))],
    ["one comment", page("<!--", always("-"))],
    ["comments that begin", page("", always("<!--"))],
    ["white space", page("", always(" "))],
    ["one script", page("<script>", always("<"))],
    ["a script of keys that begin", page("<script>", always("sk-"))],
    ["a script of tokens that begin", page("<script>", always("eyJ"))],
    ["a script of databases", page("<script>", always("postgres://a:"))],
    ["a script of every kind of key after as many lines", page("<script>", always("\n"), KEYS)],
    ["scripts of one key each", page("", always("<script>'AKIA</script>"))],
    ["scripts that begin", page("/@vite/client /_next/static/chunks/", always("<script "))],
    ["frames of a stack", page("", always("\\n   at ) in "))],
    ["metas that refresh", page("<p>", always("<meta refresh"))],
    ["comments", page("", always("<!---->"))],
    ["templates", page("", always("<template>"))],
    ["short scripts", page("", always("<script>a</script>"))],
    ["PHP errors that begin", page("</b> on line <b>", always("<br /><b>Warning</b>: "))],
    ["lines of a trace", page("<pre>Stack trace:\n#0 ", always("\n    at a.b(c.js:1:2)"))],
    ["pre that begin", page("", always("<pre>Error: x<br> "))],
    ["headings", page("", always("<h1>404"))],
    ["titles that begin", page("", always("<title"))],
  ])("%s", async (_name, body) => {
    expect(await measureLongestBlock(() => read(body), BOUND_MS)).toBeLessThanOrEqual(BOUND_MS);
  });

  it("a short page of frames", async () => {
    const body = fill(20_000, "", always("\\n   at ) in "));
    expect(await measureLongestBlock(() => read(body), BOUND_MS)).toBeLessThanOrEqual(BOUND_MS);
  });

  it.each([
    ["iso-2022-jp", bytes((index) => (index % 2 ? 0x40 : 0x81))],
    ["big5", bytes(() => 0x81)],
    ["gb18030", bytes((index) => (index * 7919 + (index >> 3)) & 255)],
    ["windows-1252", bytes(() => 0x81)],
    ["utf-8", bytes((index) => (index * 7919 + (index >> 3)) & 255)],
  ])("a page in %s", async (charset, body) => {
    const type = `text/html; charset=${charset}`;
    const longestMs = await measureLongestBlock(() => read(body, type), BOUND_MS);
    expect(longestMs).toBeLessThanOrEqual(BOUND_MS);
  });
});

describe("no file of 512 KB does", { timeout: 60_000 }, () => {
  const file = (piece: string) => fill(FILE_BYTES, "", always(piece));

  it.each([
    ["one line", file(" ")],
    ["quotes", file('"')],
    ["comments that begin", file("/*")],
    ["comments", file("/**/")],
    ["data: addresses", file('"data:text/plain,",')],
    ["addresses over http", file("url(http://a.test/)")],
    ["addresses that begin", file("url(")],
    ["imports that begin", file("@import ")],
    ["namespaces", file("@namespace ")],
    ["private addresses", file('"http://localhost:3000/a",')],
    ["private addresses with names", file('const a="http://localhost:3000/a",')],
    ["calls", file("fetch(`${a}")],
    ["marks of development builds that begin", file("Download the React DevTools ")],
    ["source maps", file("//# sourceMappingURL=a\n")],
    ["keys", file(`${KEYS},`)],
    ["names of fields that hold keys", file("mailgun_TWILIO_AUTH_TOKEN=CO_API_KEY:")],
    ["marks of credentials", file("re_sk-r8_AC-usQ~eyJ")],
  ])("of %s", async (_name, text) => {
    for (const isStyle of [false, true]) {
      const signal = new AbortController().signal;
      const readText = () =>
        readFile({
          oddities: [],
          bytes: text,
          wireBytes: text.length,
          state: "whole",
          integrity: null,
          isCode: true,
          isOwn: true,
          isStyle,
          readShown,
          signal,
        });
      expect(await measureLongestBlock(readText, BOUND_MS)).toBeLessThanOrEqual(BOUND_MS);
    }
  });
});

describe("no robots.txt of 500 KB does", { timeout: 60_000 }, () => {
  const robots = (start: string, piece: (index: number) => string) =>
    fill(ROBOTS_BYTES, start, piece).toString();
  const url = new URL(`https://example.com/${"a".repeat(2000)}`);

  it.each([
    ["empty lines", robots("", always("\n"))],
    ["rules", robots("User-agent: *\n", always("Disallow: /*a*b$\n"))],
    [
      "ever longer rules",
      robots("User-agent: *\n", (index) => `Disallow: /*${"a".repeat(index)}\n`),
    ],
    ["agents", robots("", always("User-agent: *\n"))],
    [
      "agents, then rules",
      robots(always("User-agent:*\n")().repeat(ROBOTS_BYTES / 28), always("Allow:/\n")),
    ],
    [
      "rules that almost match",
      robots("User-agent: *\n", always(`Disallow: /*b${"a".repeat(1500)}\n`)),
    ],
    ["one rule of stars", robots("User-agent: *\nDisallow: /", always("*"))],
    ["one rule to be escaped", robots("User-agent: *\nDisallow: /", always("aé"))],
    ["sitemaps", robots("", (index) => `Sitemap: https://example.com/${index}\n`)],
    ["lines that are none", robots("", always("x\r"))],
  ])("%s", async (_name, text) => {
    const judge = async () => findBlocks((await readRobots(text)).rules, url, new Slice());
    const longestMs = await measureLongestBlock(judge, BOUND_MS);
    expect(longestMs).toBeLessThanOrEqual(BOUND_MS);
  });
});

describe("no sitemap of 64 KB does", () => {
  it.each([
    ["open elements", "<a>"],
    ["empty elements", "<a/>"],
    ["entities", "&amp;"],
    ["comments that begin", "<!--"],
  ])("%s", async (_name, piece) => {
    const text = fill(SITEMAP_BYTES, "<urlset>", always(piece)).toString();
    const longestMs = await measureLongestBlock(() => readSitemap(text), BOUND_MS);
    expect(longestMs).toBeLessThanOrEqual(BOUND_MS);
  });
});

describe("masking the evidence of a check does not either", () => {
  const texts = (piece: string, length: number) =>
    Array.from(
      { length: 240_000 / length },
      (_, index) => `${index} ${piece.repeat(length / piece.length)}.…`,
    );

  it.each<[string, string, string[]]>([
    ["addresses", "q7Zr2mWx9Ld4TvBn8YcHs3JfKp5GwRt1", texts("/path%20of%20a%20page", 1000)],
    ["texts that a value almost begins", `${"a".repeat(1000)}b`, texts("a", 1000)],
    ["policies that hold a value everywhere", "a".repeat(1020), texts("a", 16_000)],
  ])("%s", async (_name, value, evidence) => {
    const secrets = openSecrets({}, new URL(`https://example.com/?a=${value}`));
    const hide = async () => {
      await nextTurn();
      await secrets.hide(evidence);
    };
    expect(await measureLongestBlock(hide, BOUND_MS)).toBeLessThanOrEqual(BOUND_MS);
  });
});
