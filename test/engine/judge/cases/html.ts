import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import type { Html } from "../../../../server/engine/evidence/html.ts";
import { pageBody, pageHop, pageHtml, setHeader, setMeta } from "../evidence-fixtures.ts";
import type { RuleCase } from "./rule-case.ts";

type Edit = (evidence: Evidence) => void;

const html =
  (edit: Partial<Html>): Edit =>
  (e) => {
    Object.assign(pageHtml(e), edit);
  };
const meta =
  (name: string, ...contents: string[]): Edit =>
  (e) =>
    setMeta(e, name, ...contents);
const doctype = (declaration: string | null): Edit => html({ doctype: declaration });

/** Leaves a page without any of the basics. */
function strip(evidence: Evidence): void {
  Object.assign(pageHtml(evidence), { title: null, titleCount: 0, doctype: null, metas: [] });
  const hop = pageHop(evidence);
  hop.headers = hop.headers.filter(([name]) => /^content-(?:type|encoding)$/.test(name));
}

/** Leaves a page with one of them. */
const also =
  (edit: Edit): Edit =>
  (e) => {
    strip(e);
    edit(e);
  };

function cutPage(evidence: Evidence): void {
  pageBody(evidence).state = "over_limit";
  pageHtml(evidence).isHeadWhole = false;
}

function loseHtml(evidence: Evidence): void {
  pageBody(evidence).html = null;
}

function declareCharset(header: string, label: string | null, offset = 40): Edit {
  return (evidence) => {
    setHeader(evidence, "content-type", header);
    pageHtml(evidence).charset = label === null ? null : { label, offset };
  };
}

function withoutAlt(count: number, of: number): Edit {
  const tags = [{ tag: '<img src="a.png">', line: 30 }];
  return html({ imageCount: of, imagesWithoutAltCount: count, imagesWithoutAlt: tags });
}

