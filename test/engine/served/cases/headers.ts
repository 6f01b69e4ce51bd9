import type { Answer, SiteEdit } from "../good-site.ts";
import { all, type ServedCase } from "../served-case.ts";

const page = (headers: NonNullable<Answer["headers"]>): SiteEdit => ({ page: { headers } });

export const HEADER_CASES: readonly ServedCase[] = [
  [
    "a nonce that serves twice, where a redirect leads, in a policy of 2 KB",
    {
      url: "{origin}/start",
      routes: { "/start": { status: 301, headers: { location: "/" } } },
      words: { "{nonce}": "Zm9vYmFyYmF6cXV4" },
      page: {
        headers: {
          "content-security-policy": `script-src 'nonce-Zm9vYmFyYmF6cXV4' 'strict-dynamic'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; img-src 'self' ${"https://pictures.example.org/ ".repeat(66)}`,
        },
      },
    },
    { "hdr.csp": "partial bypassable" },
  ],
  ["no HSTS", page({ "strict-transport-security": null }), { "hdr.hsts": "fail" }],
  [
    "HSTS for a minute",
    page({ "strict-transport-security": "max-age=60" }),
    { "hdr.hsts": "partial short" },
  ],
  [
    "HSTS for nobody knows how long",
    page({ "strict-transport-security": "max-age=abc" }),
    { "hdr.hsts": "fail", "hdr.valid": "fail" },
  ],

  [
    "no policy",
    page({ "content-security-policy": null }),
    { "hdr.csp": "fail", "hdr.framing": "fail" },
  ],
  [
    "a strict policy in a meta of the body",
    {
      page: { headers: { "content-security-policy": null, "x-frame-options": "DENY" } },
      words: {
        "<h1>": `<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-{nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none'"><h1>`,
      },
    },
    { "hdr.csp": "fail" },
  ],
  [
    "a strict policy in a meta between head and body",
    {
      page: { headers: { "content-security-policy": null, "x-frame-options": "DENY" } },
      words: {
        "</head>": `</head><meta http-equiv="Content-Security-Policy" content="script-src 'nonce-{nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none'">`,
      },
    },
    {},
  ],
  [
    "a policy that only reports",
    page({
      "content-security-policy": null,
      "content-security-policy-report-only": "default-src 'self'",
      "x-frame-options": "DENY",
    }),
    { "hdr.csp": "partial report_only" },
  ],
  [
    "a policy that lets any script in",
    page({ "content-security-policy": "default-src *; frame-ancestors 'none'" }),
    { "hdr.csp": "partial bypassable" },
  ],
  [
    "a policy whose nonce lost its quotes, so that the page's script is blocked",
    page({
      "content-security-policy":
        "script-src nonce-{nonce} strict-dynamic; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    }),
    { "hdr.csp": "partial allow_list", "hdr.valid": "fail" },
  ],
  [
    "a policy against frames alone",
    page({ "content-security-policy": "frame-ancestors 'none'" }),
    { "hdr.csp": "partial report_only" },
  ],
  [
    "a policy without its semicolon",
    page({
      "content-security-policy":
        "object-src 'none'; frame-ancestors 'none'; script-src 'self' base-uri 'none'",
    }),
    { "hdr.csp": "partial allow_list", "hdr.valid": "fail" },
  ],
  [
    "a policy that lists hosts",
    page({
      "content-security-policy": "default-src 'self'; object-src 'none'; frame-ancestors 'none'",
    }),
    { "hdr.csp": "partial allow_list" },
  ],

  [
    "anyone may frame the page",
    page({
      "content-security-policy":
        "script-src 'nonce-{nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none'",
    }),
    { "hdr.framing": "fail" },
  ],
  ["types may be guessed", page({ "x-content-type-options": null }), { "hdr.nosniff": "fail" }],
  [
    "whole addresses in referrers",
    page({ "referrer-policy": "unsafe-url" }),
    { "hdr.referrer": "fail" },
  ],
  ["a version on display", page({ server: "nginx/1.24.0" }), { "hdr.disclosure": "fail" }],
  [
    "two framing options that contradict each other",
    page({ "x-frame-options": ["DENY", "SAMEORIGIN"] }),
    { "hdr.valid": "fail" },
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
