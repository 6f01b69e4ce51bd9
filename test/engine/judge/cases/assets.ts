import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import type { Failure } from "../../../../server/engine/evidence/exchange.ts";
import type {
  Form,
  Html,
  Resource,
  FileFacts,
  StyleAddress,
} from "../../../../server/engine/evidence/html.ts";
import { fileFacts, pageHtml } from "../evidence-fixtures.ts";
import { all, asset, cutPage, header, html, lastHop, meta } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

type Asset = Evidence["assets"][number];

const SCRIPT = 0;
const IMAGE = 1;
const CDN = "https://cdn.example.net/a.js";

const failed = (phase: Failure["phase"], code: string): Partial<Asset> => ({
  status: null,
  failure: { phase, code, detail: "" },
});

const typed = (type: string): Partial<Asset> => ({ headers: [["content-type", type]] });

const inFile = (facts: Partial<FileFacts>): Edit => asset(SCRIPT, { file: fileFacts(facts) });
const sendsTo = (url: string): Edit => inFile({ privateUrls: [{ url, line: 1 }] });
const loads = (kind: StyleAddress["kind"]): Edit =>
  inFile({ plainUrls: [{ url: "http://cdn.example.net/a", line: 2, kind }] });
const sourceMap =
  (answer: Partial<NonNullable<Evidence["sourceMap"]>>): Edit =>
  (evidence) => {
    const url = "https://www.example.com/app.js.map";
    const file = "https://www.example.com/app.js";
    evidence.sourceMap = {
      status: 200,
      headers: [],
      failure: null,
      skipped: false,
      url,
      file,
      ...answer,
    };
  };

const addResource =
  (edit: Partial<Resource>): Edit =>
  (evidence) =>
    pageHtml(evidence).resources.push({
      url: "https://www.example.com/a.png",
      line: 40,
      tag: "img",
      kind: "image",
      hostClass: "public",
      blocking: false,
      offset: 4000,
      integrity: null,
      crossorigin: null,
      nonce: "",
      ...edit,
    });

const addLink =
  (url: string, hostClass: "public" | "private" | "invalid"): Edit =>
  (evidence) =>
    pageHtml(evidence).links.push({ url, line: 50, hostClass, isMenu: false });

const addForm = (edit: Partial<Form>, scriptCount = 1): Edit =>
  all(html({ scriptCount }), (evidence) =>
    pageHtml(evidence).forms?.push({
      url: "https://www.example.com/login",
      line: 60,
      tag: "form",
      method: "post",
      hasPassword: true,
      hasHandler: false,
      hasAction: true,
      offset: 5000,
      ...edit,
    }),
  );

const PLAIN = "http://www.example.com/login";

const UPGRADE = ["content-security-policy", "upgrade-insecure-requests"] as const;
const PLAIN_CALL = { url: "http://api.example.net/a", line: 44, isAtTop: true };
const SCRIPT_OVER_HTTP = addResource({ url: "http://example.net/a.js", kind: "script" });
/** A script over http in a page with a meta that upgrades it, if it stands where browsers heed it. */
const upgradedBy = (hostClass: Partial<Html["metas"][number]>): Edit =>
  all(SCRIPT_OVER_HTTP, meta(...UPGRADE), (e) =>
    Object.assign(pageHtml(e).metas.at(-1) ?? {}, hostClass),
  );

const FRAME = { kind: "frame", tag: "iframe", headers: [] } satisfies Partial<Asset>;
const imageOf = ({ assets }: Evidence): Asset => assets[IMAGE] as Asset;
const frameOf = (evidence: Evidence, url: string, status: number): Asset => ({
  ...imageOf(evidence),
  ...FRAME,
  tag: "frame",
  url,
  status,
});

const answerLink =
  (status: number | null): Edit =>
  ({ links }) => {
    for (const link of links) link.status = status;
  };
const failLink =
  (phase: Failure["phase"], code: string): Edit =>
  ({ links }) => {
    for (const link of links)
      Object.assign(link, { status: null, failure: { phase, code, detail: "" } });
  };
const FILTERED = ["private", "not_found"];

const BABEL = [
  "https://unpkg.com/@babel/standalone/babel.min.js",
  "https://cdnjs.cloudflare.com/ajax/libs/babel-standalone/6.26.0/babel.min.js",
];
const LESS = ["https://cdn.jsdelivr.net/npm/less@4", "https://unpkg.com/less@4/dist/less.min.js"];

