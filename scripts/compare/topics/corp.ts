import { judgeByRules } from "../opinion.ts";
import { settle, type Row, type Settlement, type Topic } from "../topic.ts";

const CASE: Settlement = {
  why: "The three words are compared byte for byte; any other value counts as no header.",
  section: "Fetch, 3.8",
  url: "https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header",
};
const EMPTY: Settlement = {
  why: "A header without a value is none: it is void, which hdr.valid says, and there is no policy.",
  section: "Fetch, 3.8",
  url: "https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header",
};

/** A case named by its value. */
const sent = (value: string): Row => [`\`${value}\``, `Cross-Origin-Resource-Policy: ${value}`];

export const CORP: Topic = {
  title: "Cross-Origin-Resource-Policy",
  judge: judgeByRules("hdr.valid"),
  peers: ["MDN HTTP Observatory"],
  rows: [
    ["none"],
    ["same-origin", "Cross-Origin-Resource-Policy: same-origin"],
    ["same-site", "Cross-Origin-Resource-Policy: same-site"],
    ["cross-origin", "Cross-Origin-Resource-Policy: cross-origin"],
    ["in capitals", "Cross-Origin-Resource-Policy: Same-Origin"],
    ["a word that nobody knows", "Cross-Origin-Resource-Policy: none"],
    ["two words", "Cross-Origin-Resource-Policy: same-site, same-origin"],
    [
      "twice",
      "Cross-Origin-Resource-Policy: same-origin",
      "Cross-Origin-Resource-Policy: same-origin",
    ],
    ...[
      " same-site ",
      "SAME-SITE",
      "Cross-Origin",
      "same-origin;",
      "same-origin; report-to=x",
      "'same-origin'",
      '"same-origin"',
      "sameorigin",
      "same origin",
      "same-origin, same-origin",
      "cross-origin, same-origin",
      "same-site,",
      ",same-site",
      "require-corp",
      "*",
      "",
    ].map(sent),
    [
      "twice, differently",
      "Cross-Origin-Resource-Policy: same-origin",
      "Cross-Origin-Resource-Policy: cross-origin",
    ],
  ],
  settled: {
    "MDN HTTP Observatory": {
      ...settle(EMPTY, "``"),
      ...settle(CASE, "`SAME-SITE`", "`Cross-Origin`"),

      "in capitals": CASE,
    },
  },
};
