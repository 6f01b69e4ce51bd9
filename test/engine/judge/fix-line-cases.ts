import {
  redirectTimes,
  stopAt,
  all,
  header,
  meta,
  html,
  body,
  lastHop,
  asset,
} from "./cases/page-edits.ts";
import { editTls, setSans } from "./cases/tls-edits.ts";
import { fileFacts, pageHtml } from "./evidence-fixtures.ts";
import type { Edit } from "./cases/rule-case.ts";
import type { Inline } from "../../../server/engine/evidence/html.ts";
import type { Headers } from "../../../server/engine/evidence/exchange.ts";

const policy = (...values: string[]) => header("content-security-policy", ...values);
const reported = (...values: string[]) =>
  all(policy(), header("content-security-policy-report-only", ...values));
const offerHttp1: Edit = (e) => (e.alpn = { outcome: "http/1.1", code: null });
const acceptOldTls: Edit = (e) =>
  (e.legacyTls = { outcome: "accepted", protocol: "TLSv1.1", code: null });
const answerOverHttp =
  (server?: string): Edit =>
  ({ plainHttp }) => {
    const headers = server ? [["server", server]] : [];
    Object.assign(plainHttp?.hops[0] ?? {}, { status: 200, headers });
    plainHttp?.hops.splice(1);
  };
const UNCOMPRESSED = body({ encoding: null });
const canonical = (url: string) => html({ canonicals: [{ url, line: 10 }] });
const sendScript = (...headers: Headers) => asset(0, { headers });

/** The page shows these in plugins, or has a base. */
const showing =
  (...urls: string[]): Edit =>
  ({ page }) => {
    const { resources = [] } = page.body?.html ?? {};
    const [script] = resources;
    if (!script) throw new Error("the page has no script");
    for (const url of urls) resources.push({ ...script, url, tag: "object", kind: "other" });
  };
const based = (url: string) => html({ base: { url, line: 3, offset: 40, isUsed: true } });
const GITHUB = header("server", "GitHub.com");
const CLOSED = "object-src 'none'; base-uri 'self'";
const HASH = "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=";
const metaPolicy = (content: string) =>
  `<meta http-equiv="Content-Security-Policy" content="${content}">`;
const inlineScript = (inline: Partial<Inline>): Edit =>
  html({
    scriptCount: 2,
    inlines: [
      {
        tag: "script",
        line: 41,
        offset: 4100,
        kind: "script",
        scheme: "",
        nonce: "",
        hashes: [],
        sha256: HASH,
        addsCode: false,
        isTracker: false,
        ...inline,
      },
    ],
  });
const loadOverHttp: Edit = (e) => {
  const [, image] = pageHtml(e).resources;
  if (image) image.url = "http://www.example.com/logo.png";
};
/** A page in this language that declares none. */
const written = (text: string) => html({ lang: null, title: text, text });
const leaking = (signature: string) => body({ leak: { signature, offset: 0 } });
const badLine =
  (text: string): Edit =>
  ({ robots }) =>
    (robots.badLine = { line: 1, text });
const PROVEN = "script-src 'nonce-r4nd0mV4lue' 'strict-dynamic'";

/** The page of the fixtures comes from nginx: a header that it does not send has a directive too. */
const withDirective = (line: string) => {
  const [, name = "", value = ""] = /^([\w-]+): (.*)$/.exec(line) ?? [];
  return `${line}\nadd_header ${name} "${value}" always;`;
};

