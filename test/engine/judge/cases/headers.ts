import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import { pageBody, pageHop, pageHtml, setHeader, setMeta } from "../evidence-fixtures.ts";
import type { RuleCase } from "./rule-case.ts";

type Edit = (evidence: Evidence) => void;

const hsts =
  (...values: string[]): Edit =>
  (e) =>
    setHeader(e, "strict-transport-security", ...values);
const csp =
  (...values: string[]): Edit =>
  (e) =>
    setHeader(e, "content-security-policy", ...values);

function frameOptions(...values: string[]): Edit {
  return (evidence) => {
    setHeader(evidence, "content-security-policy");
    setHeader(evidence, "x-frame-options", ...values);
  };
}

function referrer(header: string[], ...metas: string[]): Edit {
  return (evidence) => {
    setHeader(evidence, "referrer-policy", ...header);
    setMeta(evidence, "referrer", ...metas);
  };
}

const noSniff =
  (...values: string[]): Edit =>
  (e) =>
    setHeader(e, "x-content-type-options", ...values);
const opener =
  (...values: string[]): Edit =>
  (e) =>
    setHeader(e, "cross-origin-opener-policy", ...values);

const NONCE = "script-src 'nonce-r4nd0mV4lue' 'strict-dynamic'";
const STRICT = `${NONCE}; object-src 'none'; base-uri 'none'`;
function nonceThen(source: string): Edit {
  return (evidence) => {
    csp(STRICT)(evidence);
    evidence.cors.headers = [["content-security-policy", `script-src ${source}`]];
  };
}

function strictMeta(evidence: Evidence): void {
  setHeader(evidence, "content-security-policy");
  setMeta(evidence, "content-security-policy", STRICT);
}

const CLEAN = "default-src 'self'; object-src 'none'";

