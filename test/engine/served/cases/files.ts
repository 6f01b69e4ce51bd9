import { noise } from "../../../harness/noise.ts";
import { HOSTS, SENTENCE, type SiteEdit } from "../good-site.ts";
import {
  type ServedCase,
  add,
  page,
  route,
  to,
  words,
  NOTHING,
  charged,
  served,
} from "../served-case.ts";

const robots = (...lines: string[]): SiteEdit => route("/robots.txt", { body: lines.join("\n") });

export const FILE_CASES: readonly ServedCase[] = [
  ...charged({
    "asset.broken": {
      "partial images": {
        "files that the page is shown without": {
          ...add(
            [
              '<script src="/old.js" nomodule></script>',
              '<link rel="preload" as="script" href="/next.js">',
              '<link rel="modulepreload" href="/next.mjs">',
              '<link rel="alternate stylesheet" href="/dark.css">',
              '<link rel="stylesheet" media="print" href="/print.css">',
              '<script nonce="{nonce}" async src="https://ads.example.net:{port}/a.js"></script>',
            ].join("\n"),
          ),
          hosts: [...HOSTS, "ads.example.net"],
        },
      },
      unknown: {
        "a script of another host, which a filter of names leads nowhere": {
          ...add(
            '<script nonce="{nonce}" src="https://stats.example.net/count.js" defer></script>',
          ),
          names: { "stats.example.net": { outcome: "found", addresses: ["0.0.0.0"] } },
        },
      },
    },
    "asset.blocked": {
      fail: {
        "a style sheet that the page's policy shuts out": page({
          "content-security-policy":
            "style-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        }),
      },
      "partial files": {
        "an image that its own host keeps to itself": {
          ...add('<img src="https://cdn.example.com:{port}/kept.png" alt="A tin">'),
          ...route("/kept.png", {
            headers: { "content-type": "image/png", "cross-origin-resource-policy": "same-origin" },
          }),
          hosts: [...HOSTS, "cdn.example.com"],
        },
        "a module of another origin that does not allow it": {
          ...add(
            '<script type="module" nonce="{nonce}" src="https://cdn.example.net:{port}/a.js"></script>',
          ),
          ...route("/a.js", { headers: { "content-type": "text/javascript" } }),
          hosts: [...HOSTS, "cdn.example.net"],
        },
      },
    },
    "asset.mixed": {
      fail: {
        "a form that a button posts over http": add(
          '<form method="post"><button formaction="http://example.com/order">Order</button></form>',
        ),
      },
      "partial passive": {
        "an image over http in a style attribute, and a namespace": add(
          `<div style="background: url('http://example.com/leaf.png')"></div><style>@namespace svg url(http://www.w3.org/2000/svg);</style>`,
        ),
      },
    },
    "asset.leftover": {
      fail: { "a link to a private network": add('<a href="http://10.1.2.3/orders">Orders</a>') },
    },
    "link.internal": { fail: { "a dead link": route("/about", { status: 404 }) } },
    "seo.indexable": {
      fail: {
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
    },
    "seo.social": {
      "partial image": {
        "a card whose picture is a page": words("{origin}/shelf.png", "{origin}/about"),
      },
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
    "asset.fallback reach.soft404 reach.leak hdr.disclosure seo.robots seo.indexable": {
      unknown: {
        "no first byte but the page's": { routes: { "/robots.txt": "hang-up", "*": "hang-up" } },
      },
    },
    "perf.compression": { fail: { "no compression": page({ "content-encoding": null }) } },
    "perf.cache-html": {
      fail: { "neither Cache-Control nor ETag": page({ "cache-control": null, etag: null }) },
    },
    "perf.cache-assets": {
      fail: {
        "a versioned file kept for a minute": route("/shop.3f9c2b1a.js", {
          headers: { "content-type": "text/javascript", "cache-control": "max-age=60" },
        }),
        ...Object.fromEntries(
          ["3f9c2b1a", "BcD3f4Gh"].map((hash) => [
            `one whose hash is in the URL: ${hash}`,
            {
              url: `{origin}/?v=${hash}`,
              ...words("3f9c2b1a", hash),
              routes: {
                [`/?v=${hash}`]: "page",
                [`/shop.${hash}.js`]: {
                  headers: { "content-type": "text/javascript", "cache-control": "max-age=60" },
                },
              },
            },
          ]),
        ),
      },
    },
    "perf.weight": { fail: { "a page of 600 kB": words(SENTENCE, "tea ".repeat(12_500)) } },
    "perf.files": {
      fail: {
        "a script of 700 kB, compressed": route("/shop.3f9c2b1a.js", {
          headers: {
            "content-type": "text/javascript",
            "content-encoding": "br",
            "cache-control": "public, max-age=31536000, immutable",
          },
          body: noise(700_000, "a script").toString("hex"),
        }),
      },
    },
    "perf.ttfb": {
      "partial slow": { "a first byte after 0.9 s": { delayMs: 900 } },
      fail: { "a first byte after 1.9 s": { delayMs: 1900 } },
    },
    "perf.http2": { fail: { "HTTP/1.1 alone": { tls: { ALPNProtocols: ["http/1.1"] } } } },
  }),
  ...served(NOTHING, {
    "a style sheet whose type a proxy repeats": route("/shop.css", {
      headers: { "content-type": "text/css, text/css" },
    }),
    "a style sheet of 20 kB, compressed": route("/shop.css", {
      headers: { "content-type": "text/css", "content-encoding": "br" },
      body: " ".repeat(20_000),
    }),
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
    "robots.txt led to a page": route("/robots.txt", to("/about", 302)),
  }),
  [
    "a script that is missing",
    route("/shop.3f9c2b1a.js", { status: 404 }),
    { "asset.broken": "fail", "perf.cache-assets": "unknown" },
  ],
  [
    "a script of a compromised host",
    {
      ...add(
        '<script nonce="{nonce}" src="https://cdn.polyfill.io/v3/polyfill.min.js" async></script>',
      ),
      names: { "cdn.polyfill.io": { outcome: "timeout" } },
    },
    { "asset.third-party": "fail", "asset.broken": "unknown" },
  ],
];
