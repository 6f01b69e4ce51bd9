import { type SiteEdit, SENTENCE } from "../good-site.ts";
import { noise } from "../../../harness/noise.ts";
import { type ServedCase, words, page, route, NOTHING, charged, served } from "../served-case.ts";

const script = (cacheControl: string): SiteEdit =>
  route("/shop.3f9c2b1a.js", {
    headers: { "content-type": "text/javascript", "cache-control": cacheControl },
  });

export const PERFORMANCE_CASES: readonly ServedCase[] = [
  ...charged({
    "perf.compression": { fail: { "no compression": page({ "content-encoding": null }) } },
    "perf.cache-html": {
      fail: { "neither Cache-Control nor ETag": page({ "cache-control": null, etag: null }) },
    },
    "perf.cache-assets": { fail: { "a versioned file kept for a minute": script("max-age=60") } },
    "perf.weight": { fail: { "a page of 600 kB": words(SENTENCE, "tea ".repeat(12_500)) } },
    "perf.files": {
      fail: {
        "an image of 1.2 MB": route("/tin.png", {
          headers: { "content-type": "image/png" },
          body: "x".repeat(1_200_000),
        }),
        "a script of 700 kB, compressed": route("/shop.3f9c2b1a.js", {
          headers: {
            "content-type": "text/javascript",
            "content-encoding": "br",
            "cache-control": "public, max-age=31536000, immutable",
          },
          body: noise(700_000, "a script").toString("hex"),
        }),
        "a style sheet of 20 kB as it is": route("/shop.css", {
          headers: { "content-type": "text/css" },
          body: " ".repeat(20_000),
        }),
      },
    },
    "perf.ttfb": {
      "partial slow": { "a first byte after 0.9 s": { delayMs: 900 } },
      fail: { "a first byte after 1.9 s": { delayMs: 1900 } },
    },
    "perf.http2": { fail: { "HTTP/1.1 alone": { tls: { ALPNProtocols: ["http/1.1"] } } } },
    "reach.soft404 reach.leak hdr.disclosure seo.robots seo.indexable": {
      unknown: {
        "no first byte but the page's": { routes: { "/robots.txt": "hang-up", "*": "hang-up" } },
      },
    },
  }),
  ...served(NOTHING, {
    "a style sheet of 20 kB, compressed": route("/shop.css", {
      headers: { "content-type": "text/css", "content-encoding": "br" },
      body: " ".repeat(20_000),
    }),
  }),
];
