import { judgeByRules } from "../opinion.ts";
import { settle, type Row, type Settlement, type Topic } from "../topic.ts";

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

/** A case that allows this origin, with credentials; named by the origin. */
const allowed = (origin: string): Row => [
  `\`${origin}\`, with credentials`,
  `Access-Control-Allow-Origin: ${origin}`,
  CREDENTIALS,
];

/** `{origin}` stands for the Origin of the request. */
export const CORS: Topic = {
  title: "Access-Control-Allow-Origin",
  judge: judgeByRules("cors.credentials"),
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
    ...[
      "*, {origin}",
      "{origin}, *",
      "{origin}, null",
      "{origin} https://partner.dev",
      "https://partner.dev {origin}",
      "{origin},",
      '"{origin}"',
      "{origin}:443",
      "{origin}.partner.dev",
      "http://partner.dev",
      "NULL",
      "'null'",
      "null, null",
      "https://*.partner.dev",
      "https://partner.dev:*",
      "https://*",
      "https:",
      "partner.dev",
      "true",
      "",
      " * ",
      "**",
    ].map(allowed),
    ...["true ", " true", "True", "1", "yes", "true, true", "'true'", ""].map((value): Row => [
      `the origin itself, credentials \`${value}\``,
      "Access-Control-Allow-Origin: {origin}",
      `Access-Control-Allow-Credentials: ${value}`,
    ]),
    ...["true", "True", "false"].map((value): Row => [
      `any origin, credentials \`${value}\``,
      "Access-Control-Allow-Origin: *",
      `Access-Control-Allow-Credentials: ${value}`,
    ]),
  ],
  settled: {
    "MDN HTTP Observatory": {
      ...settle(CASE, "the origin itself, credentials `True`"),

      "the origin itself, credentials in capitals": CASE,
      "null, with credentials": NULL,
    },
  },
};
