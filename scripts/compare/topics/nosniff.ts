import { judgeByRules } from "../opinion.ts";
import { settle, type Row, type Settlement, type Topic } from "../topic.ts";

const FIRST: Settlement = {
  why: "The header is a list, and its first value alone decides.",
  section: "Fetch, determine nosniff",
  url: "https://fetch.spec.whatwg.org/#determine-nosniff",
};

/** A case named by its value. */
const sent = (value: string): Row => [`\`${value}\``, `X-Content-Type-Options: ${value}`];

export const NOSNIFF: Topic = {
  title: "X-Content-Type-Options",
  judge: judgeByRules("hdr.nosniff"),
  peers: ["MDN HTTP Observatory"],
  rows: [
    ["none"],
    ["nosniff", "X-Content-Type-Options: nosniff"],
    ["in capitals", "X-CONTENT-TYPE-OPTIONS: NOSNIFF"],
    ["spaces around it", "X-Content-Type-Options:   nosniff  "],
    ["misspelt", "X-Content-Type-Options: no-sniff"],
    ["quoted", 'X-Content-Type-Options: "nosniff"'],
    ["a semicolon after it", "X-Content-Type-Options: nosniff;"],
    ["empty", "X-Content-Type-Options: "],
    ["twice", "X-Content-Type-Options: nosniff", "X-Content-Type-Options: nosniff"],
    ["twice in one list", "X-Content-Type-Options: nosniff, nosniff"],
    ["first of two", "X-Content-Type-Options: nosniff, foo"],
    ["second of two", "X-Content-Type-Options: foo, nosniff"],
    ["an empty member first", "X-Content-Type-Options: , nosniff"],
    ["a comma after it", "X-Content-Type-Options: nosniff,"],
    ...[
      "NoSniff",
      "nosniff ,foo",
      "nosniff;foo",
      "nosniff foo",
      "'nosniff'",
      "nosniff\u000b",
      "\u000cnosniff",
      "no sniff",
      "nosnif",
      "nosniffs",
      "sniff",
      "none",
      "1",
      "true",
      "*",
      "nosniff=1",
      "X-Content-Type-Options: nosniff",
      ",",
      "nosniff,,",
      "foo nosniff",
    ].map(sent),
    ["an empty one, then nosniff", "X-Content-Type-Options: ", "X-Content-Type-Options: nosniff"],
    ["nosniff, then an empty one", "X-Content-Type-Options: nosniff", "X-Content-Type-Options: "],
    ["none, then nosniff", "X-Content-Type-Options: none", "X-Content-Type-Options: nosniff"],
  ],
  settled: {
    "MDN HTTP Observatory": {
      ...settle(FIRST, "`nosniff ,foo`", "`nosniff,,`", "nosniff, then an empty one"),

      twice: FIRST,
      "twice in one list": FIRST,
      "first of two": FIRST,
      "a comma after it": FIRST,
    },
  },
};
