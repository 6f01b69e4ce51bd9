import { HOST, TWIN } from "../good-site.ts";
import {
  type Outcomes,
  type ServedCase,
  to,
  NOTHING,
  allOfAnswer,
  charged,
  served,
} from "../served-case.ts";

const OTHER = "tea.example";
const NO_TWIN = { [TWIN]: { outcome: "not_found" } } as const;
const LOST: Outcomes = {
  ...allOfAnswer("blocked"),
  "redir.chain": "fail",
  "redir.domain": "blocked",
  "reach.status": "blocked",
  "reach.leak": "blocked",
  "cors.credentials": "unknown",
};
const UNSEEN: Outcomes = {
  ...allOfAnswer("unknown"),
  "redir.chain": "unknown",
  "redir.domain": "unknown",
  "reach.status": "unknown",
  "reach.leak": "unknown",
  "cors.credentials": "unknown",
};

export const REDIRECT_CASES: readonly ServedCase[] = [
  ...charged({
    "redir.https": {
      fail: {
        "http serves the page": { plain: "page" },
        "http leads to https, and https to http": {
          plain: to("{origin}/back"),
          routes: { "/back": to("{plain}/") },
        },
      },
      "partial dead_end": { "http knows no such page": { plain: { status: 404 } } },
      "partial other_way": {
        "http serves a page that refreshes to https": {
          plain: {
            headers: { "content-type": "text/html" },
            body: '<!doctype html><meta http-equiv="refresh" content="0; url={origin}/">',
          },
        },
        "http leads to the twin first": { plain: to("{twin}/") },
      },
    },
    "redir.permanent": {
      "partial temporary": { "http moves for now": { plain: to("{origin}/", 302) } },
    },
    "redir.chain": {
      "partial long": {
        "three redirects": {
          url: "{origin}/a",
          routes: { "/a": to("/b"), "/b": to("/c"), "/c": to("/") },
        },
      },
    },
    "redir.host": {
      not_applicable: { "no such twin on this port": { names: NO_TWIN } },
      fail: {
        "a copy of the site at the twin": { twin: { body: "<!doctype html><title>Tea</title>" } },
      },
      "partial canonical": { "a copy that names the original": { twin: "page" } },
      unknown: { "a twin behind a login": { twin: { status: 401 } } },
    },
    "redir.https redir.permanent": { unknown: { "http hangs up": { plain: "hang-up" } } },
    "redir.https redir.permanent redir.host": {
      not_applicable: { "no http to try, and no twin": { plain: "none", names: NO_TWIN } },
    },
    "redir.domain redir.host": {
      fail: {
        "a redirect to another domain": {
          hosts: [HOST, TWIN, OTHER],
          url: "{origin}/a",
          routes: { "/a": to(`https://${OTHER}:{port}/`, 302) },
        },
      },
    },
  }),
  [
    "a redirect to another domain, for good",
    {
      hosts: [HOST, TWIN, OTHER],
      url: "{origin}/a",
      routes: { "/a": to(`https://${OTHER}:{port}/`) },
    },
    { "redir.domain": "partial moved", "redir.host": "fail" },
  ],
  ...served(NOTHING, {
    "http is closed": { plain: "closed" },
    "two redirects": { url: "{origin}/a", routes: { "/a": to("/b"), "/b": to("/") } },
    "a page that sets a cookie and redirects to itself": {
      url: "{origin}/hello",
      routes: {
        "/hello": ({ headers }, response) =>
          void response
            .writeHead(302, {
              location: headers.cookie === "hello=1" ? "/" : "/hello",
              "set-cookie": "hello=1; Path=/; Secure; HttpOnly; SameSite=Lax",
            })
            .end(),
      },
    },
  }),
  ...served(LOST, {
    "a redirect to http": { url: "{origin}/a", routes: { "/a": to("{plain}/") } },
    "a loop": { url: "{origin}/a", routes: { "/a": to("/b"), "/b": to("/a") } },
    "a redirect to a private place": {
      url: "{origin}/a",
      routes: { "/a": to("https://10.0.0.1/") },
    },
  }),
  [
    "http hangs up, and there is no twin",
    { plain: "hang-up", names: NO_TWIN },
    { "redir.https": "unknown", "redir.permanent": "unknown", "redir.host": "not_applicable" },
  ],
  ...served(UNSEEN, {
    "a sign-in in place of a page": {
      url: "{origin}/dashboard",
      routes: { "/dashboard": to("/login?next=/dashboard", 302), "/login?next=/dashboard": "page" },
    },
  }),
  ...served(
    { "seo.canonical": "fail" },
    {
      "an app's home page that leads to its sign-in": {
        routes: { "/": to("/login", 302), "/login": "page" },
      },
    },
  ),
  ...served(
    { "reach.page": "fail", "reach.soft404": "partial redirect" },
    {
      "a page that leads home, as any path does": {
        url: "{origin}/pricing",
        routes: { "/pricing": to("/", 302), "*": to("{origin}/", 302) },
      },
    },
  ),
  [
    "a redirect to another domain's login",
    {
      hosts: [HOST, TWIN, `login.${OTHER}`],
      url: "{origin}/a",
      routes: { "/a": to(`https://login.${OTHER}:{port}/`) },
    },
    { ...UNSEEN, "redir.host": "fail", "cors.credentials": "unknown" },
  ],
  [
    "redirects without end",
    {
      url: "{origin}/0",
      routes: {
        "*": ({ url = "" }, response) =>
          void response.writeHead(302, { location: `${url}0` }).end(),
      },
    },
    { ...LOST, "reach.soft404": "unknown" },
  ],
  [
    "a redirect to a name that DNS is silent about",
    {
      url: "{origin}/a",
      routes: { "/a": to("https://tea.example.org/") },
      names: { "tea.example.org": { outcome: "timeout" } },
    },
    UNSEEN,
  ],
];
