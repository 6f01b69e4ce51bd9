import type { SiteEdit } from "../good-site.ts";
import { allOfHtml, type ServedCase } from "../served-case.ts";

const words = (old: string, put: string): SiteEdit => ({ words: { [old]: put } });
const robots = (...lines: string[]): SiteEdit => ({
  routes: { "/robots.txt": { body: lines.join("\n") } },
});
const CANONICAL = '<link rel="canonical" href="{origin}/">';
const noindex = { headers: { "x-robots-tag": "noindex" } };

export const SEARCH_CASES: readonly ServedCase[] = [
  ["a noindex left over", { page: noindex }, { "seo.indexable": "fail" }],
  [
    "a noindex on a preview",
    { page: noindex, preview: true },
    { "seo.indexable": "not_applicable" },
  ],
  [
    "one search engine kept out",
    { page: { headers: { "x-robots-tag": "googlebot: noindex" } } },
    { "seo.indexable": "partial some_bots" },
  ],
  ["all of it closed", robots("User-agent: *", "Disallow: /"), { "seo.indexable": "fail" }],
  [
    "closed where the page's redirect leads",
    {
      url: "{origin}/old",
      routes: {
        "/old": { status: 302, headers: { location: "/" } },
        "/robots.txt": { body: "User-agent: *\nDisallow: /$" },
      },
    },
    { "seo.indexable": "fail" },
  ],
  [
    "closed where the page no longer is",
    {
      url: "{origin}/old",
      routes: {
        "/old": { status: 302, headers: { location: "/" } },
        "/robots.txt": { body: "User-agent: *\nDisallow: /old" },
      },
    },
    {},
  ],
  [
    "a static redirect, as generators write it",
    {
      page: {
        body: `<!doctype html><html lang="en"><head><title>{origin}/en/</title>
          <meta charset="utf-8"><link rel="canonical" href="{origin}/en/">
          <meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=/en/">
          </head></html>`,
      },
    },
    {
      ...allOfHtml("unknown"),
      "reach.html": "unknown",
      "perf.compression": "not_applicable",
      "perf.cache-assets": "not_applicable",
    },
  ],
  [
    "an index that names the home page from its other address",
    { url: "{origin}/home", routes: { "/home": "page" } },
    {},
  ],
  [
    "the home page named by another page",
    { url: "{origin}/teas", routes: { "/teas": "page" } },
    { "seo.canonical": "fail" },
  ],
  [
    "robots.txt led to another host's home page",
    { routes: { "/robots.txt": { status: 301, headers: { location: "{twin}/" } } }, twin: "page" },
    { "redir.host": "partial canonical" },
  ],
  [
    "robots.txt led to a page",
    { routes: { "/robots.txt": { status: 302, headers: { location: "/about" } } } },
    {},
  ],

  ["no canonical", words(CANONICAL, ""), { "seo.canonical": "not_applicable" }],
  [
    "two canonicals",
    words(CANONICAL, `${CANONICAL}${CANONICAL.replace('/"', '/tea"')}`),
    { "seo.canonical": "fail" },
  ],
  [
    "a canonical on somebody's machine",
    words('rel="canonical" href="{origin}/"', 'rel="canonical" href="https://localhost:3000/"'),
    { "seo.canonical": "fail" },
  ],

  [
    "a card without its picture",
    words("og:image", "og:picture"),
    { "seo.social": "partial two_of_three" },
  ],
  ["no card", words("og:", "card:"), { "seo.social": "fail" }],

  [
    "robots.txt down",
    { routes: { "/robots.txt": { status: 503 } } },
    { "seo.robots": "fail", "seo.indexable": "blocked" },
  ],
  [
    "no answer for robots.txt",
    { routes: { "/robots.txt": "hang-up" } },
    { "seo.robots": "unknown", "seo.indexable": "unknown" },
  ],
  [
    "a robots.txt that is not in the encoding that it names",
    {
      routes: { "/robots.txt": { headers: { "content-encoding": "gzip" }, body: "User-agent: *" } },
    },
    { "seo.robots": "unknown" },
  ],
  [
    "a sitemap that is not there",
    { routes: { "/sitemap.xml": { status: 404 } } },
    { "seo.robots": "fail" },
  ],
];
