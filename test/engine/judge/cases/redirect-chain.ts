import { pageHop } from "../evidence-fixtures.ts";
import { stopAt, redirectTimes } from "./page-edits.ts";
import { cases, type Edit } from "./rule-case.ts";

function leadFrom(from: string, to: string, status = 302): Edit {
  return (evidence) => {
    const last = pageHop(evidence);
    evidence.url = from;
    evidence.page.hops = [
      { ...last, url: from, status, headers: [["location", to]] },
      { ...last, url: to },
    ];
  };
}

const leadTo = (to: string) => leadFrom("https://www.example.com/", to);

export const CHAIN_CASES = cases({
  "redir.chain": {
    fail: {
      "back to http": stopAt("downgrade"),
      "a loop": stopAt("loop"),
      "no end": stopAt("too_many"),
    },
    partial: { "3 redirects": redirectTimes(3), "5 redirects": redirectTimes(5) },
    pass: { "2 redirects": redirectTimes(2), none: () => {} },
  },
  "redir.domain": {
    fail: {
      "another name": leadTo("https://example-casino.com/"),
      "to a platform": leadFrom("https://tea.com/", "https://tea.github.io/"),
      "an address that leads on": leadFrom("https://tea.com/", "https://93.184.215.14/"),
      "another user of a platform": leadFrom("https://ann.github.io/", "https://bob.github.io/"),
    },
    partial: {
      "another name, for good": leadFrom("https://tea.com/", "https://tea-and-cake.com/", 301),
      "a platform, for good": leadFrom("https://tea.com/", "https://tea.github.io/", 308),
    },
    unknown: {
      "another site's login": leadTo("https://accounts.google.com/v3/signin"),
      "a login by its path": leadTo("https://vercel.com/login?next=***"),
      "a login by its host": leadTo("https://sso.example.net/?r=***"),
      "a question of consent": leadTo("https://consent.example.net/x"),
    },
    not_applicable: {
      "an address": leadFrom("https://93.184.215.14/", "https://www.example.com/"),
    },
    pass: {
      "no redirect": () => {},
      "another host of the domain": leadTo("https://shop.example.com/"),
      "a login of the domain's own": leadTo("https://login.example.com/login"),
      "another ending": leadTo("https://example.app/"),
      "from a platform to a domain of one's own": leadFrom(
        "https://tea.netlify.app/",
        "https://teahouse.com/",
      ),
      "the same name in a country": leadTo("https://www.example.co.uk/"),
      "from a country's name to the world's": leadFrom(
        "https://tea.fr/",
        "https://www.tea.com/fr/",
      ),
      "a link shortener": leadFrom("https://bit.ly/3xTea", "https://www.example.com/"),
    },
  },
});
