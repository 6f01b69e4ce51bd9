import { type Headers, Oddity } from "../../../../server/engine/evidence/exchange.ts";
import { pageHop, pageHtml } from "../evidence-fixtures.ts";
import { all, answerOddly, body, header, html, lastHop, meta } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

const hsts = (...values: string[]) => header("strict-transport-security", ...values);
/** Puts a redirect with this policy before the page. */
const redirectWith =
  (value: string, url = "https://www.example.com/start"): Edit =>
  (evidence) => {
    const headers = [["strict-transport-security", value]] satisfies Headers;
    evidence.page.hops.unshift({ ...pageHop(evidence), url, status: 302, headers });
  };
/** A policy of a page without files, of which it can block none. */
const csp = (...values: string[]) =>
  all(header("content-security-policy", ...values), html({ resources: [], scriptCount: 0 }));
const noSniff = (...values: string[]) => header("x-content-type-options", ...values);
const opener = (...values: string[]) => header("cross-origin-opener-policy", ...values);
const frameOptions = (...values: string[]) => all(csp(), header("x-frame-options", ...values));
const referrer = (values: string[], ...metas: string[]) =>
  all(header("referrer-policy", ...values), meta("referrer", ...metas));
const preloaded = (...values: string[]) =>
  each(["shop.dev", "a.b.shop.app", "team.page", "start.new", "shop.now.sh"], (host) => [
    `${host}, under a suffix of the preload list: ${values.join()}`,
    all(hsts(...values), lastHop({ url: `https://${host}/` })),
  ]);

const NONCE = "script-src 'nonce-r4nd0mV4lue' 'strict-dynamic'";
const STRICT = `${NONCE}; object-src 'none'; base-uri 'none'`;
const nonceThen = (source: string): Edit =>
  all(csp(STRICT), (e) => (e.cors.headers = [["content-security-policy", `script-src ${source}`]]));
const strictMeta = all(csp(), meta("content-security-policy", STRICT));
/** A policy that sends its reports to the group `csp`. */
const reporting = (name: string, ...groups: string[]) =>
  all(csp(`${STRICT}; report-to csp`), header(name, ...groups));
const CLEAN = "default-src 'self'; object-src 'none'";

