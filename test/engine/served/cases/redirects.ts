import { HOST, TWIN, type Answer } from "../good-site.ts";
import { all, allOfAnswer, type Outcomes, type ServedCase } from "../served-case.ts";

const OTHER = "tea.example";
const to = (location: string, status = 301): Answer => ({ status, headers: { location } });
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
  ["http serves the page", { plain: "page" }, { "redir.https": "fail" }],
  [
    "http leads to https, and https to http",
    { plain: to("{origin}/back"), routes: { "/back": to("{plain}/") } },
    { "redir.https": "fail" },
  ],
  ["http knows no such page", { plain: { status: 404 } }, { "redir.https": "partial dead_end" }],
  [
    "http serves a page that refreshes to https",
    {
      plain: {
        headers: { "content-type": "text/html" },
        body: '<!doctype html><meta http-equiv="refresh" content="0; url={origin}/">',
      },
    },
    { "redir.https": "partial other_way" },
  ],
  [
    "http leads to the twin first",
    { plain: to("{twin}/") },
    { "redir.https": "partial other_way" },
  ],
  [
    "http hangs up",
    { plain: "hang-up" },
    { "redir.https": "unknown", "redir.permanent": "unknown" },
  ],
  ["http is closed", { plain: "closed" }, {}],
  [
    "http moves for now",
    { plain: to("{origin}/", 302) },
    { "redir.permanent": "partial temporary" },
  ],
  [
    "http hangs up, and there is no twin",
    { plain: "hang-up", names: NO_TWIN },
    { "redir.https": "unknown", "redir.permanent": "unknown", "redir.host": "not_applicable" },
  ],
  [
    "no http to try, and no twin",
    { plain: "none", names: NO_TWIN },
    all("not_applicable", "redir.https", "redir.permanent", "redir.host"),
  ],

  ["two redirects", { url: "{origin}/a", routes: { "/a": to("/b"), "/b": to("/") } }, {}],
  [
    "three redirects",
    { url: "{origin}/a", routes: { "/a": to("/b"), "/b": to("/c"), "/c": to("/") } },
    { "redir.chain": "partial long" },
  ],
  [
    "a page that sets a cookie and redirects to itself",
    {
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
    {},
  ],
  [
    "a redirect to another domain",
    {
      hosts: [HOST, TWIN, OTHER],
      url: "{origin}/a",
      routes: { "/a": to(`https://${OTHER}:{port}/`) },
    },
    { "redir.domain": "fail", "redir.host": "fail" },
  ],
  [
    "a redirect to another domain's login",
    {
      hosts: [HOST, TWIN, `login.${OTHER}`],
      url: "{origin}/a",
      routes: { "/a": to(`https://login.${OTHER}:{port}/`) },
    },
    { ...UNSEEN, "redir.host": "fail", "cors.credentials": "unknown" },
  ],
  ["a redirect to http", { url: "{origin}/a", routes: { "/a": to("{plain}/") } }, LOST],
  ["a loop", { url: "{origin}/a", routes: { "/a": to("/b"), "/b": to("/a") } }, LOST],
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
    "a redirect to a private place",
    { url: "{origin}/a", routes: { "/a": to("https://10.0.0.1/") } },
    LOST,
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

  ["no such twin on this port", { names: NO_TWIN }, { "redir.host": "not_applicable" }],
  [
    "a copy of the site at the twin",
    { twin: { body: "<!doctype html><title>Tea</title>" } },
    { "redir.host": "fail" },
  ],
  ["a copy that names the original", { twin: "page" }, { "redir.host": "partial canonical" }],
  ["a twin behind a login", { twin: { status: 401 } }, { "redir.host": "unknown" }],
];
