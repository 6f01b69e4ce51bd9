import { pageHop } from "../evidence-fixtures.ts";
import { stopAt, redirectTimes } from "./page-edits.ts";
import type { RuleCase } from "./rule-case.ts";

export const CHAIN_CASES: readonly RuleCase[] = [
  ["redir.chain", "fail", "back to http", stopAt("downgrade")],
  ["redir.chain", "fail", "a loop", stopAt("loop")],
  ["redir.chain", "fail", "no end", stopAt("too_many")],
  ["redir.chain", "fail", "a private place", stopAt("refused")],
  ["redir.chain", "partial", "3 redirects", redirectTimes(3)],
  ["redir.chain", "partial", "5 redirects", redirectTimes(5)],
  [
    "redir.chain",
    "unknown",
    "a name server that does not answer",
    (e) => {
      stopAt("refused")(e);
      e.page.stop = {
        url: "https://other.example.net/",
        reason: "refused",
        refusal: "dns_timeout",
      };
    },
  ],
  [
    "redir.chain",
    "unknown",
    "a gatekeeper",
    (e) => {
      pageHop(e).status = 403;
    },
  ],
  ["redir.chain", "pass", "2 redirects", redirectTimes(2)],
  ["redir.chain", "pass", "none", () => {}],
];
