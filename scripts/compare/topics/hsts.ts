import type { Settlement, Topic } from "../topic.ts";

const NUMBER: Settlement = {
  why: "max-age is digits alone, and a header that breaks the grammar is ignored whole; the Observatory reads the digits that it begins with, and passes what is no number at all.",
  section: "RFC 6797, 6.1 and 6.1.1",
  url: "https://www.rfc-editor.org/rfc/rfc6797#section-6.1.1",
};
const SPACES: Settlement = {
  why: "White space is allowed around the equals sign, by the grammar's implied *LWS.",
  section: "RFC 6797, 6.1; RFC 2616, 2.1",
  url: "https://www.rfc-editor.org/rfc/rfc6797#section-6.1",
};
const ONCE: Settlement = {
  why: "No directive may appear twice: browsers ignore the header.",
  section: "RFC 6797, 6.1, point 2",
  url: "https://www.rfc-editor.org/rfc/rfc6797#section-6.1",
};
const VALUELESS: Settlement = {
  why: "includeSubDomains takes no value, and a header that breaks the grammar is ignored whole.",
  section: "RFC 6797, 6.1.2",
  url: "https://www.rfc-editor.org/rfc/rfc6797#section-6.1.2",
};
const FIRST: Settlement = {
  why: "Of several headers browsers process the first and no other; where they differ, hdr.valid says so.",
  section: "RFC 6797, 8.1",
  url: "https://www.rfc-editor.org/rfc/rfc6797#section-8.1",
};

export const HSTS: Topic = {
  title: "Strict-Transport-Security",
  rules: ["hdr.hsts"],
  peers: ["MDN HTTP Observatory"],
  rows: [
    ["none"],
    ["a year", "Strict-Transport-Security: max-age=31536000"],
    ["a year, subdomains", "Strict-Transport-Security: max-age=31536000; includeSubDomains"],
    [
      "two years, preload",
      "Strict-Transport-Security: max-age=63072000; includeSubDomains; preload",
    ],
    ["180 days", "Strict-Transport-Security: max-age=15552000"],
    ["one second short of 180 days", "Strict-Transport-Security: max-age=15551999"],
    ["a day", "Strict-Transport-Security: max-age=86400"],
    ["zero", "Strict-Transport-Security: max-age=0"],
    ["in capitals", "STRICT-TRANSPORT-SECURITY: MAX-AGE=31536000; INCLUDESUBDOMAINS"],
    ["quoted", 'Strict-Transport-Security: max-age="31536000"'],
    ["spaces around the equals sign", "Strict-Transport-Security: max-age = 31536000"],
    ["semicolons alone", "Strict-Transport-Security: ;;max-age=31536000;;"],
    ["subdomains first", "Strict-Transport-Security: includeSubDomains; max-age=31536000"],
    ["an unknown directive", "Strict-Transport-Security: max-age=31536000; future=1"],
    ["no number", "Strict-Transport-Security: max-age=abc"],
    ["a number and a unit", "Strict-Transport-Security: max-age=31536000s"],
    ["a number and a comment", "Strict-Transport-Security: max-age=31536000 (1 year)"],
    ["a fraction", "Strict-Transport-Security: max-age=31536000.5"],
    ["a negative number", "Strict-Transport-Security: max-age=-31536000"],
    ["an exponent", "Strict-Transport-Security: max-age=1e9"],
    ["an empty number", "Strict-Transport-Security: max-age="],
    ["no max-age", "Strict-Transport-Security: includeSubDomains; preload"],
    ["max-age twice", "Strict-Transport-Security: max-age=31536000; max-age=0"],
    [
      "subdomains twice",
      "Strict-Transport-Security: max-age=31536000; includeSubDomains; includeSubDomains",
    ],
    [
      "subdomains with a value",
      "Strict-Transport-Security: max-age=31536000; includeSubDomains=true",
    ],
    ["a comma for a semicolon", "Strict-Transport-Security: max-age=31536000, includeSubDomains"],
    [
      "the same twice",
      "Strict-Transport-Security: max-age=31536000",
      "Strict-Transport-Security: max-age=31536000",
    ],
    [
      "the first of two is short",
      "Strict-Transport-Security: max-age=60",
      "Strict-Transport-Security: max-age=31536000",
    ],
    [
      "the second of two is short",
      "Strict-Transport-Security: max-age=31536000",
      "Strict-Transport-Security: max-age=60",
    ],
    ["the whole in quotes", 'Strict-Transport-Security: "max-age=31536000"'],
    ["empty", "Strict-Transport-Security: "],
  ],
  settled: {
    "MDN HTTP Observatory": {
      "spaces around the equals sign": SPACES,
      "no number": NUMBER,
      "a number and a unit": NUMBER,
      "a number and a comment": NUMBER,
      "a fraction": NUMBER,
      "an empty number": NUMBER,
      "subdomains twice": ONCE,
      "subdomains with a value": VALUELESS,
      "the same twice": FIRST,
      "the second of two is short": FIRST,
    },
  },
};
