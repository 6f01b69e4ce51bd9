import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import type { Hop } from "../../../../server/engine/evidence/exchange.ts";
import { goodTls } from "../evidence-fixtures.ts";
import { all, body, lastHop } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

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

const setPlain =
  (edit: Partial<NonNullable<Evidence["plainHttp"]>>): Edit =>
  ({ plainHttp }) =>
    Object.assign(plainHttp ?? {}, structuredClone(edit));
const setTwin =
  (edit: Partial<Twin>): Edit =>
  ({ twin }) =>
    Object.assign(twin ?? {}, structuredClone(edit));
const failTwin = (
  phase: "guard" | "connect" | "deadline" | "tls",
  code: string,
  detail = "",
): Edit => setTwin({ hops: [], tls: null, failure: { phase, code, detail } });
const noTwin: Edit = (e) => (e.twin = null);
const noPlain: Edit = (e) => (e.plainHttp = null);

const HERE = "https://www.example.com/";
const PLAIN = "http://www.example.com/";
const TWIN = "https://example.com/";
const timeout = { phase: "deadline" as const, code: "timeout", detail: "" };

export const REDIRECT_CASES = cases({
  "redir.https": {
    fail: {
      "to http, and no further": setPlain({
        hops: [hop(PLAIN, 301, "http://example.com/"), hop("http://example.com/", 200)],
      }),
      "to https, and back to http": setPlain({
        hops: [hop(PLAIN, 301, HERE), hop(HERE, 302, `${PLAIN}home`)],
        stop: { url: `${PLAIN}home`, reason: "downgrade", refusal: null },
      }),
      "a refresh that stays on http": setPlain({
        hops: [hop(PLAIN, 200)],
        refresh: "0; url=/home",
      }),
      "a page over http whose body never ends": setPlain({
        hops: [hop(PLAIN, 200)],
        failure: { phase: "body", code: "ETIMEDOUT", detail: "" },
      }),
    },
    partial: {
      "a refresh": setPlain({ hops: [hop(PLAIN, 200)], refresh: `0; url=${HERE}` }),
      "a refresh in a header, without its word": setPlain({
        hops: [{ ...hop(PLAIN, 200), headers: [["refresh", `0, ${HERE}`]] }],
      }),
      ...each([204, 404, 410, 421, 500], (status) => [
        `${status} over http, which serves nothing`,
        setPlain({ hops: [hop(PLAIN, status)] }),
      ]),
      ...each([404, 500], (status) => [
        `to an https URL that responds with ${status}`,
        setPlain({
          hops: [
            hop(PLAIN, 301, "https://www.example.com/home"),
            hop("https://www.example.com/home", status),
          ],
        }),
      ]),
      "to redirects without end": setPlain({
        hops: [hop(PLAIN, 301, `${HERE}a`), hop(`${HERE}a`, 302, `${HERE}a`)],
        stop: { url: `${HERE}a`, reason: "loop", refusal: null },
      }),
      "to a name that does not exist": setPlain({
        hops: [hop(PLAIN, 301, "https://old.example.com/")],
        stop: { url: "https://old.example.com/", reason: "refused", refusal: "not_found" },
      }),
      "to a port where nothing listens": setPlain({
        hops: [hop(PLAIN, 301, "https://www.example.com:8443/")],
        failure: { phase: "connect", code: "ECONNREFUSED", detail: "" },
      }),
      "to http, and no page there": setPlain({
        hops: [hop(PLAIN, 301, "http://example.com/"), hop("http://example.com/", 404)],
      }),
      ...each([300, 304, 305], (status) => [
        `a Location that browsers do not follow, with ${status}`,
        setPlain({ hops: [hop(PLAIN, status, HERE)] }),
      ]),
      "the other host first": setPlain({ hops: [hop(PLAIN, 301, TWIN), hop(TWIN, 200)] }),
      "http on the other host first": setPlain({
        hops: [
          hop(PLAIN, 301, "http://example.com/"),
          hop("http://example.com/", 301, TWIN),
          hop(TWIN, 200),
        ],
      }),
      "a page over http, of a name that browsers reach over https alone": setPlain({
        hops: [hop("http://tea.dev/", 200)],
      }),
    },
    unknown: {
      "to http, and a gatekeeper there": setPlain({
        hops: [hop(PLAIN, 301, "http://example.com/"), hop("http://example.com/", 403)],
      }),
      "a timeout": setPlain({ hops: [], failure: timeout }),
      "not tried": setPlain({ hops: [], skipped: true }),
      "to a port that the check does not visit": setPlain({
        hops: [hop(PLAIN, 301, "https://www.example.com:8444/")],
        stop: { url: "https://www.example.com:8444/", reason: "refused", refusal: "port" },
      }),
      "to a port that drops what comes": setPlain({
        hops: [hop(PLAIN, 301, "https://www.example.com:8443/")],
        failure: timeout,
      }),
      "a gatekeeper": setPlain({ hops: [hop(PLAIN, 403)] }),
      "the gatekeeper of the page, with 200": all(
        body({ challenge: "testcookie" }),
        setPlain({ hops: [hop(PLAIN, 200)] }),
      ),
    },
    not_applicable: { "a port other than 443": noPlain },
    pass: {
      "port 80 is closed": setPlain({ hops: [], closed: true }),
      "to a page that is missing itself": all(
        lastHop({ status: 404 }),
        setPlain({ hops: [hop(PLAIN, 301, HERE), hop(HERE, 404)] }),
      ),
      "to a gatekeeper": setPlain({ hops: [hop(PLAIN, 301, HERE), hop(HERE, 403)] }),
      "port 80 drops what comes": setPlain({ hops: [], closed: true, failure: timeout }),
      "a relative scheme, the https side not answering": setPlain({
        hops: [hop(PLAIN, 308, "https://www.example.com/")],
        failure: timeout,
      }),
    },
  },
  "redir.permanent": {
    partial: {
      "307 of the twin": setTwin({ hops: [hop(TWIN, 307, HERE), hop(HERE, 200)] }),
      "302 of the page itself to the other form of its name": all(
        setPlain({ hops: [], closed: true }),
        noTwin,
        (e) => e.page.hops.unshift(hop(TWIN, 302, HERE)),
      ),
    },
    unknown: { "http timed out": all(setPlain({ hops: [], failure: timeout }), noTwin) },
    not_applicable: { "a port other than 443, and no twin": all(noPlain, noTwin) },
    pass: {
      "302 to a login at another host": (e) =>
        e.page.hops.unshift(hop("https://www.example.com/", 302, "https://login.example.net/")),
      "302 within the same host is no move": setTwin({
        hops: [hop(TWIN, 308, HERE), hop(HERE, 302, "/fr"), hop(`${HERE}fr`, 200)],
      }),
    },
  },
  "redir.host": {
    partial: {
      "a second 200 whose canonical is the page's": setTwin({
        hops: [hop(TWIN, 200)],
        canonical: HERE,
      }),
    },
    fail: {
      "a second 200": setTwin({ hops: [hop(TWIN, 200)], canonical: null }),
      "a second 200 whose canonical is its own": setTwin({
        hops: [hop(TWIN, 200)],
        canonical: TWIN,
      }),
      "an error": setTwin({ hops: [hop(TWIN, 500)] }),
      "nothing listens": failTwin("connect", "ECONNREFUSED"),
      "a private place": failTwin("guard", "private"),
      "a redirect back to http": setTwin({
        hops: [hop(TWIN, 301, PLAIN)],
        stop: { url: PLAIN, reason: "downgrade", refusal: null },
      }),
      "a certificate that does not cover it": setTwin({
        hops: [
          { ...hop(TWIN, 301, HERE), tls: { ...goodTls(), host: "example.com" } },
          hop(HERE, 200),
        ],
      }),
      "a certificate that is not trusted": setTwin({
        hops: [],
        failure: { phase: "tls", code: "CERT_HAS_EXPIRED", detail: "" },
        tls: { ...goodTls("example.com"), chainError: { code: "CERT_HAS_EXPIRED", message: "" } },
      }),
    },
    unknown: {
      "no way to its addresses": failTwin("connect", "ERR_NO_ROUTE"),
      "a timeout": failTwin("deadline", "timeout"),
      "a name server that does not answer": failTwin("guard", "dns_timeout"),
      "not tried": setTwin({ skipped: true }),
      "the gatekeeper of the page, with 200": all(
        body({ challenge: "testcookie" }),
        setTwin({ hops: [hop(TWIN, 200)] }),
      ),
      "more redirects than are tried": setTwin({
        hops: [hop(TWIN, 301, `${TWIN}6`)],
        stop: { url: `${TWIN}6`, reason: "unreached", refusal: null },
      }),
    },
    not_applicable: {
      "a port of a developer's own, where the twin leads nowhere": failTwin("guard", "port"),
    },
    pass: {
      "no such name": failTwin("guard", "not_found"),
      "no such name under a private suffix": all(
        setTwin({ url: "https://www.tea.alt/" }),
        failTwin("guard", "private", "www.tea.alt"),
      ),
      "no such name in a private network": all(
        setTwin({ url: "https://www.tea.test/" }),
        failTwin("guard", "private", "www.tea.test"),
      ),
      "it leads here, where nobody answers": (e) => {
        const failure = { phase: "connect" as const, code: "ECONNREFUSED", detail: "" };
        e.page = { ...e.page, hops: [], failure, tls: null, body: null };
        setTwin({ hops: [hop(TWIN, 301, HERE)], failure })(e);
      },
      "under the very certificate that the page is charged for": (e) => {
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
      "the page itself moves to the twin": all(
        (e) =>
          (e.page.hops = [
            hop(HERE, 301, TWIN),
            { ...hop(TWIN, 200), headers: e.page.hops[0]?.headers ?? [] },
          ]),
        setTwin({ hops: [hop(TWIN, 200)], canonical: null }),
      ),
    },
  },
});
