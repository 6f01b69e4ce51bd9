import { createHash } from "node:crypto";
import type { Browser, CDPSession, Page } from "playwright-core";
import type { Evidence } from "../../server/engine/evidence/evidence.ts";
import { findBlocked } from "../../server/engine/judge/facts/blocked.ts";
import { probeUrl } from "./probing.ts";
import { type Route, type Site, startSite } from "./site.ts";

/** A page with its headers, and its elements, one per line. */
export interface RefusalCase {
  readonly topic: string;
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lines: readonly string[];
  /** The three lines before its elements. */
  readonly start?: readonly string[];
}

export interface Refusals {
  readonly ours: readonly number[];
  readonly chromium: readonly number[];
}

/** Makes a browser resolve the pages' hosts to this machine. */
export const RESOLVE_TO_LOOPBACK = "--host-resolver-rules=MAP *.com 127.0.0.1, MAP *.net 127.0.0.1";
const OWN = "example.com";
/** Two hosts of the same site, and two of another. */
const HOSTS = [OWN, "cdn.example.com", "example.net", "static.example.net"];
const START = ["<!doctype html>", '<html lang="en">', "<title>Tea</title>"];
const FIRST_LINE = START.length + 1;
/** The text of every inline script, import map and style sheet, so that a policy can contain their hashes. */
const TEXTS = {
  script: "(self.ran ??= []).push(document.currentScript.id)",
  module: "(self.ran ??= []).push('module')",
  style: "p { color: green }",
  handler: "this.rel='stylesheet';this.media='all'",
  js: "(self.ran ??= []).push(document.currentScript.src)",
  router:
    "(self.ran ??= []).push(document.currentScript.id); history.pushState(null, '', 'tea/leaf'); self.done = fetch('part.html').then((part) => part.text())",
};
const MODULE_FILE = "(self.ran ??= []).push(import.meta.url)";
const FONT_SHEET =
  "@font-face { font-family: Tea; src: url({net}/any/tea.woff2) } :root { --font: 1; font-family: Tea }";
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript",
  css: "text/css",
  png: "image/png",
  html: "text/html",
  woff2: "font/woff2",
  mp4: "video/mp4",
  vtt: "text/vtt",
};
/** The headers of the files in each folder. */
const FOLDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  any: { "access-control-allow-origin": "*" },
  own: { "access-control-allow-origin": "{own}" },
  trusted: { "access-control-allow-origin": "{own}", "access-control-allow-credentials": "true" },
  stranger: { "access-control-allow-origin": "https://stranger.example" },
  twice: { "access-control-allow-origin": "{own}, {own}" },
  "same-origin": { "cross-origin-resource-policy": "same-origin" },
  "same-site": { "cross-origin-resource-policy": "same-site" },
  "cross-origin": { "cross-origin-resource-policy": "cross-origin" },
  garbled: { "cross-origin-resource-policy": "same-origin, same-origin" },
  untyped: { "content-type": "text/plain" },
};

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}
/** Changes what the site's own host sends. `isPage`: true for the page, false for a file. */
export type Change = (sent: Sent, isPage: boolean) => Sent;

function hashOf(name: string, text: string): string {
  return `${name}-${createHash(name).update(text).digest("base64")}`;
}

/** Replaces `{own}`, `{cdn}`, `{net}` and `{static}` by origins, and `{sha256:script}` by the hash of a text or file. */
function fill(text: string, port: number): string {
  const origins = ["own", "cdn", "net", "static"];
  return text
    .replace(/\{(\w+)\}/g, (whole, name: string) => {
      const host = HOSTS[origins.indexOf(name)];
      if (name === "port") return String(port);
      return host === undefined
        ? (TEXTS[name as keyof typeof TEXTS] ?? whole)
        : `https://${host}:${port}`;
    })
    .replace(/\{(sha\d+):(\w+)\}/g, (_whole, name: string, of: string) =>
      hashOf(name, TEXTS[of as keyof typeof TEXTS] ?? ""),
    );
}

export function urlOfPage(site: Site, index: number): string {
  return `https://${OWN}:${site.port}/page/${index}`;
}

/** Serves pages by their index, and files by their folder, type and host. */
export async function startPages(
  cases: readonly RefusalCase[],
  change: Change = (sent) => sent,
): Promise<Site> {
  const serve: Route = (request, response) => {
    const [path = ""] = request.url?.split("?", 1) ?? [];
    const [, folder = "", file = ""] = path.split("/");
    const page = folder === "page" ? cases[Number(file)] : undefined;
    const isOwn = request.headers.host === `${OWN}:${site.port}`;
    const send = (sentHeaders: Sent["headers"], sentBody: Sent["body"]) => {
      const sent = { headers: sentHeaders, body: sentBody };
      const { headers, body } = isOwn ? change(sent, page !== undefined) : sent;
      for (const [name, value] of Object.entries(headers))
        if (value !== "") response.setHeader(name, fill(value, site.port));
      response.end(typeof body === "string" ? fill(body, site.port) : body);
    };
    if (page)
      return send({ "content-type": "text/html; charset=utf-8", ...page.headers }, write(page));
    if (folder === "moved") {
      response.statusCode = 302;
      return send({ location: `{net}/any/${file}` }, "");
    }
    const type = file.split(".").at(-1) ?? "";
    const headers = { "content-type": TYPES[type] ?? "text/plain", ...FOLDERS[folder] };
    if (type === "js") return send(headers, file === "module.js" ? MODULE_FILE : TEXTS.js);
    if (file === "font.css") return send(headers, FONT_SHEET);
    if (type === "css") return send(headers, `:root { --${file.slice(0, -".css".length)}: 1 }`);
    send(headers, type === "png" ? PNG : "<p>Tea");
  };
  const site = await startSite({ hosts: HOSTS, routes: { "*": serve } });
  return site;
}

