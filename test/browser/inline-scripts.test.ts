import { chromium } from "playwright-core";
import { expect, inject, test } from "vitest";
import { readHtml } from "../../server/engine/requests/body/html.ts";
import { References } from "../../server/engine/requests/body/html-references.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";
import { sampleCases } from "../harness/thorough.ts";

const API = "http://api.example.net/a";
const SCRIPTS: readonly string[] = [
  "<script>a b</script>",
  "<script>let a; let a</script>",
  "<script>/(/</script>",
  "<script>import '/a.js'</script>",
  "<script>return 1</script>",
  "<script>alert('It's tea')</script>",
  "<script>var a = <p>;</script>",
  "<script>class A { #a; #a }</script>",
  "<script language=JavaScript1.2>a b</script>",
  "<script type='text/javascript'>a b</script>",
  "<script>{ using a = null }</script>",
  "<script>/(?i:a)/</script>",
  "<script>/(?<y>a)|(?<y>b)/</script>",
  "<script>/[\\p{L}--[a-z]]/v</script>",
  "<script>0777; with (self) {}</script>",
  "<script><!-- hidden\n1\n--></script>",
  "<script nomodule>a b</script>",
  "<script type='text/javascript; charset=utf-8'>a b</script>",
  "<script type='text/template'>a b</script>",
  "<script language=vbscript>a b</script>",
  "<script for=a event=onclick>a b</script>",
  "<noscript><script>a b</script></noscript>",
  "<template><script>a b</script></template>",
  "<script>a b",
];
const CALLS: readonly string[] = [
  `<script>fetch("${API}").catch(() => 0)</script>`,
  `<script>self.fetch('${API}' + "?a").catch(() => 0)</script>`,
  `<script>try { let a = new XMLHttpRequest(); a.open("GET", "${API}"); a.send() } catch {}</script>`,
  `<script>try { new WebSocket("ws://api.example.net/") } catch {}</script>`,
  `<script>new EventSource("${API}")</script>`,
  `<script>import("${API}").catch(() => 0)</script>`,
  `<script type=module>await fetch("${API}").catch(() => 0)</script>`,
  `<script>function load() { fetch("${API}") }</script>`,
  `<script>self.never && fetch("${API}")</script>`,
  `<script>fetch("http://localhost:9/").catch(() => 0)</script>`,
  `<script>fetch("http://127.0.0.1:9/").catch(() => 0)</script>`,
  `<script>"${API}"</script>`,
];

const page = (markup: string) => `<!doctype html><title>Tea</title><p>Tea</p>${markup}`;
const PAGES = [...SCRIPTS, ...CALLS].map(page);

const shared = use(
  async () => ({ browser: await chromium.connect(inject("browserEndpoint")) }),
  ({ browser }) => browser.close(),
);
const site = use(() =>
  startSite({
    routes: Object.fromEntries(
      PAGES.map((body, index) => [
        `/${index}`,
        { headers: { "content-type": "text/html; charset=utf-8" }, body },
      ]),
    ),
  }),
);

/** What Chromium reports about a page: scripts that it refuses, and requests that it blocks. */
async function showPage(markup: string) {
  const context = await shared.browser.newContext({ ignoreHTTPSErrors: true });
  const tab = await context.newPage();
  let refused = 0;
  let blocked = 0;
  tab.on("pageerror", ({ name }) => void (refused += name === "SyntaxError" ? 1 : 0));
  tab.on("console", (message) => void (blocked += isBlock(message.text()) ? 1 : 0));
  await tab.goto(`${site.url}${PAGES.indexOf(page(markup))}`);
  await tab.evaluate("new Promise((resolve) => setTimeout(resolve))");
  await context.close();
  return { refused, blocked };
}

const isBlock = (text: string) => text.startsWith("Mixed Content") && text.includes("blocked");

async function read(markup: string) {
  const references = new References(new URL(site.url), () => "public");
  return (await readHtml(page(markup), references)).html;
}

test.each(sampleCases(SCRIPTS))("Chromium refuses the same script: %s", async (markup) => {
  const { scriptFaults } = await read(markup);
  expect((await showPage(markup)).refused > 0).toBe(scriptFaults.length > 0);
});

test.each(sampleCases(CALLS))("Chromium blocks the same request: %s", async (markup) => {
  const { plainCalls } = await read(markup);
  const isSent = plainCalls.some(({ isAtTop }) => isAtTop);
  await expect.poll(async () => (await showPage(markup)).blocked > 0).toBe(isSent);
});
