import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import type { Inline } from "../../../../server/engine/evidence/html.ts";
import { all, body, cutPage, header, html, lastHop, refuseConnection } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";
import { pageHtml } from "../evidence-fixtures.ts";

/** Makes of the page one that says so much, and no more. */
const say = (words: string): Edit =>
  html({
    headings: [words],
    headingCount: 1,
    proseLength: 0,
    imageCount: 0,
    linkCount: 0,
    title: words,
    text: words,
    textLength: words.length,
    emptyRootId: null,
  });

const COUNTER: Inline = {
  tag: "script",
  line: 3,
  offset: 90,
  kind: "script",
  scheme: "",
  nonce: "",
  hashes: [],
  sha256: "",
  addsCode: false,
  isTracker: true,
};

/** A page that shows nothing, with a snippet that counts visits and a script at the URL. */
const leaveTo = (url: string): Edit =>
  all(
    html({ textLength: 0, imageCount: 0, elementCount: 2, scriptCount: 2, inlines: [COUNTER] }),
    (e) => {
      const [script] = pageHtml(e).resources;
      if (script) pageHtml(e).resources = [{ ...script, tag: "script", url }];
    },
  );

const notFound =
  (edit: Partial<Evidence["notFound"]>): Edit =>
  (evidence) =>
    Object.assign(evidence.notFound, structuredClone(edit));