/** The lines to paste for a page, null where none is whole and certain. test/browser/fixes.test.ts has more elements. */
export const LINE_CASES: readonly (readonly [
  id: string,
  why: string,
  edit: Edit,
  line: string | null,
])[] = [
  ["hdr.hsts", "it passes", () => {}, null],
  [
    "hdr.csp",
    "none, on GitHub Pages",
    all(policy(), GITHUB),
    metaPolicy(`script-src 'self'; ${CLOSED}`),
  ],
  [
    "hdr.csp",
    "none, on Read the Docs behind Cloudflare",
    all(policy(), header("server", "cloudflare"), lastHop({ url: "https://tea.readthedocs.io/" })),
    metaPolicy(CLOSED),
  ],
  [
    "hdr.csp",
    "none, on GitHub Pages, and no script",
    all(policy(), GITHUB, html({ resources: [], scriptCount: 0 })),
    metaPolicy(`script-src 'none'; ${CLOSED}`),
  ],
  [
    "hdr.csp",
    "none, on GitHub Pages, and an inline script",
    all(policy(), GITHUB, inlineScript({})),
    metaPolicy(`script-src 'self' 'sha256-${HASH}'; ${CLOSED}`),
  ],
  ...(
    [
      ["an event handler", html({ hasHandlers: true })],
      ["an inline script that adds others", inlineScript({ addsCode: true })],
      ["an import map, which may name other hosts", inlineScript({ kind: "importmap" })],
      ["a file that adds scripts", asset(0, { file: fileFacts({ addsCode: true }) })],
      ["a file that was not read", asset(0, { file: null })],
      ["more scripts than the evidence lists", html({ scriptCount: 3 })],
      ["a page that was cut", body({ state: "over_limit" })],
    ] as const
  ).map(([why, edit]): (typeof LINE_CASES)[number] => [
    "hdr.csp",
    `none, on GitHub Pages, and ${why}`,
    all(policy(), GITHUB, edit),
    metaPolicy(CLOSED),
  ]),
  [
    "hdr.csp",
    "none, on GitHub Pages, where the page shows a PDF",
    all(policy(), GITHUB, showing("https://files.example/tea.pdf")),
    metaPolicy("script-src 'self'; object-src 'self' https://files.example; base-uri 'self'"),
  ],
  [
    "hdr.csp",
    "none, on GitHub Pages, and PDFs of a host that would end the directive",
    all(policy(), GITHUB, showing("https://a;b.example/tea.pdf")),
    null,
  ],
  [
    "hdr.csp",
    "a meta policy with a hole, on GitHub Pages",
    all(policy(), GITHUB, meta("content-security-policy", "script-src 'self'; img-src *;")),
    metaPolicy("script-src 'self'; img-src *; object-src 'none'"),
  ],
  [
    "hdr.csp",
    "a meta policy that allows every object, on GitHub Pages",
    all(policy(), GITHUB, meta("content-security-policy", "script-src 'self'; object-src *")),
    metaPolicy("object-src 'none'"),
  ],
  [
    "hdr.csp",
    "a meta policy that would end the attribute, on GitHub Pages",
    all(policy(), GITHUB, meta("content-security-policy", `script-src 'self'; img-src "x"`)),
    metaPolicy("object-src 'none'"),
  ],
  [
    "asset.mixed",
    "an image over http, on GitHub Pages",
    all(policy(), GITHUB, loadOverHttp),
    metaPolicy("upgrade-insecure-requests"),
  ],
  [
    "asset.mixed",
    "an image over http, on GitHub Pages, with a meta policy",
    all(policy(), GITHUB, meta("content-security-policy", "script-src 'self'"), loadOverHttp),
    metaPolicy("script-src 'self'; upgrade-insecure-requests"),
  ],
  [
    "hdr.referrer",
    "by the header of a host that sends its own",
    all(header("referrer-policy", "unsafe-url"), lastHop({ url: "https://tea.gitlab.io/" })),
    '<meta name="referrer" content="strict-origin-when-cross-origin">',
  ],
  ["hdr.hsts", "the page was not reached", stopAt("loop"), null],
  ["html.title", "only its author knows it", html({ titleCount: 0 }), null],
  ["cookie.session", "the value is the site's", header("set-cookie", "sid=***; Path=/"), null],
  ["hdr.csp", "a nonce is drawn", policy("script-src 'unsafe-inline'"), null],
  ["hdr.csp", "a reported nonce is drawn", reported("script-src 'nonce-abc'"), null],
  [
    "hdr.csp",
    "the evidence holds a part",
    reported(`script-src ${"a.example ".repeat(90)}…`),
    null,
  ],
  [
    "hdr.csp",
    "PDFs of too many hosts to name",
    all(
      policy(`${PROVEN}; base-uri 'self'`),
      showing(...Array.from({ length: 9 }, (_, index) => `https://n${index}.example/tea.pdf`)),
    ),
    null,
  ],
  [
    "hdr.csp",
    "a PDF of a host that would end the directive",
    all(policy(`${PROVEN}; base-uri 'self'`), showing("https://a;b.example/tea.pdf")),
    null,
  ],
  ["hdr.csp", "what is reported would block the scripts", reported("script-src 'none'"), null],
  [
    "hdr.csp",
    "reports never try a sandbox",
    reported("sandbox allow-scripts allow-same-origin allow-forms; script-src 'self'"),
    null,
  ],
  [
    "hdr.nosniff",
    "the page's type is guessed",
    all(header("x-content-type-options"), header("content-type")),
    null,
  ],
  [
    "hdr.nosniff",
    "a script's type is guessed",
    all(header("x-content-type-options"), sendScript(["content-type", "text/plain"])),
    null,
  ],
  [
    "hdr.valid",
    "nosniff is misspelt, and a script's type is guessed",
    all(header("x-content-type-options", "no-sniff"), sendScript(["content-type", "text/plain"])),
    null,
  ],
  ["hdr.valid", "frames of others could be shut out", header("x-frame-options", "ALLOWALL"), null],
  [
    "hdr.valid",
    "a frame's origin is not known",
    header("permissions-policy", "camera 'none'"),
    null,
  ],
  [
    "html.doctype",
    "an own style sheet is accepted in quirks mode only",
    all(html({ doctype: null }), (e) => {
      const [file] = e.assets;
      Object.assign(file ?? {}, { kind: "style", headers: [["content-type", "text/plain"]] });
    }),
    null,
  ],
  ["hdr.csp", "a token was masked", reported("script-src a.example/***"), null],
  [
    "hdr.framing",
    "a site too long to show",
    all(policy(), header("x-frame-options", `ALLOW-FROM https://${"a".repeat(120)}.example`)),
    null,
  ],
  [
    "hdr.disclosure",
    "two headers",
    all(header("server", "nginx/1.18.0"), header("x-powered-by", "PHP/8.1")),
    null,
  ],
  ["hdr.disclosure", "a server without a line", header("server", "Foo/1.2"), null],
  [
    "perf.compression",
    "another server's name begins so",
    all(UNCOMPRESSED, header("server", "nginxish")),
    null,
  ],
  ["redir.https", "the server is not known", answerOverHttp(), null],
  [
    "redir.chain",
    "the address would end nginx's line",
    all(redirectTimes(4), lastHop({ url: "https://www.example.com/a;b" })),
    null,
  ],
  ["tls.hostname", "not by an ACME client", setSans("dns:example.com"), null],
  [
    "tls.hostname",
    "more names than are shown",
    setSans(...Array.from({ length: 11 }, (_, index) => `dns:n${index}.example.com`)),
    null,
  ],
  ["tls.hostname", "a joker", setSans("dns:*.shop.example.com"), null],
  ["tls.hostname", "a name that a shell would run", setSans("dns:$(id).example.com"), null],
  [
    "seo.canonical",
    "the host would end the attribute",
    all(lastHop({ url: 'https://"onload=alert(1).example.com/' }), canonical("/")),
    null,
  ],
  [
    "hdr.csp",
    "a source would end a server's string",
    reported(`script-src 'self' a.example/";return`),
    null,
  ],
  [
    "seo.canonical",
    "the query may tell the page",
    all(lastHop({ url: "https://www.example.com/a?b=***" }), canonical("/")),
    null,
  ],
  ["seo.canonical", "a preview", all((e) => (e.preview = true), canonical("/")), null],
  [
    "seo.canonical",
    "a platform's name",
    all(lastHop({ url: "https://shop.vercel.app/" }), canonical("/")),
    null,
  ],

  [
    "hdr.hsts",
    "none",
    header("strict-transport-security"),
    withDirective("Strict-Transport-Security: max-age=31536000"),
  ],
  [
    "hdr.hsts",
    "short",
    header("strict-transport-security", "max-age=300"),
    "Strict-Transport-Security: max-age=31536000",
  ],
  [
    "hdr.hsts",
    "short, for subdomains too",
    header("strict-transport-security", "max-age=300; includeSubDomains"),
    "Strict-Transport-Security: max-age=31536000; includeSubDomains",
  ],
  [
    "hdr.csp",
    "only reported",
    reported("script-src 'self'; object-src 'none'"),
    withDirective("Content-Security-Policy: script-src 'self'; object-src 'none'"),
  ],
  [
    "hdr.csp",
    "a hole beside the scripts",
    policy("script-src 'nonce-r4nd0mV4lue' 'strict-dynamic'; object-src 'none'"),
    "Content-Security-Policy: base-uri 'self'",
  ],
  [
    "hdr.framing",
    "none",
    policy(),
    withDirective("Content-Security-Policy: frame-ancestors 'self'"),
  ],
  [
    "hdr.framing",
    "open",
    policy("frame-ancestors *"),
    "Content-Security-Policy: frame-ancestors 'self'",
  ],
  [
    "hdr.framing",
    "what is no site",
    all(policy(), header("x-frame-options", 'ALLOW-FROM https://"$(id)".example')),
    withDirective("Content-Security-Policy: frame-ancestors 'self'"),
  ],
  [
    "hdr.framing",
    "one site",
    all(policy(), header("x-frame-options", "ALLOW-FROM https://a.example/x")),
    withDirective("Content-Security-Policy: frame-ancestors 'self' https://a.example"),
  ],
  [
    "hdr.nosniff",
    "none",
    header("x-content-type-options"),
    withDirective("X-Content-Type-Options: nosniff"),
  ],
  [
    "hdr.referrer",
    "by its header",
    header("referrer-policy", "unsafe-url"),
    "Referrer-Policy: strict-origin-when-cross-origin",
  ],
  ["hdr.disclosure", "nginx", header("server", "nginx/1.18.0 (Ubuntu)"), "server_tokens off;"],
  [
    "hdr.disclosure",
    "nginx's own error page",
    (e) => (e.notFound.banner = "nginx/1.24.0"),
    "server_tokens off;",
  ],
  [
    "hdr.disclosure",
    "IIS",
    header("server", "Microsoft-IIS/10.0"),
    '<requestFiltering removeServerHeader="true" />',
  ],
  ["hdr.disclosure", "PHP", header("x-powered-by", "PHP/8.1.2"), "expose_php = Off"],
  [
    "hdr.valid",
    "twice",
    header("strict-transport-security", "max-age=1", "max-age=2"),
    "Strict-Transport-Security: max-age=31536000",
  ],
  [
    "hdr.valid",
    "twice, the longer with what the preload list asks for",
    header(
      "strict-transport-security",
      "max-age=300",
      "max-age=63072000; includeSubDomains; preload",
    ),
    "Strict-Transport-Security: max-age=63072000; includeSubDomains; preload",
  ],
  [
    "hdr.valid",
    "one valid value sent twice",
    header("cross-origin-embedder-policy", "unsafe-none", "unsafe-none"),
    "Cross-Origin-Embedder-Policy: unsafe-none",
  ],
  [
    "hdr.valid",
    "what would begin to refuse files",
    header("cross-origin-embedder-policy", "require-corp, require-corp"),
    withDirective("Cross-Origin-Embedder-Policy-Report-Only: require-corp"),
  ],
  [
    "hdr.valid",
    "one valid value sent twice in one header",
    header("cross-origin-opener-policy", "same-origin, same-origin"),
    "Cross-Origin-Opener-Policy: same-origin",
  ],
  [
    "hdr.valid",
    "the site's own value in capitals",
    header("cross-origin-resource-policy", "Cross-Origin"),
    "Cross-Origin-Resource-Policy: cross-origin",
  ],
  [
    "hdr.valid",
    "a word that no browser knows",
    header("cross-origin-opener-policy", "sameorigin"),
    null,
  ],
  [
    "hdr.valid",
    "origins without quotes, and a keyword in them",
    header("permissions-policy", 'camera=("self" https://a.example:8443), usb=()'),
    'Permissions-Policy: camera=(self "https://a.example:8443"), usb=()',
  ],
  ["html.lang", "a country's code", html({ lang: "jp" }), '<html lang="ja">'],
  ["html.lang", "a country of three letters", html({ lang: "fr-FRA" }), '<html lang="fr">'],
  ["html.lang", "no language that is like it", html({ lang: "xx" }), null],
  ["reach.leak", "nginx lists files", leaking("directory index"), "autoindex off;"],
  [
    "reach.leak",
    "Apache lists files",
    all(header("server", "Apache"), leaking("directory index")),
    "Options -Indexes",
  ],
  ["reach.leak", "nginx's own page", leaking("nginx default page"), null],
  ["html.lang", "none, on a page in Latin letters", html({ lang: null }), null],
  ["html.lang", "none, on a page with few letters", written("茶"), null],
  [
    "html.lang",
    "none, where two scripts are as common",
    written("Thé et gâteaux : чай и торт"),
    null,
  ],
  ...(
    [
      ["zh", "我們的茶館供應四十種茶，來自小茶園，還有每天早上烘焙的蛋糕。"],
      ["zh", "使用 npm install shipscore 安装，然后运行检查，报告会显示需要修复的问题。"],
      ["ja", "小さな茶園から届く四十種類のお茶と、毎朝焼くケーキをお楽しみください。"],
      ["ko", "우리 찻집에서는 작은 다원에서 온 마흔 가지 차를 제공합니다."],
      ["ru", "Мы подаём сорок сортов чая из маленьких садов и свежие пироги."],
      ["uk", "Ми подаємо сорок сортів чаю з маленьких садів і свіжі пироги, їжте на здоров'я."],
      [
        "bg",
        "Предлагаме четиридесет вида чай от малки градини, а също и пресни сладкиши всяка сутрин, затова ъгълът ухае.",
      ],
      ["ar", "نقدم أربعين نوعا من الشاي من الحدائق الصغيرة"],
      ["fa", "ما چهل نوع چای از باغ‌های کوچک و کیک‌های تازه داریم"],
      ["he", "אנחנו מגישים ארבעים סוגי תה מגנים קטנים"],
      ["el", "Σερβίρουμε σαράντα τσάγια από μικρούς κήπους"],
      ["th", "เราเสิร์ฟชาสี่สิบชนิดจากสวนเล็กๆ"],
      ["hi", "हम छोटे बागानों से चालीस तरह की चाय परोसते हैं"],
      ["vi", "Chúng tôi phục vụ bốn mươi loại trà từ những khu vườn nhỏ"],
    ] as const
  ).map(([language, text]): (typeof LINE_CASES)[number] => [
    "html.lang",
    `none, on a page in the letters of ${language}: ${text.slice(0, 12)}`,
    written(text),
    `<html lang="${language}">`,
  ]),
  [
    "html.lang",
    "no language, on a page in Korean",
    all(written("우리 찻집에서는 마흔 가지 차를 제공합니다"), html({ lang: "xx" })),
    '<html lang="ko">',
  ],
  [
    "html.charset",
    "none",
    all(header("content-type", "text/html"), html({ charset: null })),
    '<meta charset="utf-8">',
  ],
  [
    "html.charset",
    "UTF-8, too late",
    all(header("content-type", "text/html"), html({ charset: { label: "utf-8", offset: 1500 } })),
    '<meta charset="utf-8">',
  ],
  [
    "seo.robots",
    "a sitemap without a host",
    badLine("Sitemap: /sitemap.xml # ours"),
    "Sitemap: https://www.example.com/sitemap.xml",
  ],
  ["seo.robots", "a sitemap without a path", badLine("sitemap:"), null],
  ["seo.robots", "a sitemap by ftp", badLine("Sitemap: ftp://www.example.com/sitemap.xml"), null],
  ["seo.robots", "another line", badLine("Disallow everything"), null],
  [
    "seo.social",
    "an image below the page",
    meta("og:image", "img/adr.png?a=1&b=2"),
    '<meta property="og:image" content="https://www.example.com/img/adr.png?a=1&amp;b=2">',
  ],
  [
    "seo.social",
    "an image of another host, without its protocol",
    meta("og:image", "//img.example/adr.png"),
    '<meta property="og:image" content="https://img.example/adr.png">',
  ],
  [
    "seo.social",
    "an image below the base",
    all(based("https://files.example/any/"), meta("og:image", "adr.png")),
    '<meta property="og:image" content="https://files.example/any/adr.png">',
  ],
  ["seo.social", "an image within the page", meta("og:image", "data:image/png,tea"), null],
  ["seo.social", "no image", meta("og:image"), null],
  [
    "cookie.secure",
    "the value is the site's, __Http- or not",
    header("set-cookie", "__Http-a=***; Secure"),
    null,
  ],
  [
    "hdr.hsts",
    "too short, on the preload list",
    header("strict-transport-security", "max-age=300; includeSubDomains; preload"),
    "Strict-Transport-Security: max-age=31536000; includeSubDomains; preload",
  ],
  [
    "hdr.csp",
    "none, where the page shows a PDF",
    all(policy(), showing("https://www.example.com/tea.pdf")),
    withDirective(
      "Content-Security-Policy-Report-Only: script-src 'self'; object-src 'self'; base-uri 'self'",
    ),
  ],
  [
    "hdr.csp",
    "a hole beside the scripts, where another host's PDF is shown",
    all(policy(`${PROVEN}; base-uri 'self'`), showing("https://files.example/tea.pdf")),
    "Content-Security-Policy: object-src 'self' https://files.example",
  ],
  [
    "hdr.csp",
    "a hole beside the scripts, where the base is on another host",
    all(policy(`${PROVEN}; object-src 'none'`), based("https://files.example/any/")),
    "Content-Security-Policy: base-uri 'self' https://files.example",
  ],
  [
    "asset.mixed",
    "an image over http",
    loadOverHttp,
    "Content-Security-Policy: upgrade-insecure-requests",
  ],
  [
    "perf.cache-html",
    "none",
    all(header("cache-control"), header("etag")),
    "Cache-Control: no-cache",
  ],
  [
    "perf.cache-html",
    "a year, in the visitor's cache alone",
    header("cache-control", "private, max-age=31536000"),
    "Cache-Control: private, no-cache",
  ],
  ["html.doctype", "none", html({ doctype: null }), "<!doctype html>"],
  [
    "html.charset",
    "Latin 1 by its header",
    header("content-type", "text/html; charset=iso-8859-1"),
    "Content-Type: text/html; charset=utf-8",
  ],
  [
    "html.viewport",
    "none",
    meta("viewport"),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
  ],
  [
    "html.viewport",
    "no zoom, up to the edges of the screen",
    meta("viewport", "width=device-width, user-scalable=no, viewport-fit=cover"),
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
  ],
  [
    "reach.html",
    "HTML as text",
    header("content-type", "text/plain"),
    "Content-Type: text/html; charset=utf-8",
  ],
  [
    "reach.html",
    "no HTML",
    all(header("content-type", "application/json"), body({ looksLikeHtml: false })),
    null,
  ],
  [
    "seo.canonical",
    "a private one",
    all(lastHop({ url: "https://www.example.com/a&b" }), canonical("http://localhost/")),
    '<link rel="canonical" href="https://www.example.com/a&amp;b">',
  ],
  ["perf.compression", "nginx", UNCOMPRESSED, "gzip on;"],
  ["perf.compression", "Caddy", all(UNCOMPRESSED, header("server", "Caddy")), "encode zstd gzip"],
  [
    "perf.http2",
    "an old nginx",
    all(offerHttp1, header("server", "nginx/1.9.15")),
    "listen 443 ssl http2;",
  ],
  ["perf.http2", "a new nginx", all(offerHttp1, header("server", "nginx/1.25.1")), "http2 on;"],
  [
    "perf.http2",
    "Apache",
    all(offerHttp1, header("server", "Apache/2.4.58 (Debian)")),
    "Protocols h2 http/1.1",
  ],
  ["tls.versions", "nginx", acceptOldTls, "ssl_protocols TLSv1.2 TLSv1.3;"],
  [
    "tls.versions",
    "Apache",
    all(acceptOldTls, header("server", "Apache")),
    "SSLProtocol -all +TLSv1.2 +TLSv1.3",
  ],
  [
    "tls.strength",
    "a static exchange",
    editTls((tls) => (tls.keyExchange = null)),
    "ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;",
  ],
  [
    "tls.hostname",
    "another name of the site",
    editTls(({ certificate }) => {
      certificate.issuer = "C=US, O=Let's Encrypt, CN=E7";
      certificate.sans = ["dns:example.com", "dns:shop.example.com"];
    }),
    "certbot --expand -d www.example.com -d example.com -d shop.example.com",
  ],
  [
    "redir.https",
    "Apache",
    answerOverHttp("Apache/2.4.58"),
    "Redirect permanent / https://www.example.com/",
  ],
  ["redir.https", "Caddy", answerOverHttp("Caddy"), "redir https://{host}{uri} permanent"],
  ["redir.https", "IIS, of which no line is known", answerOverHttp("Microsoft-IIS/10.0"), null],
  ["redir.https", "nginx", answerOverHttp("nginx"), "return 301 https://$host$request_uri;"],
  [
    "redir.chain",
    "four redirects of nginx",
    all(redirectTimes(4), (e) => e.page.hops[0]?.headers.push(["server", "nginx"])),
    "location = /0 { return 301 https://www.example.com/; }",
  ],
  [
    "perf.files",
    "a script of nginx",
    sendScript(
      ["server", "nginx"],
      ["content-type", "text/javascript"],
      ["content-length", "9000"],
    ),
    "gzip on; gzip_types text/css application/javascript text/javascript application/json image/svg+xml;",
  ],
];
