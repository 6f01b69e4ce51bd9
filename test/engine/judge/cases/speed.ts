import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import { pageBody, pageHop, pageHtml, setHeader } from "../evidence-fixtures.ts";
import type { RuleCase } from "./rule-case.ts";

type Edit = (evidence: Evidence) => void;
type Asset = Evidence["assets"][number];

const SCRIPT = 0;

function asset(index: number, edit: Partial<Asset>): Edit {
  return ({ assets }) => {
    const known = assets[index];
    if (known) assets[index] = { ...known, ...edit };
  };
}

function cutPage(evidence: Evidence): void {
  pageBody(evidence).state = "over_limit";
}

const fileNamed = (name: string): Partial<Asset> => ({
  url: `https://www.example.com/${name}`,
  headers: [],
});
const expires =
  (date: string): Edit =>
  (e) => {
    setHeader(e, "cache-control");
    setHeader(e, "expires", date);
  };

const cache = (value: string): Partial<Asset> => ({ headers: [["cache-control", value]] });
const bytes =
  (...times: readonly (number | null)[]): Edit =>
  (e) => {
    const names = ["page", "robots", "notFound"] as const;
    e.firstBytes = times.flatMap((ms, index) => {
      const of = names[index];
      return ms === null || of === undefined ? [] : { of, ms };
    });
  };

