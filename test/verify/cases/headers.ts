import type { Evidence } from "../../../server/probe/evidence.ts";
import { pageHop, setHeader, setMeta } from "../evidence-fixtures.ts";
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

function keepPage(evidence: Evidence): void {
  pageHop(evidence).status = 403;
}

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

const NONCE = "script-src 'nonce-r4nd0mV4lue' 'strict-dynamic'";
const CLEAN = "default-src 'self'; object-src 'none'";

export const HEADER_CASES: readonly RuleCase[] = [
  ["hdr.hsts", "fail", "none", hsts()],
  ["hdr.hsts", "fail", "max-age is no number", hsts("max-age=abc")],
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
  ["hdr.hsts", "fail", "the first of two is void", hsts("max-age", "max-age=31536000")],
  ["hdr.hsts", "partial", "one day", hsts("max-age=86400")],
  ["hdr.hsts", "partial", "the first of two is short", hsts("max-age=86400", "max-age=31536000")],
  ["hdr.hsts", "unknown", "a gatekeeper", keepPage],
  [
    "hdr.hsts",
    "not_applicable",
    "an IP literal",
    (e) => {
      pageHop(e).url = "https://127.0.0.1:8443/";
    },
  ],
  [
    "hdr.hsts",
    "pass",
    "180 days, quoted, in capitals, with empty directives",
    hsts(';MAX-AGE="15552000";; preload ;'),
  ],
  ["hdr.hsts", "pass", "an unknown directive", hsts('max-age=31536000; note="a;b"')],

  ["hdr.csp", "fail", "none", csp()],
  ["hdr.csp", "fail", "nothing that is a directive", csp("", "hello world")],
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
  ["hdr.csp", "unknown", "a gatekeeper", keepPage],
  [
    "hdr.csp",
    "pass",
    "nonce and strict-dynamic in a meta",
    (e) => {
      setHeader(e, "content-security-policy");
      setMeta(e, "content-security-policy", `${NONCE}; object-src 'none'; base-uri 'none'`);
    },
  ],
  ["hdr.csp", "pass", "no script at all", csp("default-src 'none'")],
  [
    "hdr.csp",
    "pass",
    "several policies that close what each leaves open",
    csp(NONCE, "object-src 'none'", "base-uri 'none'"),
  ],

  ["hdr.framing", "fail", "nothing", frameOptions()],
  ["hdr.framing", "fail", "frame-ancestors *", csp("frame-ancestors *")],
  ["hdr.framing", "fail", "frame-ancestors https:", csp("frame-ancestors https:")],
  ["hdr.framing", "fail", "frame-ancestors https://*", csp("frame-ancestors 'self' https://*")],
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
  [
    "hdr.framing",
    "fail",
    "a meta can't set it",
    (e) => {
      setHeader(e, "content-security-policy");
      setMeta(e, "content-security-policy", "frame-ancestors 'none'");
    },
  ],
  ["hdr.framing", "unknown", "a gatekeeper", keepPage],
  ["hdr.framing", "pass", "deny, in small letters", frameOptions("deny")],
  ["hdr.framing", "pass", "SAMEORIGIN twice", frameOptions("SAMEORIGIN", "SAMEORIGIN")],
  [
    "hdr.framing",
    "pass",
    "one of two policies is closed",
    csp("frame-ancestors *", "frame-ancestors 'none'"),
  ],
  [
    "hdr.framing",
    "pass",
    "a wildcard for the subdomains of one site",
    csp("frame-ancestors https://*.example.com"),
  ],

  ["hdr.nosniff", "fail", "none", (e) => setHeader(e, "x-content-type-options")],
  [
    "hdr.nosniff",
    "fail",
    "the first value counts",
    (e) => setHeader(e, "x-content-type-options", "sniff, nosniff"),
  ],
  ["hdr.nosniff", "unknown", "a gatekeeper", keepPage],
  ["hdr.nosniff", "pass", "in capitals", (e) => setHeader(e, "x-content-type-options", "NOSNIFF")],

  ["hdr.referrer", "fail", "unsafe-url", referrer(["unsafe-url"])],
  [
    "hdr.referrer",
    "fail",
    "the last known token of the list",
    referrer(["no-referrer, unsafe-url, future-policy"]),
  ],
  ["hdr.referrer", "fail", "a meta over the header", referrer(["no-referrer"], "always")],
  ["hdr.referrer", "unknown", "a gatekeeper", keepPage],
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
  ["hdr.disclosure", "unknown", "a gatekeeper", keepPage],
  [
    "hdr.disclosure",
    "pass",
    "names without versions",
    (e) => setHeader(e, "server", "AmazonS3", "ECS (dcb/7F84)"),
  ],

  ["hdr.valid", "fail", "two ages", hsts("max-age=31536000", "max-age=60")],
  ["hdr.valid", "fail", "a void age", hsts("max-age=abc")],
  ["hdr.valid", "fail", "frame options in conflict", frameOptions("DENY", "SAMEORIGIN")],
  ["hdr.valid", "fail", "frame options unknown", frameOptions("ALLOWALL")],
  [
    "hdr.valid",
    "fail",
    "a misspelt nosniff",
    (e) => setHeader(e, "x-content-type-options", "no-sniff"),
  ],
  ["hdr.valid", "fail", "no known referrer policy", referrer(["origin-only"])],
  ["hdr.valid", "fail", "a policy without a directive", csp("hello world")],
  ["hdr.valid", "unknown", "a gatekeeper", keepPage],
  [
    "hdr.valid",
    "not_applicable",
    "no security header",
    (e) => {
      pageHop(e).headers = [["content-type", "text/html"]];
    },
  ],
  ["hdr.valid", "pass", "the same twice", hsts("max-age=31536000", "max-age=31536000")],

  ["hdr.permissions", "not_applicable", "none", (e) => setHeader(e, "permissions-policy")],
  ["hdr.permissions", "unknown", "a gatekeeper", keepPage],
  ["hdr.permissions", "pass", "sent", () => {}],

  ["hdr.isolation", "not_applicable", "none", (e) => setHeader(e, "cross-origin-opener-policy")],
  ["hdr.isolation", "unknown", "a gatekeeper", keepPage],
  ["hdr.isolation", "pass", "sent", () => {}],
];
