import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import type { Failure } from "../../../../server/engine/evidence/failure.ts";
import type { Form, Resource } from "../../../../server/engine/evidence/html.ts";
import { pageHop, pageHtml, setHeader, setMeta } from "../evidence-fixtures.ts";
import { cutPage } from "./page-edits.ts";
import type { RuleCase } from "./rule-case.ts";

type Edit = (evidence: Evidence) => void;
type Asset = Evidence["assets"][number];

const SCRIPT = 0;
const IMAGE = 1;
const CDN = "https://cdn.example.net/a.js";

function asset(index: number, edit: Partial<Asset>): Edit {
  return ({ assets }) => {
    const known = assets[index];
    if (known) assets[index] = { ...known, ...edit };
  };
}

function failed(phase: Failure["phase"], code: string): Partial<Asset> {
  return { status: null, failure: { phase, code, detail: "" } };
}

function typed(contentType: string): Partial<Asset> {
  return { headers: [["content-type", contentType]] };
}

function addResource(edit: Partial<Resource>): Edit {
  return (evidence) => {
    const resource: Resource = {
      url: "https://www.example.com/a.png",
      line: 40,
      tag: "img",
      kind: "image",
      place: "public",
      blocking: false,
      offset: 4000,
      integrity: null,
      hasCrossorigin: null,
    };
    pageHtml(evidence).resources.push({ ...resource, ...edit });
  };
}

function addLink(url: string, place: "public" | "private" | "invalid"): Edit {
  return (evidence) => {
    pageHtml(evidence).links.push({ url, line: 50, place });
  };
}

function addForm(edit: Partial<Form>, scriptCount = 1): Edit {
  return (evidence) => {
    const html = pageHtml(evidence);
    html.scriptCount = scriptCount;
    html.forms?.push({
      url: "https://www.example.com/login",
      line: 60,
      tag: "form",
      method: "post",
      hasPassword: true,
      hasHandler: false,
      offset: 5000,
      ...edit,
    });
  };
}
const PLAIN = "http://www.example.com/login";

function answerLink(status: number | null): Edit {
  return ({ links }) => {
    for (const link of links) link.status = status;
  };
}