export const SPEED_CASES: readonly RuleCase[] = [
  [
    "perf.compression",
    "unknown",
    "a coding not asked for",
    (e) => {
      pageBody(e).state = "unsupported";
    },
  ],
  [
    "perf.compression",
    "not_applicable",
    "289 bytes",
    (e) => {
      Object.assign(pageBody(e), { encoding: null, decodedBytes: 289 });
    },
  ],
  [
    "perf.compression",
    "pass",
    "gzip",
    (e) => {
      pageBody(e).encoding = "gzip";
    },
  ],

  [
    "perf.cache-html",
    "fail",
    "an Expires far away",
    (e) => {
      setHeader(e, "cache-control");
      setHeader(e, "expires", "Thu, 31 Dec 2037 23:55:55 GMT");
    },
  ],
  [
    "perf.cache-html",
    "fail",
    "a year, then no time at all: the first of two counts",
    (e) => setHeader(e, "cache-control", "max-age=31536000", "max-age=0"),
  ],
  ["perf.cache-html", "fail", "a year", (e) => setHeader(e, "cache-control", "max-age=31536000")],
  ...[
    "Thursday, 31-Dec-37 23:55:55 GMT",
    "Thu Dec 31 23:55:55 2037",
    "Sun Dec  6 23:55:55 2037",
  ].map((date): RuleCase => ["perf.cache-html", "fail", date, expires(date)]),
  ...["3600", "0", "2037", "2037-12-31", "Thu, 31 Dec 2037", "Thu, 31 Dec 2037 23:55:55 CET"].map(
    (date): RuleCase => ["perf.cache-html", "pass", `Expires: ${date}, no date`, expires(date)],
  ),
  [
    "perf.cache-html",
    "pass",
    "immutable for ten minutes",
    (e) => setHeader(e, "cache-control", "max-age=600, immutable"),
  ],
  [
    "perf.cache-html",
    "pass",
    "a year, but asked for again each time",
    (e) => setHeader(e, "cache-control", "max-age=31536000", "No-Cache"),
  ],
  ["perf.cache-html", "pass", "a validator alone", (e) => setHeader(e, "cache-control")],

  ["perf.cache-assets", "fail", "an hour", asset(SCRIPT, cache("max-age=3600"))],
  ["perf.cache-assets", "fail", "nothing", asset(SCRIPT, { headers: [] })],
  ["perf.cache-assets", "fail", "a number that is none", asset(SCRIPT, cache("max-age=31536000s"))],
  [
    "perf.cache-assets",
    "fail",
    "an hour, and a year after it",
    asset(SCRIPT, cache("max-age=3600, max-age=31536000")),
  ],
  [
    "perf.cache-assets",
    "fail",
    "an Expires that Cache-Control overrides",
    asset(SCRIPT, {
      headers: [
        ["cache-control", "max-age=60"],
        ["expires", "Thu, 31 Dec 2037 23:55:55 GMT"],
      ],
    }),
  ],
  [
    "perf.cache-assets",
    "fail",
    "a number that is none, beside an Expires far away",
    asset(SCRIPT, {
      headers: [
        ["cache-control", "max-age=31536000s"],
        ["expires", "Thu, 31 Dec 2037 23:55:55 GMT"],
      ],
    }),
  ],
  [
    "perf.cache-assets",
    "fail",
    "an Expires that is no date",
    asset(SCRIPT, { headers: [["expires", "3600"]] }),
  ],
  ...["index-BcD3f4Gh.js", "index-B_d3f-Gh.js", "main-K3JX7Q2M.js"].map((name): RuleCase => [
    "perf.cache-assets",
    "fail",
    name,
    asset(SCRIPT, fileNamed(name)),
  ]),
  ["perf.cache-assets", "unknown", "no answer", asset(SCRIPT, { status: null })],
  [
    "perf.cache-assets",
    "not_applicable",
    "no versioned file",
    asset(SCRIPT, { url: "https://www.example.com/app.js" }),
  ],
  [
    "perf.cache-assets",
    "not_applicable",
    "a date, and a version",
    (e) => {
      asset(SCRIPT, { url: "https://www.example.com/app-20261120.js" })(e);
      asset(1, { url: "https://www.example.com/logo-Version2.png", headers: [] })(e);
    },
  ],
  ...[
    "holiday-IMG_1234.jpg",
    "team_DSC_0123.jpg",
    "hero-1280X720.jpg",
    "hero-1280x720.jpg",
    "logo-FINAL_V2.png",
    "team-Photo_V2.png",
    "new-iPhone14.png",
    "list-2026EDIT.png",
  ].map((name): RuleCase => [
    "perf.cache-assets",
    "not_applicable",
    name,
    asset(SCRIPT, fileNamed(name)),
  ]),
  [
    "perf.cache-assets",
    "not_applicable",
    "another host's, whose headers are not the site's to set",
    asset(SCRIPT, { url: "https://cdn.example.net/app.3f9c2b1a.js", ...cache("max-age=60") }),
  ],
  [
    "perf.cache-assets",
    "pass",
    "a comma in quotes",
    asset(SCRIPT, cache('private="set-cookie, max-age=1", max-age=31536000')),
  ],
  ["perf.cache-assets", "pass", "30 days", asset(SCRIPT, cache('public, Max-Age="2592000"'))],
  [
    "perf.cache-assets",
    "pass",
    "Expires",
    asset(SCRIPT, {
      url: "https://www.example.com/assets/index-BcD3f4Gh.js",
      headers: [["expires", "Thu, 31 Dec 2037 23:55:55 GMT"]],
    }),
  ],

  ["perf.weight", "fail", "over what is read", cutPage],
  [
    "perf.weight",
    "fail",
    "501 kB",
    (e) => {
      pageBody(e).decodedBytes = 501_000;
    },
  ],
  [
    "perf.weight",
    "fail",
    "7 blocking files",
    (e) => {
      pageHtml(e).blockingCount = 7;
    },
  ],
  [
    "perf.weight",
    "unknown",
    "no HTML read",
    (e) => {
      pageBody(e).html = null;
    },
  ],
  [
    "perf.weight",
    "pass",
    "6 blocking files",
    (e) => {
      pageHtml(e).blockingCount = 6;
    },
  ],

  ["perf.ttfb", "fail", "two seconds", bytes(2000, 2400, 2400)],
  ["perf.ttfb", "fail", "two seconds, where the rest is fast", bytes(2000, 40, 40)],
  ["perf.ttfb", "fail", "the second try, counted from the first", bytes(4600)],
  ["perf.ttfb", "partial", "one second", bytes(1800, 40, 40)],
  ["perf.ttfb", "unknown", "the page's was not timed", bytes(null, 40, 40)],
  ["perf.ttfb", "pass", "fast, where the rest is slow", bytes(800, 2400, 2400)],
  ["perf.ttfb", "pass", "the page's alone", bytes(100)],

  [
    "perf.http2",
    "fail",
    "http/1.1 where the page is, after a redirect from h2",
    (e) => {
      e.lastHost = { legacyTls: e.legacyTls, alpn: { outcome: "http/1.1", code: null } };
    },
  ],
  [
    "perf.http2",
    "pass",
    "h2 where the page is, after a redirect from http/1.1",
    (e) => {
      e.lastHost = { legacyTls: e.legacyTls, alpn: e.alpn };
      e.alpn = { outcome: "http/1.1", code: null };
    },
  ],
  [
    "perf.http2",
    "unknown",
    "no handshake where the page is",
    (e) => {
      e.lastHost = { legacyTls: e.legacyTls, alpn: { outcome: "unknown", code: "ETIMEDOUT" } };
    },
  ],
  [
    "perf.http2",
    "fail",
    "no ALPN",
    (e) => {
      e.alpn.outcome = "none";
    },
  ],
  [
    "perf.http2",
    "unknown",
    "no handshake",
    (e) => {
      e.alpn = { outcome: "unknown", code: "ETIMEDOUT" };
    },
  ],
  [
    "perf.http2",
    "pass",
    "h2, though the page is kept",
    (e) => {
      pageHop(e).status = 403;
    },
  ],
];
