import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import { all, asset, body, cutPage, header, html, lastHop } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

type Asset = Evidence["assets"][number];

const SCRIPT = 0;
const fileNamed = (name: string): Partial<Asset> => ({
  url: `https://www.example.com/${name}`,
  headers: [],
});
const expires = (date: string) => all(header("cache-control"), header("expires", date));

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

export const SPEED_CASES = cases({
  "perf.compression": {
    fail: { "18 kB as they are": body({ encoding: null }) },
    unknown: { "a coding not asked for": body({ state: "unsupported" }) },
    not_applicable: { "289 bytes": body({ encoding: null, decodedBytes: 289 }) },
    pass: {
      gzip: body({ encoding: "gzip" }),
      "gzip twice": body({ encoding: "gzip, gzip" }),
      zstd: body({ encoding: "zstd" }),
    },
  },
  "perf.cache-html": {
    fail: {
      "an Expires far away": expires("Thu, 31 Dec 2037 23:55:55 GMT"),
      "a year, then no time at all: the first of two counts": header(
        "cache-control",
        "max-age=31536000",
        "max-age=0",
      ),
      ...each(
        ["31536000", "31449600", "2592000", "604800, immutable", "86400, immutable, public"],
        (age) => [`max-age=${age}`, header("cache-control", `max-age=${age}`)],
      ),
      ...each(
        [
          "Thursday, 31-Dec-37 23:55:55 GMT",
          "Thu Dec 31 23:55:55 2037",
          "Sun Dec  6 23:55:55 2037",
        ],
        (date) => [date, expires(date)],
      ),
    },
    pass: {
      ...each(
        ["3600", "0", "2037", "2037-12-31", "Thu, 31 Dec 2037", "Thu, 31 Dec 2037 23:55:55 CET"],
        (date) => [`Expires: ${date}, no date`, expires(date)],
      ),
      "29 days": header("cache-control", "max-age=2505600"),
      "a month in shared caches alone": header("cache-control", "max-age=60, s-maxage=2592000"),
      "immutable for ten minutes": header("cache-control", "max-age=600, immutable"),
      "a year, but asked for again each time": header(
        "cache-control",
        "max-age=31536000",
        "No-Cache",
      ),
      "a validator alone": header("cache-control"),
    },
  },
  "perf.cache-assets": {
    fail: {
      "an hour": asset(SCRIPT, cache("max-age=3600")),
      nothing: asset(SCRIPT, { headers: [] }),
      "a number that is none": asset(SCRIPT, cache("max-age=31536000s")),
      "an hour, and a year after it": asset(SCRIPT, cache("max-age=3600, max-age=31536000")),
      "an Expires that Cache-Control overrides": asset(SCRIPT, {
        headers: [
          ["cache-control", "max-age=60"],
          ["expires", "Thu, 31 Dec 2037 23:55:55 GMT"],
        ],
      }),
      "a number that is none, beside an Expires far away": asset(SCRIPT, {
        headers: [
          ["cache-control", "max-age=31536000s"],
          ["expires", "Thu, 31 Dec 2037 23:55:55 GMT"],
        ],
      }),
      "an Expires that is no date": asset(SCRIPT, { headers: [["expires", "3600"]] }),
      ...each(
        [
          "index-BcD3f4Gh.js",
          "index-B_d3f-Gh.js",
          "main-K3JX7Q2M.js",
          "teahouse.webflow.shared.bd920da50.css",
          "webflow.3f9c2b1a.js",
          "dir_3f9c2b1a.js",
          "tea-e160193a.jpg",
        ],
        (name) => [name, asset(SCRIPT, fileNamed(name))],
      ),
    },
    unknown: { "no answer": asset(SCRIPT, { status: null }) },
    not_applicable: {
      "no versioned file": asset(SCRIPT, { url: "https://www.example.com/app.js" }),
      "a date, and a version": all(
        asset(SCRIPT, { url: "https://www.example.com/app-20261120.js" }),
        asset(1, { url: "https://www.example.com/logo-Version2.png", headers: [] }),
      ),
      ...each(
        [
          "holiday-IMG_1234.jpg",
          "team_DSC_0123.jpg",
          "hero-1280X720.jpg",
          "hero-1280x720.jpg",
          "logo-FINAL_V2.png",
          "team-Photo_V2.png",
          "new-iPhone14.png",
          "list-2026EDIT.png",
          "teahouse-bd920da50deb9.webflow.css",
          "dir_68267d1309a1af8e8297ef4c3efbcdba.js",
          "tea-e1601931111900.jpg",
          "photo-1522071820081-009f0129c71c.jpg",
          "uploads/small_tea_0a1b2c3d4e.jpg",
          "villa-facade2019.jpg",
        ],
        (name) => [name, asset(SCRIPT, fileNamed(name))],
      ),
      "another host's, whose headers are not the site's to set": asset(SCRIPT, {
        url: "https://cdn.example.net/app.3f9c2b1a.js",
        ...cache("max-age=60"),
      }),
    },
    pass: {
      "a comma in quotes": asset(
        SCRIPT,
        cache('private="set-cookie, max-age=1", max-age=31536000'),
      ),
      "30 days": asset(SCRIPT, cache('public, Max-Age="2592000"')),
      Expires: asset(SCRIPT, {
        url: "https://www.example.com/assets/index-BcD3f4Gh.js",
        headers: [["expires", "Thu, 31 Dec 2037 23:55:55 GMT"]],
      }),
    },
  },
  "perf.weight": {
    fail: {
      "over what is read": cutPage,
      "501 kB": body({ decodedBytes: 501_000 }),
      "7 blocking files": html({ blockingCount: 7 }),
    },
    unknown: { "no HTML read": body({ html: null }) },
    pass: { "6 blocking files": html({ blockingCount: 6 }) },
  },
  "perf.ttfb": {
    fail: {
      "two seconds": bytes(2000, 2400, 2400),
      "two seconds, where the rest is fast": bytes(2000, 40, 40),
      "the second try, counted from the first": bytes(4600),
    },
    partial: { "one second": bytes(1800, 40, 40) },
    unknown: { "the page's was not timed": bytes(null, 40, 40) },
    pass: {
      "fast, where the rest is slow": bytes(800, 2400, 2400),
      "the page's alone": bytes(100),
    },
  },
  "perf.http2": {
    fail: {
      "http/1.1 where the page is, after a redirect from h2": (e) =>
        (e.lastHost = { legacyTls: e.legacyTls, alpn: { outcome: "http/1.1", code: null } }),
      "no ALPN": (e) => (e.alpn.outcome = "none"),
    },
    pass: {
      "h2 where the page is, after a redirect from http/1.1": all(
        (e) => (e.lastHost = { legacyTls: e.legacyTls, alpn: e.alpn }),
        (e) => (e.alpn = { outcome: "http/1.1", code: null }),
      ),
      "h2, though the page is kept": lastHop({ status: 403 }),
    },
    unknown: {
      "no handshake where the page is": (e) =>
        (e.lastHost = { legacyTls: e.legacyTls, alpn: { outcome: "unknown", code: "ETIMEDOUT" } }),
      "no handshake": (e) => (e.alpn = { outcome: "unknown", code: "ETIMEDOUT" }),
    },
  },
});
