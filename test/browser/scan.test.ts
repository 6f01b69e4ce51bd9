import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest";
import {
  expectAccessible,
  expectNoOverflow,
  expectWholeWords,
  type Reader,
  tabTo,
  saveScreenshot,
  visit,
} from "../harness/browser.ts";
import { startTestServer } from "../harness/server.ts";
import { getAuthority, startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";
import { WORDS } from "./scan-words.ts";
import { NO_FILES, startSlowSite } from "../harness/slow-site.ts";

const READERS: readonly Reader[] = [
  { language: "fr", scheme: "light", width: 320, hasScript: true },
  { language: "en", scheme: "dark", width: 1280, hasScript: true },
  { language: "en", scheme: "light", width: 320, hasScript: false },
  { language: "fr", scheme: "dark", width: 1280, hasScript: false },
];

const nameOf = ({ language, scheme, width, hasScript }: Reader) =>
  `${language}-${scheme}-${width}-${hasScript ? "script" : "plain"}`;

/** What a hostile site says of itself. */
const HOSTILE = "<script>alert(1)</script>";
const HOSTILE_PAGE = {
  headers: {
    "content-type": "text/html; charset=utf-8",
    "x-powered-by": `PHP/8.1.2 "><img src=x onerror=alert(2)>${HOSTILE}`,
    "set-cookie": `session${HOSTILE.replaceAll(/[^a-z]/g, "")}=1`,
  },
  body: `<!doctype html><title>${HOSTILE.replaceAll("<", "&lt;")}</title><img src="http://localhost/${encodeURIComponent(HOSTILE)}"><a href="/${HOSTILE}">tea</a>`,
};

const site = use(() => startSlowSite(NO_FILES));
const hostile = use(() => startSite({ routes: { "/": HOSTILE_PAGE } }));
const server = use(async () =>
  startTestServer({
    roots: [(await getAuthority()).certificate],
    env: { SHIPSCORE_PUBLIC_SCAN: "1", SHIPSCORE_TRUSTED_PROXIES: "127.0.0.0/8" },
  }),
);
afterAll(async () => {
  site.release();
});

/** Starts a server with a certificate of its own, which outlives the browser of a test. */
async function startOwnHttps(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sc-https-"));
  const authority = await getAuthority();
  const { cert, key } = await authority.issue({ hosts: ["127.0.0.1"] });
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
  const own = await startTestServer({
    roots: [authority.certificate],
    env: {
      SHIPSCORE_PUBLIC_SCAN: "1",
      SHIPSCORE_TLS_CERT: files.cert,
      SHIPSCORE_TLS_KEY: files.key,
    },
  });
  onTestFinished(async () => {
    await own.close();
    await rm(folder, { recursive: true });
  });
  return own.url;
}

async function expectGood(page: Page, name: string, reader: Reader): Promise<void> {
  // Without timers axe does not end.
  if (reader.hasScript) await expectAccessible(page);
  await expectNoOverflow(page);
  await saveScreenshot(page, `${name}-${nameOf(reader)}`);
}

const expectMissing = async (page: Page, address: string, words: { missing: string }) => {
  expect((await page.goto(address))?.status()).toBe(404);
  await page.getByRole("heading", { name: words.missing }).waitFor();
};

describe.each(READERS.map((reader) => [nameOf(reader), reader] as const))("%s", (name, reader) => {
  const words = WORDS[reader.language];

  test("an address that may not be visited stays in its field, with the reason", async () => {
    const page = await visit(server.url, reader);
    await page.goto("/");
    const typed = 'https://10.0.0.7/?q="><b>';
    await page.getByLabel(words.address).fill(typed);
    await page.getByRole("button", { name: words.scan, exact: true }).click();
    const field = page.locator("[aria-invalid=true]");
    await field.waitFor();
    expect(await field.getAttribute("name")).toBe("url");
    expect(await field.inputValue()).toBe(typed);
    const notes = (await field.getAttribute("aria-describedby")) ?? "";
    const [reason = ""] = notes.split(" ");
    expect(await page.locator(`#${reason}`).innerText()).toMatch(words.refused);
    await expectGood(page, "refused", reader);
  });

  test("a user scans a page, shares its report and deletes it", async () => {
    const page = await visit(server.url, reader);
    await page.goto("/");
    await expectGood(page, "home", reader);

    site.hold();
    await page.getByLabel(words.address).fill(`${site.url}${name}?token=sesame`);
    await page.getByRole("button", { name: words.scan, exact: true }).click();
    await page.waitForURL(/\/scan\/[^/]+$/);
    const live = page.getByRole("status");
    await (reader.hasScript ? live.filter({ hasText: words.visiting }) : live).waitFor();
    await saveScreenshot(page, `running-${name}`);
    site.release();

    const link = page.getByLabel(words.link);
    await link.waitFor();
    const address = await link.inputValue();
    expect(address).toBe(page.url());
    expect(await page.content()).not.toContain("sesame");
    await expectGood(page, "report", reader);
    await expectWholeWords(page);

    const other = await visit(server.url, reader);
    await other.goto(address);
    await other.getByLabel(words.link).waitFor();
    expect(await other.getByRole("link", { name: words.deleteReport }).count()).toBe(0);

    await page.getByRole("link", { name: words.deleteReport }).click();
    await page.getByRole("button", { name: words.delete }).click();
    await page.waitForURL((url) => !url.pathname.includes("/scan/"));
    await expectMissing(page, address, words);
    await expectMissing(other, address, words);
  });
});

describe("in English", () => {
  const words = WORDS.en;

  test("everything works by keyboard alone", async () => {
    const page = await visit(server.url);
    await page.goto("/");
    await tabTo(page, page.getByLabel(words.address));
    await page.keyboard.type(`${site.url}keyboard`);
    await page.keyboard.press("Enter");
    await page.getByLabel(words.link).waitFor();
    const address = page.url();
    const again = page.getByRole("button", { name: /^Scan again \(\d+ s\)$/ });
    await again.waitFor();
    expect(await again.isDisabled()).toBe(true);
    await tabTo(page, page.getByRole("link", { name: "Skip to content" }));
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    const command = page.getByRole("button", { name: /^Copy .*command/i });
    await tabTo(page, command);
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
    const passed = page.locator("details").first();
    await tabTo(page, passed.locator("summary"));
    for (const isOpen of [true, false]) {
      await page.keyboard.press("Enter");
      expect(await passed.locator("summary ~ *").first().isVisible()).toBe(isOpen);
    }
    await tabTo(page, page.getByRole("link", { name: words.deleteReport }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: words.deleteReport }).waitFor();
    await tabTo(page, page.getByRole("button", { name: words.delete }));
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !url.pathname.includes("/scan/"));
    await expectMissing(page, address, words);
  });

  test("the link for deletion works in another browser, and needs a confirmation", async () => {
    const page = await visit(server.url);
    await page.goto("/");
    await page.getByLabel(words.address).fill(`${site.url}link`);
    await page.getByLabel(words.address).press("Enter");
    const deleteLink = (await page.locator("#delete-link").getAttribute("href")) ?? "";
    const address = page.url();

    const other = await visit(server.url);
    await other.goto(deleteLink);
    await expectAccessible(other);
    expect((await page.goto(address))?.status()).toBe(200);

    await other.getByRole("button", { name: words.delete }).click();
    await other.waitForURL((url) => !url.pathname.includes("/scan/"));
    await expectMissing(page, address, words);
    await expectMissing(other, deleteLink, words);
  });

  test("seven tabs over HTTP/1.1 all show a scan's progress, and its report", async () => {
    const browser = await chromium.connect(inject("browserEndpoint"));
    onTestFinished(() => browser.close());
    const context = await browser.newContext({
      baseURL: await startOwnHttps(),
      locale: "en-GB",
      ignoreHTTPSErrors: true,
    });
    site.hold();
    const first = await context.newPage();
    await first.goto("/");
    const protocol = await first.evaluate("performance.getEntries()[0].nextHopProtocol");
    expect(protocol).toBe("http/1.1");
    await first.getByLabel(words.address).fill(`${site.url}tabs`);
    await first.getByLabel(words.address).press("Enter");
    await first.waitForURL(/\/scan\/[^/]+$/);
    const tabs = [first];
    while (tabs.length < 7) {
      const tab = await context.newPage();
      await tab.goto(first.url());
      tabs.push(tab);
    }
    // On a busy machine the last tabs may come to the report at once.
    const report = (tab: Page) => tab.getByLabel(words.link);
    for (const tab of tabs) {
      const visiting = tab.getByRole("status").filter({ hasText: words.visiting });
      await visiting.or(report(tab)).first().waitFor();
    }
    site.release();
    for (const tab of tabs) await report(tab).waitFor();
    await first.getByRole("link", { name: words.deleteReport }).click();
    await first.getByRole("button", { name: words.delete }).click();
    await first.waitForURL((url) => !url.pathname.includes("/scan/"));
  });

  test("a site's own texts stay text", async () => {
    const page = await visit(server.url);
    page.on("dialog", (dialog) => expect.fail(dialog.message()));
    await page.goto("/");
    await page.getByLabel(words.address).fill(hostile.url);
    await page.getByLabel(words.address).press("Enter");
    await page.getByLabel(words.link).waitFor();
    expect(await page.locator("main").innerText()).toContain(HOSTILE);
    expect(await page.locator("main script, main img:not([src^='/scan/'])").count()).toBe(0);
    await saveScreenshot(page, "hostile");
  });
});
