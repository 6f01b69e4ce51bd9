import { judgeByRules } from "../opinion.ts";
import { settle, type Row, type Settlement, type Topic } from "../topic.ts";

const NUMBER: Settlement = {
  why: "max-age is digits alone, and a header that breaks the grammar is ignored whole; the Observatory reads the digits that it begins with, and passes what is no number at all.",
  section: "RFC 6797, 6.1 and 6.1.1",
  url: "https://www.rfc-editor.org/rfc/rfc6797#section-6.1.1",
};
const OFF: Settlement = {
  why: "A quoted number is read as any other, and 0 has browsers forget the host.",
  section: "RFC 6797, 6.1.1",
  url: "https://www.rfc-editor.org/rfc/rfc6797#section-6.1.1",
};
const QUOTED: Settlement = {
  why: "What stands in quotes is the value of foo: there is no max-age.",
  section: "RFC 6797, 6.1",
  url: "https://www.rfc-editor.org/rfc/rfc6797#section-6.1",
};
const GRAMMAR: Settlement = {
  why: "A directive is a token, with a token or a quoted string for a value, and a header that breaks the grammar is ignored whole.",
  section: "RFC 6797, 6.1 and 8.1",
  url: "https://www.rfc-editor.org/rfc/rfc6797#section-8.1",
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

/** A case named by its value. */
const sent = (value: string): Row => [`\`${value}\``, `Strict-Transport-Security: ${value}`];

export const HSTS: Topic = {
  title: "Strict-Transport-Security",
  judge: judgeByRules("hdr.hsts"),
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
    ...[
      "max-age=31536000;",
      "max-age=31536000 ;includeSubDomains",
      "max-age=31536000; includesubdomains",
      "max-age=31536000; preload",
      "max-age=31536000; includeSubDomains; preload; preload",
      "preload; max-age=31536000",
      "max-age=031536000",
      "max-age=00000000000031536000",
      "max-age=99999999999999999999",
      "max-age=15552001",
      "max-age=15768000",
      "max-age=1",
      "max-age=+31536000",
      "max-age=31,536,000",
      "max-age=31 536 000",
      "max-age:31536000",
      "maxage=31536000",
      "max_age=31536000",
      "max-age 31536000",
      "max-age==31536000",
      "max-age='31536000'",
      'max-age="31536000',
      'max-age=31536000"',
      'max-age=""',
      'max-age="0"',
      'max-age=" 31536000"',
      'max-age="31536000";includeSubDomains',
      "31536000",
      "max-age=31536000; includeSubDomains;;;",
      "max-age=31536000; foo",
      'max-age=31536000; foo="a;b"',
      'max-age=31536000; foo="max-age=0"',
      'foo="a; max-age=31536000"',
      "max-age=31536000; foo=",
      "max-age=31536000; f@o",
      "max-age=31536000 includeSubDomains",
      "max-age=31536000; include SubDomains",
      'max-age=31536000; includeSubDomains=""',
      "max-age=0; max-age=31536000",
      "max-age=31536000; MAX-AGE=31536000",
      "max-age=0; includeSubDomains; preload",
      "max-age=60, max-age=31536000",
      "max-age=31536000, max-age=31536000",
      "Strict-Transport-Security: max-age=31536000",
      "off",
      "max-age=0x1e13380",
      "max-age=null",
      "max-age=Infinity",
    ].map(sent),
  ],
  settled: {
    "MDN HTTP Observatory": {
      ...settle(
        ONCE,
        "`max-age=31536000; includeSubDomains; preload; preload`",
        "`max-age=0; max-age=31536000`",
        "`max-age=31536000; MAX-AGE=31536000`",
      ),
      ...settle(OFF, '`max-age="0"`'),
      ...settle(QUOTED, '`foo="a; max-age=31536000"`'),
      ...settle(VALUELESS, '`max-age=31536000; includeSubDomains=""`'),
      ...settle(
        GRAMMAR,
        "`max-age=31536000; foo=`",
        "`max-age=31536000; f@o`",
        "`max-age=31536000; include SubDomains`",
      ),
      ...settle(
        NUMBER,
        "`max-age=+31536000`",
        "`max-age==31536000`",
        "`max-age='31536000'`",
        '`max-age="31536000`',
        '`max-age=31536000"`',
        '`max-age=""`',
        '`max-age=" 31536000"`',
        "`max-age=31536000 includeSubDomains`",
        "`max-age=null`",
        "`max-age=Infinity`",
      ),

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
