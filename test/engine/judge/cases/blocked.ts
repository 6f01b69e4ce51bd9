import type { Form, Html, Inline, Resource } from "../../../../server/engine/evidence/html.ts";
import { fileFacts, pageHtml } from "../evidence-fixtures.ts";
import { all, cutPage, header, html, lastHop, meta } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

const csp = (...policies: string[]): Edit => header("content-security-policy", ...policies);
/** What befalls a page without a policy. */
const free = (...edits: Edit[]): Edit => all(csp(), ...edits);
const OWN = "https://www.example.com";
const CDN = "https://cdn.example.net";
const integrityPolicy = (value: string): Edit => header("integrity-policy", value);
const PROVEN = integrityPolicy("blocked-destinations=(script)");

/** A page that loads this alone, and its answer if it is asked for. */
const load = (edit: Partial<Resource>, headers?: [string, string][], status = 200): Edit => {
  const resource: Resource = {
    url: `${OWN}/a`,
    line: 40,
    tag: "script",
    kind: "script",
    hostClass: "public",
    blocking: false,
    offset: 4000,
    integrity: "",
    crossorigin: null,
    nonce: "",
    ...edit,
  };
  return all(html({ resources: [resource] }), (e) => {
    const { url, kind, tag, line } = resource;
    const answer = {
      status,
      headers: headers ?? [],
      failure: null,
      skipped: false,
      in: null,
      load: "now" as const,
      file: null,
    };
    e.assets = headers ? [{ ...answer, url, kind, tag, line }] : [];
  });
};
const style = (url: string, edit: Partial<Resource> = {}) =>
  load({ url, tag: "link", kind: "style", ...edit });
const image = (url: string, headers?: [string, string][]) =>
  load({ url, tag: "img", kind: "image", integrity: null }, headers);
const hold = (...inlines: Partial<Inline>[]): Edit =>
  html({
    inlines: inlines.map((inline) => ({
      tag: inline.kind === "style" ? "style" : "script",
      line: 41,
      offset: 4100,
      kind: "script",
      scheme: "",
      nonce: "",
      hashes: [],
      sha256: "",
      addsCode: false,
      isTracker: false,
      ...inline,
    })),
  });
/** The same file, with its answer. */
const answered =
  (headers: [string, string][]): Edit =>
  (e) => {
    const answer = {
      status: 200,
      headers,
      failure: null,
      skipped: false,
      in: null,
      load: "now" as const,
      file: null,
    };
    e.assets = pageHtml(e).resources.map(({ url, kind, tag, line }) => ({
      ...answer,
      url,
      kind,
      tag,
      line,
    }));
  };
const send = (edit: Partial<Form>): Edit =>
  html({
    forms: [
      {
        url: `${OWN}/order`,
        line: 42,
        tag: "form",
        method: "post",
        hasPassword: false,
        hasHandler: false,
        hasAction: true,
        offset: 4200,
        ...edit,
      },
    ],
  });
const at = (path: string): Edit => lastHop({ url: `${OWN}${path}` });
const base = (url: string, isUsed = true): Edit =>
  html({ base: { url, line: 4, offset: 400, isUsed } });

const HTML: [string, string][] = [["content-type", "text/html; charset=utf-8"]];
const ALLOWED: [string, string][] = [["access-control-allow-origin", OWN]];
const DIGEST = `sha384-${"a".repeat(64)}`;
const REQUIRE = header("cross-origin-embedder-policy", "require-corp");
const policyOf = (value: string): [string, string][] => [["cross-origin-resource-policy", value]];
const module = (headers: [string, string][], edit: Partial<Resource> = {}) =>
  free(load({ url: `${CDN}/a.js`, kind: "module", ...edit }, headers));

