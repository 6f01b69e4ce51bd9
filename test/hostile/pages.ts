import { noise } from "../harness/noise.ts";

/** A page that is hard to read: what it is, with the lines of its head that go along. */
export interface Page {
  name: string;
  body: string | Buffer;
  lines?: string[];
  /** What was made of it. */
  read?: Record<string, unknown>;
  html?: Record<string, unknown>;
}

const MB = 1_048_576;
/** Just under what is read of a page, so that all of it counts. */
const FULL = 1_572_000;
const start = "<!doctype html><html lang=en><meta charset=utf-8><title>Hello</title>";

/** The text over and over, up to so many characters. */
export const fill = (text: string, length: number): string =>
  text.repeat(Math.floor(length / text.length));
/** A page of one text over and over. */
const full = (text: string) => start + fill(text, FULL);
const each = (count: number, make: (index: number) => string) =>
  start + Array.from({ length: count }, (_, index) => make(index)).join("");

const pages = (table: Record<string, Page["body"] | Omit<Page, "name">>): Page[] =>
  Object.entries(table).map(([name, page]) =>
    typeof page === "string" || Buffer.isBuffer(page) ? { name, body: page } : { name, ...page },
  );

const markup = pages({
  "10 MB of nested elements": {
    body: start + fill("<div>", 10 * MB),
    read: { state: "over_limit" },
  },
  "elements nested to the limit": { body: full("<b><i>"), read: { state: "whole" } },
  "tables in tables": full("<table><tr><td>"),
  "templates in templates": full("<template>"),
  "SVG in math in SVG": full("<svg><math>"),
  "forms and their ends, crossed": full("<form></b></p></form></i>"),
  "end tags alone": full("</div>"),
  "a million links": Array.from({ length: 1_000_000 }, (_, n) => `<a href=/${n}>`).join(""),
  "as many links as fit": {
    body: each(100_000, (n) => `<a href=/${n}>`),
    html: { linkCount: 100_000 },
  },
  "links to as many hosts": each(40_000, (n) => `<a href=//h${n}.example.com/>`),
  "as many scripts as fit": {
    body: each(50_000, (n) => `<script src=/${n}.js></script>`),
    html: { scriptCount: 50_000 },
  },
  "as many metas as fit": full('<meta name=description content="a">'),
  "as many canonicals as fit": each(30_000, (n) => `<link rel=canonical href=/${n}>`),
  "an attribute of 1.5 MB": `${start}<a href="${fill("a", FULL)}">`,
  "a tag's name of 1.5 MB": `${start}<${fill("a", FULL)}>`,
  "half a million attributes": `${start}<a ${fill("b ", FULL)}>`,
  "relations without end": `${start}<link href=/a rel="${fill("ab ", FULL)}">`,
  "entities without end": full("&amp;&#x26;&NotEqualTilde;&"),
  "an entity that never ends": full("&a"),
  "a comment that never ends": `${start}<!--${fill("-", FULL)}`,
  "comments that never end": full("<!--"),
  "a doctype of 1.5 MB": `<!doctype ${fill("html ", FULL)}>`,
  "a title of 1.5 MB": `${start}<title>${fill("title ", FULL)}`,
  "titles without end": full("<title>a</title>"),
  "a script that never ends": `${start}<script>${fill("</scrip", FULL)}`,
  "a srcset of 1.5 MB": `${start}<img alt srcset="${fill("/a 1x,", FULL)}">`,
  "a srcset of commas": `${start}<img alt srcset="${fill(",", FULL)}">`,
  "a srcset of parentheses": `${start}<img alt srcset="${fill("a (", FULL)}">`,
  "a refresh of 1.5 MB": `${start}<meta http-equiv=refresh content="${fill("0; url=", FULL)}">`,
  "refreshes of quotes": full(`<meta http-equiv=refresh content="0;url='''''''''">`),
  "a policy of 1.5 MB": `${start}<meta http-equiv=content-security-policy content="${fill("script-src a; ", FULL)}">`,
  "a base of 1.5 MB": `${start}<base href="https://a/${fill("a/", FULL)}"><a href=b>`,
  "URLs of dots": each(100, () => `<a href="${fill("../", 8000)}">`),
  "URLs of at signs": each(100, (n) => `<img src="https://${fill("a:@", 8000)}${n}">`),
  "white space alone": fill(" \n\t", FULL),
  "lines alone": start + fill("\n", FULL),
  "null bytes": Buffer.concat([Buffer.from(start), Buffer.alloc(FULL)]),
  "null bytes in names and values": `${start}<sc\0ript src="/\0a.js"></sc\0ript><a href="/\0">a`,
});

