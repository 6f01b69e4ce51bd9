import type { SiteEdit } from "../good-site.ts";
import {
  type ServedCase,
  words,
  add,
  page,
  route,
  to,
  NOTHING,
  allOfHtml,
  charged,
  served,
} from "../served-case.ts";

const robots = (...lines: string[]): SiteEdit => route("/robots.txt", { body: lines.join("\n") });
const CANONICAL = '<link rel="canonical" href="{origin}/">';
const noindex = { headers: { "x-robots-tag": "noindex" } };

export const SEARCH_CASES: readonly ServedCase[] = [
  ...charged({
    "seo.indexable": {
      fail: {
        "a noindex left over": { page: noindex },
        "all of it closed": robots("User-agent: *", "Disallow: /"),
        "closed where the page's redirect leads": {
          url: "{origin}/old",
          routes: { "/old": to("/", 302), "/robots.txt": { body: "User-agent: *\nDisallow: /$" } },
        },
      },
      "partial own_files": {
        "the page's style sheet closed": robots("User-agent: *", "Disallow: /*.css$"),
        "the page's script closed to one engine": robots(
          "User-agent: Bingbot",
          "Disallow: /shop.",
          "Allow: /shop.css",
        ),
      },
      "partial some_bots": {
        "one search engine kept out": page({ "x-robots-tag": "googlebot: noindex" }),
      },
    },
    "seo.indexable seo.identity": {
      not_applicable: { "a noindex on a preview": { page: noindex, preview: true } },
    },
    "seo.canonical": {
      fail: {
        "the home page named by another page": {
          url: "{origin}/teas",
          routes: { "/teas": "page" },
        },
        "two canonicals": words(CANONICAL, `${CANONICAL}${CANONICAL.replace('/"', '/tea"')}`),
      },
      not_applicable: { "no canonical": words(CANONICAL, "") },
    },
    "seo.canonical seo.identity": {
      fail: {
        "a canonical on somebody's machine": words(
          'rel="canonical" href="{origin}/"',
          'rel="canonical" href="https://localhost:3000/"',
        ),
      },
    },
    "seo.identity": {
      fail: {
        "a home page that gives its place away": words(
          'rel="canonical" href="{origin}/"',
          'rel="canonical" href="https://template-demo.com/"',
        ),
        "another site's canonical in a Link header": {
          words: { [CANONICAL]: "" },
          page: {
            headers: {
              link: '</shop.css>; rel=preload, <https://template-demo.com/>; rel="canonical"',
            },
          },
        },
        "a menu of staging": add(
          '<nav><a href="https://staging.example.com/">Home</a> <a href="https://staging.example.com/teas">Teas</a></nav>',
        ),
      },
      "partial elsewhere": {
        "og:url of staging": words(
          "<h1>",
          '<meta property="og:url" content="https://staging.example.com/"><h1>',
        ),
        "hreflang of staging": words(
          CANONICAL,
          `${CANONICAL}<link rel="alternate" hreflang="fr" href="https://staging.example.com/fr/">`,
        ),
        "JSON-LD of staging": add(
          '<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite","@id":"https://staging.example.com/#website","url":"https://staging.example.com/"}]}</script>',
        ),
        "a sitemap of staging": route("/sitemap.xml", {
          body: "<urlset><url><loc>https://staging.example.com/</loc></url></urlset>",
        }),
      },
      "partial json_ld": {
        "JSON-LD with a comma too many": add(
          '<script type="application/ld+json">{"@type":"WebSite","url":"{origin}/",}</script>',
        ),
      },
    },
    "redir.host": {
      "partial canonical": {
        "robots.txt led to another host's home page": {
          routes: { "/robots.txt": to("{twin}/") },
          twin: "page",
        },
      },
    },
    "seo.social": {
      "partial two_of_three": { "a card without its picture": words("og:image", "og:picture") },
      "partial image": {
        "a card whose picture is missing": words("{origin}/shelf.png", "{origin}/none.png"),
        "a card whose picture is a page": words("{origin}/shelf.png", "{origin}/about"),
        "a card with an SVG": {
          ...words("{origin}/shelf.png", "{origin}/card.svg"),
          ...route("/card.svg", {
            headers: { "content-type": "image/svg+xml" },
            body: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
          }),
        },
      },
      unknown: {
        "a card whose picture robots are refused": {
          ...words("{origin}/shelf.png", "{origin}/card.png"),
          ...route("/card.png", { status: 403 }),
        },
      },
      fail: { "no card": words("og:", "card:") },
    },
    "seo.robots": {
      unknown: {
        "a robots.txt that is not in the encoding that it names": route("/robots.txt", {
          headers: { "content-encoding": "gzip" },
          body: "User-agent: *",
        }),
      },
      fail: { "a sitemap that is not there": route("/sitemap.xml", { status: 404 }) },
    },
    "seo.robots seo.indexable": {
      unknown: { "no answer for robots.txt": route("/robots.txt", "hang-up") },
    },
  }),
  ...served(NOTHING, {
    "closed where the page no longer is": {
      url: "{origin}/old",
      routes: { "/old": to("/", 302), "/robots.txt": { body: "User-agent: *\nDisallow: /old" } },
    },
    "files closed that the page does not load, and its own opened again": robots(
      "User-agent: *",
      "Disallow: /admin/",
      "Disallow: /*.js$",
      "Allow: /shop.*.js$",
    ),
    "an index that names the home page from its other address": {
      url: "{origin}/home",
      routes: { "/home": "page" },
    },
    "robots.txt led to a page": route("/robots.txt", to("/about", 302)),
  }),
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
    "robots.txt down",
    route("/robots.txt", { status: 503 }),
    { "seo.robots": "fail", "seo.indexable": "blocked" },
  ],
];
