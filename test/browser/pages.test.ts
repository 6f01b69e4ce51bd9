import { afterAll, beforeAll, describe, test } from "vitest";
import { expectGoodPage, visit } from "../harness/browser.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe.each(["fr", "en"] as const)("in %s", (language) => {
  test.each([
    ["rules", "/docs/rules"],
    ["about", "/about/checks"],
    ["missing", "/nothing"],
  ])("%s", async (name, path) => {
    const page = await visit(server.url, { language });
    await page.goto(path);
    await expectGoodPage(page, `${name}-${language}`);
  });
});