export const BLOCKED_CASES = cases({
  "asset.blocked": {
    fail: {
      ...each(["style-src 'none'", "default-src 'none'", "style-src-elem a.example"], (policy) => [
        `a style sheet under ${policy}`,
        all(csp(policy), style(`${OWN}/a.css`)),
      ]),
      ...each(["", "sha256-AAAA"], (integrity) => [
        `its own script under Integrity-Policy, with integrity "${integrity}" and no crossorigin`,
        free(PROVEN, load({ integrity })),
      ]),
      "its own module under Integrity-Policy": free(PROVEN, load({ kind: "module" })),
      "a script under Integrity-Policy, with a digest that browsers do not know": free(
        PROVEN,
        load({ integrity: "md5-AAAA", crossorigin: "anonymous" }),
      ),
      "a style sheet of a CDN": all(csp("style-src 'self'"), style(`${CDN}/bootstrap.css`)),
      "styles in the page, and no others": all(
        csp("style-src 'self'"),
        html({ resources: [] }),
        hold({ kind: "style" }),
      ),
      "styles in the page, beside fonts alone": all(
        csp("style-src fonts.googleapis.com"),
        style("https://fonts.googleapis.com/css2?family=***"),
        hold({ kind: "style" }),
      ),
      "a style sheet that a handler applies, and no others": all(
        csp("script-src 'self' 'sha256-AAAA='"),
        style(`${OWN}/a.css`, { offset: 4100 }),
        hold({ tag: "link", kind: "handler", hashes: ["sha256-AAAA"] }),
      ),
      "a style sheet that a handler applies, beside styles in the page": all(
        csp("script-src 'self'"),
        style(`${OWN}/a.css`, { offset: 4100 }),
        hold({ tag: "link", kind: "handler" }, { kind: "style" }),
      ),
      "its own module, in a sandbox that takes its origin away": all(
        csp("sandbox allow-scripts"),
        load({ url: `${OWN}/a.js`, kind: "module" }, []),
      ),
      "every inline script": all(csp("script-src 'self'"), hold({}, { kind: "module" })),
      "an import map, where there are modules": all(
        csp("script-src https: 'nonce-a'"),
        load({ kind: "module" }),
        hold({ nonce: "a" }, { kind: "importmap" }),
      ),
      "the scripts of an application on a CDN": all(
        csp("script-src 'self'"),
        html({ emptyRootId: "root" }),
        (e) => void Object.assign(pageHtml(e).resources[0] ?? {}, { url: `${CDN}/main.js` }),
      ),
      ...each<[string, Partial<Html>]>(
        [
          ["shows nothing", { textLength: 0, imageCount: 0 }],
          ["only says that it loads", { text: "Loading…", textLength: 8 }],
        ],
        ([what, edit]) => [
          `the only script of a page that ${what}`,
          all(csp("script-src 'self'"), load({ url: `${CDN}/main.js` }), html(edit)),
        ],
      ),
      ...each(["_next/static/a.js", "_nuxt/a.js", "_app/immutable/a.js", "_astro/a.js"], (path) => [
        `a framework's script on a CDN: ${path}`,
        all(csp("script-src 'self'"), load({ url: `${CDN}/${path}` })),
      ]),
      "a script of another host of the site": all(
        csp("script-src 'self'"),
        load({ url: "https://static.example.com/a.js" }),
      ),
      ...each(
        ["form-action 'none'", "form-action a.example", "sandbox allow-scripts"],
        (policy) => [`a form under ${policy}`, all(csp(policy), html({ resources: [] }), send({}))],
      ),
      "a search, where no script sends it": all(
        csp("form-action 'none'"),
        html({ resources: [], scriptCount: 0 }),
        send({ method: null, hasAction: false }),
      ),
      "a base that addresses rest on": all(
        csp("base-uri 'none'"),
        at("/shop/tea"),
        base(`${OWN}/`),
      ),
      "a style sheet with crossorigin, which its host lets nobody read": free(
        style(`${CDN}/a.css`, { crossorigin: "anonymous" }),
        answered([]),
      ),
      "a style sheet with an integrity, asked for without CORS": free(
        style(`${CDN}/a.css`, { integrity: DIGEST }),
      ),
      "a script that is another file than its integrity says": free(
        load({ integrity: DIGEST }, []),
        ({ assets }) => {
          for (const one of assets) one.file = fileFacts({ integrityMatches: false });
        },
      ),
      "a style sheet of another origin, in an isolated page": free(
        REQUIRE,
        style(`${CDN}/a.css`),
        answered([]),
      ),
    },
    partial: {
      "a module of another origin": module([]),
      "a module that another origin may read": module([["access-control-allow-origin", CDN]]),
      "a module with credentials, which any origin may read": module(
        [["access-control-allow-origin", "*"]],
        { crossorigin: "use-credentials" },
      ),
      ...each(["img-src 'none'", "default-src 'self'; style-src *"], (policy) => [
        `an image under ${policy}`,
        all(csp(policy), image(`${CDN}/a.png`)),
      ]),
      ...each(["frame-src 'none'", "child-src 'self'", "default-src data:"], (policy) => [
        `a frame under ${policy}`,
        all(csp(policy), load({ url: CDN, tag: "iframe", kind: "frame" })),
      ]),
      ...each(["object", "embed"], (tag) => [
        `an ${tag}`,
        all(csp("object-src 'none'"), load({ tag, kind: "other" })),
      ]),
      ...each(["object", "embed"], (tag) => [
        `a document in an ${tag}, which default-src governs beside frame-src`,
        all(csp("default-src 'none'; frame-src *"), load({ tag, kind: "other" })),
      ]),
      ...each(["object", "embed"], (tag) => [
        `a document in an ${tag}, which Chromium takes for a frame`,
        all(csp("frame-src 'none'; object-src 'self'"), load({ tag, kind: "other" }, HTML)),
      ]),
      "a third party's script": all(csp("script-src 'self'"), load({ url: `${CDN}/chat.js` })),
      ...each([`${OWN}/app.js`, "https://static.example.com/app.js"], (url) => [
        `a third party's script, where ${url} fills the page`,
        all(
          csp("script-src 'self' https://static.example.com"),
          load({ url: `${CDN}/chat.js` }),
          html({ emptyRootId: "root" }),
          (e) => {
            const [chat] = pageHtml(e).resources;
            if (chat) pageHtml(e).resources.push({ ...chat, url });
          },
        ),
      ]),
      "what counts visits, in a page that a script between tags fills": all(
        csp("script-src 'unsafe-inline'"),
        load({ url: "https://www.googletagmanager.com/gtag/js" }),
        html({ emptyRootId: "root" }),
      ),
      "what a network puts into pages": all(
        csp("script-src 'nonce-a'"),
        load({ url: `${OWN}/cdn-cgi/scripts/email-decode.min.js` }),
      ),
      "a style sheet that a handler applies, beside another": all(
        csp("script-src 'self'"),
        style(`${OWN}/a.css`),
        hold({ tag: "link", kind: "handler" }),
      ),
      "fonts that a handler applies": all(
        csp("script-src 'self'"),
        style("https://fonts.googleapis.com/css2?family=***", { offset: 4100 }),
        hold({ tag: "link", kind: "handler" }),
      ),
      "one inline script of two": all(
        csp("script-src 'nonce-a'"),
        html({ resources: [] }),
        hold({ nonce: "a" }, {}),
      ),
      "a script that counts visits": all(
        csp("script-src 'self'"),
        html({ resources: [] }),
        hold({ isTracker: true }),
      ),
      "styles in the page, beside a style sheet": all(
        csp("style-src 'self'"),
        style(`${OWN}/a.css`),
        hold({ kind: "style" }),
      ),
      "a style sheet that names fonts": all(
        csp("style-src 'self'"),
        style("https://fonts.googleapis.com/css2?family=***"),
      ),
      "an image in its address": all(
        csp("img-src 'self'"),
        hold({ tag: "img", kind: "image", scheme: "data:" }),
      ),
      ...each(["same-origin", "same-site"], (value) => [
        `an image that its host keeps to itself: ${value}`,
        free(image(`${CDN}/a.png`, policyOf(value))),
      ]),
      "an image of another origin, in an isolated page": free(REQUIRE, image(`${CDN}/a.png`, [])),
      "an image that redirects to where the policy does not allow it": all(
        csp("img-src 'self'"),
        load({ tag: "img", kind: "image" }, [["location", `${CDN}/a.png`]], 302),
      ),
      "an image over http, which browsers ask for over https": all(
        csp("img-src 'self'"),
        image("http://cdn.example.net/a.png"),
      ),
    },
    unknown: {
      "a page that was cut": cutPage,
      "a policy that was cut": all(csp("img-src a.exam…"), image(`${CDN}/a.png`)),
    },
    pass: {
      "a script under Integrity-Policy, with integrity and crossorigin": free(
        PROVEN,
        load({ integrity: "sha256-AAAA", crossorigin: "anonymous" }),
      ),
      "a module under Integrity-Policy, with integrity": free(
        PROVEN,
        load({ kind: "module", integrity: "sha256-AAAA" }),
      ),
      "an inline script and a style sheet under Integrity-Policy": free(
        integrityPolicy("blocked-destinations=(script style)"),
        style(`${OWN}/a.css`),
        hold({}),
      ),
      "a script under an Integrity-Policy that only reports": free(
        header("integrity-policy-report-only", "blocked-destinations=(script)"),
        load({}),
      ),
      "a script under an Integrity-Policy for other sources": free(
        integrityPolicy("blocked-destinations=(script), sources=()"),
        load({}),
      ),
      "no policy": free(style(`${CDN}/a.css`), hold({}, { kind: "style" }), send({})),
      "a policy that only reports": free(
        header("content-security-policy-report-only", "default-src 'none'"),
        hold({}),
      ),
      "a style sheet before the meta that would block it": free(
        meta("content-security-policy", "style-src 'none'"),
        style(`${OWN}/a.css`, { offset: 10 }),
      ),
      "its own module that anybody may read, in a sandbox": all(
        csp("sandbox allow-scripts"),
        load({ url: `${OWN}/a.js`, kind: "module" }, [["access-control-allow-origin", "*"]]),
      ),
      "its own module, in a sandbox that leaves it its origin": all(
        csp("sandbox allow-scripts allow-same-origin"),
        load({ url: `${OWN}/a.js`, kind: "module" }, []),
      ),
      "a sandbox in a meta, which browsers ignore": free(
        meta("content-security-policy", "sandbox"),
        send({}),
      ),
      "a nonce on a style sheet": all(
        csp("style-src 'nonce-a'"),
        style(`${CDN}/a.css`, { nonce: "a" }),
      ),
      ...each(["object", "embed"], (tag) => [
        `what is no document in an ${tag}, which object-src governs, not frame-src`,
        all(
          csp("frame-src 'none'; child-src 'none'; object-src 'self'"),
          load({ tag, kind: "other" }),
        ),
      ]),
      "files that the page is shown without": all(
        csp("default-src 'none'"),
        load({ tag: "script", kind: "other" }),
      ),
      "a script over http, which asset.mixed charges": all(
        csp("script-src 'none'"),
        load({ url: "http://cdn.example.net/a.js" }),
      ),
      "a form that a script sends": all(
        csp("form-action 'none'"),
        send({ hasAction: false, method: null }),
      ),
      "a form that its handler may send": all(
        csp("form-action 'none'"),
        send({ hasHandler: true }),
      ),
      "a handler by its hash, where hashes hold for handlers": all(
        csp("script-src 'self' 'unsafe-hashes' 'sha256-AAAA='"),
        style(`${OWN}/a.css`, { offset: 4100 }),
        hold({ tag: "link", kind: "handler", hashes: ["sha256-AAAA"] }),
      ),
      "a form in a dialog": all(csp("form-action 'none'"), send({ method: "dialog" })),
      "form-action of the form's host": all(csp(`form-action ${CDN}`), send({ url: `${CDN}/a` })),
      "default-src, which says nothing of forms": all(csp("default-src 'self'"), send({})),
      "a base that nothing rests on": all(
        csp("base-uri 'none'"),
        html({ resources: [] }),
        base(`${OWN}/`, false),
      ),
      "a module that the page may read": module(ALLOWED),
      "a module that anybody may read": module([["access-control-allow-origin", "*"]]),
      "a module with credentials that the page may read": module(
        [...ALLOWED, ["access-control-allow-credentials", "true"]],
        { crossorigin: "use-credentials" },
      ),
      "a module that did not answer": free(load({ url: `${CDN}/a.js`, kind: "module" })),
      "a module of another port's that is missing": free(
        load({ url: `${OWN}:8443/a.js`, kind: "module" }, [], 404),
      ),
      "an integrity that is none": free(style(`${CDN}/a.css`, { integrity: "garbage" })),
      "an own file with an integrity": free(load({ integrity: DIGEST })),
      "an image of a host of the same site": free(
        image("https://cdn.example.com/a.png", policyOf("same-site")),
      ),
      "an image for everybody, in an isolated page": free(
        REQUIRE,
        image(`${CDN}/a.png`, policyOf("cross-origin")),
      ),
      ...each(["credentialless", "require-corp, require-corp", "unsafe-none"], (value) => [
        `an image of another origin under ${value}`,
        free(header("cross-origin-embedder-policy", value), image(`${CDN}/a.png`, [])),
      ]),
    },
  },
});