export const HTML_CASES: readonly RuleCase[] = [
  ["html.basics", "fail", "an empty title", also(html({ title: "", titleCount: 1 }))],
  [
    "html.basics",
    "unknown",
    "a coding not asked for",
    (e) => {
      pageBody(e).state = "unsupported";
    },
  ],
  ["html.basics", "pass", "a title alone", also(html({ title: "Tea", titleCount: 1 }))],
  ["html.basics", "pass", "a doctype alone", also(doctype("doctype html"))],
  ["html.basics", "pass", "a viewport alone", also(meta("viewport", "width=device-width"))],
  ["html.basics", "pass", "a policy in a meta", also(meta("content-security-policy", "x"))],
  [
    "html.basics",
    "pass",
    "a security header alone",
    also((e) => setHeader(e, "x-content-type-options", "nosniff")),
  ],

  [
    "html.doctype",
    "fail",
    "HTML 3.2",
    doctype('DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"'),
  ],
  [
    "html.doctype",
    "fail",
    "transitional without a system identifier",
    doctype('DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"'),
  ],
  ["html.doctype", "fail", "another name", doctype("doctype htm")],
  ["html.doctype", "fail", "an attribute, as if it were a tag", doctype('doctype html lang="en"')],
  ["html.doctype", "fail", "an identifier without quotes", doctype("doctype html public foo")],
  [
    "html.doctype",
    "fail",
    "HTML 4.0 Transitional, whatever its system identifier",
    doctype(
      'DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN" "http://www.w3.org/TR/REC-html40/loose.dtd"',
    ),
  ],
  ["html.doctype", "fail", "IETF", doctype('DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"')],
  ["html.doctype", "fail", "a null in its name", doctype("doctype ht\ufffdml")],
  ["html.doctype", "unknown", "no HTML read", loseHtml],
  ["html.doctype", "pass", "in capitals", doctype("DOCTYPE HTML")],
  ["html.doctype", "pass", "no space before its name", doctype("doctypehtml")],
  [
    "html.doctype",
    "pass",
    "one of IETF's that is not of the list",
    doctype('DOCTYPE HTML PUBLIC "-//IETF//DTD HTML i18n//EN"'),
  ],
  [
    "html.doctype",
    "pass",
    "transitional with a system identifier",
    doctype(
      'DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd"',
    ),
  ],
  [
    "html.doctype",
    "pass",
    "XHTML 1.0 Transitional, even without a system identifier",
    doctype("DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN'"),
  ],
  [
    "html.doctype",
    "pass",
    "XHTML Mobile, which no browser knows",
    doctype('DOCTYPE html PUBLIC "-//WAPFORUM//DTD XHTML Mobile 1.0//EN" "http://x/m.dtd"'),
  ],
  ["html.doctype", "pass", "legacy-compat", doctype('DOCTYPE html SYSTEM "about:legacy-compat"')],
  [
    "html.doctype",
    "pass",
    "XHTML 1.0 Strict",
    doctype(
      'DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"',
    ),
  ],

  ["html.charset", "fail", "after 1024 bytes", declareCharset("text/html", "utf-8", 1100)],
  [
    "html.charset",
    "fail",
    "the header wins over the meta",
    declareCharset("text/html; charset=iso-8859-1", "utf-8"),
  ],
  ["html.charset", "fail", "latin1 in the meta", declareCharset("text/html", "latin1")],
  ["html.charset", "unknown", "no HTML read", loseHtml],
  ["html.charset", "pass", "a meta", declareCharset("text/html", "UTF8")],
  [
    "html.charset",
    "pass",
    "a byte order mark over all",
    (e) => {
      declareCharset("text/html; charset=iso-8859-1", null)(e);
      pageBody(e).bomEncoding = "utf-8";
    },
  ],
  ...(["utf-16le", "utf-16be"] as const).map((bomEncoding): RuleCase => [
    "html.charset",
    "fail",
    `a byte order mark of ${bomEncoding}, whatever the header says`,
    (e) => {
      declareCharset("text/html; charset=utf-8", "utf-8")(e);
      pageBody(e).bomEncoding = bomEncoding;
    },
  ]),

  ["html.lang", "fail", "empty", html({ lang: "" })],
  ["html.lang", "fail", "an underscore", html({ lang: "fr_FR" })],
  ["html.lang", "fail", "a word", html({ lang: "english" })],
  ...["en-", "e", "x-klingon", "zh-yue-", "de-1996-1996", "en-a-bb-a-cc", "abcde-US"].map(
    (tag): RuleCase => ["html.lang", "fail", tag, html({ lang: tag })],
  ),
  ...["zh-yue", "zh-cmn-Hans", "sgn-ase", "i-klingon", "zh-min-nan", "en-GB-oed", "de-1996"].map(
    (tag): RuleCase => ["html.lang", "pass", tag, html({ lang: tag })],
  ),
  ...["sl-rozaj-biske", "es-419", "ar-u-nu-latn-x-a", "art-lojban"].map((tag): RuleCase => [
    "html.lang",
    "pass",
    tag,
    html({ lang: tag }),
  ]),
  ["html.lang", "unknown", "no HTML read", loseHtml],
  ["html.lang", "pass", "with script and region", html({ lang: "zh-Hant-TW" })],

  ["html.title", "fail", "empty", html({ title: "  " })],
  ["html.title", "fail", "a template's", html({ title: "React App" })],
  ["html.title", "fail", "Vite's, for any framework", html({ title: "Vite + Lit + TS" })],
  ["html.title", "partial", "two", html({ titleCount: 2 })],
  ...(["html.title", "html.description", "html.viewport"] as const).flatMap((id): RuleCase[] => [
    [
      id,
      "pass",
      "in a head that was read whole, of a page that was not",
      (e) => {
        pageBody(e).state = "over_limit";
      },
    ],
    [
      id,
      "fail",
      "missing in a head that was read whole",
      (e) => {
        pageBody(e).state = "over_limit";
        Object.assign(pageHtml(e), { metas: [], titleCount: 0, title: null });
      },
    ],
  ]),
  [
    "html.title",
    "pass",
    "one about a template's subject",
    html({ title: "Vite + React, a guide" }),
  ],

  ["html.description", "fail", "empty", meta("description", " ")],
  [
    "html.description",
    "fail",
    "a template's",
    meta("description", "Web site created using create-react-app"),
  ],
  [
    "html.description",
    "unknown",
    "not in what was read",
    (e) => {
      cutPage(e);
      setMeta(e, "description");
    },
  ],
  ["html.description", "pass", "there", () => {}],

  ["html.viewport", "fail", "a fixed width", meta("viewport", "width=1024")],
  [
    "html.viewport",
    "fail",
    "a fixed width, not zoomed",
    meta("viewport", "width=1024, initial-scale=1"),
  ],
  [
    "html.viewport",
    "partial",
    "user-scalable=no",
    meta("viewport", "width=device-width, user-scalable=no"),
  ],
  [
    "html.viewport",
    "partial",
    "maximum-scale=1",
    meta("viewport", "width=device-width; maximum-scale=1.0"),
  ],
  ...["user-scalable=false", "user-scalable=0.5", "maximum-scale=yes", "maximum-scale=none"].map(
    (pair): RuleCase => [
      "html.viewport",
      "partial",
      pair,
      meta("viewport", `width=device-width, ${pair}`),
    ],
  ),
  ...["user-scalable=yes", "user-scalable=2", "user-scalable=device-width", "maximum-scale=-1"].map(
    (pair): RuleCase => [
      "html.viewport",
      "pass",
      pair,
      meta("viewport", `width=device-width, ${pair}`),
    ],
  ),
  [
    "html.viewport",
    "pass",
    "the scale alone, which sets the width",
    meta("viewport", "initial-scale=1"),
  ],
  [
    "html.viewport",
    "pass",
    "the last one counts, in capitals, with spaces",
    meta("viewport", "width=1024", "WIDTH = device-width,maximum-scale=5"),
  ],

  ["html.content", "fail", "an empty root", html({ textLength: 30, emptyRootId: "root" })],
  [
    "html.content",
    "fail",
    "a noscript of a few words",
    html({ textLength: 0, imageCount: 0, noscriptLength: 46 }),
  ],
  [
    "html.content",
    "fail",
    "a noscript that only asks for JavaScript, at length",
    html({ textLength: 0, imageCount: 0, noscriptLength: 95 }),
  ],
  [
    "html.content",
    "pass",
    "a noscript with the gist",
    html({ textLength: 0, imageCount: 0, noscriptLength: 200 }),
  ],
  ["html.content", "pass", "pictures without words", html({ textLength: 0, imageCount: 2 })],

  ["html.img-alt", "fail", "2 of 10 without", withoutAlt(2, 10)],
  ["html.img-alt", "partial", "1 of 10 without", withoutAlt(1, 10)],
  ["html.img-alt", "pass", "all", () => {}],
];
