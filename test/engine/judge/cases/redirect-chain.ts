import { pageHop } from "../evidence-fixtures.ts";
import { all, html, refuseRedirect, stopAt, redirectTimes } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";
import type { Html } from "../../../../server/engine/evidence/html.ts";

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

const visit =
  (url: string): Edit =>
  (evidence) => {
    evidence.url = url;
    pageHop(evidence).url = url;
  };

const leadTo = (to: string) => leadFrom("https://www.example.com/", to);

const DASHBOARD = "https://www.example.com/dashboard";
const SHOP = "https://www.example.com/";
const asksPassword = html({
  forms: [
    {
      url: "https://www.example.com/auth",
      line: 9,
      tag: "form",
      method: "post",
      hasPassword: true,
      hasHandler: false,
      hasAction: true,
      offset: 900,
    },
  ],
});
/** A random path leads there as well. */
const leadAlike =
  (to: string, at = "https://www.example.com/shipscore-5b1e"): Edit =>
  (evidence) =>
    Object.assign(evidence.notFound, { url: at, status: 302, location: to });

export const CHAIN_CASES = cases({
  "reach.page": {
    fail: {
      "a page that leads home, as any path does": all(
        leadFrom("https://www.example.com/pricing", SHOP),
        leadAlike(SHOP),
      ),
      "on the host that redirects led to": all(
        leadFrom("https://example.com/pricing", SHOP),
        ({ page: { hops } }) => {
          const [first] = hops;
          if (first) hops.splice(1, 0, { ...first, url: "https://www.example.com/pricing" });
        },
        leadAlike(SHOP),
      ),
    },
    pass: {
      "a home page that leads on as any path does": all(
        leadFrom(SHOP, "https://www.example.com/shop"),
        leadAlike("https://www.example.com/shop"),
      ),
      "a language that leads home": all(
        leadFrom("https://www.example.com/en", SHOP),
        leadAlike(SHOP),
      ),
      "a page that leads home, where a random path is not found": leadFrom(
        "https://www.example.com/old",
        SHOP,
      ),
      "a page that leads elsewhere than a random path": all(
        leadFrom("https://www.example.com/old", "https://www.example.com/new"),
        leadAlike(SHOP),
      ),
      "where it leads was masked, and may differ": all(
        leadFrom("https://www.example.com/a", "https://www.example.com/?page=***"),
        leadAlike("https://www.example.com/?page=***"),
      ),
    },
  },
  "reach.status": {
    unknown: {
      ...each(
        [
          "/login",
          "/users/sign_in?next=***",
          "/wp-login.php?redirect_to=***",
          "/fr/connexion/",
          "/Account/Login",
          "/session/new",
        ],
        (path) => [
          `a sign-in in place of a page: ${path}`,
          leadFrom(DASHBOARD, `https://www.example.com${path}`),
        ],
      ),
      ...each(["home", "start", "welcome", "en/"], (path) => [
        `a sign-in in place of /${path}`,
        leadFrom(`https://www.example.com/${path}`, "https://www.example.com/login"),
      ]),
      ...each(["Sign in – Tea", "Connexion | Thé", "Log in to Tea"], (title) => [
        `a sign-in at the page's own address: ${title}`,
        all(visit(DASHBOARD), asksPassword, html({ title, textLength: 40 })),
      ]),
      "a sign-in on another host of the domain": leadFrom(
        DASHBOARD,
        "https://auth.example.com/u?redirect_uri=***",
      ),
      "a page about access, with a password to give": all(
        leadFrom(DASHBOARD, "https://www.example.com/auth"),
        asksPassword,
      ),
      "a sign-in that any path leads to": all(
        leadFrom(DASHBOARD, "https://www.example.com/login"),
        leadAlike("https://www.example.com/login"),
      ),
    },
    pass: {
      ...each(["", "?next=***", "index.php"], (path) => [
        `an app that leads to its sign-in: /${path}`,
        leadFrom(`https://www.example.com/${path}`, "https://www.example.com/login"),
      ]),
      ...each<[string, Partial<Html>]>(
        [
          [SHOP, { title: "Sign in – Tea", textLength: 40 }],
          ["https://www.example.com/signin", { title: "Sign in – Tea", textLength: 40 }],
          [DASHBOARD, { title: "Sign in – Tea", textLength: 4000 }],
          [DASHBOARD, { title: "Tea Club", textLength: 40 }],
        ],
        ([url, said]) => [
          `a page with a password to give: ${url}, ${said.title}, ${said.textLength}`,
          all(visit(url), asksPassword, html({ headings: [], ...said })),
        ],
      ),
      "a sign-in that was asked for": leadFrom(
        "https://www.example.com/login",
        "https://www.example.com/auth/login",
      ),
      "a sign-in that leads to itself with a slash": leadFrom(
        "https://www.example.com/login",
        "https://www.example.com/login/",
      ),
      "a page about single sign-on": leadFrom(
        "https://www.example.com/features",
        "https://www.example.com/features/sso",
      ),
      "an article on signing in": leadFrom(
        "https://www.example.com/7",
        "https://www.example.com/login-tips",
      ),
    },
  },
  "redir.chain": {
    fail: {
      "back to http": stopAt("downgrade"),
      "a loop": stopAt("loop"),
      "no end": stopAt("too_many"),
      "two Locations, which browsers refuse": refuseRedirect("ERR_LOCATIONS"),
      "a NUL byte, which browsers refuse": refuseRedirect("ERR_HEAD_NUL"),
    },
    partial: { "3 redirects": redirectTimes(3), "19 redirects": redirectTimes(19) },
    unknown: { "more time than the check has": stopAt("unreached") },
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
      ...each(["tea.netlify.app", "tea.squarespace.com", "tea.wordpress.com"], (host) => [
        `from ${host} to a domain of one's own`,
        leadFrom(`https://${host}/`, "https://teahouse.com/"),
      ]),
      "the same name in a country": leadTo("https://www.example.co.uk/"),
      "from a country's name to the world's": leadFrom(
        "https://tea.fr/",
        "https://www.tea.com/fr/",
      ),
      "a link shortener": leadFrom("https://bit.ly/3xTea", "https://www.example.com/"),
    },
  },
});
