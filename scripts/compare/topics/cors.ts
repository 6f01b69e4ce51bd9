import type { Settlement, Topic } from "../topic.ts";

const CASE: Settlement = {
  why: "Credentials are allowed by `true`, byte for byte, and by nothing else.",
  section: "Fetch, CORS check",
  url: "https://fetch.spec.whatwg.org/#concept-cors-check",
};
const NULL: Settlement = {
  why: "Any site has the origin null in a sandboxed frame, and so reads the page with its visitor's session.",
  section: "Fetch, CORS check; HTML, 7.1.1",
  url: "https://fetch.spec.whatwg.org/#concept-cors-check",
};

const CREDENTIALS = "Access-Control-Allow-Credentials: true";

/** `{origin}` stands for the Origin of the request. */
export const CORS: Topic = {
  title: "Access-Control-Allow-Origin",
  rules: ["cors.credentials"],
  peers: ["MDN HTTP Observatory"],
  rows: [
    ["none"],
    ["any origin", "Access-Control-Allow-Origin: *"],
    ["any origin, with credentials", "Access-Control-Allow-Origin: *", CREDENTIALS],
    ["one partner", "Access-Control-Allow-Origin: https://partner.dev"],
    [
      "one partner, with credentials",
      "Access-Control-Allow-Origin: https://partner.dev",
      CREDENTIALS,
    ],
    ["the origin itself", "Access-Control-Allow-Origin: {origin}"],
    ["the origin itself, with credentials", "Access-Control-Allow-Origin: {origin}", CREDENTIALS],
    [
      "the origin itself, credentials in capitals",
      "Access-Control-Allow-Origin: {origin}",
      "Access-Control-Allow-Credentials: TRUE",
    ],
    [
      "the origin itself, credentials false",
      "Access-Control-Allow-Origin: {origin}",
      "Access-Control-Allow-Credentials: false",
    ],
    [
      "the origin itself, credentials twice",
      "Access-Control-Allow-Origin: {origin}",
      CREDENTIALS,
      CREDENTIALS,
    ],
    [
      "the origin and a slash, with credentials",
      "Access-Control-Allow-Origin: {origin}/",
      CREDENTIALS,
    ],
    [
      "the origin twice, with credentials",
      "Access-Control-Allow-Origin: {origin}",
      "Access-Control-Allow-Origin: {origin}",
      CREDENTIALS,
    ],
    ["null", "Access-Control-Allow-Origin: null"],
    ["null, with credentials", "Access-Control-Allow-Origin: null", CREDENTIALS],
    [
      "one partner under a reserved name, with credentials",
      "Access-Control-Allow-Origin: https://app.example",
      CREDENTIALS,
    ],
    ["credentials alone", CREDENTIALS],
  ],
  settled: {
    "MDN HTTP Observatory": {
      "the origin itself, credentials in capitals": CASE,
      "null, with credentials": NULL,
    },
  },
};
