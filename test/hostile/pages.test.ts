import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ONE_IN } from "../harness/thorough.ts";
import { startHostileSite } from "./hostile-site.ts";
import { HEADER_TRAPS, PAGES } from "./pages.ts";
import { findingsOf, visitSafely } from "./promises.ts";
import { startVisitor, type Report, type Visitor } from "./visitor.ts";
import { answerOf } from "./writing.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let visitor: Visitor;

beforeAll(async () => {
  visitor = await startVisitor();
});
afterAll(() => visitor.close());

async function visitPage(body: string | Buffer, lines: readonly string[]): Promise<Report> {
  const answer = answerOf(body, ...lines);
  const site = await startHostileSite((socket) => socket.write(answer));
  const report = await visitSafely(visitor, site);
  await site.close();
  expect(findingsOf(report)).toMatchObject({ "reach.connect": "pass", "reach.status": "pass" });
  return report;
}

/** A few of each kind, which stand one after another. */
const thin = <Trap>(traps: readonly Trap[]) => traps.filter((_, index) => index % ONE_IN === 0);

describe("a page of", () => {
  test.each(thin(PAGES))("$name", async ({ body, lines = [], read, html }) => {
    const { evidence } = await visitPage(body, lines);
    if (read) expect(evidence.page.body).toMatchObject(read);
    if (html) expect(evidence.page.body?.html).toMatchObject(html);
  });
});

describe("a header designed to be slow to read:", () => {
  test.each(thin(HEADER_TRAPS))("%s", async (_name, ...lines) => {
    await visitPage("<!doctype html><title>Hello</title><p>Hello.", lines);
  });
});