export const REACH_PAGE_CASES = cases({
  "reach.html": {
    fail: {
      "no body at all": (e) => (e.page.body = null),
      "a body cut short": body({ state: "cut_short" }),
      "a page in two members of gzip": body({ state: "cut_short", oddities: ["members"] }),
      "a body that does not decode": body({ state: "undecodable" }),
      "an empty root that no script fills": html({
        textLength: 0,
        imageCount: 0,
        scriptCount: 0,
        emptyRootId: "root",
      }),
      "nothing in the body": html({
        textLength: 0,
        imageCount: 0,
        scriptCount: 0,
        elementCount: 2,
      }),
      "nothing but a word that it loads, and no script": html({
        text: "Loading...",
        textLength: 10,
        imageCount: 0,
        scriptCount: 0,
        elementCount: 2,
      }),
      "a word that it loads, and an image that turns": html({
        text: "Please wait…",
        textLength: 12,
        imageCount: 1,
        scriptCount: 0,
        elementCount: 16,
      }),
      "a style sheet and two empty elements": all(
        html({ textLength: 0, imageCount: 0, scriptCount: 0, elementCount: 2 }),
        (e) => {
          const [script] = pageHtml(e).resources;
          if (script) Object.assign(script, { tag: "link", kind: "style" });
        },
      ),
      "a cookie banner with its buttons, and no script": html({
        text: "We use cookies to make this site better.\nAccept all\nReject",
        textLength: 57,
        imageCount: 0,
        shownCount: 2,
        scriptCount: 0,
        elementCount: 4,
      }),
      ...each(
        [
          "https://www.googletagmanager.com/gtag/js",
          "https://js.sentry-cdn.com/5f3a.min.js",
          "https://www.example.com/cdn-cgi/scripts/5f3a/cloudflare-static/email-decode.min.js",
          "https://www.example.com/_vercel/insights/script.js",
        ],
        (url) => [`nothing but what counts visits, or a network put there: ${url}`, leaveTo(url)],
      ),
      "no Content-Type where types are not guessed": header("content-type"),
      "no Content-Type, and nothing in the body": all(
        header("content-type"),
        header("x-content-type-options"),
        html({ textLength: 0, imageCount: 0, scriptCount: 0, elementCount: 1 }),
      ),
      JSON: header("content-type", "application/json"),
      "XHTML without its namespace, which is a tree of XML": all(
        header("content-type", "application/xhtml+xml"),
        html({ isXhtml: false }),
      ),
      ...each(["attachment", "ATTACHMENT", "download"], (type) => [
        `a page that browsers save: ${type}`,
        header("content-disposition", type),
      ]),
      "gzip that nothing declares": body({ isGzip: true, encoding: null, looksLikeHtml: false }),
      "gzip within gzip": body({ isGzip: true, encoding: "gzip", looksLikeHtml: false }),
      "text that is no HTML": body({ looksLikeHtml: false }),
    },
    partial: {
      "bytes of another charset": body({ charsetError: true }),
      "no Content-Type, where browsers guess it": all(
        header("content-type"),
        header("x-content-type-options"),
      ),
    },
    unknown: {
      "a page that only leads on to another site": ({ page }) =>
        void (page.leadsTo = "https://shop.example.net/"),
      "a coding that Node cannot decode": body({ state: "unsupported" }),
      "a page of which nothing came in time": body({ state: "late", decodedBytes: 0, html: null }),
    },
    pass: {
      "a page of which a part came in time": body({ state: "late" }),
      "XHTML, upper case, quoted": all(
        header("content-type", 'Application/XHTML+XML; Charset="UTF-8"'),
        html({ isXhtml: true }),
      ),
      ...each(["inline", "Inline ", "", "filename=a.html"], (type) => [
        `a page to show: ${type}`,
        header("content-disposition", type),
      ]),
      ...each(["app.js", "cdn-cgi/scripts/5f3a/cloudflare-static/rocket-loader.min.js"], (path) => [
        `what counts visits, and what fills the page: ${path}`,
        leaveTo(`https://www.example.com/${path}`),
      ]),
      "an empty root that a script fills": html({
        textLength: 0,
        imageCount: 0,
        emptyRootId: "root",
      }),
      "a drawing by a style sheet": html({
        textLength: 0,
        imageCount: 0,
        scriptCount: 0,
        elementCount: 30,
      }),
      "a map in a frame": html({
        textLength: 0,
        imageCount: 0,
        scriptCount: 0,
        shownCount: 1,
        elementCount: 1,
      }),
      "longer than what is read": cutPage,
    },
  },
  "reach.soft404": {
    fail: {
      "200": notFound({ status: 200 }),
      "500": notFound({ status: 500 }),
      "503": notFound({ status: 503 }),
      "a redirect home": notFound({ status: 302, location: "/" }),
      "where a missing file could not be requested": all(notFound({ status: 200 }), (e) =>
        Object.assign(e.missingFile ?? {}, { status: null }),
      ),
      "where a missing file is not found": notFound({ status: 200 }),
    },
    blocked: {
      ...each([[], [["cache-control", "max-age=86400"]]] as const, (headers) => [
        `by one line that also answers for missing files: ${headers.length} headers`,
        all(notFound({ status: 200 }), (e) =>
          Object.assign(e.missingFile ?? {}, { status: 200, headers }),
        ),
      ]),
    },
    unknown: {
      "a redirect of the same path to another host": notFound({
        status: 301,
        location: "https://example.com/shipscore-5b1e",
      }),
      "a gatekeeper": notFound({ status: 403 }),
      "a CDN that may refuse robots": notFound({
        status: 403,
        headers: [["server", "CloudFront"]],
      }),
      "a limit of requests that others met as well": (e) => {
        e.notFound.status = 503;
        for (const link of e.links) link.status = 503;
      },
      "no answer": notFound({ status: null }),
    },
    pass: {
      "403 of a bucket, which says so of what is missing": notFound({
        status: 403,
        headers: [["server", "AmazonS3"]],
      }),
      ...each(["UploadServer", "MinIO", "WasabiS3/7.21"], (server) => [
        `403 of ${server}`,
        notFound({ status: 403, headers: [["server", server]] }),
      ]),
      "403 of a bucket behind another CDN": notFound({
        status: 403,
        headers: [
          ["server", "cloudflare"],
          ["x-amz-request-id", "***"],
        ],
      }),
      "410": notFound({ status: 410 }),
      "another refusal, which no search engine indexes": notFound({ status: 400 }),
    },
  },
  "reach.leak": {
    fail: {
      "on the page": body({ leak: { signature: "nginx default page", offset: 40 } }),
      "on an error page with 500": all(
        lastHop({ status: 500 }),
        body({ leak: { signature: "Django debug page", offset: 40 } }),
      ),
      "on the 404 page of a server whose page is kept": all(
        lastHop({ status: 401 }),
        notFound({ leak: { signature: "Werkzeug debugger", offset: 9 } }),
      ),
      "on the 404 page, the page itself not reached": all(
        refuseConnection,
        notFound({ leak: { signature: "Werkzeug debugger", offset: 9 } }),
      ),
    },
    unknown: { "a coding not asked for": body({ state: "unsupported" }) },
    pass: { nothing: () => {} },
  },
  "reach.page": {
    fail: {
      "a title that says 404, with hardly a word more": say("404 Not Found"),
      "a domain that is for sale": say("example.com is for sale"),
      "a site that is not open yet": say("Coming soon"),
      "a server's own words": say("Welcome to nginx!"),
      "an error with 200": say("502 Bad Gateway"),
    },
    unknown: { "a gatekeeper": lastHop({ status: 403 }) },
    blocked: {
      "a default page, charged as such": all(
        say("Welcome to nginx!"),
        body({ leak: { signature: "nginx default page", offset: 40 } }),
      ),
    },
    pass: {
      "the front page of a site that shows it for any path": all(
        say("Tea"),
        (e) => (e.assets = []),
        notFound({ status: 200, repeatsPage: true }),
      ),
      "an article by that title": html({ title: "404 Not Found", headings: ["404 Not Found"] }),
      "longer than what is read": all(say("404"), cutPage),
    },
  },
});
