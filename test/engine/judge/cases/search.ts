import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import type { Html } from "../../../../server/engine/evidence/html.ts";
import { pageBody, pageHop, pageHtml, setHeader, setMeta } from "../evidence-fixtures.ts";
import type { RuleCase } from "./rule-case.ts";

type Edit = (evidence: Evidence) => void;

const html =
  (edit: Partial<Html>): Edit =>
  (e) => {
    Object.assign(pageHtml(e), edit);
  };
const meta =
  (name: string, ...contents: string[]): Edit =>
  (e) =>
    setMeta(e, name, ...contents);
const canonical = (...urls: string[]): Edit =>
  html({ canonicals: urls.map((url) => ({ url, line: 3 })) });

function cutPage(evidence: Evidence): void {
  pageBody(evidence).state = "over_limit";
  pageHtml(evidence).isHeadWhole = false;
}

function placePage({ robots }: Evidence): void {
  robots.headers = [["content-type", "text/html; charset=utf-8"]];
  robots.badLine = { line: 1, text: "<!doctype html>" };
}

function disallow(...agents: string[]): Edit {
  return (evidence) => {
    evidence.robots.blocks = agents.map((agent) => ({ agent, line: 2, text: "Disallow: /" }));
  };
}

function garble({ robots }: Evidence): void {
  robots.failure = { phase: "body", code: "unsupported", detail: "zstd" };
}

const ALL_AGENTS = ["*", "Googlebot", "Bingbot"];

