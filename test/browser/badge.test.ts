import { chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { setBadge } from "../../server/projects/badges.ts";
import { renderBadge } from "../../server/web/pages/public/badge.ts";
import { Verdict } from "../../shared/check.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { startSite, type Site } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const server = use(startTestServer);
/** A page of somebody else, which embeds only what says that it may be. */
let site: Site;
let badge: string;
let page: Page;

beforeAll(async () => {
  const project = await addProject(server, await addPerson(server, "alice"), "https://127.0.0.1/");
  badge = `${server.url}${await setBadge(server.deps, OPERATOR, project, true)}`;
  const headers = { "content-type": "text/html", "cross-origin-embedder-policy": "require-corp" };
  const body = `<!doctype html><title>t</title><img id="badge" src="${badge}"><img id="icon" src="${server.url}/favicon.svg">`;
  site = await startSite({ routes: { "/": { headers, body } } });
});
afterAll(async () => {
  await site.close();
});
beforeEach(async () => {
  const browser = await chromium.connect(inject("browserEndpoint"));
  onTestFinished(() => browser.close());
  page = await browser.newPage({ ignoreHTTPSErrors: true });
});

test("a page of any site can show the badge, and nothing else of the server", async () => {
  await page.goto(site.url);
  const widthOf = (id: string) =>
    page.evaluate<number>(`document.getElementById("${id}").naturalWidth`);
  expect([await widthOf("badge"), await widthOf("icon")]).toEqual([133, 0]);
});

test.each<[score: number | null, verdict: Verdict | null]>([
  [null, null],
  ...Verdict.options.flatMap((verdict) =>
    [7, 92, 100].map((score): [number, Verdict] => [score, verdict]),
  ),
])(
  "the texts %s, %s stay inside their halves, in the available typeface",
  async (score, verdict) => {
    await page.setContent(renderBadge({ score, verdict }));
    const [badgeBox, half, label, words] = await page.evaluate<{ left: number; right: number }[]>(
      `[...document.querySelectorAll("svg, path, text")].map((each) => each.getBoundingClientRect().toJSON())`,
    );
    expect(label?.left).toBeGreaterThan((badgeBox?.left ?? 0) + 4);
    expect(label?.right).toBeLessThan((half?.left ?? 0) - 4);
    expect(words?.left).toBeGreaterThan((half?.left ?? 0) + 4);
    expect(words?.right).toBeLessThan((half?.right ?? 0) - 4);
  },
);
