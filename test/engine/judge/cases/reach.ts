import { pageBody, pageHop } from "../evidence-fixtures.ts";
import { refuseDns, refuseConnection, refuseHttp1 } from "./page-edits.ts";
import type { RuleCase } from "./rule-case.ts";

export const REACH_CASES: readonly RuleCase[] = [
  ["reach.dns", "fail", "the name does not exist", refuseDns],
  ["reach.dns", "pass", "a public address", () => {}],

  [
    "reach.connect",
    "fail",
    "no answer and no reason",
    (e) => {
      e.page.hops = [];
    },
  ],
  [
    "reach.connect",
    "fail",
    "the page's own timeout",
    (e) => {
      refuseConnection(e);
      e.page.failure = { phase: "deadline", code: "timeout", detail: "" };
    },
  ],
  [
    "reach.connect",
    "unknown",
    "a visit that had to be given up",
    (e) => {
      refuseConnection(e);
      e.page.failure = { phase: "check", code: "hung", detail: "" };
    },
  ],
  ["reach.connect", "pass", "a server of HTTP/2 alone is up", refuseHttp1],
  ["reach.connect", "pass", "an answer", () => {}],

  [
    "reach.status",
    "unknown",
    "a challenge page with 503",
    (e) => {
      pageHop(e).status = 503;
      pageBody(e).challenge = "Cloudflare";
    },
  ],
  [
    "reach.status",
    "pass",
    "204",
    (e) => {
      pageHop(e).status = 204;
    },
  ],
];
