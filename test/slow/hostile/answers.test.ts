import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ANSWERS } from "../../hostile/answers.ts";
import { startHostileSite } from "../../hostile/hostile-site.ts";
import { findingsOf, visitSafely } from "../../hostile/promises.ts";
import { startVisitor, type Visitor } from "../../hostile/visitor.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe("a site that answers every request with", () => {
  let visitor: Visitor;

  beforeAll(async () => {
    visitor = await startVisitor();
  });
  afterAll(() => visitor.close());

  test.each(ANSWERS)("$name", async ({ answer, expected }) => {
    const site = await startHostileSite(answer);
    const report = await visitSafely(visitor, site);
    await site.close();
    expect(findingsOf(report)).toMatchObject(expected.findings);
    expect(report.evidence.page.body?.state).toBe(expected.body);
    if (expected.findings["reach.connect"] === "fail") expect(report.result.score).toBe(0);
  });
});
