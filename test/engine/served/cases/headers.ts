import { type ServedCase, page, route, to, NOTHING, all, charged, served } from "../served-case.ts";

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
        "a policy that lets any script in": page({
          "content-security-policy": "default-src *; frame-ancestors 'none'",
        }),
      },
      fail: {
        "a strict policy in a meta of the body": {
          page: { headers: { "content-security-policy": null, "x-frame-options": "DENY" } },
          words: {
            "<h1>": `<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-{nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none'"><h1>`,
          },
        },
      },
      "partial report_only": {
        "a policy that only reports": page({
          "content-security-policy": null,
          "content-security-policy-report-only": "default-src 'self'",
          "x-frame-options": "DENY",
        }),
        "a policy against frames alone": page({
          "content-security-policy": "frame-ancestors 'none'",
        }),
      },
      "partial allow_list": {
        "a policy that lists hosts": page({
          "content-security-policy":
            "default-src 'self'; object-src 'none'; frame-ancestors 'none'",
        }),
      },
    },
    "hdr.hsts": {
      fail: { "no HSTS": page({ "strict-transport-security": null }) },
      "partial short": { "HSTS for a minute": page({ "strict-transport-security": "max-age=60" }) },
    },
    "hdr.framing": {
      fail: {
        "anyone may frame the page": page({
          "content-security-policy":
            "script-src 'nonce-{nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none'",
        }),
      },
    },
    "hdr.nosniff": { fail: { "types may be guessed": page({ "x-content-type-options": null }) } },
    "hdr.referrer": {
      fail: { "whole addresses in referrers": page({ "referrer-policy": "unsafe-url" }) },
    },
    "hdr.disclosure": {
      fail: {
        "a version on display": page({ server: "nginx/1.24.0" }),
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
    "hdr.hsts hdr.valid": {
      fail: {
        "HSTS for nobody knows how long": page({ "strict-transport-security": "max-age=abc" }),
      },
    },
    "hdr.csp hdr.framing": { fail: { "no policy": page({ "content-security-policy": null }) } },
  }),
  ...served(NOTHING, {
    "a strict policy in a meta between head and body": {
      page: { headers: { "content-security-policy": null, "x-frame-options": "DENY" } },
      words: {
        "</head>": `</head><meta http-equiv="Content-Security-Policy" content="script-src 'nonce-{nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none'">`,
      },
    },
  }),
  ...served(all("fail", "hdr.csp", "hdr.valid", "asset.blocked"), {
    "a policy whose nonce lost its quotes, so that the page's script is blocked": page({
      "content-security-policy":
        "script-src nonce-{nonce} strict-dynamic; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    }),
  }),
  ...served(
    { "hdr.csp": "partial allow_list", "hdr.valid": "fail" },
    {
      "a policy without its semicolon": page({
        "content-security-policy":
          "object-src 'none'; frame-ancestors 'none'; script-src 'self' base-uri 'none'",
      }),
    },
  ),
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
