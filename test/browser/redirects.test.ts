import { chromium } from "playwright-core";
import { expect, inject, onTestFinished, test } from "vitest";
import { findAnswer } from "../../server/engine/evidence/accessors.ts";
import { probePage, probeUrl } from "../harness/probing.ts";
import { type Routes, type Site, startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";
import { COUNT_CASES, LOCATION_CASES } from "./redirect-cases.ts";

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

/** Returns the text that Chromium shows, or null if it shows an error page. */
async function showInChromium(url: string): Promise<string | null> {
  const context = await shared.browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    const answer = await page.goto(url).catch(() => null);
    return answer && (await page.locator("p").innerText());
  } finally {
    await context.close();
  }
}

test.each([...LOCATION_CASES, ...COUNT_CASES])(
  "$name: checks, probes and Chromium agree",
  async ({ routes, end }) => {
    const site = await open(routes);
    const url = `https://example.com:${site.port}/start`;
    expect(await showInChromium(url)).toBe(end);
    for (const visit of [probeUrl, probePage]) {
      site.requests.length = 0;
      const evidence = await visit(url);
      const pages = site.requests.filter(({ headers }) => headers.origin === undefined);
      const asked = pages.map(({ headers, url: path }) => nameRequest(headers.host, path));
      const isShown = findAnswer(evidence)?.status === 200;
      expect(isShown).toBe(end !== null);
      if (end !== null) expect(asked).toContain(end);
    }
  },
);
