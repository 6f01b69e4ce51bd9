import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import { FOREIGN_ORIGIN, pageHop, setHeader } from "../evidence-fixtures.ts";
import { refuseConnection } from "./page-edits.ts";
import type { RuleCase } from "./rule-case.ts";

type Edit = (evidence: Evidence) => void;

const cookies =
  (...values: string[]): Edit =>
  (e) =>
    setHeader(e, "set-cookie", ...values);

function keepPage(evidence: Evidence): void {
  pageHop(evidence).status = 403;
}

function allowOrigin(origin: string, credentials?: string): Edit {
  return (evidence) => {
    evidence.cors.headers = [["access-control-allow-origin", origin]];
    if (credentials !== undefined)
      evidence.cors.headers.push(["access-control-allow-credentials", credentials]);
  };
}

function answerForeign(status: number): Edit {
  return ({ cors }) => {
    cors.status = status;
  };
}
const SESSIONS =
  "PHPSESSID JSESSIONID ASP.NET_SessionId ASPSESSIONIDQABCDEFG connect.sid sid sessionid SESSION koa.sess appSession auth auth_token authToken access_token accessToken token token_v2 jwt user_id userId login .ASPXAUTH _oauth2_proxy remember_me rememberMe remember_token remember_web_59ba36addc2b2f9401580f014c7f58ea4e30989d __Host-session __Secure-next-auth.session-token.0 sb-abc-auth-token laravel_session wordpress_logged_in_0f1e2d3c _myapp_session SESS0f1e2d3c4b5a69788796a5b4c3d2e1f0 SSESS0f1e2d3c4b5a69788796a5b4c3d2e1f0".split(
    " ",
  );
const OTHERS =
  "author authorName assessment obsession possession token_count tokenizer cookie_login_banner residue sidebar side_menu side reside consider unremembered".split(
    " ",
  );

