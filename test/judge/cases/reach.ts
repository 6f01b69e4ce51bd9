import { pageBody, pageHop } from "../evidence-fixtures.ts";
import { refuseDns, refuseConnection, refuseHttp1, loseRoute } from "./page-edits.ts";
import type { RuleCase } from "./rule-case.ts";

export const REACH_CASES: readonly RuleCase[] = [
  ["reach.dns", "fail", "the name does not exist", refuseDns],
  ["reach.dns", "pass", "a public address", () => {}],
  [
    "reach.dns",
    "not_applicable",
    "an IP literal",
    (e) => {
      e.dns.kind = "literal";
    },
  ],

  [
    "reach.connect",
    "fail",
    "no answer and no reason",
    (e) => {
      e.page.hops = [];
    },
  ],
  ["reach.connect", "fail", "nothing listens", refuseConnection],
  [
    "reach.connect",
    "fail",
    "the page's own timeout",
    (e) => {
      refuseConnection(e);
      e.page.failure = { phase: "deadline", code: "timeout", detail: "" };
    },
  ],
  ["reach.connect", "unknown", "no way to its addresses", loseRoute],
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
    "fail",
    "404",
    (e) => {
      pageHop(e).status = 404;
    },
  ],
  [
    "reach.status",
    "fail",
    "a 3xx that leads nowhere",
    (e) => {
      pageHop(e).status = 304;
    },
  ],
  [
    "reach.status",
    "fail",
    "500",
    (e) => {
      pageHop(e).status = 500;
    },
  ],
  [
    "reach.status",
    "unknown",
    "401",
    (e) => {
      pageHop(e).status = 401;
    },
  ],
  [
    "reach.status",
    "unknown",
    "403",
    (e) => {
      pageHop(e).status = 403;
    },
  ],
  [
    "reach.status",
    "unknown",
    "429",
    (e) => {
      pageHop(e).status = 429;
    },
  ],
  [
    "reach.status",
    "unknown",
    "a challenge page with 503",
    (e) => {
      pageHop(e).status = 503;
      pageBody(e).challenge = "Cloudflare";
    },
  ],
  ["reach.status", "unknown", "a server of HTTP/2 alone", refuseHttp1],
  [
    "reach.status",
    "pass",
    "204",
    (e) => {
      pageHop(e).status = 204;
    },
  ],
];