export const ASSET_CASES: readonly RuleCase[] = [
  ["asset.broken", "fail", "a script is missing", asset(SCRIPT, { status: 404 })],
  [
    "asset.broken",
    "partial",
    "an icon is missing, and nothing else",
    asset(IMAGE, { status: 404, kind: "icon", tag: "link" }),
  ],
  [
    "asset.broken",
    "fail",
    "a script that is the home page",
    asset(SCRIPT, typed("text/html; charset=utf-8")),
  ],
  [
    "asset.broken",
    "fail",
    "a style in plain text",
    asset(SCRIPT, { kind: "style", ...typed("text/plain") }),
  ],
  [
    "asset.broken",
    "fail",
    "a script in a private place",
    asset(SCRIPT, failed("guard", "private")),
  ],
  [
    "asset.broken",
    "fail",
    "a script on a host that does not listen",
    asset(SCRIPT, failed("connect", "ECONNREFUSED")),
  ],
  [
    "asset.broken",
    "fail",
    "a script refused by the page's own host",
    asset(SCRIPT, { status: 403 }),
  ],
  [
    "asset.broken",
    "fail",
    "a module that was not built",
    asset(SCRIPT, { kind: "module", ...typed("application/octet-stream") }),
  ],
  [
    "asset.broken",
    "fail",
    "a module without a type",
    asset(SCRIPT, { kind: "module", headers: [] }),
  ],
  [
    "asset.broken",
    "fail",
    "a script in place of which a picture comes",
    asset(SCRIPT, typed("image/png")),
  ],
  [
    "asset.broken",
    "fail",
    "a script in plain text, where types are not guessed",
    asset(SCRIPT, {
      headers: [
        ["content-type", "text/plain"],
        ["x-content-type-options", "nosniff"],
      ],
    }),
  ],
  ["asset.broken", "partial", "an image is missing", asset(IMAGE, { status: 404 })],
  ["asset.broken", "partial", "an image that is the home page", asset(IMAGE, typed("text/html"))],
  ["asset.broken", "unknown", "a timeout", asset(SCRIPT, failed("deadline", "timeout"))],
  [
    "asset.broken",
    "unknown",
    "a name server that does not answer",
    asset(SCRIPT, failed("guard", "dns_timeout")),
  ],
  ...[400, 405, 406, 408, 418].map((status): RuleCase => [
    "asset.broken",
    status === 408 ? "unknown" : "fail",
    `${status} on the page's own host`,
    asset(SCRIPT, { status }),
  ]),
  ...[404, 410, 500, 502, 503].map((status): RuleCase => [
    "asset.broken",
    "fail",
    `${status} on another host`,
    asset(SCRIPT, { url: CDN, status }),
  ]),
  ...[400, 401, 405, 406, 412, 451, 999].map((status): RuleCase => [
    "asset.broken",
    "unknown",
    `${status} on another host, which may know visitors from robots`,
    asset(SCRIPT, { url: CDN, status }),
  ]),
  ...[408, 425, 429, 451].map((status): RuleCase => [
    "asset.broken",
    "unknown",
    `${status}, which tells of the check alone`,
    asset(SCRIPT, { status }),
  ]),
  [
    "asset.broken",
    "unknown",
    "503 of a host that answers other requests",
    asset(SCRIPT, { status: 503 }),
  ],
  [
    "asset.broken",
    "fail",
    "a script on an intranet's host",
    asset(SCRIPT, { url: "https://files/a.js", ...failed("guard", "private") }),
  ],
  ["asset.broken", "fail", "500 of a host that does", asset(SCRIPT, { status: 500 })],
  ...["private", "not_found"].flatMap((code): RuleCase[] => [
    [
      "asset.broken",
      "unknown",
      `another host, as a filter of names answers for it: ${code}`,
      asset(SCRIPT, { url: CDN, ...failed("guard", code) }),
    ],
    [
      "asset.broken",
      "fail",
      `a host of the page's own domain: ${code}`,
      asset(SCRIPT, { url: "https://static.example.com/a.js", ...failed("guard", code) }),
    ],
    [
      "asset.broken",
      "fail",
      `somebody's own machine: ${code}`,
      asset(SCRIPT, { url: "https://localhost:3000/a.js", ...failed("guard", code) }),
    ],
  ]),
  [
    "asset.broken",
    "fail",
    "a neighbour on a platform that cannot be reached",
    asset(SCRIPT, { url: "https://10.0.0.8/a.js", ...failed("guard", "private") }),
  ],
  [
    "asset.broken",
    "unknown",
    "an IPv6 host, where the check has no IPv6",
    asset(SCRIPT, { url: CDN, ...failed("connect", "ENETUNREACH") }),
  ],
  [
    "asset.broken",
    "unknown",
    "another host that refuses robots",
    asset(SCRIPT, { url: "https://cdn.example.net/a.js", status: 403 }),
  ],
  ["asset.broken", "unknown", "not sent", asset(IMAGE, { status: null, skipped: true })],
  [
    "asset.broken",
    "unknown",
    "none could be sent",
    (e) => {
      e.assets = [];
    },
  ],
  [
    "asset.broken",
    "unknown",
    "no file in what was read",
    (e) => {
      cutPage(e);
      e.assets = [];
      pageHtml(e).resources = [];
    },
  ],
  [
    "asset.broken",
    "unknown",
    "a port that the check does not go to",
    asset(SCRIPT, failed("guard", "port")),
  ],
  [
    "asset.broken",
    "pass",
    "a script over http, which asset.mixed charges",
    asset(SCRIPT, { url: "http://cdn.example.net/a.js", ...failed("guard", "not_https") }),
  ],
  ["asset.broken", "pass", "a script in plain text", asset(SCRIPT, typed("text/plain"))],
  [
    "asset.broken",
    "pass",
    "a script of a type of its own",
    asset(SCRIPT, typed("application/x-js")),
  ],
  [
    "asset.broken",
    "pass",
    "a module",
    asset(SCRIPT, { kind: "module", ...typed("Text/JavaScript; charset=utf-8") }),
  ],
  ["asset.broken", "pass", "a redirect", asset(SCRIPT, { status: 302 })],

  [
    "asset.mixed",
    "fail",
    "a script over http",
    addResource({ url: "http://cdn.example.net/a.js", kind: "script", tag: "script" }),
  ],
  [
    "asset.mixed",
    "fail",
    "a frame over http",
    addResource({ url: "http://example.net/", kind: "frame", tag: "iframe" }),
  ],
  [
    "asset.mixed",
    "partial",
    "an image over http",
    addResource({ url: "http://example.net/a.png" }),
  ],
  [
    "asset.mixed",
    "fail",
    "the visitor's own machine, where no such script is",
    addResource({ url: "http://localhost:3000/a.js", kind: "script", place: "private" }),
  ],
  [
    "asset.mixed",
    "pass",
    "upgraded by a policy",
    (e) => {
      addResource({ url: "http://example.net/a.js", kind: "script" })(e);
      setHeader(e, "content-security-policy", "upgrade-insecure-requests");
    },
  ],

  ...(
    [
      ["pass", "upgraded by a meta in head before it", {}],
      ["fail", "upgraded by a meta that comes after it", { offset: 4001 }],
      ["fail", "upgraded by a meta in body", { isInHead: false }],
    ] as const
  ).map(([status, why, place]): RuleCase => [
    "asset.mixed",
    status,
    why,
    (e) => {
      addResource({ url: "http://example.net/a.js", kind: "script" })(e);
      setMeta(e, "content-security-policy", "upgrade-insecure-requests");
      Object.assign(pageHtml(e).metas.at(-1) ?? {}, place);
    },
  ]),
  [
    "asset.mixed",
    "partial",
    "a script after the meta that upgrades it, and an image before",
    (e) => {
      addResource({ url: "http://example.net/a.png", offset: 100 })(e);
      addResource({ url: "http://example.net/a.js", kind: "script" })(e);
      setMeta(e, "content-security-policy", "upgrade-insecure-requests");
    },
  ],

  [
    "asset.leftover",
    "fail",
    "a script of localhost",
    addResource({ url: "http://localhost:3000/a.js", place: "private" }),
  ],
  [
    "asset.leftover",
    "fail",
    "a link to a private address",
    addLink("https://192.168.1.4/admin", "private"),
  ],
  ["asset.mixed", "fail", "a form posted over http", addForm({ url: PLAIN, hasPassword: false })],
  [
    "asset.mixed",
    "fail",
    "a password over http",
    addForm({ url: PLAIN, method: null, hasHandler: true }),
  ],
  ["asset.mixed", "fail", "a password in the address", addForm({ method: "get" })],
  ["asset.mixed", "fail", "a password where no script can send it", addForm({ method: null }, 0)],
  [
    "asset.mixed",
    "fail",
    "a password in the address, which no policy fixes",
    (e) => {
      addForm({ method: "get" })(e);
      setHeader(e, "content-security-policy", "upgrade-insecure-requests");
    },
  ],
  [
    "asset.mixed",
    "partial",
    "a search over http",
    addForm({ url: PLAIN, method: "get", hasPassword: false }),
  ],
  ["asset.mixed", "pass", "a password posted over https", addForm({})],
  ["asset.mixed", "pass", "a form that a script may send", addForm({ method: null })],
  [
    "asset.mixed",
    "pass",
    "a form that its handler sends",
    addForm({ method: "get", hasHandler: true }),
  ],
  ["asset.mixed", "pass", "a form in a dialog", addForm({ method: "dialog" })],
  [
    "asset.mixed",
    "pass",
    "a form that a policy sends over https",
    (e) => {
      addForm({ url: PLAIN })(e);
      setHeader(e, "content-security-policy", "upgrade-insecure-requests");
    },
  ],

  ["asset.leftover", "fail", "a link to a file", addLink("file:///C:/site/index.html", "invalid")],
  [
    "asset.leftover",
    "fail",
    "an image of a preview host",
    addResource({ url: "https://site-git-main-me.vercel.app/a.png" }),
  ],
  [
    "asset.leftover",
    "fail",
    "a link to a preview",
    addLink("https://deploy-preview-7--site.netlify.app/", "public"),
  ],
  [
    "asset.leftover",
    "fail",
    "a sharing image of localhost",
    (e) => setMeta(e, "og:image", "http://localhost:3000/card.png"),
  ],
  [
    "asset.leftover",
    "fail",
    "a sharing image of the office's network",
    (e) => setMeta(e, "og:image", "https://files/card.png"),
  ],
  [
    "asset.leftover",
    "fail",
    "an image of the site's own deployment",
    addResource({ url: "https://example-web.vercel.app/a.png" }),
  ],
  [
    "asset.leftover",
    "fail",
    "a script of a deployment",
    addResource({ url: "https://site.vercel.app/a.js", kind: "script", tag: "script" }),
  ],
  [
    "asset.leftover",
    "pass",
    "a badge",
    addResource({ url: "https://skill-icons.vercel.app/badge.svg" }),
  ],
  [
    "asset.leftover",
    "pass",
    "a sharing image that a service draws",
    (e) => setMeta(e, "og:image", "https://og-image.vercel.app/tea.png"),
  ],
  [
    "asset.leftover",
    "pass",
    "a link to somebody's site on a platform",
    addLink("https://friend.vercel.app/", "public"),
  ],
  [
    "asset.leftover",
    "pass",
    "the page's own host, private as it is",
    (e) => {
      pageHop(e).url = "https://127.0.0.1:8443/";
      addLink("https://127.0.0.1:8443/about", "private")(e);
    },
  ],

  ["link.internal", "fail", "404", answerLink(404)],
  ["link.internal", "fail", "410", answerLink(410)],
  ["link.internal", "fail", "500", answerLink(500)],
  ...[403, 408, 429, 451, 503].map((status): RuleCase => [
    "link.internal",
    "unknown",
    `${status}, where the page answers`,
    answerLink(status),
  ]),
  ["link.internal", "unknown", "no answer", answerLink(null)],
  ["link.internal", "pass", "a login", answerLink(401)],
];
