import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import type { Hop } from "../../../../server/engine/evidence/exchange.ts";
import { goodTls } from "../evidence-fixtures.ts";
import type { RuleCase } from "./rule-case.ts";

function hop(url: string, status: number, location?: string): Hop {
  const isSecure = url.startsWith("https:");
  const tls = isSecure ? goodTls(new URL(url).hostname) : null;
  return {
    url,
    status,
    address: "93.184.215.14",
    headers: location === undefined ? [] : [["location", location]],
    tls,
  };
}

type Twin = NonNullable<Evidence["twin"]>;

function setPlain(edit: Partial<NonNullable<Evidence["plainHttp"]>>): (evidence: Evidence) => void {
  return (evidence) => {
    if (evidence.plainHttp) evidence.plainHttp = { ...evidence.plainHttp, ...edit };
  };
}

function setTwin(edit: Partial<Twin>): (evidence: Evidence) => void {
  return (evidence) => {
    if (evidence.twin) evidence.twin = { ...evidence.twin, ...edit };
  };
}

function failTwin(
  phase: "guard" | "connect" | "deadline" | "tls",
  code: string,
): (evidence: Evidence) => void {
  return setTwin({ hops: [], tls: null, failure: { phase, code, detail: "" } });
}

const HERE = "https://www.example.com/";
const PLAIN = "http://www.example.com/";
const TWIN = "https://example.com/";
const timeout = { phase: "deadline" as const, code: "timeout", detail: "" };