export const HEADER_CASES = cases({
  "hdr.hsts": {
    fail: {
      "max-age is negative": hsts("max-age=-1"),
      "no max-age": hsts("includeSubDomains"),
      "max-age twice": hsts("max-age=31536000; max-age=31536000"),
      "includeSubDomains twice": hsts("max-age=31536000; includeSubDomains; INCLUDESUBDOMAINS"),
      "two values joined by a comma": hsts("max-age=31536000, max-age=31536000"),
      "max-age=0": hsts("max-age=0"),
      "includeSubDomains with a value": hsts("max-age=31536000; includeSubDomains=true"),
      "includeSubDomains with an empty value": hsts('max-age=31536000; includeSubDomains=""'),
      "a quote that is never closed": hsts('max-age=31536000; note="a;b'),
      "a name that only ends like one of the preload list": all(
        hsts(),
        lastHop({ url: "https://sub.notdev/" }),
      ),
      "max-age without digits": hsts('max-age=""'),
      "max-age=0 on a redirect": all(hsts(), redirectWith("max-age=0")),
      "only on a redirect of another host": all(
        hsts(),
        redirectWith("max-age=31536000", "https://example.com/"),
      ),
      "only on a redirect of another subdomain": all(
        hsts(),
        redirectWith("max-age=31536000; includeSubDomains", "https://shop.example.com/"),
      ),
      "only on a redirect of the parent over http": all(
        hsts(),
        redirectWith("max-age=31536000; includeSubDomains", "http://example.com/"),
      ),
      "max-age=0 on the page, another on a redirect": all(
        hsts("max-age=0"),
        redirectWith("max-age=31536000"),
      ),
      "the first of two is void": hsts("max-age", "max-age=31536000"),
    },
    partial: {
      "one day": hsts("max-age=86400"),
      "the first of two is short": hsts("max-age=86400", "max-age=31536000"),
      "only on a redirect of the page's host": all(hsts(), redirectWith("max-age=31536000")),
      "only on a redirect of the parent, for its subdomains": all(
        hsts(),
        redirectWith("max-age=31536000; includeSubDomains", "https://example.com/"),
      ),
      "void on the page, valid on a redirect of its host": all(
        hsts("max-age"),
        redirectWith("max-age=31536000"),
      ),
    },
    pass: {
      "180 days, quoted, in capitals, with empty directives": hsts(
        ';MAX-AGE="15552000";; preload ;',
      ),
      ...preloaded(),
      ...preloaded("max-age=0"),
      ...preloaded("max-age=60"),
      "an unknown directive": hsts('max-age=31536000; note="a;b"'),
      "more seconds than fit a number": hsts(`max-age=${"9".repeat(240)}`),
    },
    not_applicable: {
      "an address in place of a name": all(hsts(), lastHop({ url: "https://93.184.215.14/" })),
    },
  },
  "hdr.csp": {
    fail: {
      ...each(
        [
          "script-src 'strict-dynamic'; object-src 'none'; base-uri 'none'",
          `${STRICT}, script-src 'nonce-{random}' 'strict-dynamic'`,
          STRICT.replaceAll(/'(nonce-\w+)'/g, "$1"),
        ],
        (policy) => [
          `a policy that blocks the page's script: ${policy}`,
          header("content-security-policy", policy),
        ],
      ),
      "nothing that is a directive": csp("", "hello world"),
      "a directive that is not ASCII": csp("script-src 'none' é"),
      "a meta in XHTML without its namespace": all(
        strictMeta,
        header("content-type", "application/xhtml+xml"),
      ),
      "a meta in a text": all(strictMeta, header("content-type", "text/plain")),
      "a meta in body": all(strictMeta, (e) =>
        Object.assign(pageHtml(e).metas.at(-1) ?? {}, { isInHead: false }),
      ),
    },
    partial: {
      "report-only": all(csp(), header("content-security-policy-report-only", NONCE)),
      "inline scripts allowed": csp("default-src 'self' 'unsafe-inline'; object-src 'none'"),
      "a host with known bypasses": csp("script-src ajax.googleapis.com; object-src 'none'"),
      "an allow-list": csp(CLEAN),
      "frame-ancestors alone": csp("frame-ancestors 'self'"),
      "sources that are no sources": csp(
        "script-src https://[ %zz // a.b:99999999 <x.y; img-src :; report-uri /x y:z",
      ),
      "a host with known bypasses beside 'none', which then says nothing": csp(
        "script-src 'none' ajax.googleapis.com; object-src 'none'",
      ),
      "any host on a port": csp("script-src https://*:443; object-src 'none'"),
      "the first of two script-src": csp(
        `script-src 'unsafe-inline'; ${NONCE}; object-src 'none'; base-uri 'none'`,
      ),
      "a nonce that is no nonce does not switch 'unsafe-inline' off": csp(
        "script-src 'nonce-{random}' 'unsafe-inline'; object-src 'none'; base-uri 'none'",
      ),
      "strict-dynamic does not switch hosts off for objects": csp(
        "default-src 'nonce-r4nd0mV4lue' 'strict-dynamic' https:; base-uri 'none'",
      ),
      "a comma does not end a policy in a meta": all(
        csp(),
        meta("content-security-policy", "script-src 'none', object-src 'none'"),
      ),
      "a nonce beside 'self'": csp(
        "script-src 'self' 'nonce-r4nd0mV4lue'; object-src 'none'; base-uri 'none'",
      ),
      "a nonce beside 'unsafe-eval'": csp(
        `${NONCE} 'unsafe-eval'; object-src 'none'; base-uri 'none'`,
      ),
      "a nonce that does not hold for event handlers": csp(
        `${NONCE}; script-src-attr 'unsafe-inline'; object-src 'none'; base-uri 'none'`,
      ),
      "a nonce that serves twice": nonceThen("'nonce-r4nd0mV4lue'"),
      "a nonce that serves twice where redirects lead": all(
        (e) => e.page.hops.unshift({ ...pageHop(e), status: 302, headers: [] }),
        nonceThen("'nonce-r4nd0mV4lue'"),
      ),
    },
    unknown: {
      "a policy of which the end was cut": csp(
        `script-src 'self'; img-src ${"a.example.com ".repeat(20)}a.exam…`,
      ),
      "a policy that may block the scripts of a page that could not be read": all(
        csp("script-src 'strict-dynamic'; object-src 'none'; base-uri 'none'"),
        body({ state: "unsupported", html: null }),
      ),
      "more policies than are judged": csp("img-src *,".repeat(40)),
    },
    pass: {
      "nonce and strict-dynamic in a meta": strictMeta,
      "a meta in XHTML": all(
        strictMeta,
        header("content-type", "application/xhtml+xml"),
        html({ isXhtml: true }),
      ),
      "another nonce the second time": nonceThen("'nonce-An0therV4lue'"),
      "a redirect asked twice, which gives no nonce of the page": all(
        nonceThen("'nonce-r4nd0mV4lue'"),
        (e) => (e.cors.status = 302),
      ),
      "strict-dynamic without a nonce, where the page has no script": csp(
        "script-src 'strict-dynamic'; object-src 'none'; base-uri 'none'",
      ),
      "no script at all": csp("default-src 'none'"),
      "an empty list, which lets nothing in": csp("default-src"),
      "a sandbox without scripts": csp("sandbox allow-forms"),
      "keywords, nonces and directives in capitals": csp(
        "SCRIPT-SRC 'NONCE-r4nd0mV4lue' 'Strict-Dynamic'; OBJECT-SRC 'NONE'; Base-Uri 'None'",
      ),
      "'unsafe-inline' and https: for old browsers, which a nonce switches off": csp(
        `${NONCE} https: 'unsafe-inline'; object-src 'none'; base-uri 'none'`,
      ),
      "a strict policy beside one that was cut": csp(
        `${NONCE}; object-src 'none'; base-uri 'none'`,
        "img-src a.exam…",
      ),
      "several policies that close what each leaves open": csp(
        NONCE,
        "object-src 'none'",
        "base-uri 'none'",
      ),
    },
  },
  "hdr.framing": {
    fail: {
      "frame-ancestors *": csp("frame-ancestors *"),
      "frame-ancestors https:": csp("frame-ancestors https:"),
      "frame-ancestors https://*": csp("frame-ancestors 'self' https://*"),
      "frame-ancestors *:443": csp("frame-ancestors *:443"),
      "a wildcard makes browsers ignore DENY": all(
        csp("frame-ancestors *"),
        header("x-frame-options", "DENY"),
      ),
      "ALLOW-FROM": frameOptions("ALLOW-FROM https://example.net"),
      "two values that browsers do not know": frameOptions("a", "b"),
      "a meta can't set it": all(csp(), meta("content-security-policy", "frame-ancestors 'none'")),
    },
    unknown: {
      "a policy of which the end was cut": all(frameOptions("DENY"), csp("img-src a.exam…")),
    },
    pass: {
      "deny, in small letters": frameOptions("deny"),
      "SAMEORIGIN twice": frameOptions("SAMEORIGIN", "SAMEORIGIN"),
      "two values in conflict, which close the page to all": frameOptions(
        "ALLOWALL, ALLOW-FROM https://example.net",
      ),
      "an empty frame-ancestors": csp("frame-ancestors"),
      "a source that is no source": csp("frame-ancestors https://["),
      "one of two policies is closed": csp("frame-ancestors *", "frame-ancestors 'none'"),
      "a wildcard for what is no site": csp("frame-ancestors 'self' chrome-extension://*"),
      "a wildcard for the subdomains of one site": csp("frame-ancestors https://*.example.com"),
    },
  },
  "hdr.nosniff": {
    fail: {
      "the first value counts": noSniff("sniff, nosniff"),
      "the first value is empty": noSniff(", nosniff"),
    },
    pass: {
      "in capitals": noSniff("NOSNIFF"),
      "the first value counts, whatever the second": noSniff("nosniff", "sniff"),
    },
  },
  "hdr.referrer": {
    fail: {
      "the last known token of the list": referrer(["no-referrer, unsafe-url, future-policy"]),
      "a meta over the header": referrer(["no-referrer"], "always"),
      "a padded meta, which browsers ignore": referrer(["unsafe-url"], " no-referrer "),
    },
    pass: {
      none: referrer([]),
      "a fallback list": referrer(["no-referrer-when-downgrade, strict-origin"]),
      "nothing known": referrer(["future-policy"]),
      "a padded meta that would leak": referrer([], " unsafe-url"),
    },
  },
  "hdr.disclosure": {
    fail: {
      "Apache/2.4.41": header("server", "Apache/2.4.41 (Ubuntu)"),
      "PHP/8": header("x-powered-by", "PHP/8"),
      "Drupal 10": header("x-generator", "Drupal 10 (https://www.drupal.org)"),
      Jenkins: header("x-jenkins", "2.440.1"),
      Liferay: header("liferay-portal", "Liferay Community Edition Portal 7.4.3"),
      "a version beside words in parentheses": header("server", "ECS/2.1 (dcb/7531)"),
      "a version in the server's error page": (e) => (e.notFound.banner = "Apache Tomcat/9.0.37"),
    },
    unknown: {
      "no answer to an unknown path": ({ notFound }) => Object.assign(notFound, { status: null }),
    },
    pass: {
      "names without versions": header("server", "AmazonS3", "ECS (dcb/7531)", "ECAcc (nyb/1D2E)"),
    },
  },
  "hdr.valid": {
    fail: {
      "two ages, and a page that breaks off after its end": all(
        hsts("max-age=31536000", "max-age=60"),
        body({ oddities: ["break"] }),
      ),
      "an age that is no number": hsts("max-age=abc"),
      "two ages": hsts("max-age=31536000", "max-age=60"),
      "frame options unknown": frameOptions("ALLOWALL"),
      "a misspelt nosniff": noSniff("no-sniff"),
      "nosniff with a parameter": noSniff("nosniff; mode=block"),
      "no known referrer policy": referrer(["origin-only"]),
      "a policy without a directive": csp("hello world"),
      "a misspelt directive": csp("scirpt-src 'self'; object-src 'none'"),
      "a directive twice": csp("img-src a.example; img-src b.example"),
      "a keyword without quotes": csp("script-src self; object-src none"),
      "a keyword that nobody knows": csp("script-src 'strict-dinamic'"),
      "a nonce that is no base64": csp("script-src 'nonce-{random}'"),
      "'none' beside a source": csp("img-src 'none' https:"),
      "a source that is no source": csp("img-src https://["),
      "nosniff and something else": noSniff("nosniff", "sniff"),
      "Permissions-Policy in the words of Feature-Policy": header(
        "permissions-policy",
        "camera 'none'; microphone 'none'",
      ),
      ...each(
        [
          "camera=(self https://a.example)",
          "camera=https://a.example, geolocation=()",
          'camera=("self" "https://a.example")',
        ],
        (value) => [value, header("permissions-policy", value)],
      ),
      ...each(['"cookies"', '"storage"', '"cache", "storage"', '"*"'], (types) => [
        `${types} cleared on a page that sets a session`,
        header("clear-site-data", types),
      ]),
      "types to clear without quotes": header("clear-site-data", "cache, cookies"),
      ...each(
        [
          'blocked-destinations=("script")',
          "blocked-destinations=script",
          "blocked-destinations=(Script)",
          "blocked-destinations=(image)",
          "blocked-destinations=(script), sources=()",
          "blocked-destinations=(script), sources=inline",
          "blocked-destinations=(script",
          "blocked-destinations=(script) sources=(inline)",
          "sources=(inline)",
          "script",
          "",
        ],
        (value) => [`Integrity-Policy: ${value}`, header("integrity-policy", value)],
      ),
      "an Integrity-Policy-Report-Only that no browser reads": header(
        "integrity-policy-report-only",
        "blocked-destinations=script",
      ),
      "reports to a group of Report-To alone": reporting("report-to", "csp, default"),
      "reports to a group of another name in Reporting-Endpoints": all(
        reporting("report-to", "csp"),
        header("reporting-endpoints", "main"),
      ),
      "COOP in capitals": opener("Same-Origin"),
      "COOP twice": opener("same-origin", "same-origin"),
      "CORP that nobody knows": header("cross-origin-resource-policy", "none"),
      "one age, with subdomains and without": hsts(
        "max-age=31536000",
        "max-age=31536000; includeSubDomains",
      ),
    },
    not_applicable: {
      "no header that is judged": all(
        hsts(),
        csp(),
        noSniff(),
        referrer([]),
        opener(),
        header("permissions-policy"),
      ),
    },
    partial: {
      "a page that breaks off after its end": body({ oddities: ["break"] }),
      "bytes after a coding, without a security header": all(
        (e) => (pageHop(e).headers = []),
        body({ oddities: ["trailer", "bytes_after"] }),
      ),
      ...each(Oddity.options, (oddity) => [
        `invalid HTTP that browsers show: ${oddity}`,
        answerOddly([oddity]),
      ]),
      "no security header, and invalid HTTP": all(
        hsts(),
        csp(),
        noSniff(),
        frameOptions(),
        referrer([]),
        opener(),
        header("permissions-policy"),
        answerOddly(["fold"]),
      ),
    },
    pass: {
      ...each(
        [
          "blocked-destinations=(script)",
          "blocked-destinations=(script style), sources=(inline), endpoints=(tea)",
          "blocked-destinations=(script image);a=1, b",
        ],
        (value) => [
          `Integrity-Policy-Report-Only: ${value}`,
          header("integrity-policy-report-only", value),
        ],
      ),
      "two Integrity-Policy headers, which are one": header(
        "integrity-policy",
        "sources=(inline)",
        "blocked-destinations=(style)",
      ),
      "reports to Reporting-Endpoints, and to Report-To for old browsers": all(
        reporting("report-to", "csp"),
        header("reporting-endpoints", "csp, main"),
      ),
      "a Report-To for network errors": all(header("report-to", "nel"), header("nel", "nel")),
      "a Report-To that NEL names too": all(reporting("report-to", "csp"), header("nel", "csp")),
      "reports to a group that no header defines": reporting("report-to"),
      "headers that no browser reads any more": all(
        header("x-xss-protection", "1; mode=block"),
        header("expect-ct", ""),
        header("public-key-pins", ""),
      ),
      "invalid HTTP of a file": answerOddly(["line_ends"], "https://www.example.com/app.css"),
      "invalid HTTP that browsers do not see over HTTP/2": answerOddly(["fold"], undefined, true),
      "the same directives in another order and case": hsts(
        "max-age=31536000; includeSubDomains",
        'INCLUDESUBDOMAINS ;Max-Age="31536000";',
      ),
      "nosniff twice": noSniff("nosniff , NoSniff"),
      "the same twice": hsts("max-age=31536000", "max-age=31536000"),
      "policies with all that a policy may hold": csp(
        "default-src 'none'; script-src 'nonce-r4nd0mV4lue' 'sha256-AbCd+/==' 'report-sample'; img-src data: *.example.com wss://a.example:*/x/; report-uri /csp; report-to csp; upgrade-insecure-requests; sandbox allow-scripts, trusted-types a 'allow-duplicates'; require-trusted-types-for 'script';;",
      ),
      "a policy of which the end was cut": csp("img-src a.example b.exam…"),
      "the cache cleared on a page that sets a session": header(
        "clear-site-data",
        '"cache", "clientHints"',
      ),
      "cookies cleared where no session begins": all(
        header("clear-site-data", '"cookies"'),
        header("set-cookie", "theme=***; Secure", "session=; Max-Age=0"),
      ),
      ...each(["/logout", "/account/sign-out", "/sign_out.php", "/deconnexion"], (path) => [
        `cookies cleared at ${path}`,
        all(
          header("clear-site-data", '"cookies", "storage"'),
          lastHop({ url: `https://www.example.com${path}` }),
        ),
      ]),
      "COOP with its reports": opener('same-origin; report-to="coop"'),
      "a Permissions-Policy in all its forms": header(
        "permissions-policy",
        'camera=(), fullscreen=(self "https://a.example"), autoplay=*',
        "geolocation=self;report-to=main",
      ),
    },
  },
  "hdr.permissions": {
    not_applicable: {
      "Feature-Policy alone, which no browser reads": all(
        header("permissions-policy"),
        header("feature-policy", "camera 'none'"),
      ),
    },
    pass: { sent: () => {} },
  },
  "hdr.isolation": { not_applicable: { none: opener() }, pass: { sent: () => {} } },
});
