import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type Cut,
  type HostileSite,
  startCuttingNetwork,
  startHostileSite,
} from "../../hostile/hostile-site.ts";
import { findingsOf, visitSafely } from "../../hostile/promises.ts";
import { startVisitor, type Report, type Visitor } from "../../hostile/visitor.ts";
import { WAITS } from "../../hostile/waits.ts";
import { answerOf } from "../../hostile/writing.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Over TLS 1.3 a server sends ServerHello, a change of cipher, its extensions, certificate, signature, end and tickets. */
const CUTS: [name: string, cut: Cut, phase: string | null][] = [
  ["before its ServerHello", { records: 0, isPart: false, ending: "silence" }, "deadline"],
  ["in its ServerHello", { records: 0, isPart: true, ending: "silence" }, "deadline"],
  ["after its ServerHello", { records: 1, isPart: false, ending: "silence" }, "deadline"],
  ["in its certificate", { records: 3, isPart: true, ending: "silence" }, "deadline"],
  ["after its certificate", { records: 4, isPart: false, ending: "silence" }, "deadline"],
  ["after the handshake", { records: 8, isPart: false, ending: "silence" }, "deadline"],
  ["in the record of its answer", { records: 8, isPart: true, ending: "silence" }, "deadline"],
];

/** All at once in one process, whose memory is bounded as a whole. */
describe("a site that stalls gets a finding within 19 s: one that", () => {
  const sites: HostileSite[] = [];
  const visits = new Map<string, Promise<Report>>();
  let visitor: Visitor;

  beforeAll(async () => {
    visitor = await startVisitor();
    const honest = await startHostileSite((socket) => socket.write(answerOf("<p>Hello.")));
    for (const { name, answer } of WAITS) visit(name, await startHostileSite(answer));
    for (const [name, cut] of CUTS) visit(name, await startCuttingNetwork(honest, cut));
    sites.push(honest);
  });
  afterAll(async () => {
    await visitor.close();
    await Promise.all(sites.map((site) => site.close()));
  });

  function visit(name: string, site: HostileSite): void {
    sites.push(site);
    const visited = visitSafely(visitor, site);
    visited.catch(() => undefined);
    visits.set(name, visited);
  }

  test.each([
    ...WAITS.map(({ name, phase }) => ({ name, phase })),
    ...CUTS.map(([name, , phase]) => ({ name, phase })),
  ])("$name", async ({ name, phase }) => {
    const report = await visits.get(name);
    if (!report) throw new Error("it was not visited");
    const { failure } = report.evidence.page;
    expect(failure?.phase ?? null).toBe(phase);
    expect(findingsOf(report)["reach.connect"]).toBe(phase === null ? "pass" : "fail");
  });
});