export const REDIRECT_CASES: readonly RuleCase[] = [
  [
    "redir.https",
    "fail",
    "to http, and no further",
    setPlain({ hops: [hop(PLAIN, 301, "http://example.com/"), hop("http://example.com/", 200)] }),
  ],
  [
    "redir.https",
    "fail",
    "to https, and back to http",
    setPlain({
      hops: [hop(PLAIN, 301, HERE), hop(HERE, 302, `${PLAIN}home`)],
      stop: { url: `${PLAIN}home`, reason: "downgrade", refusal: null },
    }),
  ],
  [
    "redir.https",
    "fail",
    "a refresh that stays on http",
    setPlain({ hops: [hop(PLAIN, 200)], refresh: "0; url=/home" }),
  ],
  [
    "redir.https",
    "fail",
    "a page over http whose body never ends",
    setPlain({
      hops: [hop(PLAIN, 200)],
      failure: { phase: "body", code: "ETIMEDOUT", detail: "" },
    }),
  ],
  [
    "redir.https",
    "partial",
    "a refresh",
    setPlain({ hops: [hop(PLAIN, 200)], refresh: `0; url=${HERE}` }),
  ],
  [
    "redir.https",
    "partial",
    "a refresh in a header, without its word",
    setPlain({ hops: [{ ...hop(PLAIN, 200), headers: [["refresh", `0, ${HERE}`]] }] }),
  ],
  ...[204, 404, 410, 421, 500].map((status): RuleCase => [
    "redir.https",
    "partial",
    `${status} over http, which serves nothing`,
    setPlain({ hops: [hop(PLAIN, status)] }),
  ]),
  [
    "redir.https",
    "partial",
    "to http, and no page there",
    setPlain({ hops: [hop(PLAIN, 301, "http://example.com/"), hop("http://example.com/", 404)] }),
  ],
  [
    "redir.https",
    "unknown",
    "to http, and a gatekeeper there",
    setPlain({ hops: [hop(PLAIN, 301, "http://example.com/"), hop("http://example.com/", 403)] }),
  ],
  ...[300, 304, 305].map((status): RuleCase => [
    "redir.https",
    "partial",
    `a Location that browsers do not follow, with ${status}`,
    setPlain({ hops: [hop(PLAIN, status, HERE)] }),
  ]),
  [
    "redir.https",
    "partial",
    "the other host first",
    setPlain({ hops: [hop(PLAIN, 301, TWIN), hop(TWIN, 200)] }),
  ],
  [
    "redir.https",
    "partial",
    "http on the other host first",
    setPlain({
      hops: [
        hop(PLAIN, 301, "http://example.com/"),
        hop("http://example.com/", 301, TWIN),
        hop(TWIN, 200),
      ],
    }),
  ],
  [
    "redir.https",
    "partial",
    "a page over http, of a name that browsers reach over https alone",
    setPlain({ hops: [hop("http://tea.dev/", 200)] }),
  ],
  ["redir.https", "unknown", "a timeout", setPlain({ hops: [], failure: timeout })],
  ["redir.https", "unknown", "not tried", setPlain({ hops: [], skipped: true })],
  ["redir.https", "unknown", "a gatekeeper", setPlain({ hops: [hop(PLAIN, 403)] })],
  [
    "redir.https",
    "not_applicable",
    "a port other than 443",
    (e) => {
      e.plainHttp = null;
    },
  ],
  ["redir.https", "pass", "port 80 is closed", setPlain({ hops: [], closed: true })],
  [
    "redir.https",
    "pass",
    "port 80 drops what comes",
    setPlain({ hops: [], closed: true, failure: timeout }),
  ],
  [
    "redir.https",
    "pass",
    "a relative scheme, the https side not answering",
    setPlain({
      hops: [hop(PLAIN, 308, "https://www.example.com/")],
      failure: timeout,
    }),
  ],

  [
    "redir.permanent",
    "partial",
    "307 of the twin",
    setTwin({ hops: [hop(TWIN, 307, HERE), hop(HERE, 200)] }),
  ],
  [
    "redir.permanent",
    "unknown",
    "http timed out",
    (e) => {
      setPlain({ hops: [], failure: timeout })(e);
      e.twin = null;
    },
  ],
  [
    "redir.permanent",
    "partial",
    "302 of the page itself to the other form of its name",
    (e) => {
      setPlain({ hops: [], closed: true })(e);
      e.twin = null;
      e.page.hops.unshift(hop(TWIN, 302, HERE));
    },
  ],
  [
    "redir.permanent",
    "not_applicable",
    "a port other than 443, and no twin",
    (e) => {
      e.plainHttp = null;
      e.twin = null;
    },
  ],
  [
    "redir.permanent",
    "pass",
    "302 to a login at another host",
    (e) => {
      e.page.hops.unshift(hop("https://www.example.com/", 302, "https://login.example.net/"));
    },
  ],
  [
    "redir.permanent",
    "pass",
    "302 within the same host is no move",
    setTwin({
      hops: [hop(TWIN, 308, HERE), hop(HERE, 302, "/fr"), hop(`${HERE}fr`, 200)],
    }),
  ],

  ["redir.host", "fail", "a second 200", setTwin({ hops: [hop(TWIN, 200)], canonical: null })],
  [
    "redir.host",
    "fail",
    "a second 200 whose canonical is its own",
    setTwin({ hops: [hop(TWIN, 200)], canonical: TWIN }),
  ],
  ["redir.host", "fail", "an error", setTwin({ hops: [hop(TWIN, 500)] })],
  ["redir.host", "fail", "nothing listens", failTwin("connect", "ECONNREFUSED")],
  ["redir.host", "fail", "a private place", failTwin("guard", "private")],
  [
    "redir.host",
    "fail",
    "a redirect back to http",
    setTwin({
      hops: [hop(TWIN, 301, PLAIN)],
      stop: { url: PLAIN, reason: "downgrade", refusal: null },
    }),
  ],
  [
    "redir.host",
    "fail",
    "a certificate that does not cover it",
    setTwin({
      hops: [
        { ...hop(TWIN, 301, HERE), tls: { ...goodTls(), host: "example.com" } },
        hop(HERE, 200),
      ],
    }),
  ],
  [
    "redir.host",
    "fail",
    "a certificate that is not trusted",
    setTwin({
      hops: [],
      failure: { phase: "tls", code: "CERT_HAS_EXPIRED", detail: "" },
      tls: { ...goodTls("example.com"), chainError: { code: "CERT_HAS_EXPIRED", message: "" } },
    }),
  ],
  ["redir.host", "unknown", "no way to its addresses", failTwin("connect", "ERR_NO_ROUTE")],
  ["redir.host", "unknown", "a timeout", failTwin("deadline", "timeout")],
  ["redir.host", "unknown", "a name server that does not answer", failTwin("guard", "dns_timeout")],
  ["redir.host", "unknown", "not tried", setTwin({ skipped: true })],
  [
    "redir.host",
    "not_applicable",
    "a port of a developer's own, where the twin leads nowhere",
    failTwin("guard", "port"),
  ],
  ["redir.host", "pass", "no such name", failTwin("guard", "not_found")],
  [
    "redir.host",
    "pass",
    "no such name under a private suffix",
    setTwin({
      url: "https://www.tea.alt/",
      hops: [],
      tls: null,
      failure: { phase: "guard", code: "private", detail: "www.tea.alt" },
    }),
  ],
  [
    "redir.host",
    "pass",
    "no such name in a private network",
    setTwin({
      url: "https://www.tea.test/",
      hops: [],
      tls: null,
      failure: { phase: "guard", code: "private", detail: "www.tea.test" },
    }),
  ],
  [
    "redir.host",
    "pass",
    "it leads here, where nobody answers",
    (e) => {
      const failure = { phase: "connect" as const, code: "ECONNREFUSED", detail: "" };
      e.page = { ...e.page, hops: [], failure, tls: null, body: null };
      setTwin({ hops: [hop(TWIN, 301, HERE)], failure })(e);
    },
  ],
  [
    "redir.host",
    "pass",
    "under the very certificate that the page is charged for",
    (e) => {
      const tls = { ...goodTls(), chainError: { code: "CERT_HAS_EXPIRED", message: "" } };
      for (const one of e.page.hops) one.tls = tls;
      setTwin({
        hops: [
          { ...hop(TWIN, 301, HERE), tls: { ...tls, host: "example.com" } },
          { ...hop(HERE, 200), tls },
        ],
        tls,
      })(e);
    },
  ],
  [
    "redir.host",
    "pass",
    "the page itself moves to the twin",
    (e) => {
      e.page.hops = [
        hop(HERE, 301, TWIN),
        { ...hop(TWIN, 200), headers: e.page.hops[0]?.headers ?? [] },
      ];
      setTwin({ hops: [hop(TWIN, 200)], canonical: null })(e);
    },
  ],
];
