import type { Settlement, Topic } from "../topic.ts";

const ORIGIN: Settlement = {
  why: "Other sites get the origin and never the address, which is what the rule asks.",
  section: "Referrer Policy, 3.4 and 3.6",
  url: "https://www.w3.org/TR/referrer-policy/#referrer-policy-origin",
};
const DEFAULT: Settlement = {
  why: "Unknown words are skipped, and without a known one the default holds, strict-origin-when-cross-origin; that the header says nothing is a matter of hdr.valid.",
  section: "Referrer Policy, 8.1 and 3",
  url: "https://www.w3.org/TR/referrer-policy/#default-referrer-policy",
};
const LEGACY: Settlement = {
  why: "In a meta, always stands for unsafe-url.",
  section: "HTML, 4.2.5.1",
  url: "https://html.spec.whatwg.org/multipage/semantics.html#meta-referrer",
};

export const REFERRER: Topic = {
  title: "Referrer-Policy",
  rules: ["hdr.referrer"],
  peers: ["MDN HTTP Observatory"],
  rows: [
    ["none"],
    ["no-referrer", "Referrer-Policy: no-referrer"],
    ["same-origin", "Referrer-Policy: same-origin"],
    ["strict-origin", "Referrer-Policy: strict-origin"],
    ["strict-origin-when-cross-origin", "Referrer-Policy: strict-origin-when-cross-origin"],
    ["origin", "Referrer-Policy: origin"],
    ["origin-when-cross-origin", "Referrer-Policy: origin-when-cross-origin"],
    ["no-referrer-when-downgrade", "Referrer-Policy: no-referrer-when-downgrade"],
    ["unsafe-url", "Referrer-Policy: unsafe-url"],
    ["in capitals", "REFERRER-POLICY: No-Referrer"],
    ["a word that nobody knows", "Referrer-Policy: origin-only"],
    ["empty", "Referrer-Policy: "],
    [
      "a fallback list",
      "Referrer-Policy: no-referrer-when-downgrade, strict-origin-when-cross-origin",
    ],
    ["a list that ends badly", "Referrer-Policy: no-referrer, unsafe-url"],
    ["the last word is unknown", "Referrer-Policy: no-referrer, future-policy"],
    ["the last word is unknown, after a bad one", "Referrer-Policy: unsafe-url, future-policy"],
    ["two headers", "Referrer-Policy: unsafe-url", "Referrer-Policy: no-referrer"],
    ["two headers, the last bad", "Referrer-Policy: no-referrer", "Referrer-Policy: unsafe-url"],
    ["a semicolon for a comma", "Referrer-Policy: no-referrer; strict-origin"],
    ["a meta", "<meta> referrer: no-referrer"],
    [
      "a bad meta over a good header",
      "Referrer-Policy: no-referrer",
      "<meta> referrer: unsafe-url",
    ],
    [
      "a good meta over a bad header",
      "Referrer-Policy: unsafe-url",
      "<meta> referrer: no-referrer",
    ],
    ["a meta of old", "Referrer-Policy: no-referrer", "<meta> referrer: always"],
    ["a meta that nobody knows", "Referrer-Policy: no-referrer", "<meta> referrer: foo"],
    ["the last of two metas", "<meta> referrer: unsafe-url", "<meta> referrer: no-referrer"],
  ],
  settled: {
    "MDN HTTP Observatory": {
      origin: ORIGIN,
      "origin-when-cross-origin": ORIGIN,
      "a word that nobody knows": DEFAULT,
      empty: DEFAULT,
      "a semicolon for a comma": DEFAULT,
      "a meta of old": LEGACY,
    },
  },
};
