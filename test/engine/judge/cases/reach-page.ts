import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import { pageBody, pageHop, pageHtml, setHeader, setMeta } from "../evidence-fixtures.ts";
import { refuseConnection } from "./page-edits.ts";
import type { RuleCase } from "./rule-case.ts";

/** Makes of the page one that says so much, and no more. */
function say(words: string): (evidence: Evidence) => void {
  return (evidence) => {
    const one = { headings: [words], headingCount: 1, proseLength: 0, imageCount: 0, linkCount: 0 };
    const text = { title: words, text: words, textLength: words.length };
    Object.assign(pageHtml(evidence), { ...one, ...text, emptyRootId: null });
  };
}

export const REACH_PAGE_CASES: readonly RuleCase[] = [
  [
    "reach.html",
    "fail",
    "no body at all",
    (e) => {
      e.page.body = null;
    },
  ],
  [
    "reach.html",
    "fail",
    "a body cut short",
    (e) => {
      pageBody(e).state = "cut_short";
    },
  ],
  [
    "reach.html",
    "fail",
    "a body that does not decode",
    (e) => {
      pageBody(e).state = "undecodable";
    },
  ],
  [
    "reach.html",
    "fail",
    "an empty root that no script fills",
    (e) => {
      const nothing = { textLength: 0, imageCount: 0, scriptCount: 0 };
      Object.assign(pageHtml(e), { ...nothing, emptyRootId: "root" });
    },
  ],
  ["reach.html", "fail", "no Content-Type", (e) => setHeader(e, "content-type")],
  ["reach.html", "fail", "JSON", (e) => setHeader(e, "content-type", "application/json")],
  [
    "reach.html",
    "fail",
    "XHTML without its namespace, which is a tree of XML",
    (e) => {
      setHeader(e, "content-type", "application/xhtml+xml");
      pageHtml(e).isXhtml = false;
    },
  ],
  [
    "reach.html",
    "fail",
    "text that is no HTML",
    (e) => {
      pageBody(e).looksLikeHtml = false;
    },
  ],
  [
    "reach.html",
    "partial",
    "bytes of another charset",
    (e) => {
      pageBody(e).charsetError = true;
    },
  ],
  ...["0; url=/en/", "0;URL='https://shop.example.com/'", "0.5 /en/"].map((refresh): RuleCase => [
    "reach.html",
    "unknown",
    `a page that only leads on: ${refresh}`,
    (e) => {
      pageHtml(e).textLength = 40;
      setMeta(e, "refresh", refresh);
    },
  ]),
  [
    "reach.html",
    "unknown",
    "a page that only leads on, by its header",
    (e) => {
      pageHtml(e).textLength = 40;
      setHeader(e, "refresh", "0; url=/en/");
    },
  ],
  ...["0", "0; url=https://www.example.com/", "30; url=/en/", "; url=/en/", "0; url=http://["].map(
    (refresh): RuleCase => [
      "reach.html",
      "pass",
      `a page that does not lead on at once: ${refresh}`,
      (e) => {
        pageHtml(e).textLength = 40;
        setMeta(e, "refresh", refresh);
      },
    ],
  ),
  [
    "reach.html",
    "pass",
    "a page with much to read, which leads on",
    (e) => setMeta(e, "refresh", "0; url=/en/"),
  ],
  [
    "reach.html",
    "unknown",
    "a coding not asked for",
    (e) => {
      pageBody(e).state = "unsupported";
    },
  ],
  [
    "reach.html",
    "pass",
    "XHTML, upper case, quoted",
    (e) => {
      setHeader(e, "content-type", 'Application/XHTML+XML; Charset="UTF-8"');
      pageHtml(e).isXhtml = true;
    },
  ],
  [
    "reach.html",
    "pass",
    "an empty root that a script fills",
    (e) => {
      Object.assign(pageHtml(e), { textLength: 0, imageCount: 0, emptyRootId: "root" });
    },
  ],
  [
    "reach.html",
    "pass",
    "longer than what is read",
    (e) => {
      pageBody(e).state = "over_limit";
    },
  ],

  [
    "reach.soft404",
    "fail",
    "200",
    (e) => {
      e.notFound.status = 200;
    },
  ],
  [
    "reach.soft404",
    "fail",
    "500",
    (e) => {
      e.notFound.status = 500;
    },
  ],
  [
    "reach.soft404",
    "partial",
    "a redirect home",
    (e) => {
      e.notFound = { ...e.notFound, status: 302, location: "/" };
    },
  ],
  [
    "reach.soft404",
    "unknown",
    "a redirect of the same path to another host",
    (e) => {
      e.notFound = { ...e.notFound, status: 301, location: "https://example.com/shipscore-5b1e" };
    },
  ],
  [
    "reach.soft404",
    "unknown",
    "a gatekeeper",
    (e) => {
      e.notFound.status = 403;
    },
  ],
  [
    "reach.soft404",
    "unknown",
    "a limit of requests that others met as well",
    (e) => {
      e.notFound.status = 503;
      for (const link of e.links) link.status = 503;
    },
  ],
  ["reach.soft404", "fail", "503", (e) => void (e.notFound.status = 503)],
  [
    "reach.soft404",
    "unknown",
    "no answer",
    (e) => {
      e.notFound.status = null;
    },
  ],
  [
    "reach.soft404",
    "pass",
    "410",
    (e) => {
      e.notFound.status = 410;
    },
  ],
  [
    "reach.soft404",
    "pass",
    "another refusal, which no search engine indexes",
    (e) => {
      e.notFound.status = 400;
    },
  ],

  [
    "reach.leak",
    "fail",
    "on the page",
    (e) => {
      pageBody(e).leak = { signature: "nginx default page", offset: 40 };
    },
  ],
  [
    "reach.leak",
    "fail",
    "on an error page with 500",
    (e) => {
      pageHop(e).status = 500;
      pageBody(e).leak = { signature: "Django debug page", offset: 40 };
    },
  ],
  [
    "reach.leak",
    "fail",
    "on the 404 page of a server whose page is kept",
    (e) => {
      pageHop(e).status = 401;
      e.notFound.leak = { signature: "Werkzeug debugger", offset: 9 };
    },
  ],
  [
    "reach.leak",
    "fail",
    "on the 404 page, the page itself not reached",
    (e) => {
      refuseConnection(e);
      e.notFound.leak = { signature: "Werkzeug debugger", offset: 9 };
    },
  ],
  [
    "reach.leak",
    "unknown",
    "a coding not asked for",
    (e) => {
      pageBody(e).state = "unsupported";
    },
  ],
  ["reach.leak", "pass", "nothing", () => {}],

  ["reach.page", "fail", "a title that says 404, with hardly a word more", say("404 Not Found")],
  ["reach.page", "fail", "a domain that is for sale", say("example.com is for sale")],
  ["reach.page", "fail", "a site that is not open yet", say("Coming soon")],
  ["reach.page", "fail", "a server's own words", say("Welcome to nginx!")],
  ["reach.page", "fail", "an error with 200", say("502 Bad Gateway")],
  [
    "reach.page",
    "unknown",
    "a gatekeeper",
    (e) => {
      pageHop(e).status = 403;
    },
  ],
  [
    "reach.page",
    "blocked",
    "a default page, charged as such",
    (e) => {
      say("Welcome to nginx!")(e);
      pageBody(e).leak = { signature: "nginx default page", offset: 40 };
    },
  ],
  [
    "reach.page",
    "pass",
    "the front page of a site that shows it for any path",
    (e) => {
      say("Tea")(e);
      e.assets = [];
      Object.assign(e.notFound, { status: 200, repeatsPage: true });
    },
  ],
  [
    "reach.page",
    "pass",
    "an article by that title",
    (e) => {
      Object.assign(pageHtml(e), { title: "404 Not Found", headings: ["404 Not Found"] });
    },
  ],
  [
    "reach.page",
    "pass",
    "longer than what is read",
    (e) => {
      say("404")(e);
      pageBody(e).state = "over_limit";
    },
  ],
];