const SYNTAX_ERROR = { line: 13, error: "Unexpected token '<'" };

/** The answer to a made-up name beside the page's script: a page with 200, and this edit. */
const missing =
  (edit: Partial<NonNullable<Evidence["missingFile"]>>): Edit =>
  ({ missingFile }) =>
    Object.assign(missingFile ?? {}, { status: 200, isHtml: true, ...edit });

export const ASSET_CASES = cases({
  "asset.broken": {
    fail: {
      ...each([400, 405, 406, 418], (status) => [
        `${status} on the page's own host`,
        asset(SCRIPT, { status }),
      ]),
      ...each(FILTERED, (code) => [
        `a host of the page's own domain: ${code}`,
        asset(SCRIPT, { url: "https://static.example.com/a.js", ...failed("guard", code) }),
      ]),
      ...each(FILTERED, (code) => [
        `somebody's own machine: ${code}`,
        asset(SCRIPT, { url: "https://localhost:3000/a.js", ...failed("guard", code) }),
      ]),
      "a script is missing": asset(SCRIPT, { status: 404 }),
      "a script of a host that does not exist": asset(SCRIPT, {
        url: CDN,
        ...failed("guard", "not_found"),
      }),
      "a script of a host that cannot exist": asset(SCRIPT, {
        url: `https://${"a".repeat(64)}.example.net/a.js`,
        ...failed("guard", "unparseable"),
      }),
      "a script that breaks off": inFile({ isBroken: true, isWhole: false }),
      "a frame is missing": asset(IMAGE, { ...FRAME, status: 404 }),
      "both frames of a frameset of other hosts are missing": (e) => {
        e.assets = [1, 2].map((number) => frameOf(e, `https://frame${number}.example.net/`, 404));
      },
      "all images of a page of images are missing": all(
        html({ imageCount: 2, textLength: 40, proseLength: 0 }),
        asset(IMAGE, { status: 404 }),
      ),
      ...each(["/login?next=%2Fa.js", "https://www.example.com/users/sign_in"], (location) => [
        `a script that leads to a sign-in: ${location}`,
        asset(SCRIPT, { status: 302, headers: [["location", location]] }),
      ]),
      "a script that leads where an unknown path does": all(
        asset(SCRIPT, { status: 302, headers: [["location", "/en/"]] }),
        (e) => Object.assign(e.notFound, { status: 302, location: "https://www.example.com/en/" }),
      ),
      ...each(["script", "module", "style"] as const, (kind) => [
        `a ${kind} whose address no browser can load`,
        addResource({ url: "https://%CDN_HOST%/app.js", kind, hostClass: "invalid" }),
      ]),
      "a script that is the home page": asset(SCRIPT, typed("text/html; charset=utf-8")),
      "a style in plain text": asset(SCRIPT, {
        url: "https://www.example.com/a.css",
        kind: "style",
        ...typed("text/plain"),
      }),
      "a script in a private place": asset(SCRIPT, failed("guard", "private")),
      "a script on a host that does not listen": asset(SCRIPT, failed("connect", "ECONNREFUSED")),
      "a script whose connection ends": asset(SCRIPT, failed("response", "ECONNRESET")),
      "a script refused by the page's own host": asset(SCRIPT, { status: 403 }),
      "a module that was not built": asset(SCRIPT, {
        kind: "module",
        ...typed("application/octet-stream"),
      }),
      "a module without a type": asset(SCRIPT, { kind: "module", headers: [] }),
      "a script in place of which a picture comes": asset(SCRIPT, typed("image/png")),
      "a script in plain text, where types are not guessed": asset(SCRIPT, {
        headers: [
          ["content-type", "text/plain"],
          ["x-content-type-options", "nosniff"],
        ],
      }),
      "a file that another host's bucket lacks": asset(SCRIPT, {
        url: CDN,
        status: 403,
        headers: [["server", "AmazonS3"]],
      }),
      ...each([404, 410, 500, 502, 503], (status) => [
        `${status} on another host`,
        asset(SCRIPT, { url: CDN, status }),
      ]),
      "a script on an intranet's host": asset(SCRIPT, {
        url: "https://files/a.js",
        ...failed("guard", "private"),
      }),
      "500 of a host that does": asset(SCRIPT, { status: 500 }),
      "a neighbour on a platform that cannot be reached": asset(SCRIPT, {
        url: "https://10.0.0.8/a.js",
        ...failed("guard", "private"),
      }),
    },
    partial: {
      "an icon is missing, and nothing else": asset(IMAGE, {
        status: 404,
        kind: "icon",
        tag: "link",
      }),
      "an image is missing": asset(IMAGE, { status: 404 }),
      "an image of a host that does not exist": asset(IMAGE, {
        url: "https://badges.example.net/a.svg",
        ...failed("guard", "not_found"),
      }),
      "a counter of a host that cannot exist": asset(SCRIPT, {
        url: `https://${"a".repeat(64)}.plausible.io/a.js`,
        ...failed("guard", "unparseable"),
      }),
      "one of two images of a page of images is missing": all(
        html({ imageCount: 2, textLength: 40, proseLength: 0 }),
        asset(IMAGE, { status: 404 }),
        (e) => e.assets.push({ ...imageOf(e), url: "https://www.example.com/b.png", status: 200 }),
      ),
      "one frame of a frameset of other hosts is missing": (e) => {
        e.assets = [404, 200].map((status) =>
          frameOf(e, `https://f${status}.example.net/`, status),
        );
      },
      "a missing style sheet that is a script": asset(SCRIPT, { kind: "style", status: 404 }),
      "a script as a style sheet": asset(SCRIPT, {
        url: "https://www.example.com/bundle",
        kind: "style",
      }),
      ...each(
        ["https://plausible.io/js/script.js", "https://www.example.com/_vercel/insights/script.js"],
        (url) => [`a script that only counts visits: ${url}`, asset(SCRIPT, { url, status: 404 })],
      ),
      "an image that is the home page": asset(IMAGE, typed("text/html")),
      "an inline script with a syntax error": html({ scriptFaults: [SYNTAX_ERROR] }),
      "a page without files, with such a script": all(
        (e) => (e.assets = []),
        html({
          resources: [],
          scriptFaults: [SYNTAX_ERROR, { line: 14, error: "Unexpected end" }],
        }),
      ),
      "such a script, and an icon without an answer": all(
        asset(IMAGE, { kind: "icon", tag: "link", ...failed("deadline", "timeout") }),
        html({ scriptFaults: [SYNTAX_ERROR] }),
      ),
      "such a script, and an image that is missing": all(
        asset(IMAGE, { status: 404 }),
        html({ scriptFaults: [SYNTAX_ERROR] }),
      ),
    },
    not_applicable: { "no file is called": all((e) => (e.assets = []), html({ resources: [] })) },
    unknown: {
      "another host, as a filter of names answers for it": asset(SCRIPT, {
        url: CDN,
        ...failed("guard", "private"),
      }),
      "a timeout": asset(SCRIPT, failed("deadline", "timeout")),
      "a name server that does not answer": asset(SCRIPT, failed("guard", "dns_timeout")),
      ...each([400, 401, 405, 406, 412, 451, 999], (status) => [
        `${status} on another host, which may know visitors from robots`,
        asset(SCRIPT, { url: CDN, status }),
      ]),
      ...each([408, 425, 429, 451], (status) => [
        `${status}, which tells of the check alone`,
        asset(SCRIPT, { status }),
      ]),
      "503 of a host that answers other requests": asset(SCRIPT, { status: 503 }),
      "an IPv6 host, where the check has no IPv6": asset(SCRIPT, {
        url: CDN,
        ...failed("connect", "ENETUNREACH"),
      }),
      "a check that is out of file descriptors": asset(SCRIPT, failed("connect", "EMFILE")),
      "a connection that ended while the check stood still": all(
        asset(SCRIPT, failed("response", "ECONNRESET")),
        (e) => (e.stalledMs = 1500),
      ),
      "another host that refuses robots": asset(SCRIPT, { url: CDN, status: 403 }),
      "not sent": asset(IMAGE, { status: null, skipped: true }),
      "a frame that robots do not get": asset(IMAGE, { ...FRAME, status: 403 }),
      "none could be sent": (e) => (e.assets = []),
      "no file in what was read": all(cutPage, (e) => (e.assets = []), html({ resources: [] })),
      "a port that the check does not go to": asset(SCRIPT, failed("guard", "port")),
    },
    pass: {
      "a client of LiveReload that is missing, which asset.leftover charges": asset(SCRIPT, {
        url: "https://www.example.com/livereload.js?port=1313",
        status: 404,
      }),
      "a frame that asks to sign in": asset(IMAGE, {
        ...FRAME,
        status: 302,
        headers: [["location", "/login"]],
      }),
      "a script over http, which asset.mixed charges": asset(SCRIPT, {
        url: "http://cdn.example.net/a.js",
        ...failed("guard", "not_https"),
      }),
      "a script in plain text": asset(SCRIPT, typed("text/plain")),
      "a script of a type of its own": asset(SCRIPT, typed("application/x-js")),
      "a module": asset(SCRIPT, { kind: "module", ...typed("Text/JavaScript; charset=utf-8") }),
      "a redirect": asset(SCRIPT, { status: 302, headers: [["location", "/v2/a.js"]] }),
      "an image whose address no browser can load": addResource({
        url: "https://",
        hostClass: "invalid",
      }),
      "a script whose address is too long for the check": addResource({
        url: `https://cdn.example.net/combine/${"a".repeat(1000)}`,
        kind: "script",
        hostClass: "invalid",
      }),
    },
  },
  "asset.fallback": {
    fail: {
      ...each(
        ["public, max-age=31536000, immutable", "max-age=3601", "private, max-age=86400"],
        (value) => [
          `a page that is cached: ${value}`,
          missing({ headers: [["cache-control", value]] }),
        ],
      ),
      "a page that expires in a day": missing({
        headers: [["expires", "Sat, 21 Nov 2026 08:30:00 GMT"]],
      }),
      "a redirect to a page that is cached": missing({
        end: "https://www.example.com/",
        headers: [["cache-control", "max-age=7200"]],
      }),
    },
    partial: {
      "a page": missing({}),
      "a page with another 2xx": missing({ status: 203 }),
      "a page behind a redirect": missing({ end: "https://www.example.com/" }),
      ...each(
        ["max-age=3600", "no-cache, max-age=86400", "no-store", "s-maxage=86400, max-age=0"],
        (value) => [
          `a page for at most an hour: ${value}`,
          missing({ headers: [["cache-control", value]] }),
        ],
      ),
    },
    not_applicable: { "no hashed file": (e) => (e.missingFile = null) },
    unknown: {
      "no answer": missing({ status: null }),
      ...each(["cf-mitigated", "x-amzn-waf-action", "x-vercel-mitigated"], (name) => [
        `a challenge: ${name}`,
        missing({ status: 202, headers: [[name, "challenge"]] }),
      ]),
      "a rate limit": missing({ status: 429 }),
      "no file in what was read": all(cutPage, (e) => (e.missingFile = null)),
    },
    pass: {
      ...each([404, 410, 403, 500], (status) => [
        `${status} with a page, which no script is taken from`,
        missing({ status, headers: [["cache-control", "max-age=86400"]] }),
      ]),
      "200 with no page": missing({ isHtml: false, headers: [["content-type", "text/plain"]] }),
    },
  },
  "asset.mixed": {
    fail: {
      "a style sheet that imports another over http": loads("style"),
      "a script over http": addResource({
        url: "http://cdn.example.net/a.js",
        kind: "script",
        tag: "script",
      }),
      "upgraded by a meta that comes after it": upgradedBy({ offset: 4001 }),
      "upgraded by a meta in body": upgradedBy({ isInHead: false }),
      "a frame of the page's host over http": addResource({
        url: "http://www.example.com/map",
        kind: "frame",
        tag: "iframe",
      }),
      "a part of a frameset": addResource({
        url: "http://example.net/",
        kind: "frame",
        tag: "frame",
      }),
      "a script of another site that the page waits for": all(
        html({ textLength: 0, imageCount: 0, emptyRootId: "root" }),
        SCRIPT_OVER_HTTP,
        ({ assets }) =>
          assets.push({ ...(assets[0] as Asset), url: "http://example.net/a.js", kind: "other" }),
      ),
      "the visitor's own machine, where no such script is": addResource({
        url: "http://localhost:3000/a.js",
        kind: "script",
        hostClass: "private",
      }),
      "a form posted over http": addForm({ url: PLAIN, hasPassword: false }),
      "a password over http": addForm({ url: PLAIN, method: null, hasHandler: true }),
      "a password in the address": addForm({ method: "get" }),
      "a password where no script can send it": addForm({ method: null }, 0),
      "a password in the address, which no policy mends": all(
        addForm({ method: "get" }),
        header(...UPGRADE),
      ),
    },
    partial: {
      "a style sheet with an image over http": loads("image"),
      "a style sheet with a font over http": loads("font"),
      "an image over http": addResource({ url: "http://example.net/a.png" }),
      "a frame of another site": addResource({
        url: "http://example.net/",
        kind: "frame",
        tag: "iframe",
      }),
      "a script that another copy replaces": all(
        SCRIPT_OVER_HTTP,
        html({ replacedScripts: [4000] }),
      ),
      "a script of another site that is async": all(SCRIPT_OVER_HTTP, ({ assets }) =>
        assets.push({ ...(assets[0] as Asset), url: "http://example.net/a.js", kind: "other" }),
      ),
      ...each(
        [
          "http://www.google-analytics.com/urchin.js",
          "http://s7.addthis.com/js/300/addthis_widget.js",
          "http://download.skype.com/share/skypebuttons/js/skypeCheck.js",
          "http://static.jsbin.com/js/embed.js",
          "http://pagead2.googlesyndication.com/pagead/show_ads.js",
        ],
        (url) => [`a script that fills no page: ${url}`, addResource({ url, kind: "script" })],
      ),
      "a style sheet of fonts": addResource({
        url: "http://fonts.googleapis.com/css?family=Lato",
        kind: "style",
        tag: "link",
      }),
      Flash: addResource({ url: "http://example.net/a.swf", kind: "other", tag: "embed" }),
      "a request that an inline script always sends": html({ plainCalls: [PLAIN_CALL] }),
      "a script after the meta that upgrades it, and an image before": all(
        addResource({ url: "http://example.net/a.png", offset: 100 }),
        SCRIPT_OVER_HTTP,
        meta(...UPGRADE),
      ),
      "a search over http": addForm({ url: PLAIN, method: "get", hasPassword: false }),
    },
    pass: {
      "upgraded by a meta in head before it": upgradedBy({}),
      "upgraded by a policy": all(SCRIPT_OVER_HTTP, header(...UPGRADE)),
      "a password posted over https": addForm({}),
      "a request in a function": html({ plainCalls: [{ ...PLAIN_CALL, isAtTop: false }] }),
      "a request in a file": inFile({ plainCalls: [{ url: "ws://example.net/", line: 2 }] }),
      "a request that a policy upgrades": all(
        html({ plainCalls: [PLAIN_CALL] }),
        header(...UPGRADE),
      ),
      "a form that a script may send": addForm({ method: null }),
      "a form that its handler sends": addForm({ method: "get", hasHandler: true }),
      "a form in a dialog": addForm({ method: "dialog" }),
      "a form that a policy sends over https": all(addForm({ url: PLAIN }), header(...UPGRADE)),
    },
  },
  "asset.leftover": {
    fail: {
      "a script of localhost": addResource({
        url: "http://localhost:3000/a.js",
        hostClass: "private",
      }),
      "a link to a private address": addLink("https://192.168.1.4/admin", "private"),
      "a link to a file": addLink("file:///C:/site/index.html", "invalid"),
      "an image of a preview host": addResource({
        url: "https://site-git-main-me.vercel.app/a.png",
      }),
      "a link to a preview": addLink("https://deploy-preview-7--site.netlify.app/", "public"),
      "a sharing image of localhost": meta("og:image", "http://localhost:3000/card.png"),
      "a sharing image of the office's network": meta("og:image", "https://files/card.png"),
      "an image of the site's own deployment": addResource({
        url: "https://example-web.vercel.app/a.png",
      }),
      "a script of a deployment": addResource({
        url: "https://site.vercel.app/a.js",
        kind: "script",
        tag: "script",
      }),
      "a script that sends requests to localhost": sendsTo("http://localhost:3000/api"),
      "a client of a development server": addResource({
        url: "https://www.example.com/livereload.js?port=***",
        kind: "script",
        tag: "script",
      }),
      "an inline script that sends requests to localhost": html({
        privateUrls: [{ url: "http://localhost:3000/api", line: 9 }],
      }),
    },
    partial: {
      "a script whose text is a development build": inFile({ developmentBuild: "React" }),
      ...each(
        [
          "https://cdn.tailwindcss.com/",
          "https://cdn.tailwindcss.com/3.4.1?plugins=forms",
          "https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4",
          "https://unpkg.com/react@18/umd/react.development.js",
          "https://unpkg.com/react-dom@18/umd/react-dom.development.js",
          "https://unpkg.com/vue@3/dist/vue.global.js",
          "https://unpkg.com/vue@3/dist/vue.esm-browser.js",
          "https://cdn.jsdelivr.net/npm/vue@2.7.16/dist/vue.js",
          "https://unpkg.com/vue@3",
          "https://cdn.jsdelivr.net/npm/vue",
          "https://cdn.jsdelivr.net/npm/vue@3.4.21",
          "https://cdn.jsdelivr.net/npm/vue@latest/",
          "https://cdnjs.cloudflare.com/ajax/libs/knockout/3.5.1/knockout-latest.debug.js",
          "https://www.example.com/dart_sdk.js",
          "https://www.example.com/_framework/aspnetcore-browser-refresh.js",
        ],
        (url) => [
          `a development build: ${url}`,
          addResource({ url, kind: "script", tag: "script" }),
        ],
      ),
      ...each([...BABEL, ...LESS], (url) => [
        `a compiler, with sources for it: ${url}`,
        all(
          addResource({ url, kind: "script", tag: "script" }),
          html({ compilers: ["babel", "less"] }),
        ),
      ]),
      "a copy of Babel, with code for it": all(
        inFile({ developmentBuild: "Babel" }),
        html({ compilers: ["babel"] }),
      ),
    },
    pass: {
      ...each([...BABEL, ...LESS], (url) => [
        `an editor's compiler: ${url}`,
        addResource({ url, kind: "script", tag: "script" }),
      ]),
      "a copy of Babel in an editor": inFile({ developmentBuild: "Babel" }),
      ...each(["@2", "@2.6", "@^2.7", "@~2.7.16", "@2.6.14/", "@v2-latest", "@1"], (version) => [
        `Vue ${version} of jsDelivr, which sends the production build`,
        addResource({
          url: `https://cdn.jsdelivr.net/npm/vue${version}`,
          kind: "script",
          tag: "script",
        }),
      ]),
      ...each(
        [
          "https://unpkg.com/react@18/umd/react.production.min.js",
          "https://unpkg.com/vue@3/dist/vue.global.prod.js",
          "https://cdn.jsdelivr.net/npm/vue@2.7.16/dist/vue.min.js",
          "https://cdn.jsdelivr.net/npm/vue@3.4.21/dist/vue.esm-browser.prod.js",
          "https://www.example.com/vue.js",
          "https://www.example.com/blog/babel-standalone.js",
          "https://www.example.com/_framework/blazor.webassembly.js",
        ],
        (url) => [
          `no development build: ${url}`,
          addResource({ url, kind: "script", tag: "script" }),
        ],
      ),
      "a link to a development build": addLink("https://cdn.tailwindcss.com/", "public"),
      "a development build that is only prepared": addResource({
        url: "https://unpkg.com/react@18/umd/react.development.js",
        kind: "other",
        tag: "link",
      }),
      "a public source map": sourceMap({}),
      "a source map that is not there": sourceMap({ status: 404 }),
      "a script that sends requests to its own host, private as it is": all(
        lastHop({ url: "https://127.0.0.1:8443/" }),
        sendsTo("https://127.0.0.1:8443/api"),
      ),
      "a badge": addResource({ url: "https://skill-icons.vercel.app/badge.svg" }),
      "a sharing image that a service draws": meta(
        "og:image",
        "https://og-image.vercel.app/tea.png",
      ),
      "a link to somebody's site on a platform": addLink("https://friend.vercel.app/", "public"),
      "the page's own host, private as it is": all(
        lastHop({ url: "https://127.0.0.1:8443/" }),
        addLink("https://127.0.0.1:8443/about", "private"),
      ),
    },
  },
  "link.internal": {
    fail: {
      "404": answerLink(404),
      "410": answerLink(410),
      "500": answerLink(500),
      "two Locations": failLink("response", "ERR_LOCATIONS"),
      "a redirect to itself": ({ links }) => {
        for (const link of links) Object.assign(link, { status: 302, isEndless: true });
      },
      "403 of a bucket": all(answerLink(403), ({ links }) => {
        for (const link of links) link.headers = [["server", "AmazonS3"]];
      }),
    },
    unknown: {
      ...each([403, 408, 429, 451, 503], (status) => [
        `${status}, where the page answers`,
        answerLink(status),
      ]),
      "no answer": answerLink(null),
      "a closed connection": failLink("response", "ECONNRESET"),
      "two Locations over HTTP/1 alone": failLink("http1", "ERR_LOCATIONS"),
    },
    not_applicable: { "no link": all((e) => (e.links = []), html({ links: [], linkCount: 0 })) },
    pass: { "a login": answerLink(401) },
  },
});
