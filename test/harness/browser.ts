import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium, type BrowserContext, type Locator, type Page } from "playwright-core";
import { expect, inject, onTestFinished } from "vitest";
import { signIn } from "./application.ts";
import { ROOT } from "./package.ts";
import type { Person } from "./people.ts";
import type { TestServer } from "./server.ts";

export interface Reader {
  language: "fr" | "en";
  scheme: "light" | "dark";
  /** In CSS pixels. */
  width: 320 | 1280;
  hasScript: boolean;
}

const ANYBODY: Reader = { language: "en", scheme: "light", width: 1280, hasScript: true };
const HEIGHT = 900;
const ACTION_TIMEOUT_MS = 60_000;
const MAX_STOPS = 60;
const require = createRequire(import.meta.url);
/** A browser parses `axe.min.js` in half the time of `axe.js`. */
const axe = require("axe-core/axe.min.js") as { source: string };
const SCREENSHOTS = join(ROOT, "dist/screenshots");
const MAX_SCREENSHOT_HEIGHT = 4000;

let visitors = 0;

const LOCALES = { fr: "fr-FR", en: "en-GB" };

/** All rules of axe except the experimental ones. */
const ACCESSIBILITY = "wcag2a wcag2aa wcag21a wcag21aa wcag22a wcag22aa best-practice".split(" ");

/**
 * Opens a blank page in a new browser context that knows the server at `origin`. The test fails if one of its pages logs an error, or
 * violates its Content-Security-Policy. It also fails if a page requests a missing file or another server.
 */
export async function visit(origin: string, reader: Partial<Reader> = {}): Promise<Page> {
  const { language, scheme, width, hasScript } = { ...ANYBODY, ...reader };
  const browser = await chromium.connect(inject("browserEndpoint"));
  onTestFinished(() => browser.close());
  const context = await browser.newContext({
    baseURL: origin,
    locale: LOCALES[language],
    colorScheme: scheme,
    viewport: { width, height: HEIGHT },
    javaScriptEnabled: hasScript,
    ignoreHTTPSErrors: true,
    // A server that trusts this machine's proxies counts each context as another visitor.
    extraHTTPHeaders: { "x-forwarded-for": `198.51.100.${++visitors}` },
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const troubles = watchTroubles(context, origin);
  onTestFinished(() => expect(troubles()).toEqual([]));
  return context.newPage();
}

/** Like `visit`, but with the person's session. */
export async function visitAs(
  server: TestServer,
  person: Person,
  reader: Partial<Reader> = {},
): Promise<Page> {
  const page = await visit(server.url, reader);
  const { cookies } = await signIn(server, person);
  await page
    .context()
    .addCookies([...cookies].map(([name, value]) => ({ name, value, url: server.url })));
  return page;
}

/** Records errors in a context from now on; the returned function lists them. */
export function watchTroubles(context: BrowserContext, origin: string): () => string[] {
  const troubles: string[] = [];
  context.on("weberror", (error) => troubles.push(String(error.error())));
  context.on("console", (message) => {
    const isOfResponse = message.text().startsWith("Failed to load resource: the server responded");
    if (["error", "warning"].includes(message.type()) && !isOfResponse)
      troubles.push(message.text());
  });
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) troubles.push(`asks for ${request.url()}`);
  });
  context.on("response", (response) => {
    const request = response.request();
    // A page or a fetch may fail: the user sees a failed page, and the script handles a failed fetch.
    const isSeen = request.isNavigationRequest() || request.resourceType() === "fetch";
    if (response.status() >= 400 && !isSeen)
      troubles.push(`${response.status()} for ${response.url()}`);
  });
  return () => troubles;
}

const expectNone = (faults: string[]) => expect(faults, faults.join("\n\n")).toEqual([]);

export async function expectAccessible(page: Page): Promise<void> {
  if (await page.evaluate<boolean>("!globalThis.axe")) await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly: ACCESSIBILITY, resultTypes: ["violations"] });
  const { violations } = await page.evaluate<{
    violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
  }>(`axe.run(document, ${options})`);
  expectNone(
    violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
    ),
  );
}

export async function expectNoOverflow(page: Page): Promise<void> {
  const outside = await page.evaluate<string[]>(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll("body *")]
      .filter((each) => each.getBoundingClientRect().right > clientWidth + 0.5)
      .map((each) => each.outerHTML.slice(0, 120));
  })()`);
  expectNone(outside);
}

/** Expects that no table label and no number breaks in the middle. */
export async function expectWholeWords(page: Page): Promise<void> {
  const broken = await page.evaluate<string[]>(`(() => {
    const isBroken = (range) => new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
    const rangeOf = (node, start, end) => {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      return range;
    };
    const textOf = (node) => (node.firstChild ? textOf(node.firstChild) : node);
    const labels = [...document.querySelectorAll("tbody th")].map(textOf);
    const words = labels.flatMap((text) =>
      [...text.data.matchAll(/[\\p{L}\\d]+/gu)].map(({ 0: word, index }) => ({
        word,
        range: rangeOf(text, index, index + word.length),
      })),
    );
    const figures = [...document.querySelectorAll(".word")].map((figure) => ({
      word: figure.textContent,
      range: rangeOf(figure, 0, figure.childNodes.length),
    }));
    return [...words, ...figures].filter(({ range }) => isBroken(range)).map(({ word }) => word);
  })()`);
  expectNone(broken);
}

/** Moves the focus with Tab until it reaches the element. Expects the focus to be visible at each stop. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    await page.keyboard.press("Tab");
    const hidden = await page.evaluate<string[]>(`(() => {
      const { activeElement, body } = document;
      const { outlineStyle, outlineWidth } = getComputedStyle(activeElement);
      const isSeen = outlineStyle !== "none" && outlineWidth !== "0px";
      return isSeen || activeElement === body ? [] : [activeElement.outerHTML.slice(0, 120)];
    })()`);
    expectNone(hidden);
    if (await target.evaluate((each) => each === each.ownerDocument.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

/** With `--mode all`, saves a screenshot in dist/screenshots, for people to look at. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (!inject("isThorough")) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  const { width = 0 } = page.viewportSize() ?? {};
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  await page.screenshot({
    path: join(SCREENSHOTS, `${name}-${width}.png`),
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, MAX_SCREENSHOT_HEIGHT) },
  });
}

const PHONE = { width: 320, scheme: "light" } as const;
const DESK = { width: 1280, scheme: "dark" } as const;
const VIEWS = [PHONE, DESK, { ...PHONE, scheme: "dark" }, { ...DESK, scheme: "light" }] as const;

/**
 * Expects the page to be accessible and without horizontal scrolling. A French page has phone width, an English page desktop width. With
 * `--mode all`, tests each page at both widths, in light and dark, and saves screenshots.
 */
export async function expectGoodPage(page: Page, name: string): Promise<void> {
  const language = await page.locator("html").getAttribute("lang");
  const usual = language === "fr" ? PHONE : DESK;
  for (const { width, scheme } of inject("isThorough") ? VIEWS : [usual]) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme: scheme });
    await expectAccessible(page);
    await expectNoOverflow(page);
    await saveScreenshot(page, `${name}-${scheme}`);
  }
}
