import { type Browser, chromium } from "playwright-core";
import { expect, inject, test } from "vitest";
import { HTTP1_CASES, SHOWN_AS_SOURCE, WITHOUT_STATUS_LINE } from "../harness/http1-cases.ts";
import { RAW_TEXT, type RawAnswerCase, startRawSite } from "../harness/raw-answers.ts";
import { probeUrl } from "../harness/probing.ts";
import { use } from "../harness/use.ts";
import { sampleCases } from "../harness/thorough.ts";
import { judge } from "../../server/engine/judge/score.ts";

const shared = use(
  async () => ({
    browser: await chromium.connect(inject("browserEndpoint")),
    site: await startRawSite(HTTP1_CASES),
  }),
  async ({ browser, site }) => {
    await browser.close();
    await site.close();
  },
);

/** How long a page that breaks off, or never ends, has to show what came. */
const WAIT_MS = 3000;

async function readChromium(browser: Browser, url: string): Promise<RawAnswerCase["chromium"]> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    const opening = page.goto(url, { waitUntil: "commit" });
    if ((await opening.catch(() => null)) === null) return "refused";
    await page.waitForLoadState("domcontentloaded", { timeout: WAIT_MS }).catch(() => undefined);
    const text = await page.evaluate<string>("document.body?.innerText ?? ''");
    if (!text.includes(RAW_TEXT)) return "refused";
    return text.includes("<p>") ? "text" : "shown";
  } finally {
    await context.close();
  }
}

async function readOurs(url: string): Promise<"shown" | "refused"> {
  const { rows } = judge(await probeUrl(url));
  const statuses = rows
    .filter(({ row }) => ["reach.connect", "redir.chain", "reach.html"].includes(row.id))
    .map(({ judgement }) => judgement.status);
  return statuses.every((status) => status === "pass") ? "shown" : "refused";
}

const AT_ONCE = 2;

test("the check reads each answer as Chromium does", async () => {
  const cases = sampleCases(HTTP1_CASES.filter(({ name }) => name !== SHOWN_AS_SOURCE));
  const waiting = [...cases];
  const found = new Map<string, readonly [chromium: string, ours: string]>();
  const compare = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const url = `https://127.0.0.1:${shared.site.port}/${next.name}`;
      found.set(next.name, [await readChromium(shared.browser, url), await readOurs(url)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compare));
  const expected = cases.map(({ name, chromium: known }) => {
    const isPage = known === "shown" && !WITHOUT_STATUS_LINE.includes(name);
    return [name, isPage ? ["shown", "shown"] : ["refused", "refused"]] as const;
  });
  expect(cases.map(({ name }) => [name, found.get(name)])).toEqual(expected);
}, 600_000);
