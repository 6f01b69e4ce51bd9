import type { SiteEdit } from "../good-site.ts";
import type { ServedCase } from "../served-case.ts";

const words = (old: string, put: string): SiteEdit => ({ words: { [old]: put } });
const add = (markup: string): SiteEdit => words("<h1>", `${markup}<h1>`);
const answer = (path: string, status: number): SiteEdit => ({ routes: { [path]: { status } } });

export const ASSET_CASES: readonly ServedCase[] = [
  ["a style sheet that is missing", answer("/shop.css", 404), { "asset.broken": "fail" }],
  [
    "a script that is missing",
    answer("/shop.3f9c2b1a.js", 404),
    { "asset.broken": "fail", "perf.cache-assets": "unknown" },
  ],
  [
    "a style sheet whose type a proxy repeats",
    { routes: { "/shop.css": { headers: { "content-type": "text/css, text/css" } } } },
    {},
  ],
  ...[
    '<script src="/old.js" nomodule></script>',
    '<link rel="preload" as="script" href="/next.js">',
    '<link rel="modulepreload" href="/next.mjs">',
    '<link rel="alternate stylesheet" href="/dark.css">',
    '<link rel="stylesheet" media="print" href="/print.css">',
  ].map((markup): ServedCase => [
    `a file that the page is shown without: ${markup}`,
    add(markup),
    { "asset.broken": "partial images" },
  ]),
  ["an image that is missing", answer("/tin.png", 404), { "asset.broken": "partial images" }],
  [
    "an icon that is missing",
    add('<link rel="icon" href="/favicon.ico">'),
    { "asset.broken": "partial icons" },
  ],
  ["an image under a rate limit", answer("/tin.png", 429), { "asset.broken": "unknown" }],
  [
    "a script of another host, which a filter of names leads nowhere",
    {
      ...add('<script src="https://stats.example.net/count.js" defer></script>'),
      names: { "stats.example.net": { outcome: "found", addresses: ["0.0.0.0"] } },
    },
    { "asset.broken": "unknown" },
  ],
  [
    "a script of another host, which a filter of names denies",
    {
      ...add('<script src="https://stats.example.net/count.js" defer></script>'),
      names: { "stats.example.net": { outcome: "not_found" } },
    },
    { "asset.broken": "unknown" },
  ],
  [
    "a script of a host of the site's own that does not exist",
    {
      ...add('<script src="https://static.example.com/count.js" defer></script>'),
      names: { "static.example.com": { outcome: "not_found" } },
    },
    { "asset.broken": "fail" },
  ],
  [
    "a script that the site's limit of requests keeps back",
    { routes: { "/shop.css": { status: 503 } } },
    { "asset.broken": "unknown" },
  ],
  [
    "an image that is served to the site's own pages alone",
    {
      routes: {
        "/tin.png": ({ headers }, response) =>
          void response.writeHead(headers.referer?.includes("//example.com") ? 200 : 403).end(),
      },
    },
    {},
  ],
  [
    "no file at all",
    {
      words: {
        '<link rel="stylesheet" href="/shop.css">': "",
        '<script nonce="{nonce}" src="/shop.3f9c2b1a.js" defer></script>': "",
        '<img src="/tin.png" alt="A tin of green tea">': "",
      },
    },
    {
      "asset.broken": "not_applicable",
      "html.img-alt": "not_applicable",
      "perf.cache-assets": "not_applicable",
      "perf.files": "not_applicable",
    },
  ],

  [
    "a script over http",
    add('<script src="http://example.com/count.js" defer></script>'),
    { "asset.mixed": "fail" },
  ],
  [
    "a script over http, and after it the meta that would upgrade it",
    words(
      "</head>",
      '<script src="http://example.com/count.js" defer></script><meta http-equiv="Content-Security-Policy" content="upgrade-insecure-requests"></head>',
    ),
    { "asset.mixed": "fail" },
  ],
  [
    "a script over http, and before it the meta that upgrades it",
    words(
      "</head>",
      '<meta http-equiv="Content-Security-Policy" content="upgrade-insecure-requests"><script src="http://example.com/count.js" defer></script></head>',
    ),
    {},
  ],
  [
    "an image over http",
    add('<img src="http://example.com/leaf.png" alt="A leaf">'),
    { "asset.mixed": "partial passive" },
  ],
  [
    "a form posted over http",
    add('<form action="http://example.com/order" method="post"><input name="tea"></form>'),
    { "asset.mixed": "fail" },
  ],
  [
    "a form that a button posts over http",
    add('<form method="post"><button formaction="http://example.com/order">Order</button></form>'),
    { "asset.mixed": "fail" },
  ],
  [
    "a password in the address",
    add('<form method="get"><input type="password" name="key"></form>'),
    { "asset.mixed": "fail" },
  ],
  [
    "a search over http",
    add('<form action="http://example.com/search"><input name="q"></form>'),
    { "asset.mixed": "partial passive" },
  ],
  ...[
    '<form><input type="password" name="key"></form>',
    '<form method="post"><input type="password" name="key"></form>',
    '<form method="get"><input type="password"></form>',
    '<form method="get" onsubmit="return go()"><input type="password" name="key"></form>',
    '<form><input type="password" name="key"><button formmethod="post">Log in</button></form>',
    '<form action="/search"><input name="q"></form>',
  ].map((markup): ServedCase => [`a form of an ordinary page: ${markup}`, add(markup), {}]),
  [
    "a link to a private network",
    add('<a href="http://10.1.2.3/orders">Orders</a>'),
    { "asset.leftover": "fail" },
  ],

  [
    "a badge of a service on a platform of deployments",
    {
      ...add('<img src="https://skill-icons.vercel.app/badge.svg" alt="Built with tea">'),
      names: { "skill-icons.vercel.app": { outcome: "not_found" } },
    },
    { "asset.broken": "unknown" },
  ],

  ["a dead link", answer("/about", 404), { "link.internal": "fail" }],
  [
    "a link whose handler breaks on HEAD",
    {
      routes: {
        "/about": ({ method }, response) =>
          void response.writeHead(method === "HEAD" ? 500 : 200).end(),
      },
    },
    {},
  ],
  [
    "an address that Cloudflare hides",
    words('<a href="/about">', '<a href="/cdn-cgi/l/email-protection#8be2e5">'),
    { "link.internal": "not_applicable" },
  ],
  ["a link behind a refusal", answer("/about", 403), { "link.internal": "unknown" }],
  [
    "no link",
    words('<a href="/about">About us</a>', "About us"),
    { "link.internal": "not_applicable" },
  ],
];
