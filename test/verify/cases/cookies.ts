import type { Evidence } from "../../../server/probe/evidence.ts";
import { pageHop, setHeader } from "../evidence-fixtures.ts";
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
  [
    "cookie.secure",
    "fail",
    "set over http, though the page is not reached",
    (e) => {
      refuseConnection(e);
      e.plainHttp?.hops[0]?.headers.push(["set-cookie", "a=***; Path=/"]);
    },
  ],
  ["cookie.secure", "unknown", "a gatekeeper", keepPage],
  ["cookie.secure", "not_applicable", "no cookie", cookies()],
  ["cookie.secure", "pass", "__Host- in order", cookies("__Host-a=***; path=/; SECURE")],

  ["cookie.session", "fail", "neither", cookies("PHPSESSID=***; Secure")],
  [
    "cookie.session",
    "fail",
    "the worst of two",
    cookies("sid=***; HttpOnly; SameSite=Lax", "auth_token=***"),
  ],
  ["cookie.session", "partial", "HttpOnly alone", cookies("connect.sid=***; HttpOnly")],
  [
    "cookie.session",
    "partial",
    "SameSite=None is no guard",
    cookies("sid=***; HttpOnly; Secure; SameSite=None"),
  ],
  ["cookie.session", "unknown", "a gatekeeper", keepPage],
  ["cookie.session", "not_applicable", "no cookie", cookies()],
  [
    "cookie.session",
    "not_applicable",
    "a forgery token, which scripts read",
    cookies("XSRF-TOKEN=***; Secure", "theme=***"),
  ],
  [
    "cookie.session",
    "pass",
    "both, whatever the case",
    cookies("JSESSIONID=***; httponly; samesite=STRICT"),
  ],

  ["cors.credentials", "fail", "a reflection", allowOrigin("https://shipscore.invalid", "true")],
  ["cors.credentials", "fail", "null", allowOrigin("null", "true")],
  [
    "cors.credentials",
    "fail",
    "a reflection behind a gatekeeper",
    (e) => {
      keepPage(e);
      allowOrigin("https://shipscore.invalid", "true")(e);
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
  ["cors.credentials", "unknown", "a gatekeeper", keepPage],
  [
    "cors.credentials",
    "pass",
    "a reflection without credentials",
    allowOrigin("https://shipscore.invalid"),
  ],
  [
    "cors.credentials",
    "pass",
    "credentials in capitals are none",
    allowOrigin("https://shipscore.invalid", "TRUE"),
  ],
  ["cors.credentials", "pass", "a wildcard, which credentials void", allowOrigin("*", "true")],
  [
    "cors.credentials",
    "pass",
    "one fixed origin of a partner",
    allowOrigin("https://partner.dev", "true"),
  ],
];
