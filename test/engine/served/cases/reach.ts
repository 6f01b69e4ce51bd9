import { UNROUTED } from "../../../harness/probing.ts";
import { type Answer, HOST, PARAGRAPH, TWIN } from "../good-site.ts";
import {
  all,
  type Outcomes,
  type ServedCase,
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

const UNANSWERED = all("unknown", "reach.soft404", "cors.", "seo.robots", "perf.http2");
const TEA = "<!doctype html><title>Tea</title>";
/** All that does not exist: files of the page's folder get one answer, every other path the other one. */
const lack = (file: Answer, other: Answer) =>
  route("*", ({ url = "" }, response) => {
    const { status = 200, headers = {}, body = "" } = url.endsWith(".js") ? file : other;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value ?? "");
    response.writeHead(status).end(body);
  });
const NOT_FOUND: Answer = { status: 404, headers: { "content-type": "text/html" }, body: TEA };
const CACHED = { "cache-control": "public, max-age=31536000", "content-type": "text/html" };
const UNREAD = { ...allOfRequest("unknown"), "cors.credentials": "unknown" } as const;
const NO_BYTES = all("not_applicable", "perf.compression", "perf.cache-assets");
const LOST: Outcomes = {
  ...allOfAnswer("blocked"),
  ...all("blocked", "redir.domain", "reach.status", "reach.leak"),
  "redir.chain": "fail",
  "cors.credentials": "unknown",
};

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
    "reach.soft404": {
      fail: {
        "every path but those of files answers 200": lack(NOT_FOUND, { body: TEA }),
        "every path but those of files leads home": lack(NOT_FOUND, to("/")),
      },
    },
    "reach.leak": {
      fail: {
        "the server's own page on a path that does not exist": route("*", {
          status: 404,
          body: "<!doctype html><title>Welcome to nginx!</title><h1>Welcome to nginx!</h1>",
        }),
      },
    },
  }),
  ...served(
    { "asset.fallback": "partial brief", "reach.soft404": "blocked" },
    {
      "every path answers 200": route("*", { body: TEA }),
      "a page in place of a missing script": lack({ body: TEA }, NOT_FOUND),
      "a missing script leads home": lack(to("/"), NOT_FOUND),
    },
  ),
  ...served(
    { "asset.fallback": "fail", "reach.soft404": "blocked" },
    {
      "every path answers 200, for a year": route("*", { headers: CACHED, body: TEA }),
      "a page in place of a missing script, cached for a year": lack(
        { headers: CACHED, body: TEA },
        NOT_FOUND,
      ),
    },
  ),
  ...served(NOTHING, {
    "a type that a proxy repeats in a header of its own": {
      page: { headers: { "content-type": ["text/html; charset=utf-8", "text/html"] } },
      words: { '<meta charset="utf-8">': "" },
    },
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
    },
  ),
  ...served(
    { ...UNREAD, "reach.connect": "unknown" },
    {
      "300 KB of headers, at a server of which browsers read HTTP/2": page({
        "x-filler": "x".repeat(300_000),
      }),
    },
  ),
  ["404", { page: { status: 404 } }, { ...allOfAnswer("blocked"), "reach.status": "fail" }],
  ["a refusal", { page: { status: 403 } }, UNREAD],
  [
    "an empty page",
    { page: { body: "" } },
    { ...allOfHtml("blocked"), ...NO_BYTES, "reach.html": "fail" },
  ],
  [
    "a type that a proxy overrides",
    page({ "content-type": ["text/html; charset=utf-8", "text/plain"] }),
    { ...allOfHtml("blocked"), "reach.html": "fail" },
  ],
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
      "asset.fallback": "not_applicable",
      ...NO_BYTES,
    },
  ],
];

export const REDIRECT_CASES: readonly ServedCase[] = [
  ...charged({
    "redir.https": {
      fail: { "http serves the page": { plain: "page" } },
      "partial dead_end": {
        "http leads to an https URL that is missing": { plain: to("{origin}/gone") },
      },
      "partial other_way": {
        "http serves a page that refreshes to https": {
          plain: {
            headers: { "content-type": "text/html" },
            body: '<!doctype html><meta http-equiv="refresh" content="0; url={origin}/">',
          },
        },
      },
    },
    "redir.permanent": {
      "partial temporary": { "http moves for now": { plain: to("{origin}/", 302) } },
    },
    "redir.host": {
      fail: {
        "a copy of the site at the twin": { twin: { body: "<!doctype html><title>Tea</title>" } },
      },
      "partial canonical": {
        "robots.txt led to another host's home page": {
          routes: { "/robots.txt": to("{twin}/") },
          twin: "page",
        },
      },
    },
    "redir.https redir.permanent": { unknown: { "http hangs up": { plain: "hang-up" } } },
    "redir.domain redir.host": {
      fail: {
        "a redirect to another domain": {
          hosts: [HOST, TWIN, "tea.example"],
          url: "{origin}/a",
          routes: { "/a": to("https://tea.example:{port}/", 302) },
        },
      },
    },
  }),
  ["a loop", { url: "{origin}/a", routes: { "/a": to("/b"), "/b": to("/a") } }, LOST],
  [
    "a redirect to a name that DNS is silent about",
    {
      url: "{origin}/a",
      routes: { "/a": to("https://tea.example.org/") },
      names: { "tea.example.org": { outcome: "timeout" } },
    },
    {
      ...allOfAnswer("unknown"),
      ...all("unknown", "redir.chain", "redir.domain", "reach.status", "reach.leak", "cors."),
    },
  ],
];
