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

const ROBOTS_BYTES = 500_000;
const SITEMAP_BYTES = 65_000;

/** What is waited for, all at once. */
export const WAITING: Side[] = [
  {
    name: "robots.txt that never comes",
    answers: { "/robots.txt": silence },
    seen: { robots: LATE },
  },
  {
    name: "robots.txt drop by drop",
    answers: { "/robots.txt": dripping },
    seen: { robots: LATE_BODY },
  },
  { name: "a sitemap that never comes", answers: sitemap(silence), seen: { sitemap: LATE } },
  { name: "a sitemap drop by drop", answers: sitemap(dripping), seen: { sitemap: LATE_BODY } },
  {
    name: "every other path drop by drop",
    answers: { "*": dripping },
    seen: { notFound: LATE_BODY },
  },
  {
    name: "every other path in silence",
    answers: { "*": silence },
    seen: { notFound: LATE, robots: LATE },
  },
  {
    name: "assets that never come",
    answers: { "/a.js": silence, "/a.css": silence },
    seen: { assets: [LATE, LATE, {}] },
  },
  {
    name: "links that never come",
    answers: { "/one": silence, "/two": silence },
    seen: { links: [LATE, LATE] },
  },
];

export const SIDES: Side[] = [
  {
    name: "robots.txt without end",
    answers: { "/robots.txt": endless },
    seen: { robots: { status: 200, failure: null } },
  },
  {
    name: "robots.txt as a bomb",
    answers: {
      "/robots.txt": text(
        gzipSync(Buffer.alloc(50_000_000, "Allow: /\n")),
        "content-encoding: gzip",
      ),
    },
    seen: { robots: { status: 200 } },
  },
  {
    name: "robots.txt of wildcards",
    answers: robots(`User-agent: *\n${fill("Disallow: /*a*a*a*a*a*a$\n", ROBOTS_BYTES)}`),
    seen: { robots: { blocks: [] } },
  },
  {
    name: "a rule of 500 KB",
    answers: robots(`User-agent: *\nDisallow: /${fill("*a", ROBOTS_BYTES)}`),
    seen: { robots: { blocks: [] } },
  },
  {
    name: "agents without end",
    answers: robots(fill("User-agent: *\nDisallow: /\n", ROBOTS_BYTES)),
    seen: { robots: { blocks: [{}, {}, {}] } },
  },
  {
    name: "escapes without end",
    answers: robots(`User-agent: *\nDisallow: /${fill("%é%41%zz", ROBOTS_BYTES)}`),
    seen: { robots: { blocks: [] } },
  },
  {
    name: "one line of 500 KB that is none",
    answers: robots(fill("a b ", ROBOTS_BYTES)),
    seen: { robots: { badLine: { line: 1 } } },
  },
  {
    name: "robots.txt of null bytes",
    answers: robots("\0".repeat(ROBOTS_BYTES)),
    seen: { robots: { badLine: { line: 1 } } },
  },
  {
    name: "sitemaps by the thousand, in private places",
    answers: robots(
      fill("Sitemap: https://10.0.0.1/a.xml\nSitemap: https://[::ffff:7f00:1]/\n", ROBOTS_BYTES),
    ),
    seen: { sitemap: { status: null, failure: { phase: "guard", code: "private" } } },
  },
  {
    name: "robots.txt that redirects to a private place",
    answers: {
      "/robots.txt": says(
        head("302 Found", "location: https://169.254.169.254/", "content-length: 0"),
      ),
    },
    seen: { robots: { status: 302 } },
  },
  {
    name: "a sitemap with a name that never ends",
    answers: sitemap(says(answerOf(`<${fill("a", SITEMAP_BYTES)}`, XML))),
    seen: { sitemap: { status: 200, valid: false } },
  },
  {
    name: "a sitemap of elements that stay open",
    answers: sitemap(says(answerOf(`<urlset>${fill("<a>", SITEMAP_BYTES)}`, XML))),
    seen: { sitemap: { valid: false } },
  },
  {
    name: "a sitemap of comments that stay open",
    answers: sitemap(says(answerOf(fill("<!--", SITEMAP_BYTES), XML))),
    seen: { sitemap: { valid: false } },
  },
  {
    name: "a sitemap of ampersands",
    answers: sitemap(says(answerOf(`<urlset>${fill("&amp", SITEMAP_BYTES)}`, XML))),
    seen: { sitemap: { valid: false } },
  },
  {
    name: "a sitemap of entities",
    answers: sitemap(
      says(answerOf('<!DOCTYPE a [<!ENTITY a "&a;&a;">]><urlset>&a;</urlset>', XML)),
    ),
    seen: { sitemap: { valid: false } },
  },
  {
    name: "a sitemap without end",
    answers: sitemap((socket) =>
      flood(socket, head("200 OK", XML, "connection: close"), fill("<urlset>", 60_000)),
    ),
    seen: { sitemap: { status: 200 } },
  },
  {
    name: "a 404 page without end",
    answers: {
      "*": (socket) =>
        flood(socket, head("404 Not Found", "connection: close"), fill("<p>", 60_000)),
    },
    seen: { notFound: { status: 404 } },
  },
  {
    name: "a 404 page as a bomb",
    answers: { "*": says(answerOf(gzipSync(Buffer.alloc(50_000_000)), "content-encoding: gzip")) },
    seen: { notFound: { status: 200 } },
  },
  {
    name: "assets without end",
    answers: { "/a.js": endless, "/a.css": endless, "/a.png": endless },
    seen: { assets: [{ status: 200 }, { status: 200 }, { status: 200 }] },
  },
  {
    name: "robots.txt of as many groups as rules",
    answers: robots("User-agent:*\n".repeat(4000) + "Allow:/\n".repeat(4000)),
    seen: { robots: { blocks: [], badLine: null } },
  },
  {
    name: "robots.txt of sitemaps on hosts without end",
    answers: robots(`Sitemap: https://${ideographs(16_000)}/\n`.repeat(10)),
    seen: { robots: { sitemaps: [], badLine: { line: 1 } }, sitemap: null },
  },
  {
    name: "assets and links that break off",
    answers: { "/a.js": (socket) => socket.destroy(), "/one": (socket) => socket.destroy() },
    seen: {
      assets: [{ status: null, failure: { phase: "response" } }, {}, {}],
      links: [{ status: null }, {}],
    },
  },
  {
    name: "a HEAD that is answered with a body",
    answers: { "/one": says(answerOf(fill("a", 100_000))), "/two": says(answerOf("two")) },
    seen: { links: [{ status: 200 }, { status: 200 }] },
  },
  {
    name: "a HEAD that is answered with a body without end",
    answers: { "/one": endless },
    seen: { links: [{ status: 200 }, {}] },
  },
  {
    name: "links that redirect without end",
    answers: { "/one": says(head("302 Found", "location: /one", "content-length: 0")) },
    seen: { links: [{ status: 302 }, {}] },
  },
];

const PAGE = `<!doctype html><html lang="en"><title>Hello</title><script src="/a.js"></script><link rel="stylesheet" href="/a.css"><img src="/a.png" alt=""><a href="/one">1</a><a href="/two">2</a><p>Hello there.`;

/** Answers with the side's own answer for a path, and otherwise as a good site does. */
export function answerBeside({ answers }: Side, getPort: () => number): Answer {
  return (socket, request) => {
    const own = answers[request.path] ?? (request.path === "/" ? undefined : answers["*"]);
    const write = socket.write.bind(socket);
    if (own === named)
      return void write(answerOf(`Sitemap: https://127.0.0.1:${getPort()}/map.xml`, TEXT));
    if (own) return own(socket, request);
    write(request.path === "/" ? answerOf(PAGE) : NOT_FOUND);
  };
}
