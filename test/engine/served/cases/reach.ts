import { UNROUTED } from "../../../harness/probing.ts";
import { HOST, PARAGRAPH } from "../good-site.ts";
import {
  all,
  type ServedCase,
  words,
  page,
  route,
  to,
  NOTHING,
  allOfAnswer,
  allOfHtml,
  allOfRequest,
  charged,
  served,
} from "../served-case.ts";
import { each } from "../../judge/cases/rule-case.ts";

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
  ...charged({
    "seo.indexable seo.identity": {
      not_applicable: {
        "a protected preview with its header": {
          preview: true,
          lock: "x-vercel-protection-bypass",
          sends: { "x-vercel-protection-bypass": "secret" },
        },
      },
    },
    "html.doctype": {
      fail: {
        "a stray character before the page, which browsers show all the same": words(
          "<!doctype html>",
          ";<!doctype html>",
        ),
      },
    },
    "reach.soft404": {
      fail: { "every path answers 200": route("*", { body: "<!doctype html><title>Tea</title>" }) },
      "partial redirect": { "every path leads home": route("*", to("/", 302)) },
    },
    "reach.leak": {
      fail: {
        "the server's own page on a path that does not exist": route("*", {
          status: 404,
          body: NGINX,
        }),
        "a profiler's header": page({ "x-debug-token-link": "{origin}/_profiler/a1b2c3" }),
        "a profiler's header on a path that does not exist": route("*", {
          status: 404,
          headers: { "content-type": "text/html", "x-debug-token-link": "/_profiler/a1b2c3" },
          body: "<!doctype html><title>Not found</title><p>Not found",
        }),
      },
    },
    "reach.dns redir.domain redir.https redir.permanent redir.host hdr.hsts": {
      not_applicable: {
        "an address in place of a name": {
          url: "https://127.0.0.1:{port}/",
          plain: "none",
          routes: { "/robots.txt": { body: "User-agent: *\nAllow: /\n" } },
        },
      },
    },
    "reach.soft404 reach.leak hdr.disclosure": {
      unknown: { "no answer to a path": route("*", "hang-up") },
    },
  }),
  ...served(NOTHING, {
    ...each(
      [
        "text/html; charset=utf-8, text/html; charset=utf-8",
        "text/html; charset=utf-8, text/html",
        ["text/html; charset=utf-8", "text/html"],
      ],
      (type) => [
        `a type that a proxy repeats: ${String(type)}`,
        { page: { headers: { "content-type": type } }, words: { '<meta charset="utf-8">': "" } },
      ],
    ),
    "every path is led to its language, and there to a 404": route(
      "*",
      ({ url = "" }, response) => {
        const isLed = url.startsWith("/en/");
        response.writeHead(isLed ? 404 : 307, isLed ? {} : { location: `/en${url}` }).end();
      },
    ),
  }),
  ...served(
    {
      ...allOfRequest("blocked"),
      ...all("blocked", "tls."),
      ...UNANSWERED,
      "reach.connect": "fail",
    },
    {
      "nobody listens": { names: { [HOST]: { outcome: "found", addresses: ["127.0.0.2"] } } },
      "such an address, and an IPv4 that refuses": {
        names: { [HOST]: { outcome: "found", addresses: ["127.0.0.2", UNROUTED] } },
      },
    },
  ),
  ...served(
    { ...allOfRequest("blocked"), "reach.connect": "fail", "cors.credentials": "unknown" },
    {
      "a handshake, and no answer after it: the certificate is judged all the same": route(
        "/",
        "hang-up",
      ),
      "200 KB of headers": page({ "x-filler": "x".repeat(200_000) }),
    },
  ),
  ...served(
    { ...allOfAnswer("blocked"), "reach.status": "fail" },
    { "404": { page: { status: 404 } }, "500": { page: { status: 500 } } },
  ),
  ...served(UNREAD, {
    "a login": { page: { status: 401 } },
    "a refusal": { page: { status: 403 } },
    "a rate limit": { page: { status: 429 } },
    "a challenge with 200": { page: { body: CHALLENGE } },
  }),
  ...served(
    { ...allOfHtml("blocked"), ...NO_BYTES, "reach.html": "fail" },
    {
      "an empty page": { page: { body: "" } },
      "JSON sent as a page": { page: { body: '{"error":"not found"}' } },
    },
  ),
  ...served(
    { ...allOfHtml("blocked"), "reach.html": "fail" },
    {
      "a page that browsers save": page({
        "content-disposition": 'attachment; filename="index.html"',
      }),
      "a page sent as text": page({ "content-type": "text/plain; charset=utf-8" }),
      "a type that a proxy overrides": page({
        "content-type": ["text/html; charset=utf-8", "text/plain"],
      }),
    },
  ),
  [
    "no such name",
    { names: { [HOST]: { outcome: "not_found" } } },
    { ...all("blocked", ""), "reach.dns": "fail" },
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
    "a server of HTTP/2 alone is up, and unread",
    { tls: { ALPNProtocols: ["h2"] } },
    { ...UNREAD, ...all("unknown", "tls.", "reach.soft404", "seo.robots", "redir.host") },
  ],
  [
    "a 302 that leads nowhere",
    { page: { status: 302 } },
    { ...allOfAnswer("blocked"), "reach.status": "fail", "cors.credentials": "unknown" },
  ],
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
    "a page that is not in its coding",
    page({ "content-encoding": "gzip" }),
    { ...allOfHtml("blocked"), ...NO_BYTES, "reach.html": "fail", "reach.leak": "unknown" },
  ],
  [
    "a coding that was not asked for",
    page({ "content-encoding": "zstd" }),
    {
      ...allOfHtml("unknown"),
      ...all("unknown", "reach.html", "reach.leak", "hdr.csp", "perf.compression"),
      "perf.cache-assets": "not_applicable",
    },
  ],
  [
    "a character set that does not exist",
    page({ "content-type": "text/html; charset=utf-9" }),
    { "reach.html": "partial charset", "html.charset": "fail" },
  ],
  [
    "a page without a type, which browsers guess",
    page({ "content-type": [], "x-content-type-options": [] }),
    { "reach.html": "partial untyped", "hdr.nosniff": "fail", "html.charset": "pass" },
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
      ...all("fail", "html.doctype", "html.title", "html.viewport", "hdr.csp"),
      ...all("fail", "hdr.framing", "hdr.hsts", "hdr.nosniff"),
      ...all("not_applicable", "hdr.valid", "hdr.isolation", "hdr.permissions"),
    },
  ],
];