export const COOKIE_CASES: readonly RuleCase[] = [
  ["cookie.secure", "fail", "no Secure", cookies("a=***; Path=/")],
  [
    "cookie.secure",
    "fail",
    "__Host- with a domain",
    cookies("__host-a=***; Secure; Path=/; Domain=example.com"),
  ],
  ["cookie.secure", "fail", "__Host- without a path", cookies("__Host-a=***; Secure")],
  ["cookie.secure", "fail", "SameSite=None without Secure", cookies("a=***; SameSite=None")],
  ["cookie.secure", "fail", "__Secure- without Secure", cookies("__secure-a=***; Path=/")],
  [
    "cookie.secure",
    "fail",
    "the last Path of two",
    cookies("__Host-a=***; Secure; Path=/; Path=/x"),
  ],
  [
    "cookie.secure",
    "fail",
    "Max-Age over Expires",
    cookies("a=***; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
  ],
  ["cookie.secure", "fail", "a 31 February", cookies("a=***; Expires=31 Feb 1970 00:00:00 GMT")],
  ["cookie.secure", "fail", "a Max-Age that is no number", cookies("a=***; Max-Age=0s")],
  ["cookie.secure", "fail", "an Expires that is no date", cookies("a=***; Expires=never")],
  [
    "cookie.secure",
    "fail",
    "an Expires to come",
    cookies("a=***; expires=Sat, 21-Nov-26 08:30:00 GMT"),
  ],
  [
    "cookie.secure",
    "fail",
    "another path, another cookie",
    cookies("a=***; Path=/x", "a=***; Path=/; Secure"),
  ],
  [
    "cookie.secure",
    "fail",
    "set over http, though the page is not reached",
    (e) => {
      refuseConnection(e);
      e.plainHttp?.hops[0]?.headers.push(["set-cookie", "a=***; Path=/"]);
    },
  ],
  ["cookie.secure", "fail", "a name without a value", cookies("a=")],
  ["cookie.secure", "fail", "a value without a name", cookies("***")],
  ["cookie.secure", "not_applicable", "deleted by Max-Age", cookies("a=***; Max-Age=0")],
  [
    "cookie.secure",
    "not_applicable",
    "deleted by Expires",
    cookies(
      "a=***; Expires=Thu, 01-Jan-1970 00:00:10 GMT",
      "b=***; Expires=Wed, 18 Nov 2026 23:59:59",
    ),
  ],
  [
    "cookie.secure",
    "not_applicable",
    "neither a name nor a value, which browsers ignore",
    cookies("", "=", " = ; Path=/", "; HttpOnly"),
  ],
  [
    "cookie.secure",
    "not_applicable",
    "set and deleted by one answer",
    cookies("a=***; Path=/", "a=; Path=/; Max-Age=-1"),
  ],
  [
    "cookie.secure",
    "not_applicable",
    "for another domain, which browsers refuse",
    cookies("a=***; Domain=example.org"),
  ],
  [
    "cookie.secure",
    "not_applicable",
    "for a public suffix, which browsers refuse",
    cookies("a=***; Domain=com"),
  ],
  [
    "cookie.secure",
    "not_applicable",
    "for a host's public suffix, which browsers refuse",
    (e) => {
      pageHop(e).url = "https://tea.github.io/";
      cookies("a=***; Domain=.github.io")(e);
    },
  ],
  [
    "cookie.secure",
    "fail",
    "for the host itself, which is a public suffix",
    (e) => {
      pageHop(e).url = "https://github.io/";
      cookies("a=***; Domain=github.io")(e);
    },
  ],
  ["cookie.secure", "pass", "__Host- in order", cookies("__Host-a=***; path=/; SECURE")],
  ["cookie.secure", "pass", "Secure with a value", cookies("a=***; Secure=false")],
  ["cookie.secure", "pass", "an empty Domain", cookies("__Host-a=***; Secure; Path=/; Domain=")],
  [
    "cookie.secure",
    "pass",
    "the last of two of one name",
    cookies("a=***", "a=***; Path=/; Secure"),
  ],
  ["cookie.secure", "pass", "the whole domain", cookies("a=***; Secure; Domain=.Example.com")],

  ["cookie.session", "fail", "neither", cookies("PHPSESSID=***; Secure")],
  [
    "cookie.session",
    "fail",
    "the worst of two",
    cookies("sid=***; HttpOnly; SameSite=Lax", "auth_token=***"),
  ],
  ...SESSIONS.map((name): RuleCase => ["cookie.session", "fail", name, cookies(`${name}=***`)]),
  ...OTHERS.map((name): RuleCase => [
    "cookie.session",
    "not_applicable",
    name,
    cookies(`${name}=***`),
  ]),
  ["cookie.session", "partial", "HttpOnly alone", cookies("connect.sid=***; HttpOnly")],
  [
    "cookie.session",
    "partial",
    "the last SameSite of two, which nobody knows",
    cookies("sid=***; HttpOnly; SameSite=Lax; SameSite=Laxx"),
  ],
  [
    "cookie.session",
    "partial",
    "SameSite=None is no guard",
    cookies("sid=***; HttpOnly; Secure; SameSite=None"),
  ],
  [
    "cookie.session",
    "not_applicable",
    "a load balancer's affinity",
    cookies("heroku-session-affinity=***; Secure"),
  ],
  ["cookie.session", "not_applicable", "deleted", cookies("PHPSESSID=***; Max-Age=0")],
  [
    "cookie.session",
    "not_applicable",
    "a forgery token, which scripts read",
    cookies("XSRF-TOKEN=***; Secure", "theme=***"),
  ],
  [
    "cookie.session",
    "not_applicable",
    "ASP.NET's and Rails's forgery tokens",
    cookies("__RequestVerificationToken_L2E1=***; Secure", "authenticity_token=***; Secure"),
  ],
  [
    "cookie.session",
    "pass",
    "both, whatever the case",
    cookies("JSESSIONID=***; httponly; samesite=STRICT"),
  ],

  ["cors.credentials", "fail", "null", allowOrigin("null", "true")],
  [
    "cors.credentials",
    "fail",
    "a reflection behind a gatekeeper",
    (e) => {
      keepPage(e);
      allowOrigin(FOREIGN_ORIGIN, "true")(e);
    },
  ],
  [
    "cors.credentials",
    "unknown",
    "no answer",
    (e) => {
      e.cors.status = null;
    },
  ],
  ["cors.credentials", "unknown", "a redirect, which is not the page", answerForeign(302)],
  ["cors.credentials", "unknown", "an error, where the page has none", answerForeign(500)],
  [
    "cors.credentials",
    "fail",
    "an error that reflects",
    (e) => {
      answerForeign(500)(e);
      allowOrigin(FOREIGN_ORIGIN, "true")(e);
    },
  ],
  [
    "cors.credentials",
    "pass",
    "the error that the page is",
    (e) => {
      answerForeign(404)(e);
      pageHop(e).status = 404;
    },
  ],
  ["cors.credentials", "pass", "a reflection without credentials", allowOrigin(FOREIGN_ORIGIN)],
  [
    "cors.credentials",
    "pass",
    "credentials in capitals are none",
    allowOrigin(FOREIGN_ORIGIN, "TRUE"),
  ],
  ["cors.credentials", "pass", "a wildcard, which credentials void", allowOrigin("*", "true")],
  [
    "cors.credentials",
    "pass",
    "an origin with a slash, which is none",
    allowOrigin(`${FOREIGN_ORIGIN}/`, "true"),
  ],
  [
    "cors.credentials",
    "pass",
    "two origins, which browsers refuse",
    (e) => {
      allowOrigin(FOREIGN_ORIGIN, "true")(e);
      allowOrigin(`${FOREIGN_ORIGIN}, *`, "true")(e);
    },
  ],
  [
    "cors.credentials",
    "partial",
    "a reflection on a page without a session",
    (e) => {
      cookies("theme=***; Path=/; Secure")(e);
      allowOrigin(FOREIGN_ORIGIN, "true")(e);
    },
  ],
  [
    "cors.credentials",
    "partial",
    "null on a page without a session",
    (e) => {
      cookies()(e);
      allowOrigin("null", "true")(e);
    },
  ],
  [
    "cors.credentials",
    "pass",
    "one fixed origin under a name that nobody can own",
    allowOrigin("https://app.example", "true"),
  ],
  [
    "cors.credentials",
    "pass",
    "one fixed origin of a partner",
    allowOrigin("https://partner.dev", "true"),
  ],
];
