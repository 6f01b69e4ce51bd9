import { gzipSync } from "node:zlib";
import type { Answer } from "./hostile-site.ts";
import { fill, ideographs } from "./pages.ts";
import { answerOf, drip, flood, head, NOT_FOUND } from "./writing.ts";

/** A site whose page is good, with one thing beside it that is not. */
export interface Side {
  name: string;
  /** What answers, if not as the good page does: by path, `*` for all others. */
  answers: Record<string, Answer>;
  /** Part of the evidence. */
  seen: Record<string, unknown>;
}

const TEXT = "content-type: text/plain";
const SCRIPT = "content-type: text/javascript";
const STYLE = "content-type: text/css";
const PNG = "content-type: image/png";
const XML = "content-type: application/xml";
const LATE = { status: null, failure: { phase: "deadline", code: "ETIMEDOUT" } };
const LATE_BODY = { status: 200, failure: { phase: "body", code: "ETIMEDOUT" } };

const says =
  (bytes: string | Buffer): Answer =>
  (socket) =>
    void socket.write(bytes);
const text = (body: string | Buffer, ...lines: string[]) => says(answerOf(body, TEXT, ...lines));
const robots = (body: string) => ({ "/robots.txt": text(body) });
const named = says(answerOf("Sitemap: https://127.0.0.1:PORT/map.xml", TEXT));
const sitemap = (answer: Answer) => ({ "/robots.txt": named, "/map.xml": answer });
const silence: Answer = () => undefined;
const endless: Answer = (socket) =>
  flood(socket, head("200 OK", TEXT, "connection: close"), fill("Allow: /\n", 60_000));
const dripping: Answer = (socket) =>
  drip(socket, head("200 OK", TEXT, "content-length: 9999"), "a");

const sides = (
  table: Record<string, readonly [answers: Side["answers"], seen: Side["seen"]]>,
): Side[] => Object.entries(table).map(([name, [answers, seen]]) => ({ name, answers, seen }));

const ROBOTS_BYTES = 500_000;
const SITEMAP_BYTES = 65_000;
const FILES_BYTES = 2_500_000;

/** What is waited for, all at once. */
export const WAITING = sides({
  "robots.txt that never comes": [{ "/robots.txt": silence }, { robots: LATE }],
  "robots.txt drop by drop": [{ "/robots.txt": dripping }, { robots: LATE_BODY }],
  "a sitemap that never comes": [sitemap(silence), { sitemap: LATE }],
  "a sitemap drop by drop": [sitemap(dripping), { sitemap: LATE_BODY }],
  "every other path drop by drop": [{ "*": dripping }, { notFound: LATE_BODY }],
  "every other path in silence": [{ "*": silence }, { notFound: LATE, robots: LATE }],
  "assets that never come": [{ "/a.js": silence, "/a.css": silence }, { assets: [LATE, LATE, {}] }],
  "a script drop by drop": [
    { "/a.js": dripping },
    { assets: [{ ...LATE_BODY, file: null }, {}, {}] },
  ],
  "a card's image drop by drop": [
    { "/card.png": dripping },
    { cardImages: [{ ...LATE_BODY, image: null }] },
  ],
  "links that never come": [{ "/one": silence, "/two": silence }, { links: [LATE, LATE] }],
});

