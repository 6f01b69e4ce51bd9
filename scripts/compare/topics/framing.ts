import type { Settlement, Topic } from "../topic.ts";

const DEAD: Settlement = {
  why: "ALLOW-FROM is a value that no browser knows: any site may frame the page.",
  section: "HTML, the X-Frame-Options header",
  url: "https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header",
};
const SET: Settlement = {
  why: "The values are a set, so that the same twice is one; hdr.valid looks for conflicts.",
  section: "HTML, the X-Frame-Options header",
  url: "https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header",
};
const CONFLICT: Settlement = {
  why: "Two different values, one of them DENY, SAMEORIGIN or ALLOWALL, close the page to all frames; hdr.valid reports the conflict.",
  section: "HTML, the X-Frame-Options header",
  url: "https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header",
};
const WIDE: Settlement = {
  why: "A source that matches any host lets every site frame the page, and a frame-ancestors voids X-Frame-Options.",
  section: "CSP 3, 6.4.2",
  url: "https://www.w3.org/TR/CSP3/#directive-frame-ancestors",
};

export const FRAMING: Topic = {
  title: "X-Frame-Options and frame-ancestors",
  rules: ["hdr.framing"],
  peers: ["MDN HTTP Observatory"],
  rows: [
    ["none"],
    ["DENY", "X-Frame-Options: DENY"],
    ["SAMEORIGIN", "X-Frame-Options: SAMEORIGIN"],
    ["in small letters", "x-frame-options: sameorigin"],
    ["ALLOWALL", "X-Frame-Options: ALLOWALL"],
    ["ALLOW-FROM", "X-Frame-Options: ALLOW-FROM https://a.example/"],
    ["misspelt", "X-Frame-Options: SAME-ORIGIN"],
    ["quoted", 'X-Frame-Options: "DENY"'],
    ["a semicolon after it", "X-Frame-Options: DENY;"],
    ["empty", "X-Frame-Options: "],
    ["the same in two headers", "X-Frame-Options: SAMEORIGIN", "X-Frame-Options: SAMEORIGIN"],
    ["the same in one list", "X-Frame-Options: DENY, DENY"],
    ["two in conflict", "X-Frame-Options: DENY", "X-Frame-Options: SAMEORIGIN"],
    ["DENY and a word that nobody knows", "X-Frame-Options: DENY, foo"],
    ["ALLOWALL and a word that nobody knows", "X-Frame-Options: ALLOWALL, foo"],
    ["frame-ancestors 'none'", "Content-Security-Policy: frame-ancestors 'none'"],
    ["frame-ancestors 'self'", "Content-Security-Policy: frame-ancestors 'self'"],
    ["frame-ancestors one site", "Content-Security-Policy: frame-ancestors https://a.example"],
    ["frame-ancestors subdomains", "Content-Security-Policy: frame-ancestors https://*.a.example"],
    ["frame-ancestors empty", "Content-Security-Policy: frame-ancestors"],
    ["frame-ancestors in capitals", "Content-Security-Policy: FRAME-ANCESTORS 'NONE'"],
    ["frame-ancestors *", "Content-Security-Policy: frame-ancestors *"],
    ["frame-ancestors https:", "Content-Security-Policy: frame-ancestors https:"],
    ["frame-ancestors http://*", "Content-Security-Policy: frame-ancestors http://*"],
    ["frame-ancestors *:443", "Content-Security-Policy: frame-ancestors *:443"],
    ["frame-ancestors 'self' https:", "Content-Security-Policy: frame-ancestors 'self' https:"],
    [
      "frame-ancestors * over DENY",
      "X-Frame-Options: DENY",
      "Content-Security-Policy: frame-ancestors *",
    ],
    [
      "frame-ancestors 'self' over ALLOWALL",
      "X-Frame-Options: ALLOWALL",
      "Content-Security-Policy: frame-ancestors 'self'",
    ],
    [
      "one of two policies is closed",
      "Content-Security-Policy: frame-ancestors *",
      "Content-Security-Policy: frame-ancestors 'self'",
    ],
    [
      "the first of two directives is open",
      "Content-Security-Policy: frame-ancestors *; frame-ancestors 'none'",
    ],
    ["only reported", "Content-Security-Policy-Report-Only: frame-ancestors 'none'"],
    ["in a meta", "<meta> Content-Security-Policy: frame-ancestors 'none'"],
    ["a policy without it", "Content-Security-Policy: default-src 'none'"],
    [
      "DENY beside a policy without it",
      "X-Frame-Options: DENY",
      "Content-Security-Policy: default-src 'self'",
    ],
  ],
  settled: {
    "MDN HTTP Observatory": {
      "ALLOW-FROM": DEAD,
      "the same in two headers": SET,
      "the same in one list": SET,
      "two in conflict": CONFLICT,
      "DENY and a word that nobody knows": CONFLICT,
      "ALLOWALL and a word that nobody knows": CONFLICT,
      "frame-ancestors *": WIDE,
      "frame-ancestors https:": WIDE,
      "frame-ancestors http://*": WIDE,
      "frame-ancestors *:443": WIDE,
      "frame-ancestors 'self' https:": WIDE,
      "frame-ancestors * over DENY": WIDE,
    },
  },
};
