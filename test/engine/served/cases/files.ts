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
  ...served(NOTHING, {
    "a style sheet that is disabled is not requested": add(
      '<link rel="stylesheet" disabled href="/dark.css">',
    ),
    "a hidden frame, a font and a background that nothing uses": {
      ...add('<iframe src="/count.html" hidden></iframe>'),
      ...route("/shop.css", {
        headers: { "content-type": "text/css" },
        body: "@font-face { font-family: tea; src: url(tea.woff2) } .cup { background: url(leaf.png) }",
      }),
    },
    "a link that redirects to itself until its cookie returns": route(
      "/about",
      ({ headers: { cookie } }, response) => {
        const headers = { location: "/about", "set-cookie": "seen=1; Path=/; Secure" };
        response.writeHead(cookie?.includes("seen=1") ? 200 : 302, headers).end();
      },
    ),
    "an address that browsers replace by a srcset": words(
      'src="/tin.png"',
      'src="/old.png" srcset="/tin.png 640w"',
    ),
  }),
  ...charged({
    "asset.broken": {
      fail: {
        "a frame of the page's own host is missing": add('<iframe src="/app/index.html"></iframe>'),
        "a style sheet that another imports is missing": route("/shop.css", {
          headers: { "content-type": "text/css" },
          body: "@import url(css/missing.css);",
        }),
        "a style sheet that the page imports is missing": add(
          "<style>@import 'missing.css';</style>",
        ),
        "the 30th script is missing": {
          ...add(
            Array.from(
              { length: 30 },
              (_, index) => `<script nonce="{nonce}" src="/part/${index}.js" defer></script>`,
            ).join(""),
          ),
          routes: Object.fromEntries(
            Array.from({ length: 29 }, (_, index) => [
              `/part/${index}.js`,
              { headers: { "content-type": "text/javascript" }, body: "void 0" },
            ]),
          ),
        },
        "a script that breaks off": route("/shop.3f9c2b1a.js", (_, response) => {
          response.writeHead(200, {
            "content-type": "text/javascript",
            "cache-control": "max-age=31536000, immutable",
            "content-length": "100",
          });
          response.write("void 0;", () => response.destroy());
        }),
      },
      "partial icons": {
        "an icon that the manifest names is missing": {
          ...add('<link rel="manifest" href="/tea.webmanifest">'),
          routes: {
            "/tea.webmanifest": {
              headers: { "content-type": "application/manifest+json" },
              body: '{"icons":[{"src":"icons/tea.png"}]}',
            },
          },
        },
      },
      "partial images": {
        "a font and a background that a style sheet names are missing": route("/shop.css", {
          headers: { "content-type": "text/css" },
          body: "@font-face { font-family: tea; src: url(tea.woff2) } h1 { font-family: tea; background: url(leaf.png) }",
        }),
        "a larger image of a srcset is missing": words(
          'src="/tin.png"',
          'src="/tin.png" srcset="/tin.png 1x, /tin-2x.png 2x"',
        ),
        "a background of an element is missing": add(
          '<div style="background-image: url(leaf.png)">Tea</div>',
        ),
        "a badge of a host that does not exist": {
          ...add('<img src="https://badges.gone.example.net/tea.svg" alt="Built with tea">'),
          names: { "badges.gone.example.net": { outcome: "not_found" } },
        },
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
    "link.internal": {
      fail: {
        "a dead link": route("/about", { status: 404 }),
        "a link that redirects to itself": route("/about", to("/about")),
        "a link that sets a cookie each time": route("/about", {
          ...to("/about"),
          headers: { location: "/about", "set-cookie": "n={nonce}; Path=/; Secure" },
        }),
      },
    },
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