export const SIDES = sides({
  "robots.txt without end": [
    { "/robots.txt": endless },
    { robots: { status: 200, failure: null } },
  ],
  "robots.txt as a bomb": [
    {
      "/robots.txt": text(
        gzipSync(Buffer.alloc(50_000_000, "Allow: /\n")),
        "content-encoding: gzip",
      ),
    },
    { robots: { status: 200 } },
  ],
  "robots.txt of wildcards": [
    robots(`User-agent: *\n${fill("Disallow: /*a*a*a*a*a*a$\n", ROBOTS_BYTES)}`),
    { robots: { blocks: [] } },
  ],
  "a rule of 500 KB": [
    robots(`User-agent: *\nDisallow: /${fill("*a", ROBOTS_BYTES)}`),
    { robots: { blocks: [] } },
  ],
  "agents without end": [
    robots(fill("User-agent: *\nDisallow: /\n", ROBOTS_BYTES)),
    { robots: { blocks: [{}, {}, {}] } },
  ],
  "escapes without end": [
    robots(`User-agent: *\nDisallow: /${fill("%é%41%zz", ROBOTS_BYTES)}`),
    { robots: { blocks: [] } },
  ],
  "one line of 500 KB that is none": [
    robots(fill("a b ", ROBOTS_BYTES)),
    { robots: { badLine: { line: 1 } } },
  ],
  "robots.txt of null bytes": [
    robots("\0".repeat(ROBOTS_BYTES)),
    { robots: { badLine: { line: 1 } } },
  ],
  "sitemaps by the thousand, in private places": [
    robots(
      fill("Sitemap: https://10.0.0.1/a.xml\nSitemap: https://[::ffff:7f00:1]/\n", ROBOTS_BYTES),
    ),
    { sitemap: { status: null, failure: { phase: "guard", code: "private" } } },
  ],
  "robots.txt that redirects to a private place": [
    {
      "/robots.txt": says(
        head("302 Found", "location: https://169.254.169.254/", "content-length: 0"),
      ),
    },
    { robots: { status: 302 } },
  ],
  "a sitemap with a name that never ends": [
    sitemap(says(answerOf(`<${fill("a", SITEMAP_BYTES)}`, XML))),
    { sitemap: { status: 200, valid: false } },
  ],
  "a sitemap of elements that stay open": [
    sitemap(says(answerOf(`<urlset>${fill("<a>", SITEMAP_BYTES)}`, XML))),
    { sitemap: { valid: false } },
  ],
  "a sitemap of comments that stay open": [
    sitemap(says(answerOf(fill("<!--", SITEMAP_BYTES), XML))),
    { sitemap: { valid: false } },
  ],
  "a sitemap of ampersands": [
    sitemap(says(answerOf(`<urlset>${fill("&amp", SITEMAP_BYTES)}`, XML))),
    { sitemap: { valid: false } },
  ],
  "a sitemap of entities": [
    sitemap(says(answerOf('<!DOCTYPE a [<!ENTITY a "&a;&a;">]><urlset>&a;</urlset>', XML))),
    { sitemap: { valid: false } },
  ],
  "a sitemap without end": [
    sitemap((socket) =>
      flood(socket, head("200 OK", XML, "connection: close"), fill("<urlset>", 60_000)),
    ),
    { sitemap: { status: 200 } },
  ],
  "a 404 page without end": [
    {
      "*": (socket) =>
        flood(socket, head("404 Not Found", "connection: close"), fill("<p>", 60_000)),
    },
    { notFound: { status: 404 } },
  ],
  "a 404 page as a bomb": [
    { "*": says(answerOf(gzipSync(Buffer.alloc(50_000_000)), "content-encoding: gzip")) },
    { notFound: { status: 200 } },
  ],
  "assets without end": [
    { "/a.js": endless, "/a.css": endless, "/a.png": endless },
    { assets: [{ status: 200 }, { status: 200 }, { status: 200 }] },
  ],
  "scripts and styles of quotes and comments": [
    {
      "/a.js": says(answerOf(fill('"', FILES_BYTES), SCRIPT)),
      "/a.css": says(answerOf(fill("/*", FILES_BYTES), STYLE)),
    },
    { assets: [{ file: { isWhole: false } }, { file: { isWhole: false, plainUrls: [] } }, {}] },
  ],
  "a script as a bomb": [
    {
      "/a.js": says(answerOf(gzipSync(Buffer.alloc(50_000_000)), SCRIPT, "content-encoding: gzip")),
    },
    { assets: [{ status: 200, file: { isWhole: false } }, {}, {}] },
  ],
  "a script of data: addresses": [
    { "/a.js": says(answerOf(fill('"data:,",', FILES_BYTES), SCRIPT)) },
    { assets: [{ file: { privateUrls: [] } }, {}, {}] },
  ],
  "a card's image without end": [
    { "/card.png": (socket) => flood(socket, head("200 OK", PNG), fill("a", 60_000)) },
    { cardImages: [{ status: 200, image: null }] },
  ],
  "a card's image as a bomb": [
    {
      "/card.png": says(
        answerOf(gzipSync(Buffer.alloc(50_000_000)), PNG, "content-encoding: gzip"),
      ),
    },
    { cardImages: [{ status: 200, image: null }] },
  ],
  "a card's image that lies": [
    {
      "/card.png": says(
        answerOf(Buffer.from(`\x89PNG\r\n\x1a\n${"\xff".repeat(16)}`, "latin1"), PNG),
      ),
    },
    { cardImages: [{ image: { type: "png", width: 4_294_967_295 } }] },
  ],
  "robots.txt of as many groups as rules": [
    robots("User-agent:*\n".repeat(4000) + "Allow:/\n".repeat(4000)),
    { robots: { blocks: [], badLine: null } },
  ],
  "robots.txt of sitemaps on hosts without end": [
    robots(`Sitemap: https://${ideographs(16_000)}/\n`.repeat(10)),
    { robots: { sitemaps: [], badLine: { line: 1 } }, sitemap: null },
  ],
  "assets and links that break off": [
    { "/a.js": (socket) => socket.destroy(), "/one": (socket) => socket.destroy() },
    {
      assets: [{ status: null, failure: { phase: "response" } }, {}, {}],
      links: [{ status: null }, {}],
    },
  ],
  "a HEAD that is answered with a body": [
    { "/one": says(answerOf(fill("a", 100_000))), "/two": says(answerOf("two")) },
    { links: [{ status: 200 }, { status: 200 }] },
  ],
  "a HEAD that is answered with a body without end": [
    { "/one": endless },
    { links: [{ status: 200 }, {}] },
  ],
  "links that redirect without end": [
    { "/one": says(head("302 Found", "location: /one", "content-length: 0")) },
    { links: [{ status: 302 }, {}] },
  ],
});

/** Where `answerBeside` writes the address of the site's own image. */
const CARD = '<meta property="og:image" content="https://127.0.0.1:PORT/card.png">';
const PAGE = `<!doctype html><html lang="en"><title>Hello</title>${CARD}<script src="/a.js"></script><link rel="stylesheet" href="/a.css"><img src="/a.png" alt=""><a href="/one">1</a><a href="/two">2</a><p>Hello there.`;

/** Answers with the side's own answer for a path, and otherwise as a good site does. */
export function answerBeside({ answers }: Side, getPort: () => number): Answer {
  return (socket, request) => {
    const own = answers[request.path] ?? (request.path === "/" ? undefined : answers["*"]);
    const write = socket.write.bind(socket);
    if (own === named)
      return void write(answerOf(`Sitemap: https://127.0.0.1:${getPort()}/map.xml`, TEXT));
    if (own) return own(socket, request);
    const page = PAGE.replace("PORT", String(getPort()));
    write(request.path === "/" ? answerOf(page) : NOT_FOUND);
  };
}
