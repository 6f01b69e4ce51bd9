import { UNROUTED } from "../../../harness/probing.ts";
import { HOST, PARAGRAPH } from "../good-site.ts";
import { all, allOfAnswer, allOfHtml, allOfRequest, type ServedCase } from "../served-case.ts";

const UNANSWERED = all("unknown", "reach.soft404", "cors.", "seo.robots", "perf.http2");
const UNREAD = { ...allOfRequest("unknown"), "cors.credentials": "unknown" } as const;
const NO_BYTES = all("not_applicable", "perf.compression", "perf.cache-assets");
const NGINX = "<!doctype html><title>Welcome to nginx!</title><h1>Welcome to nginx!</h1>";
const BARE = {
  "strict-transport-security": null,
  "content-security-policy": null,
  "x-content-type-options": null,
  "referrer-policy": null,
  "permissions-policy": null,
  "cross-origin-opener-policy": null,
};
const CHALLENGE =
  "<!doctype html><title>Just a moment...</title><script>window._cf_chl_opt = {}</script>";

export const REACH_CASES: readonly ServedCase[] = [
  [
    "no such name",
    { names: { [HOST]: { outcome: "not_found" } } },
    { ...all("blocked", ""), "reach.dns": "fail" },
  ],
  [
    "an address in place of a name",
    {
      url: "https://127.0.0.1:{port}/",
      plain: "none",
      routes: { "/robots.txt": { body: "User-agent: *\nAllow: /\n" } },
    },
    all(
      "not_applicable",
      "reach.dns",
      "redir.domain",
      "redir.https",
      "redir.permanent",
      "redir.host",
      "hdr.hsts",
    ),
  ],

  [
    "nobody listens",
    { names: { [HOST]: { outcome: "found", addresses: ["127.0.0.2"] } } },
    {
      ...allOfRequest("blocked"),
      ...all("blocked", "tls."),
      ...UNANSWERED,
      "reach.connect": "fail",
    },
  ],
  [
    "no address of a family that this machine is connected to",
    { names: { [HOST]: { outcome: "found", addresses: [UNROUTED] } } },
    {
      ...allOfRequest("unknown"),
      ...all("unknown", "tls.", "reach.connect"),
      ...UNANSWERED,
      ...all("unknown", "redir.https", "redir.permanent"),
    },
  ],
  [
    "such an address, and an IPv4 that refuses",
    { names: { [HOST]: { outcome: "found", addresses: ["127.0.0.2", UNROUTED] } } },
    {
      ...allOfRequest("blocked"),
      ...all("blocked", "tls."),
      ...UNANSWERED,
      "reach.connect": "fail",
    },
  ],
  [
    "a handshake, and no answer after it: the certificate is judged all the same",
    { routes: { "/": "hang-up" } },
    { ...allOfRequest("blocked"), "reach.connect": "fail", "cors.credentials": "unknown" },
  ],
  [
    "200 KB of headers",
    { page: { headers: { "x-filler": "x".repeat(200_000) } } },
    { ...allOfRequest("blocked"), "reach.connect": "fail", "cors.credentials": "unknown" },
  ],
  [
    "a server of HTTP/2 alone is up, and unread",
    { tls: { ALPNProtocols: ["h2"] } },
    {
      ...UNREAD,
      ...all("unknown", "tls.", "reach.soft404", "seo.robots", "redir.host"),
    },
  ],

  ["404", { page: { status: 404 } }, { ...allOfAnswer("blocked"), "reach.status": "fail" }],
  ["500", { page: { status: 500 } }, { ...allOfAnswer("blocked"), "reach.status": "fail" }],
  [
    "a 302 that leads nowhere",
    { page: { status: 302 } },
    { ...allOfAnswer("blocked"), "reach.status": "fail", "cors.credentials": "unknown" },
  ],
  ["a login", { page: { status: 401 } }, UNREAD],
  ["a refusal", { page: { status: 403 } }, UNREAD],
  ["a rate limit", { page: { status: 429 } }, UNREAD],
  ["a challenge with 200", { page: { body: CHALLENGE } }, UNREAD],
  [
    "a protected preview",
    { preview: true, lock: "x-vercel-protection-bypass" },
    {
      ...UNREAD,
      ...all("unknown", "reach.soft404", "seo.robots"),
      "seo.indexable": "not_applicable",
    },
  ],
  [
    "a protected preview with its header",
    {
      preview: true,
      lock: "x-vercel-protection-bypass",
      sends: { "x-vercel-protection-bypass": "secret" },
    },
    { "seo.indexable": "not_applicable" },
  ],

  [
    "an empty page",
    { page: { body: "" } },
    { ...allOfHtml("blocked"), ...NO_BYTES, "reach.html": "fail" },
  ],
  [
    "a stray character before the page, which browsers show all the same",
    { words: { "<!doctype html>": ";<!doctype html>" } },
    { "html.doctype": "fail" },
  ],
  [
    "JSON sent as a page",
    { page: { body: '{"error":"not found"}' } },
    { ...allOfHtml("blocked"), ...NO_BYTES, "reach.html": "fail" },
  ],
  [
    "a page sent as text",
    { page: { headers: { "content-type": "text/plain; charset=utf-8" } } },
    { ...allOfHtml("blocked"), "reach.html": "fail" },
  ],
  [
    "a page that is not in its coding",
    { page: { headers: { "content-encoding": "gzip" } } },
    { ...allOfHtml("blocked"), ...NO_BYTES, "reach.html": "fail", "reach.leak": "unknown" },
  ],
  [
    "a coding that was not asked for",
    { page: { headers: { "content-encoding": "zstd" } } },
    {
      ...allOfHtml("unknown"),
      ...all("unknown", "reach.html", "reach.leak", "perf.compression"),
      "perf.cache-assets": "not_applicable",
    },
  ],
  [
    "a character set that does not exist",
    { page: { headers: { "content-type": "text/html; charset=utf-9" } } },
    { "reach.html": "partial charset", "html.charset": "fail" },
  ],
  ...[
    "text/html; charset=utf-8, text/html; charset=utf-8",
    "text/html; charset=utf-8, text/html",
    ["text/html; charset=utf-8", "text/html"],
  ].map((type): ServedCase => [
    `a type that a proxy repeats: ${String(type)}`,
    { page: { headers: { "content-type": type } }, words: { '<meta charset="utf-8">': "" } },
    {},
  ]),
  [
    "a type that a proxy overrides",
    { page: { headers: { "content-type": ["text/html; charset=utf-8", "text/plain"] } } },
    { ...allOfHtml("blocked"), "reach.html": "fail" },
  ],

  [
    "every path answers 200",
    { routes: { "*": { body: "<!doctype html><title>Tea</title>" } } },
    { "reach.soft404": "fail" },
  ],
  [
    "every path leads home",
    { routes: { "*": { status: 302, headers: { location: "/" } } } },
    { "reach.soft404": "partial redirect" },
  ],
  [
    "every path is led to its language, and there to a 404",
    {
      routes: {
        "*": ({ url = "" }, response) => {
          const isLed = url.startsWith("/en/");
          response.writeHead(isLed ? 404 : 307, isLed ? {} : { location: `/en${url}` }).end();
        },
      },
    },
    {},
  ],
  [
    "no answer to a path",
    { routes: { "*": "hang-up" } },
    { "reach.soft404": "unknown", "reach.leak": "unknown" },
  ],

  [
    "a page that was not found, with 200",
    { words: { "Tea, by the leaf": "Page not found", [PARAGRAPH]: "" } },
    { "reach.page": "fail", "perf.compression": "not_applicable" },
  ],
  [
    "a page that any path shows",
    {
      url: "{origin}/prices",
      words: {
        [PARAGRAPH]: "",
        '<script nonce="{nonce}" src="/shop.3f9c2b1a.js" defer></script>': "",
      },
      routes: { "*": "page" },
    },
    {
      ...all("fail", "reach.page", "reach.soft404", "seo.canonical"),
      ...all("not_applicable", "perf.compression", "perf.cache-assets"),
    },
  ],
  [
    "a page without any of the basics",
    {
      page: { headers: BARE },
      words: {
        "<!doctype html>": "",
        "<title>Tea, by the leaf</title>": "",
        '<meta name="viewport" content="width=device-width, initial-scale=1">': "",
      },
    },
    {
      ...all("fail", "html.basics", "html.doctype", "html.title", "html.viewport", "hdr.csp"),
      ...all("fail", "hdr.framing", "hdr.hsts", "hdr.nosniff"),
      ...all("not_applicable", "hdr.valid", "hdr.isolation", "hdr.permissions"),
    },
  ],

  [
    "the server's own page on a path that does not exist",
    { routes: { "*": { status: 404, body: NGINX } } },
    { "reach.leak": "fail" },
  ],
];