export const HEADER_CASES: readonly RuleCase[] = [
  ["hdr.hsts", "fail", "max-age is negative", hsts("max-age=-1")],
  ["hdr.hsts", "fail", "no max-age", hsts("includeSubDomains")],
  ["hdr.hsts", "fail", "max-age twice", hsts("max-age=31536000; max-age=31536000")],
  [
    "hdr.hsts",
    "fail",
    "includeSubDomains twice",
    hsts("max-age=31536000; includeSubDomains; INCLUDESUBDOMAINS"),
  ],
  ["hdr.hsts", "fail", "two values joined by a comma", hsts("max-age=31536000, max-age=31536000")],
  ["hdr.hsts", "fail", "max-age=0", hsts("max-age=0")],
  [
    "hdr.hsts",
    "fail",
    "includeSubDomains with a value",
    hsts("max-age=31536000; includeSubDomains=true"),
  ],
  [
    "hdr.hsts",
    "fail",
    "includeSubDomains with an empty value",
    hsts('max-age=31536000; includeSubDomains=""'),
  ],
  ["hdr.hsts", "fail", "a quote that is never closed", hsts('max-age=31536000; note="a;b')],
  [
    "hdr.hsts",
    "fail",
    "a name that only ends like one of the preload list",
    (e) => {
      hsts()(e);
      pageHop(e).url = "https://sub.notdev/";
    },
  ],
  ["hdr.hsts", "fail", "max-age without digits", hsts('max-age=""')],
  ["hdr.hsts", "fail", "the first of two is void", hsts("max-age", "max-age=31536000")],
  ["hdr.hsts", "partial", "one day", hsts("max-age=86400")],
  ["hdr.hsts", "partial", "the first of two is short", hsts("max-age=86400", "max-age=31536000")],
  [
    "hdr.hsts",
    "pass",
    "180 days, quoted, in capitals, with empty directives",
    hsts(';MAX-AGE="15552000";; preload ;'),
  ],
  ...["shop.dev", "a.b.shop.app", "team.page", "start.new", "shop.now.sh"].flatMap((host) =>
    [hsts(), hsts("max-age=0"), hsts("max-age=60")].map((edit): RuleCase => [
      "hdr.hsts",
      "pass",
      `${host}, under a suffix of the preload list`,
      (e) => {
        edit(e);
        pageHop(e).url = `https://${host}/`;
      },
    ]),
  ),
  ["hdr.hsts", "pass", "an unknown directive", hsts('max-age=31536000; note="a;b"')],
  ["hdr.hsts", "pass", "more seconds than fit a number", hsts(`max-age=${"9".repeat(240)}`)],

  ["hdr.csp", "fail", "nothing that is a directive", csp("", "hello world")],
  ["hdr.csp", "fail", "a directive that is not ASCII", csp("script-src 'none' é")],
  [
    "hdr.csp",
    "partial",
    "report-only",
    (e) => {
      setHeader(e, "content-security-policy");
      setHeader(e, "content-security-policy-report-only", NONCE);
    },
  ],
  [
    "hdr.csp",
    "partial",
    "inline scripts allowed",
    csp("default-src 'self' 'unsafe-inline'; object-src 'none'"),
  ],
  [
    "hdr.csp",
    "partial",
    "a host with known bypasses",
    csp("script-src ajax.googleapis.com; object-src 'none'"),
  ],
  ["hdr.csp", "partial", "an allow-list", csp(CLEAN)],
  ["hdr.csp", "partial", "frame-ancestors alone", csp("frame-ancestors 'self'")],
  [
    "hdr.csp",
    "partial",
    "sources that are no sources",
    csp("script-src https://[ %zz // a.b:99999999 <x.y; img-src :; report-uri /x y:z"),
  ],
  [
    "hdr.csp",
    "partial",
    "a host with known bypasses beside 'none', which then says nothing",
    csp("script-src 'none' ajax.googleapis.com; object-src 'none'"),
  ],
  ["hdr.csp", "partial", "any host on a port", csp("script-src https://*:443; object-src 'none'")],
  [
    "hdr.csp",
    "partial",
    "the first of two script-src",
    csp(`script-src 'unsafe-inline'; ${NONCE}; object-src 'none'; base-uri 'none'`),
  ],
  [
    "hdr.csp",
    "partial",
    "a nonce that is no nonce does not switch 'unsafe-inline' off",
    csp("script-src 'nonce-{random}' 'unsafe-inline'; object-src 'none'; base-uri 'none'"),
  ],
  [
    "hdr.csp",
    "partial",
    "strict-dynamic does not switch hosts off for objects",
    csp("default-src 'nonce-r4nd0mV4lue' 'strict-dynamic' https:; base-uri 'none'"),
  ],
  [
    "hdr.csp",
    "partial",
    "a comma does not end a policy in a meta",
    (e) => {
      setHeader(e, "content-security-policy");
      setMeta(e, "content-security-policy", "script-src 'none', object-src 'none'");
    },
  ],
  [
    "hdr.csp",
    "partial",
    "a nonce beside 'self'",
    csp("script-src 'self' 'nonce-r4nd0mV4lue'; object-src 'none'; base-uri 'none'"),
  ],
  [
    "hdr.csp",
    "partial",
    "a nonce beside 'unsafe-eval'",
    csp(`${NONCE} 'unsafe-eval'; object-src 'none'; base-uri 'none'`),
  ],
  [
    "hdr.csp",
    "partial",
    "a nonce that does not hold for event handlers",
    csp(`${NONCE}; script-src-attr 'unsafe-inline'; object-src 'none'; base-uri 'none'`),
  ],
  [
    "hdr.csp",
    "partial",
    "strict-dynamic without a nonce, which silences the page's script",
    csp("script-src 'strict-dynamic'; object-src 'none'; base-uri 'none'"),
  ],
  [
    "hdr.csp",
    "partial",
    "a nonce that was never drawn, beside a policy that is strict",
    csp(`${STRICT}, script-src 'nonce-{random}' 'strict-dynamic'`),
  ],
  ["hdr.csp", "partial", "a nonce that serves twice", nonceThen("'nonce-r4nd0mV4lue'")],
  [
    "hdr.csp",
    "partial",
    "a nonce that serves twice where redirects lead",
    (e) => {
      e.page.hops.unshift({ ...pageHop(e), status: 302, headers: [] });
      nonceThen("'nonce-r4nd0mV4lue'")(e);
    },
  ],
  [
    "hdr.csp",
    "unknown",
    "a policy of which the end was cut",
    csp(`script-src 'self'; img-src ${"a.example.com ".repeat(20)}a.exam…`),
  ],
  [
    "hdr.csp",
    "unknown",
    "strict-dynamic without a nonce, on a page that could not be read",
    (e) => {
      csp("script-src 'strict-dynamic'; object-src 'none'; base-uri 'none'")(e);
      if (e.page.body) Object.assign(e.page.body, { state: "unsupported", html: null });
    },
  ],
  ["hdr.csp", "pass", "nonce and strict-dynamic in a meta", strictMeta],
  [
    "hdr.csp",
    "pass",
    "a meta in XHTML",
    (e) => {
      strictMeta(e);
      setHeader(e, "content-type", "application/xhtml+xml");
      pageHtml(e).isXhtml = true;
    },
  ],
  [
    "hdr.csp",
    "fail",
    "a meta in XHTML without its namespace",
    (e) => {
      strictMeta(e);
      setHeader(e, "content-type", "application/xhtml+xml");
    },
  ],
  [
    "hdr.csp",
    "fail",
    "a meta in a text",
    (e) => {
      strictMeta(e);
      setHeader(e, "content-type", "text/plain");
    },
  ],
  [
    "hdr.csp",
    "fail",
    "a meta in body",
    (e) => {
      strictMeta(e);
      Object.assign(pageHtml(e).metas.at(-1) ?? {}, { isInHead: false });
    },
  ],
  ["hdr.csp", "pass", "another nonce the second time", nonceThen("'nonce-An0therV4lue'")],
  [
    "hdr.csp",
    "pass",
    "a redirect asked twice, which gives no nonce of the page",
    (e) => {
      nonceThen("'nonce-r4nd0mV4lue'")(e);
      e.cors.status = 302;
    },
  ],
  [
    "hdr.csp",
    "pass",
    "strict-dynamic without a nonce, where the page has no script",
    (e) => {
      csp("script-src 'strict-dynamic'; object-src 'none'; base-uri 'none'")(e);
      pageHtml(e).scriptCount = 0;
    },
  ],
  ["hdr.csp", "pass", "no script at all", csp("default-src 'none'")],
  [
    "hdr.csp",
    "pass",
    "no script at all, on a page that could not be read",
    (e) => {
      csp("default-src 'none'")(e);
      Object.assign(pageBody(e), { state: "unsupported", html: null });
    },
  ],
  ["hdr.csp", "pass", "an empty list, which lets nothing in", csp("default-src")],
  ["hdr.csp", "pass", "a sandbox without scripts", csp("sandbox allow-forms")],
  [
    "hdr.csp",
    "partial",
    "a nonce without its quotes",
    csp(STRICT.replaceAll(/'(nonce-\w+)'/g, "$1")),
  ],
  [
    "hdr.csp",
    "pass",
    "keywords, nonces and directives in capitals",
    csp("SCRIPT-SRC 'NONCE-r4nd0mV4lue' 'Strict-Dynamic'; OBJECT-SRC 'NONE'; Base-Uri 'None'"),
  ],
  [
    "hdr.csp",
    "pass",
    "'unsafe-inline' and https: for old browsers, which a nonce switches off",
    csp(`${NONCE} https: 'unsafe-inline'; object-src 'none'; base-uri 'none'`),
  ],
  ["hdr.csp", "unknown", "more policies than are judged", csp("img-src *,".repeat(40))],
  [
    "hdr.csp",
    "pass",
    "a strict policy beside one that was cut",
    csp(`${NONCE}; object-src 'none'; base-uri 'none'`, "img-src a.exam…"),
  ],
  [
    "hdr.csp",
    "pass",
    "several policies that close what each leaves open",
    csp(NONCE, "object-src 'none'", "base-uri 'none'"),
  ],

  ["hdr.framing", "fail", "frame-ancestors *", csp("frame-ancestors *")],
  ["hdr.framing", "fail", "frame-ancestors https:", csp("frame-ancestors https:")],
  ["hdr.framing", "fail", "frame-ancestors https://*", csp("frame-ancestors 'self' https://*")],
  ["hdr.framing", "fail", "frame-ancestors *:443", csp("frame-ancestors *:443")],
  [
    "hdr.framing",
    "fail",
    "a wildcard makes browsers ignore DENY",
    (e) => {
      setHeader(e, "content-security-policy", "frame-ancestors *");
      setHeader(e, "x-frame-options", "DENY");
    },
  ],
  ["hdr.framing", "fail", "ALLOW-FROM", frameOptions("ALLOW-FROM https://example.net")],
  ["hdr.framing", "fail", "two values that browsers do not know", frameOptions("a", "b")],
  [
    "hdr.framing",
    "unknown",
    "a policy of which the end was cut",
    (e) => {
      frameOptions("DENY")(e);
      setHeader(e, "content-security-policy", "img-src a.exam…");
    },
  ],
  [
    "hdr.framing",
    "fail",
    "a meta can't set it",
    (e) => {
      setHeader(e, "content-security-policy");
      setMeta(e, "content-security-policy", "frame-ancestors 'none'");
    },
  ],
  ["hdr.framing", "pass", "deny, in small letters", frameOptions("deny")],
  ["hdr.framing", "pass", "SAMEORIGIN twice", frameOptions("SAMEORIGIN", "SAMEORIGIN")],
  [
    "hdr.framing",
    "pass",
    "two values in conflict, which close the page to all",
    frameOptions("ALLOWALL, ALLOW-FROM https://example.net"),
  ],
  ["hdr.framing", "pass", "an empty frame-ancestors", csp("frame-ancestors")],
  ["hdr.framing", "pass", "a source that is no source", csp("frame-ancestors https://[")],
  [
    "hdr.framing",
    "pass",
    "one of two policies is closed",
    csp("frame-ancestors *", "frame-ancestors 'none'"),
  ],
  [
    "hdr.framing",
    "pass",
    "a wildcard for what is no site",
    csp("frame-ancestors 'self' chrome-extension://*"),
  ],
  [
    "hdr.framing",
    "pass",
    "a wildcard for the subdomains of one site",
    csp("frame-ancestors https://*.example.com"),
  ],

  ["hdr.nosniff", "fail", "the first value counts", noSniff("sniff, nosniff")],
  ["hdr.nosniff", "fail", "the first value is empty", noSniff(", nosniff")],
  ["hdr.nosniff", "pass", "in capitals", noSniff("NOSNIFF")],
  [
    "hdr.nosniff",
    "pass",
    "the first value counts, whatever the second",
    noSniff("nosniff", "sniff"),
  ],

  [
    "hdr.referrer",
    "fail",
    "the last known token of the list",
    referrer(["no-referrer, unsafe-url, future-policy"]),
  ],
  ["hdr.referrer", "fail", "a meta over the header", referrer(["no-referrer"], "always")],
  ["hdr.referrer", "pass", "none", referrer([])],
  [
    "hdr.referrer",
    "pass",
    "a fallback list",
    referrer(["no-referrer-when-downgrade, strict-origin"]),
  ],
  ["hdr.referrer", "pass", "nothing known", referrer(["future-policy"])],

  [
    "hdr.disclosure",
    "fail",
    "Apache/2.4.41",
    (e) => setHeader(e, "server", "Apache/2.4.41 (Ubuntu)"),
  ],
  ["hdr.disclosure", "fail", "PHP/8", (e) => setHeader(e, "x-powered-by", "PHP/8")],
  [
    "hdr.disclosure",
    "fail",
    "Drupal 10",
    (e) => setHeader(e, "x-generator", "Drupal 10 (https://www.drupal.org)"),
  ],
  [
    "hdr.disclosure",
    "pass",
    "names without versions",
    (e) => setHeader(e, "server", "AmazonS3", "ECS (dcb/7F84)"),
  ],

  ["hdr.valid", "fail", "two ages", hsts("max-age=31536000", "max-age=60")],
  ["hdr.valid", "fail", "frame options unknown", frameOptions("ALLOWALL")],
  ["hdr.valid", "fail", "a misspelt nosniff", noSniff("no-sniff")],
  ["hdr.valid", "fail", "nosniff with a parameter", noSniff("nosniff; mode=block")],
  ["hdr.valid", "fail", "no known referrer policy", referrer(["origin-only"])],
  ["hdr.valid", "fail", "a policy without a directive", csp("hello world")],
  ["hdr.valid", "fail", "a misspelt directive", csp("scirpt-src 'self'; object-src 'none'")],
  ["hdr.valid", "fail", "a directive twice", csp("img-src a.example; img-src b.example")],
  ["hdr.valid", "fail", "a keyword without quotes", csp("script-src self; object-src none")],
  ["hdr.valid", "fail", "a keyword that nobody knows", csp("script-src 'strict-dinamic'")],
  ["hdr.valid", "fail", "a nonce that is no base64", csp("script-src 'nonce-{random}'")],
  ["hdr.valid", "fail", "'none' beside a source", csp("img-src 'none' https:")],
  ["hdr.valid", "fail", "a source that is no source", csp("img-src https://[")],
  ["hdr.valid", "fail", "nosniff and something else", noSniff("nosniff", "sniff")],
  [
    "hdr.valid",
    "fail",
    "Permissions-Policy in the words of Feature-Policy",
    (e) => setHeader(e, "permissions-policy", "camera 'none'; microphone 'none'"),
  ],
  ["hdr.valid", "fail", "COOP in capitals", opener("Same-Origin")],
  ["hdr.valid", "fail", "COOP twice", opener("same-origin", "same-origin")],
  [
    "hdr.valid",
    "fail",
    "CORP that nobody knows",
    (e) => setHeader(e, "cross-origin-resource-policy", "none"),
  ],
  [
    "hdr.valid",
    "fail",
    "one age, with subdomains and without",
    hsts("max-age=31536000", "max-age=31536000; includeSubDomains"),
  ],
  [
    "hdr.valid",
    "pass",
    "the same directives in another order and case",
    hsts("max-age=31536000; includeSubDomains", 'INCLUDESUBDOMAINS ;Max-Age="31536000";'),
  ],
  ["hdr.valid", "pass", "nosniff twice", noSniff("nosniff , NoSniff")],
  ["hdr.valid", "pass", "the same twice", hsts("max-age=31536000", "max-age=31536000")],
  [
    "hdr.valid",
    "pass",
    "policies with all that a policy may hold",
    csp(
      "default-src 'none'; script-src 'nonce-r4nd0mV4lue' 'sha256-AbCd+/==' 'report-sample'; img-src data: *.example.com wss://a.example:*/x/; report-uri /csp; report-to csp; upgrade-insecure-requests; sandbox allow-scripts, trusted-types a 'allow-duplicates'; require-trusted-types-for 'script';;",
    ),
  ],
  ["hdr.valid", "pass", "a policy of which the end was cut", csp("img-src a.example b.exam…")],
  ["hdr.valid", "pass", "COOP with its reports", opener('same-origin; report-to="coop"')],
  [
    "hdr.valid",
    "pass",
    "a Permissions-Policy in all its forms",
    (e) =>
      setHeader(
        e,
        "permissions-policy",
        'camera=(), fullscreen=(self "https://a.example"), autoplay=*',
        "geolocation=self;report-to=main",
      ),
  ],

  [
    "hdr.permissions",
    "not_applicable",
    "Feature-Policy alone, which no browser reads",
    (e) => {
      setHeader(e, "permissions-policy");
      setHeader(e, "feature-policy", "camera 'none'");
    },
  ],
  ["hdr.permissions", "pass", "sent", () => {}],

  ["hdr.isolation", "pass", "sent", () => {}],
];