function write({ lines, start = START }: RefusalCase): string {
  const marked = lines.map((line, at) => line.replace(/^<([\w-]+)/, `<$1 id=e${FIRST_LINE + at}`));
  return `${start.join("\n")}\n${marked.join("\n")}\n<p>Tea, by the leaf, from eleven gardens.\n`;
}

/** Lists the elements that failed. An element that only loads something is absent here: the policy's reports show its failure. */
const INSPECT = `(async () => {
  await Promise.all([document.fonts.ready, self.done]);
  const ran = new Set(self.ran ?? []);
  const root = getComputedStyle(document.documentElement);
  const markOf = (file) => "--" + file.split("/").at(-1).slice(0, -".css".length);
  const did = {
    SCRIPT: (each) => each.type === "application/json" ? undefined : ran.has(each.src || (each.type === "module" ? "module" : each.id)),
    STYLE: (each) => each.sheet !== null,
    LINK: (each) => each.rel === "stylesheet" || each.as === "style" ? root.getPropertyValue(markOf(each.href)) !== "" : undefined,
    IMG: (each) => each.naturalWidth > 0,
    BASE: (each) => document.baseURI === each.href,
  };
  return [...document.querySelectorAll("[id^=e]")].map((each) => ({
    line: Number(each.id.slice(1)),
    isDone: did[each.tagName]?.(each) ?? null,
    tag: each.localName,
    url: each.src || each.href || each.data || each.poster || each.action || "",
  }));
})()`;

interface InspectedElement {
  readonly line: number;
  readonly isDone: boolean | null;
  readonly tag: string;
  readonly url: string;
}

/** Lists the lines of the elements and forms that Chromium blocks on the page at `url`. */
export async function listBlockedByChromium(page: Page, url: string): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Audits.enable");
  const refused: { url: string; directive: string }[] = [];
  session.on("Audits.issueAdded", ({ issue }) => {
    const { contentSecurityPolicyIssueDetails: csp } = issue.details;
    if (csp?.blockedURL !== undefined && !csp.isReportOnly)
      refused.push({ url: csp.blockedURL, directive: csp.violatedDirective });
  });
  await page.goto(url, { waitUntil: "load" });
  const looked = await evaluate<InspectedElement[]>(session, INSPECT);
  // A report on a frame contains only the frame's origin.
  const hasReport = ({ tag, url: file }: InspectedElement) =>
    refused.some(({ url: reported, directive }) =>
      tag === "iframe" ? directive === "frame-src" && file.startsWith(reported) : reported === file,
    );
  const isRefused = (one: InspectedElement) => !(one.isDone ?? !hasReport(one));
  const isForm = ({ tag }: InspectedElement) => tag === "form";
  const lines = looked.filter((one) => !isForm(one) && isRefused(one)).map(({ line }) => line);
  for (const { line } of looked.filter(isForm))
    if (await isFormBlocked(page, session, line)) lines.push(line);
  return lines.toSorted((one, other) => one - other);
}

/** Scripts that DevTools evaluates run under any policy of the page. */
async function evaluate<Value>(session: CDPSession, expression: string): Promise<Value> {
  const { result } = await session.send("Runtime.evaluate", {
    expression,
    returnByValue: true,
    awaitPromise: true,
  });
  return result.value as Value;
}

/** Sends a form, and waits until its target is requested or the console reports a violation. */
async function isFormBlocked(page: Page, session: CDPSession, line: number): Promise<boolean> {
  const isAsked = page.waitForEvent("request").then(() => false);
  const isRefused = page
    .waitForEvent("console", (message) => /form data|form submission/i.test(message.text()))
    .then(() => true);
  const outcome = Promise.race([isAsked, isRefused]);
  await evaluate(session, `document.getElementById("e${line}").requestSubmit()`);
  return outcome;
}

/** Compares, for each page, the elements that the rule and Chromium find blocked. */
export async function compareRefusals(
  browser: Browser,
  cases: readonly RefusalCase[],
): Promise<Refusals[]> {
  const site = await startPages(cases);
  try {
    const found: Refusals[] = [];
    for (const index of cases.keys()) {
      const url = urlOfPage(site, index);
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      const page = await context.newPage();
      const chromium = await listBlockedByChromium(page, url);
      await context.close();
      found.push({ ours: linesOf(await probeUrl(url)), chromium });
    }
    return found;
  } finally {
    await site.close();
  }
}

function linesOf(evidence: Evidence): number[] {
  return [...new Set(findBlocked(evidence).map(({ line }) => line))].toSorted(
    (one, other) => one - other,
  );
}
