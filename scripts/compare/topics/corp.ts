import type { Settlement, Topic } from "../topic.ts";

const CASE: Settlement = {
  why: "The three words are compared byte for byte; any other value counts as no header.",
  section: "Fetch, 3.8",
  url: "https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header",
};

export const CORP: Topic = {
  title: "Cross-Origin-Resource-Policy",
  rules: ["hdr.valid"],
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
  ],
  settled: {
    "MDN HTTP Observatory": {
      "in capitals": CASE,
    },
  },
};
