import type { Answer, SiteEdit } from "../good-site.ts";
import type { ServedCase } from "../served-case.ts";

const page = (headers: NonNullable<Answer["headers"]>): SiteEdit => ({ page: { headers } });
const words = (old: string, put: string): SiteEdit => ({ words: { [old]: put } });
const SENTENCE = "We buy from eleven gardens, and pack each order in the week it is placed.";

const script = (cacheControl: string): SiteEdit => ({
  routes: {
    "/shop.3f9c2b1a.js": {
      headers: { "content-type": "text/javascript", "cache-control": cacheControl },
    },
  },
});

export const PERFORMANCE_CASES: readonly ServedCase[] = [
  ["no compression", page({ "content-encoding": null }), { "perf.compression": "fail" }],
  [
    "neither Cache-Control nor ETag",
    page({ "cache-control": null, etag: null }),
    { "perf.cache-html": "fail" },
  ],
  ["a versioned file kept for a minute", script("max-age=60"), { "perf.cache-assets": "fail" }],
  ["a page of 600 kB", words(SENTENCE, "tea ".repeat(12_500)), { "perf.weight": "fail" }],
  [
    "an image of 1.2 MB",
    {
      routes: {
        "/tin.png": { headers: { "content-type": "image/png" }, body: "x".repeat(1_200_000) },
      },
    },
    { "perf.files": "fail" },
  ],
  [
    "a style sheet of 20 kB as it is",
    {
      routes: {
        "/shop.css": { headers: { "content-type": "text/css" }, body: " ".repeat(20_000) },
      },
    },
    { "perf.files": "fail" },
  ],
  [
    "a style sheet of 20 kB, compressed",
    {
      routes: {
        "/shop.css": {
          headers: { "content-type": "text/css", "content-encoding": "br" },
          body: " ".repeat(20_000),
        },
      },
    },
    {},
  ],
  ["a first byte after 0.9 s", { delayMs: 900 }, { "perf.ttfb": "partial slow" }],
  ["a first byte after 1.9 s", { delayMs: 1900 }, { "perf.ttfb": "fail" }],
  [
    "no first byte but the page's",
    { routes: { "/robots.txt": "hang-up", "*": "hang-up" } },
    {
      "reach.soft404": "unknown",
      "reach.leak": "unknown",
      "seo.robots": "unknown",
      "seo.indexable": "unknown",
    },
  ],
  ["HTTP/1.1 alone", { tls: { ALPNProtocols: ["http/1.1"] } }, { "perf.http2": "fail" }],
];
