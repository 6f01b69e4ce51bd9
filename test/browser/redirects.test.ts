import { chromium } from "playwright-core";
import { expect, inject, onTestFinished, test } from "vitest";
import { probePage, probeUrl } from "../harness/probing.ts";
import { type Routes, type Site, startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";
import { sampleCases } from "../harness/thorough.ts";
import { COUNT_CASES, LOCATION_CASES, STEP_CASES } from "./redirect-cases.ts";

const HOSTS = ["example.com", "www.example.com", "xn--caf77-dsa.com"];

const shared = use(
  async () => ({ browser: await chromium.connect(inject("browserEndpoint")) }),
  ({ browser }) => browser.close(),
);

async function open(routes: Routes): Promise<Site> {
  const rest: Routes = {
    "*": ({ headers, url }, response) => {
      const type = "text/html; charset=utf-8";
      response.writeHead(200, { "content-type": type });
      response.end(`<!doctype html><title>End</title><p>${nameRequest(headers.host, url)}`);
    },
  };
  const site = await startSite({ hosts: HOSTS, routes: { ...rest, ...routes } });
  onTestFinished(() => site.close());
  return site;
}

function nameRequest(host = "", url = ""): string {
  return `${host.replace(/:\d+$/, "")}${url}`;
}

/** Returns the text that Chromium shows once it is `end` or the page is idle, or null for an error page. */
async function showInChromium(url: string, end: string | null): Promise<string | null> {
  const context = await shared.browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    const answer = await page.goto(url).catch(() => null);
    if (!answer || end === null) return answer && page.url();
    if (end === nameRequest("example.com", "/start"))
      await page.evaluate("new Promise((done) => requestIdleCallback(() => setTimeout(done)))");
    else await page.waitForFunction(`document.querySelector("p")?.innerText === "${end}"`);
    return await page.locator("p").first().innerText();
  } finally {
    await context.close();
  }
}

test.each(sampleCases([...LOCATION_CASES, ...COUNT_CASES, ...STEP_CASES]))(
  "$name: checks, probes and Chromium agree",
  async ({ routes, end }) => {
    const site = await open(routes);
    const url = `https://example.com:${site.port}/start`;
    expect(await showInChromium(url, end)).toBe(end);
    for (const visit of [probeUrl, probePage]) {
      const { page } = await visit(url);
      const last = page.hops.at(-1);
      const isShown = !page.stop && last?.status === 200;
      const shown = new URL(last?.url ?? "");
      expect(isShown).toBe(end !== null);
      if (end !== null)
        expect(nameRequest(shown.host, shown.pathname)).toBe(end.replace(/\?.*/, ""));
    }
  },
);

test.each([
  [20, true],
  [21, false],
])("a script behind %i redirects: checks and Chromium agree", async (count, isRun) => {
  const hops = Array.from({ length: count }, (_, at): [string, Routes[string]] => [
    `/${at}`,
    { status: 302, headers: { location: `/${at + 1}` } },
  ]);
  const site = await open({
    ...Object.fromEntries(hops),
    [`/${count}`]: { headers: { "content-type": "text/javascript" }, body: "document.title = 1" },
    "/start": {
      headers: { "content-type": "text/html" },
      body: '<!doctype html><title>0</title><script src="/0"></script>',
    },
  });
  const url = `https://example.com:${site.port}/start`;
  const context = await shared.browser.newContext({ ignoreHTTPSErrors: true });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  expect(await page.title()).toBe(isRun ? "1" : "0");
  const { assets } = await probeUrl(url);
  expect(assets.map(({ failure }) => failure === null)).toEqual([isRun]);
});
