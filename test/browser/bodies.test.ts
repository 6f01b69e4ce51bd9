import { chromium } from "playwright-core";
import { afterAll, expect, inject, test } from "vitest";
import { BREAK_CASES, CODING_CASES, pathOf, routesOf, type Shown } from "../harness/body-cases.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";
import { sampleCases } from "../harness/thorough.ts";

const CASES = { ...CODING_CASES, ...BREAK_CASES };

const shared = use(
  async () => ({ browser: await chromium.connect(inject("browserEndpoint")) }),
  ({ browser }) => browser.close(),
);
const site = use(() => startSite({ routes: routesOf(CASES) }));

afterAll(() => expect(Object.keys(CASES).length).toBeGreaterThan(50));

function shownIn(text: string): Shown {
  if (!text.includes("START")) return "nothing";
  return text.includes("END") ? "whole" : "part";
}

/** The page's load event never comes for some of the answers, so the text is read once the transfer has ended. */
test.each(sampleCases(Object.entries(CASES)))("Chromium shows %s", async (name, { shown }) => {
  const context = await shared.browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const isOver = Promise.race([
    page.waitForEvent("requestfinished"),
    page.waitForEvent("requestfailed"),
  ]);
  await page.goto(site.url + pathOf(name).slice(1), { waitUntil: "commit" }).catch(() => undefined);
  await isOver;
  const read = () =>
    page
      .evaluate<string>("document.documentElement?.innerText ?? ''")
      .then(shownIn)
      .catch(() => "nothing" as const);
  await expect.poll(read).toBe(shown);
  await context.close();
});