/** Text made to send an expression that reads it back and forth. */
const traps = pages({
  "starts of scripts for the debug pages": full("<script "),
  "traces that come to nothing": full("\n    at a"),
  "Java traces that come to nothing": `${start.replace("Hello", "500")}${fill("\n at a(a(a(", 15_000)}`,
  ".NET traces that come to nothing": `<title>500</title>${fill("\\n   at ) in ", 19_000)}`,
  "an index that is none": full('<a href="'),
  "frames for the gatekeepers": `${start}id="main-iframe"${fill("<iframe ", FULL)}`,
  "titles for the gatekeepers": `<title>${fill("please verify ", 300)}</title>`,
  "a start of comments": fill("<!-- -->", FULL),
  "a start of XML declarations": fill("<?xml ?>", FULL),
  "a charset of spaces": { body: start, lines: [`content-type: text/html;${fill(" ", 30_000)}`] },
  "charsets without end": {
    body: start,
    lines: [`content-type: text/html${fill(";charset", 30_000)}`],
  },
});

const html = (charset: string) => [`content-type: text/html; charset=${charset}`];
const utf16 = Buffer.from(start.replace("utf-8", "utf-16"), "utf16le");
const charsets = pages({
  "bytes that are no UTF-8": {
    body: Buffer.concat([Buffer.from(start), noise(5000)]),
    read: { charsetError: true },
  },
  "UTF-8 that is cut in a character": {
    body: Buffer.concat([Buffer.from(start), Buffer.from("é").subarray(0, 1)]),
    read: { charsetError: true },
  },
  "overlong UTF-8": {
    body: Buffer.concat([Buffer.from(start), Buffer.from([0xc0, 0xaf, 0xe0, 0x80, 0xaf])]),
    read: { charsetError: true },
  },
  "surrogates in UTF-8": {
    body: Buffer.concat([Buffer.from(start), Buffer.from([0xed, 0xa0, 0x80])]),
    read: { charsetError: true },
  },
  "UTF-7": { body: "+ADw-script+AD4-", lines: html("utf-7"), read: { charsetError: true } },
  "UTF-16 without a byte order mark": {
    body: utf16,
    lines: ["content-type: text/html"],
    read: { bomEncoding: null },
  },
  "UTF-16 that is announced": { body: utf16, lines: html("utf-16le"), html: { title: "Hello" } },
  "half a character of UTF-16": {
    body: utf16.subarray(0, -1),
    lines: html("utf-16le"),
    read: { charsetError: true },
  },
  "UTF-16 with a byte order mark, said to be UTF-8": {
    body: Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
    lines: html("utf-8"),
    read: { bomEncoding: "utf-16le" },
    html: { title: "Hello" },
  },
  "ISO-2022-JP": {
    body: Buffer.concat([Buffer.from(start), Buffer.from("\u001b$B"), Buffer.alloc(FULL, "$")]),
    lines: html("iso-2022-jp"),
    html: { title: "Hello" },
  },
  "escapes of ISO-2022-JP": {
    body: start + fill("\u001b$B\u001b(B\u001b", FULL),
    lines: html("iso-2022-jp"),
  },
  "x-user-defined": {
    body: Buffer.concat([Buffer.from(start), noise(500)]),
    lines: html("x-user-defined"),
    html: { title: "Hello" },
  },
  "GB18030 of noise": {
    body: Buffer.concat([Buffer.from(start), noise(MB)]),
    lines: html("gb18030"),
    read: { charsetError: true },
  },
  "the replacement encoding": { body: start, lines: html("iso-2022-kr") },
  "an unknown charset": {
    body: start,
    lines: html("klingon"),
    read: { charsetError: true },
    html: { title: "Hello" },
  },
  "a charset of 30 KB": {
    body: start,
    lines: html(fill("a", 30_000)),
    read: { charsetError: true },
  },
  noise: { body: noise(FULL), lines: ["content-type: text/html"] },
  "an executable as HTML": Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01"), noise(MB)]),
});

/** As many different ideographs, of which Punycode takes a time that is quadratic. */
export const ideographs = (count: number): string =>
  String.fromCodePoint(...Array.from({ length: count }, (_, index) => 0x4e00 + (index % 20_000)));
const HOST = `https://${ideographs(20_000).repeat(3)}/`;

