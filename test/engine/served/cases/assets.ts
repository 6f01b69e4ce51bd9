import {
  type ServedCase,
  add,
  page,
  words,
  route,
  NOTHING,
  charged,
  served,
} from "../served-case.ts";
import { HOSTS } from "../good-site.ts";
import { each } from "../../judge/cases/rule-case.ts";

/** The good page's policy, and one more directive. */
const under = (directive: string) =>
  page({
    "content-security-policy": `${directive}; script-src 'nonce-{nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'`,
  });

export const ASSET_CASES: readonly ServedCase[] = [
  ...charged({
    "asset.broken": {
      fail: {
        "a style sheet that is missing": route("/shop.css", { status: 404 }),
        "a script of a host of the site's own that does not exist": {
          ...add(
            '<script nonce="{nonce}" src="https://static.example.com/count.js" defer></script>',
          ),
          names: { "static.example.com": { outcome: "not_found" } },
        },
      },
      "partial images": {
        ...each(
          [
            '<script src="/old.js" nomodule></script>',
            '<link rel="preload" as="script" href="/next.js">',
            '<link rel="modulepreload" href="/next.mjs">',
            '<link rel="alternate stylesheet" href="/dark.css">',
            '<link rel="stylesheet" media="print" href="/print.css">',
          ],
          (markup) => [`a file that the page is shown without: ${markup}`, add(markup)],
        ),
        "an async script of another site": {
          ...add(
            '<script nonce="{nonce}" async src="https://ads.example.net:{port}/a.js"></script>',
          ),
          hosts: [...HOSTS, "ads.example.net"],
        },
        "an image that is missing": route("/tin.png", { status: 404 }),
      },
      "partial icons": { "an icon that is missing": add('<link rel="icon" href="/favicon.ico">') },
      unknown: {
        "an image under a rate limit": route("/tin.png", { status: 429 }),
        "a script of another host, which a filter of names leads nowhere": {
          ...add(
            '<script nonce="{nonce}" src="https://stats.example.net/count.js" defer></script>',
          ),
          names: { "stats.example.net": { outcome: "found", addresses: ["0.0.0.0"] } },
        },
        "a script of another host, which a filter of names denies": {
          ...add(
            '<script nonce="{nonce}" src="https://stats.example.net/count.js" defer></script>',
          ),
          names: { "stats.example.net": { outcome: "not_found" } },
        },
        "a script that the site's limit of requests keeps back": route("/shop.css", {
          status: 503,
        }),
        "a badge of a service on a platform of deployments": {
          ...add('<img src="https://skill-icons.vercel.app/badge.svg" alt="Built with tea">'),
          names: { "skill-icons.vercel.app": { outcome: "not_found" } },
        },
      },
    },
    "asset.blocked": {
      fail: {
        "a style sheet that the page's policy shuts out": under("style-src 'none'"),
        "a form that the policy does not let be sent": {
          ...under("form-action 'none'"),
          ...add('<form method="post"><input name="tea" aria-label="Tea"></form>'),
        },
        "inline styles alone, without a hash": {
          ...under("style-src 'sha256-AAAA='"),
          ...words('<link rel="stylesheet" href="/shop.css">', "<style>p { margin: 0 }</style>"),
        },
        "a style sheet of another origin with an integrity, without crossorigin": add(
          `<link rel="stylesheet" href="{twin}/shop.css" integrity="sha384-${"a".repeat(64)}">`,
        ),
      },
      "partial files": {
        "an image that the page's policy shuts out": under("img-src 'none'"),
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
        "a script over http": add('<script src="http://example.com/count.js" defer></script>'),
        "a script over http, and after it the meta that would upgrade it": words(
          "</head>",
          '<script src="http://example.com/count.js" defer></script><meta http-equiv="Content-Security-Policy" content="upgrade-insecure-requests"></head>',
        ),
        "a style sheet that a style of the page imports over http": add(
          '<style>/* url(http://example.com/old.png) */ @import "http://example.com/base.css";</style>',
        ),
        "a script over http in a frame's srcdoc": add(
          '<iframe srcdoc="&lt;script src=&quot;http://example.com/count.js&quot;&gt;&lt;/script&gt;"></iframe>',
        ),
        "a form posted over http": add(
          '<form action="http://example.com/order" method="post"><input name="tea"></form>',
        ),
        "a form that a button posts over http": add(
          '<form method="post"><button formaction="http://example.com/order">Order</button></form>',
        ),
        "a password in the address": add(
          '<form method="get"><input type="password" name="key"></form>',
        ),
      },
      "partial passive": {
        "an image over http": add('<img src="http://example.com/leaf.png" alt="A leaf">'),
        "an image over http in a style of the page": add(
          "<style>.leaf { background: url(http://example.com/leaf.png) }</style>",
        ),
        "an image over http in a style attribute, and a namespace": add(
          `<div style="background: url('http://example.com/leaf.png')"></div><style>@namespace svg url(http://www.w3.org/2000/svg);</style>`,
        ),
        "a search over http": add(
          '<form action="http://example.com/search"><input name="q"></form>',
        ),
      },
    },
    "asset.leftover": {
      fail: { "a link to a private network": add('<a href="http://10.1.2.3/orders">Orders</a>') },
      "partial development_build": {
        "React's development build": {
          ...words("/shop.3f9c2b1a.js", "/react.3f9c2b1a.development.js"),
          routes: {
            "/react.3f9c2b1a.development.js": {
              headers: {
                "content-type": "text/javascript",
                "cache-control": "max-age=31536000, immutable",
              },
              body: "void 0;",
            },
          },
        },
      },
    },
    "link.internal": {
      fail: { "a dead link": route("/about", { status: 404 }) },
      not_applicable: {
        "an address that Cloudflare hides": words(
          '<a href="/about">',
          '<a href="/cdn-cgi/l/email-protection#8be2e5">',
        ),
        "no link": words('<a href="/about">About us</a>', "About us"),
      },
      unknown: { "a link behind a refusal": route("/about", { status: 403 }) },
    },
    "asset.broken html.img-alt perf.cache-assets perf.files": {
      not_applicable: {
        "no file at all": {
          words: {
            '<link rel="stylesheet" href="/shop.css">': "",
            '<script nonce="{nonce}" src="/shop.3f9c2b1a.js" defer></script>': "",
            '<img src="/tin.png" alt="A tin of green tea">': "",
          },
        },
      },
    },
  }),
  ...served(NOTHING, {
    "a style sheet whose type a proxy repeats": route("/shop.css", {
      headers: { "content-type": "text/css, text/css" },
    }),
    "an image that is served to the site's own pages alone": route(
      "/tin.png",
      ({ headers }, response) =>
        void response.writeHead(headers.referer?.includes("//example.com") ? 200 : 403).end(),
    ),
    "a script over http, and before it the meta that upgrades it": words(
      "</head>",
      '<meta http-equiv="Content-Security-Policy" content="upgrade-insecure-requests"><script nonce="{nonce}" src="http://example.com/count.js" defer></script></head>',
    ),
    ...each(
      [
        '<form><input type="password" name="key"></form>',
        '<form method="post"><input type="password" name="key"></form>',
        '<form method="get"><input type="password"></form>',
        '<form method="get" onsubmit="return go()"><input type="password" name="key"></form>',
        '<form><input type="password" name="key"><button formmethod="post">Log in</button></form>',
        '<form action="/search"><input name="q"></form>',
      ],
      (markup) => [`a form of an ordinary page: ${markup}`, add(markup)],
    ),
    "a link whose handler breaks on HEAD": route(
      "/about",
      ({ method }, response) => void response.writeHead(method === "HEAD" ? 500 : 200).end(),
    ),
  }),
  [
    "a script that is missing",
    route("/shop.3f9c2b1a.js", { status: 404 }),
    { "asset.broken": "fail", "perf.cache-assets": "unknown" },
  ],
];