export const SEARCH_CASES: readonly RuleCase[] = [
  ["seo.indexable", "fail", "noindex in a meta", meta("robots", "follow, NOINDEX")],
  ["seo.indexable", "fail", "none in a meta", meta("robots", "none")],
  [
    "seo.indexable",
    "fail",
    "noindex after a dated directive",
    (e) => setHeader(e, "x-robots-tag", "unavailable_after: 25 Jun 2030, noindex"),
  ],
  [
    "seo.indexable",
    "fail",
    "robots.txt, though the page is kept",
    (e) => {
      pageHop(e).status = 403;
      disallow(...ALL_AGENTS)(e);
    },
  ],
  [
    "seo.indexable",
    "fail",
    "noindex, though robots.txt is down",
    (e) => {
      setMeta(e, "robots", "noindex");
      e.robots.status = 503;
    },
  ],
  [
    "seo.indexable",
    "fail",
    "a date after which the page is dropped, gone by",
    (e) => setHeader(e, "x-robots-tag", "unavailable_after: Thu, 25 Jun 2026 15:00:00 PST"),
  ],
  [
    "seo.indexable",
    "fail",
    "such a date in a meta",
    meta("robots", "unavailable_after: 2026-01-31"),
  ],
  [
    "seo.indexable",
    "partial",
    "a header for two engines, of which one is closed out",
    (e) => setHeader(e, "x-robots-tag", "otherbot: nofollow, bingbot: noindex"),
  ],
  ["seo.indexable", "partial", "robots.txt closed to one engine", disallow("Bingbot")],
  ["seo.indexable", "partial", "robots.txt closed to all but one engine", disallow("*", "Bingbot")],
  [
    "seo.indexable",
    "partial",
    "a header for one engine",
    (e) => setHeader(e, "x-robots-tag", "Googlebot: noindex, nofollow"),
  ],
  ["seo.indexable", "partial", "a meta for one engine", meta("googlebot", "noindex")],
  [
    "seo.indexable",
    "pass",
    "directives that close nothing",
    (e) => setHeader(e, "x-robots-tag", "max-snippet: -1, noarchive", "otherbot: noindex"),
  ],
  [
    "seo.indexable",
    "pass",
    "pictures and news alone",
    (e) => setHeader(e, "x-robots-tag", "googlebot-image: noindex, googlebot-news: noindex"),
  ],
  [
    "seo.indexable",
    "pass",
    "a date to come",
    (e) => setHeader(e, "x-robots-tag", "unavailable_after: Wednesday, 03-Aug-2033 15:00:00 PST"),
  ],

  [
    "seo.canonical",
    "fail",
    "two",
    canonical("https://www.example.com/", "https://www.example.com/b"),
  ],
  ["seo.canonical", "fail", "relative", canonical("/")],
  ["seo.canonical", "fail", "empty", canonical("")],
  ["seo.canonical", "fail", "http", canonical("http://www.example.com/")],
  ["seo.canonical", "fail", "a private address", canonical("https://192.168.1.4/")],
  ["seo.canonical", "fail", "a preview host", canonical("https://site-git-main-team.vercel.app/")],
  ...["/home", "/Home/", "/index.php", "/accueil.html", "/en", "/pt-br/"].map((path): RuleCase => [
    "seo.canonical",
    "pass",
    `the home page from another address of it: ${path}`,
    (e) => {
      pageHop(e).url = `https://www.example.com${path}`;
    },
  ]),
  [
    "seo.canonical",
    "pass",
    "the home page from the one page that there is",
    (e) => {
      pageHop(e).url = "https://www.example.com/launch";
      pageHtml(e).links = [
        { url: "https://www.example.com/", line: 20, place: "public" },
        { url: "https://www.example.com/launch", line: 21, place: "public" },
        { url: "https://example.org/about", line: 22, place: "public" },
      ];
      pageHtml(e).linkCount = 3;
    },
  ],
  [
    "seo.canonical",
    "fail",
    "the home page from a page with more links than are kept",
    (e) => {
      pageHop(e).url = "https://www.example.com/launch";
      pageHtml(e).links = [];
      pageHtml(e).linkCount = 300;
    },
  ],
  ...(
    [
      ["seo.canonical", "not_applicable"],
      ["seo.indexable", "pass"],
      ["seo.social", "fail"],
    ] as const
  ).map(([id, status]): RuleCase => [
    id,
    status,
    "nothing in a head that was read whole, of a page that was not",
    (e) => {
      pageBody(e).state = "over_limit";
      Object.assign(pageHtml(e), { canonicals: [], metas: [] });
    },
  ]),
  [
    "seo.canonical",
    "unknown",
    "none in what was read",
    (e) => {
      cutPage(e);
      pageHtml(e).canonicals = [];
    },
  ],
  [
    "seo.canonical",
    "pass",
    "the same one twice",
    canonical("https://www.example.com/", "https://www.example.com/"),
  ],
  ["seo.canonical", "fail", "an intranet's name", canonical("https://intranet/")],
  ["seo.canonical", "fail", "a documentation's address", canonical("https://203.0.113.9/")],
  [
    "seo.canonical",
    "pass",
    "the page's own host, local as it is",
    (e) => {
      pageHop(e).url = "https://127.0.0.1:8443/";
      canonical("https://127.0.0.1:8443/")(e);
    },
  ],

  [
    "seo.social",
    "fail",
    "one of three",
    (e) => {
      setMeta(e, "og:title");
      setMeta(e, "og:description", "");
    },
  ],
  ["seo.social", "partial", "a relative image", meta("og:image", "/card.png")],
  [
    "seo.social",
    "partial",
    "an image without its scheme",
    meta("og:image", "//cdn.example.net/card.png"),
  ],
  [
    "seo.social",
    "partial",
    "an image of the developer's machine",
    meta("og:image", "http://localhost:3000/card.png"),
  ],
  ["seo.social", "partial", "an intranet's image", meta("og:image", "https://files/card.png")],
  [
    "seo.social",
    "partial",
    "an image of a preview",
    meta("og:image", "https://site-git-main-team.vercel.app/card.png"),
  ],
  [
    "seo.social",
    "pass",
    "an image on the page's own host, a preview as it is",
    (e) => {
      pageHop(e).url = "https://site.vercel.app/";
      setMeta(e, "og:image", "https://site.vercel.app/card.png");
    },
  ],
  [
    "seo.social",
    "unknown",
    "not in what was read",
    (e) => {
      cutPage(e);
      setMeta(e, "og:title");
    },
  ],
  [
    "seo.social",
    "pass",
    "the image by its longer name",
    (e) => {
      setMeta(e, "og:image");
      setMeta(e, "og:image:url", "https://www.example.com/card.png");
    },
  ],
  ["seo.social", "pass", "all three", () => {}],

  [
    "seo.robots",
    "fail",
    "a line that is no directive",
    (e) => {
      e.robots.badLine = { line: 1, text: "<!doctype html>" };
    },
  ],
  [
    "seo.robots",
    "fail",
    "a sitemap on a preview host",
    (e) => {
      e.robots.sitemaps = ["https://site.vercel.app/sitemap.xml"];
    },
  ],
  [
    "seo.robots",
    "fail",
    "a sitemap of the developer's machine",
    (e) => {
      e.robots.sitemaps.push("https://localhost:3000/sitemap.xml");
    },
  ],
  [
    "seo.robots",
    "fail",
    "an intranet's sitemap",
    (e) => {
      e.robots.sitemaps.push("https://files/sitemap.xml");
    },
  ],
  [
    "seo.robots",
    "fail",
    "a sitemap over http",
    (e) => {
      e.robots.sitemaps = ["http://www.example.com/sitemap.xml"];
    },
  ],
  ["seo.robots", "fail", "a page in its place", placePage],
  [
    "seo.robots",
    "pass",
    "a page that it is redirected to",
    (e) => {
      Object.assign(e.robots, { page: "https://shop.example.com/", sitemaps: [] });
      e.sitemap = null;
    },
  ],
  [
    "seo.robots",
    "blocked",
    "a page in the place of whatever is missing",
    (e) => {
      placePage(e);
      e.notFound.status = 200;
    },
  ],
  [
    "seo.robots",
    "fail",
    "a sitemap that is no sitemap",
    (e) => {
      if (e.sitemap) e.sitemap.valid = false;
    },
  ],
  [
    "seo.robots",
    "unknown",
    "no answer",
    (e) => {
      e.robots.status = null;
    },
  ],
  [
    "seo.robots",
    "unknown",
    "a gatekeeper",
    (e) => {
      e.robots.status = 403;
    },
  ],
  ["seo.robots", "unknown", "a text in an encoding that was not asked for", garble],
  [
    "seo.robots",
    "unknown",
    "the sitemap got no answer",
    (e) => {
      if (e.sitemap) e.sitemap.status = null;
    },
  ],
  [
    "seo.robots",
    "unknown",
    "the sitemap was not read",
    (e) => {
      if (e.sitemap) e.sitemap.valid = null;
    },
  ],
  [
    "seo.robots",
    "pass",
    "a sitemap on another host, which robots.txt may name",
    (e) => {
      e.robots.sitemaps = ["https://cdn.example.net/sitemap.xml"];
    },
  ],
  [
    "seo.robots",
    "pass",
    "a sitemap that has moved",
    (e) => {
      if (e.sitemap) e.sitemap.status = 301;
    },
  ],
  [
    "seo.robots",
    "pass",
    "none, which allows all",
    (e) => {
      Object.assign(e.robots, { status: 404, sitemaps: [] });
      e.sitemap = null;
    },
  ],
];
