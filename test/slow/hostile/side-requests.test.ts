import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type HostileSite, startHostileSite } from "../../hostile/hostile-site.ts";
import { findingsOf, visitSafely } from "../../hostile/promises.ts";
import { answerBeside, type Side, SIDES, WAITING } from "../../hostile/side-requests.ts";
import { startVisitor, type Report, type Visitor } from "../../hostile/visitor.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let patient: Visitor;
let visitor: Visitor;
const visits = new Map<Side, Promise<Report>>();

beforeAll(async () => {
  [patient, visitor] = await Promise.all([startVisitor(), startVisitor()]);
  for (const side of WAITING) {
    const visited = visitSide(patient, side);
    visited.catch(() => undefined);
    visits.set(side, visited);
  }
});
afterAll(() => Promise.all([patient.close(), visitor.close()]));

async function visitSide(by: Visitor, side: Side): Promise<Report> {
  const site: HostileSite = await startHostileSite(answerBeside(side, () => site.port));
  const report = await visitSafely(by, site);
  await site.close();
  return report;
}

describe("next to a good page,", () => {
  test.each([...SIDES, ...WAITING])("$name", async (side) => {
    const report = await (visits.get(side) ?? visitSide(visitor, side));
    expect(report.evidence).toMatchObject(side.seen);
    expect(findingsOf(report)).toMatchObject({ "reach.status": "pass", "reach.html": "pass" });
  });
});