const addresses = pages({
  "seven canonicals of hosts without end": {
    body: start + fill(`<link rel=canonical href="${HOST}">`, 7 * (HOST.length + 30)),
    html: { canonicals: { length: 7 } },
  },
  "an image of such a host": { body: `${start}<img src="${HOST}">`, html: { imageCount: 1 } },
  "sixty links to such hosts": {
    body: each(60, (index) => `<a href="https://${index}${HOST.slice(8, 8000)}">`),
    html: { linkCount: 60 },
  },
  "a thousand files below a long base": {
    body: `${start}<base href="/${"é".repeat(8000)}/">${Array.from({ length: 1000 }, (_, index) => `<img src=f${index}>`).join("")}`,
    html: { imageCount: 1000 },
  },
  "a file whose name is almost hashed": {
    body: `${start}<img src="/${"_G".repeat(250)}g${"1".repeat(400)}" alt="">`,
    html: { imageCount: 1 },
  },
  "words that are almost its cookies": {
    body: full("a1".repeat(500)),
    lines: Array.from({ length: 50 }, (_, index) => `set-cookie: a=${"a1".repeat(500)}b${index}`),
    html: { titleCount: 1 },
  },
});

export const PAGES: Page[] = [...markup, ...traps, ...charsets, ...addresses];

const H = 30_000;
/** Header lines made to send an expression back and forth, or to fill what keeps them. */
export const HEADER_TRAPS: [name: string, ...lines: string[]][] = [
  [
    "cookies that almost are what the policy repeats",
    ...Array.from({ length: 8 }, (_, index) => `set-cookie: a${index}=${fill("a1", 500)}b${index}`),
    `content-security-policy: script-src ${fill("a1", H)}`,
  ],
  ["a policy of semicolons", `content-security-policy: ${fill("; ", H)}`],
  [
    "policies of directives",
    `content-security-policy: ${fill("script-src 'nonce-a' https: 'strict-dynamic' ", H)}`,
  ],
  [
    "policies of wildcards",
    `content-security-policy: script-src ${fill("*.a.b ", H)}`,
    `content-security-policy: default-src ${fill("https://*:* ", H)}`,
  ],
  ["a policy of slashes", `content-security-policy: script-src ${fill("//", H)}`],
  [
    "a thousand policies",
    ...Array<string>(1000).fill("content-security-policy: default-src 'none'"),
  ],
  ["HSTS of spaces", `strict-transport-security: max-age=1${fill(" ", H)};${fill(" ;", H)}`],
  ["HSTS of digits", `strict-transport-security: max-age=${fill("9", H)}`],
  ["HSTS of quotes", `strict-transport-security: max-age=${fill('"', H)}`],
  ["a cookie of semicolons", `set-cookie: a=b${fill(";", H)}`],
  ["a cookie of spaces", `set-cookie: a${fill(" ", H)}=${fill(" ", H)}b`],
  ["a cookie of dates", `set-cookie: a=b; expires=${fill("Mon, 1 ", H)}`],
  ["a cookie's name", `set-cookie: __Host-${fill("a", H)}=b; path=/`],
  ["a Permissions-Policy of parentheses", `permissions-policy: ${fill("a=(", H)}`],
  ["a Permissions-Policy of members", `permissions-policy: ${fill('camera=("https://a" ', H)}`],
  ["a Referrer-Policy of commas", `referrer-policy: ${fill(",no-referrer", H)}`],
  ["a Cache-Control of quotes", `cache-control: ${fill('a="', H)}`],
  ["a Cache-Control of commas", `cache-control: ${fill(",", H)}max-age=1`],
  ["an Expires of spaces", `expires: Mon${fill(" ", H)}1`],
  ["robots of commas", `x-robots-tag: ${fill("a: none,", H)}`],
  ["robots of colons", `x-robots-tag: ${fill(":", H)}`],
  ["a Refresh of spaces", `refresh: 0${fill(" ", H)};${fill(" ", H)}url`],
  ["a Refresh of quotes", `refresh: 0;url=${fill("'", H)}`],
  ["a Link of brackets", `link: ${fill("<", H)}`],
  ["a Vary of commas", `vary: ${fill("a, ", H)}`],
  ["a Server of versions", `server: ${fill("a/1.", H)}`, `x-powered-by: ${fill("1.2.3.", H)}`],
  ["a WWW-Authenticate of commas", `www-authenticate: ${fill("Basic,", H)}`],
  ["frame options of commas", `x-frame-options: ${fill("DENY,", H)}`],
  ["foreign origins", `access-control-allow-origin: ${fill("https://a, ", H)}`],
  ["a coding of commas", `content-encoding: ${fill(",", H)}`],
  ["a type of parameters", `content-type: text/html;${fill("a=b;", H)}`],
  [
    "a language of hyphens",
    `content-language: ${fill("a-", H)}`,
    `x-content-type-options: ${fill("nosniff,", H)}`,
  ],
];
