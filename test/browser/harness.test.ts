import { chromium } from "playwright-core";
import { expect, inject, test } from "vitest";
import { expectAccessible, expectNoOverflow, visit, watchTroubles } from "../harness/browser.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const page = (body: string, head = "") => ({
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; img-src 'self'; script-src 'nonce-good'",
  },
  body: `<!doctype html><html lang="en"><head><title>Tea</title>${head}</head><body><main><h1>Tea</h1>${body}</main></body></html>`,
});

const site = use(() =>
  startSite({
    routes: {
      "/fine": page("<p>Tea, by the leaf."),
      "/missing-image": page('<img src="/none.png" alt="A tin">'),
      "/foreign-image": page('<img src="https://localhost:9/tin.png" alt="A tin">'),
      "/own-script": page("<script>document.title = 'Tin'</script>"),
      "/throws": page("<script nonce=good>throw new Error('no tea')</script>"),
      "/pale": page('<p><font color="#ccc">Tea, by the leaf.</font>'),
      "/nameless": page('<p><input type="text">'),
      "/wide": page(`<table border="1"><tr><td>${"tea".repeat(200)}</table>`),
    },
  }),
);

async function look(path: string) {
  const browser = await chromium.connect(inject("browserEndpoint"));
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const troubles = watchTroubles(context, new URL(site.url).origin);
  const opened = await context.newPage();
  await opened.goto(new URL(path, site.url).href);
  return { opened, troubles, [Symbol.asyncDispose]: () => browser.close() };
}

test.each([
  ["/missing-image", /404 for .*none\.png/],
  ["/foreign-image", /asks for https:\/\/localhost:9/],
  ["/own-script", /Content Security Policy/],
  ["/throws", /no tea/],
])("an error in %s is recorded", async (path, trouble) => {
  await using at = await look(path);
  await expect
    .poll(at.troubles, { timeout: 30_000 })
    .toContainEqual(expect.stringMatching(trouble));
});

test.fails("a test fails for errors in its pages", async () => {
  const opened = await visit(new URL(site.url).origin);
  await opened.goto("/missing-image");
});

test.each([
  ["/pale", /color-contrast/],
  ["/nameless", /label/],
])("%s is not accessible", async (path, violation) => {
  await using at = await look(path);
  await expect(expectAccessible(at.opened)).rejects.toThrow(violation);
});

test("elements that overflow a page are named", async () => {
  await using at = await look("/wide");
  await expect(expectNoOverflow(at.opened)).rejects.toThrow("<table");
});

test("a page without errors passes", async () => {
  await using at = await look("/fine");
  await expectAccessible(at.opened);
  await expectNoOverflow(at.opened);
  expect(at.troubles()).toEqual([]);
});
