import { SENTENCE, type SiteEdit } from "../good-site.ts";
import {
  type ServedCase,
  add,
  page,
  route,
  to,
  words,
  NOTHING,
  all,
  charged,
  served,
} from "../served-case.ts";

/** Parted, so that no scanner takes this file for a leak. */
const LIVE = ["sk", "live", "kQ7zR2mWx9Ld4TvBn8YcHs3Jf6GpAe5U"].join("_");
const CANONICAL = '<link rel="canonical" href="{origin}/">';
const cookie = (...lines: string[]): SiteEdit => page({ "set-cookie": lines });
const bundled = (body: string) =>
  route("/shop.3f9c2b1a.js", {
    headers: { "content-type": "text/javascript", "cache-control": "max-age=31536000, immutable" },
    body,
  });

export const HEADER_CASES: readonly ServedCase[] = [
  ...charged({
    "hdr.csp": {
      "partial bypassable": {
        "a nonce that serves twice, where a redirect leads, in a policy of 2 KB": {
          url: "{origin}/start",
          routes: { "/start": to("/") },
          words: { "{nonce}": "Zm9vYmFyYmF6cXV4" },
          page: {
            headers: {
              "content-security-policy": `script-src 'nonce-Zm9vYmFyYmF6cXV4' 'strict-dynamic'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; img-src 'self' ${"https://pictures.example.org/ ".repeat(66)}`,
            },
          },
        },
      },
    },
    "hdr.referrer": {
      fail: { "whole addresses in referrers": page({ "referrer-policy": "unsafe-url" }) },
    },
    "hdr.disclosure": {
      fail: {
        "a version on the server's own error page": route("*", {
          status: 404,
          headers: { "content-type": "text/html" },
          body: "<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx/1.24.0</center></body></html>",
        }),
      },
    },
    "hdr.valid": {
      fail: {
        "two framing options that contradict each other": page({
          "x-frame-options": ["DENY", "SAMEORIGIN"],
        }),
      },
    },
    "cookie.session": {
      fail: {
        "a session that scripts and other sites can use": cookie("session=1f0c; Path=/; Secure"),
      },
    },
    "cors.credentials": {
      fail: {
        "any origin may read the page that a redirect leads to": {
          url: "{origin}/old",
          routes: { "/old": to("/", 302) },
          ...page({
            "access-control-allow-origin": "https://shipscore-probe.example",
            "access-control-allow-credentials": "true",
          }),
        },
      },
    },
    "cookie.secure cookie.session cookie.shared": {
      not_applicable: {
        "cookies that browsers ignore": cookie("=", "__Host-a", `theme=${"x".repeat(4100)}`),
      },
    },
  }),
  [
    "a cookie that also travels over http",
    cookie("theme=dark; Path=/"),
    { "cookie.secure": "fail", ...all("not_applicable", "cookie.session", "cookie.shared") },
  ],
  [
    "no security header at all",
    page({
      "strict-transport-security": null,
      "content-security-policy": null,
      "x-content-type-options": null,
      "referrer-policy": null,
      "permissions-policy": null,
      "cross-origin-opener-policy": null,
    }),
    {
      ...all("fail", "hdr.hsts", "hdr.csp", "hdr.framing", "hdr.nosniff"),
      ...all("not_applicable", "hdr.valid", "hdr.permissions", "hdr.isolation"),
    },
  ],
];

export const HTML_CASES: readonly ServedCase[] = [
  ...charged({
    "html.content": {
      fail: {
        "text for scripts alone": {
          words: {
            "<h1>Tea, by the leaf</h1>": '<div id="root"></div>',
            [SENTENCE]: `<!-- ${"template ".repeat(20)} -->`,
          },
        },
      },
    },
    "html.placeholder": {
      fail: {
        "a title that was not filled in": words(
          "<title>Tea, by the leaf",
          "<title>{{ page.title }}",
        ),
      },
    },
    "html.secrets": {
      fail: { "a secret key in a script's file": bundled(`fetch("/pay",{headers:{a:"${LIVE}"}})`) },
      "partial shown": {
        "a key that the page shows, in its script too": {
          ...add(`<pre><code>STRIPE_KEY=${LIVE}</code></pre>`),
          ...bundled(`const code = "STRIPE_KEY=${LIVE}";`),
        },
      },
    },
    "seo.canonical": {
      fail: {
        "two canonicals": words(CANONICAL, `${CANONICAL}${CANONICAL.replace('/"', '/tea"')}`),
      },
    },
    "seo.identity": {
      fail: {
        "another site's canonical in a Link header": {
          words: { [CANONICAL]: "" },
          page: {
            headers: {
              link: '</shop.css>; rel=preload, <https://template-demo.com/>; rel="canonical"',
            },
          },
        },
      },
    },
  }),
  ...served(
    all(
      "fail",
      "html.doctype",
      "html.charset",
      "html.lang",
      "html.title",
      "html.description",
      "html.viewport",
      "html.img-alt",
    ),
    {
      "a page without any of the basics": {
        page: { headers: { "content-type": "text/html" } },
        words: {
          "<!doctype html>": "",
          '<meta charset="utf-8">': "",
          ' lang="en"': "",
          "<title>Tea, by the leaf</title>": "",
          'name="description"': 'name="summary"',
          'name="viewport"': 'name="view"',
          ' alt="A tin of green tea"': "",
        },
      },
    },
  ),
  [
    "a page too long to be read whole, but for its head",
    words(SENTENCE, "tea ".repeat(40_000)),
    {
      ...all("unknown", "html.img-alt", "asset.mixed", "asset.leftover", "link."),
      ...all("unknown", "asset.blocked", "asset.third-party", "html.placeholder", "html.secrets"),
      "perf.weight": "fail",
    },
  ],
  [
    "a head too long to be read whole",
    words("<title>", `<style>${"p{margin:0}".repeat(160_000)}</style><title>`),
    {
      ...all("unknown", "html.title", "html.description", "html.viewport", "html.content"),
      ...all("unknown", "html.img-alt", "html.placeholder", "html.secrets"),
      ...all("unknown", "seo.", "asset.", "link.", "perf.files"),
      "seo.robots": "pass",
      "perf.weight": "fail",
      "perf.cache-assets": "not_applicable",
    },
  ],
  ...served(NOTHING, {
    "forms of ordinary pages": add(
      [
        '<form><input type="password" name="key"></form>',
        '<form method="post"><input type="password" name="key"></form>',
        '<form method="get"><input type="password"></form>',
        '<form method="get" onsubmit="return go()"><input type="password" name="key"></form>',
        '<form><input type="password" name="key"><button formmethod="post">Log in</button></form>',
        '<form action="/search"><input name="q"></form>',
      ].join("\n"),
    ),
  }),
];
