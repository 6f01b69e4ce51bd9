import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import { pageHop } from "../evidence-fixtures.ts";
import { stopAt, redirectTimes } from "./page-edits.ts";
import type { RuleCase } from "./rule-case.ts";

function leadFrom(from: string, to: string): (evidence: Evidence) => void {
  return (evidence) => {
    const last = pageHop(evidence);
    evidence.url = from;
    evidence.page.hops = [
      { ...last, url: from, status: 302, headers: [["location", to]] },
      { ...last, url: to },
    ];
  };
}

const leadTo = (to: string) => leadFrom("https://www.example.com/", to);

export const CHAIN_CASES: readonly RuleCase[] = [
  ["redir.chain", "fail", "back to http", stopAt("downgrade")],
  ["redir.chain", "fail", "a loop", stopAt("loop")],
  ["redir.chain", "fail", "no end", stopAt("too_many")],
  ["redir.chain", "partial", "3 redirects", redirectTimes(3)],
  ["redir.chain", "partial", "5 redirects", redirectTimes(5)],
  ["redir.chain", "pass", "2 redirects", redirectTimes(2)],
  ["redir.chain", "pass", "none", () => {}],

  ["redir.domain", "fail", "another ending, of no country", leadTo("https://example.org/")],
  [
    "redir.domain",
    "fail",
    "from a platform",
    leadFrom("https://tea.github.io/", "https://tea.com/"),
  ],
  [
    "redir.domain",
    "fail",
    "another user of a platform",
    leadFrom("https://ann.github.io/", "https://bob.github.io/"),
  ],
  [
    "redir.domain",
    "unknown",
    "another site's login",
    leadTo("https://accounts.google.com/v3/signin"),
  ],
  ["redir.domain", "unknown", "a login by its path", leadTo("https://vercel.com/login?next=***")],
  ["redir.domain", "unknown", "a login by its host", leadTo("https://sso.example.net/?r=***")],
  ["redir.domain", "unknown", "a question of consent", leadTo("https://consent.example.net/x")],
  [
    "redir.domain",
    "not_applicable",
    "an address",
    leadFrom("https://93.184.215.14/", "https://www.example.com/"),
  ],
  ["redir.domain", "pass", "no redirect", () => {}],
  ["redir.domain", "pass", "another host of the domain", leadTo("https://shop.example.com/")],
  [
    "redir.domain",
    "pass",
    "a login of the domain's own",
    leadTo("https://login.example.com/login"),
  ],
  ["redir.domain", "pass", "the same name in a country", leadTo("https://www.example.co.uk/")],
  [
    "redir.domain",
    "pass",
    "from a country's name to the world's",
    leadFrom("https://tea.fr/", "https://www.tea.com/fr/"),
  ],
  [
    "redir.domain",
    "pass",
    "a link shortener",
    leadFrom("https://bit.ly/3xTea", "https://www.example.com/"),
  ],
];
