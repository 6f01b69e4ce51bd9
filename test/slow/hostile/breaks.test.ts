import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Cut, startCuttingNetwork, startHostileSite } from "../../hostile/hostile-site.ts";
import { findingsOf, visitSafely } from "../../hostile/promises.ts";
import { startVisitor, type Visitor } from "../../hostile/visitor.ts";
import { answerOf } from "../../hostile/writing.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const ANSWER = Buffer.from(
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n\r\n",
);
const HEAD_BYTES = ANSWER.indexOf("\r\n\r\n") + 4;
const AT_ONCE = 8;

let visitor: Visitor;

beforeAll(async () => {
  visitor = await startVisitor();
});
afterAll(() => visitor.close());

async function visitCut(sentBytes: number, how: "reset" | "end"): Promise<string> {
  const site = await startHostileSite((socket, { reset }) =>
    socket.write(ANSWER.subarray(0, sentBytes), () => (how === "reset" ? reset() : socket.end())),
  );
  const { evidence } = await visitSafely(visitor, site);
  await site.close();
  return evidence.page.failure?.phase ?? evidence.page.body?.state ?? "nothing";
}

test.each(["end", "reset"] as const)(
  "a connection that ends by %s at any byte of the answer gives no answer, or a cut body",
  async (how) => {
    const seen: string[] = [];
    while (seen.length < ANSWER.length) {
      const next = Array.from({ length: AT_ONCE }, (_, index) => seen.length + index);
      const cuts = next.filter((bytes) => bytes < ANSWER.length);
      seen.push(...(await Promise.all(cuts.map((bytes) => visitCut(bytes, how)))));
    }
    expect(new Set(seen.slice(0, HEAD_BYTES))).toEqual(new Set(["response"]));
    const afterwards = how === "end" ? ["cut_short"] : ["cut_short", "response"];
    expect(afterwards).toEqual(expect.arrayContaining(seen.slice(HEAD_BYTES)));
  },
);

test.each<[string, Cut]>([
  ["before the ServerHello", { records: 0, isPart: false, ending: "end" }],
  ["in the ServerHello", { records: 0, isPart: true, ending: "end" }],
  ["in the certificate", { records: 3, isPart: true, ending: "end" }],
  ["after the handshake", { records: 8, isPart: false, ending: "end" }],
  ["in the record of the answer", { records: 8, isPart: true, ending: "end" }],
  ["by reset before the ServerHello", { records: 0, isPart: false, ending: "reset" }],
  ["by reset in the certificate", { records: 3, isPart: true, ending: "reset" }],
  ["by reset after the handshake", { records: 8, isPart: false, ending: "reset" }],
  ["by reset in the record of the answer", { records: 8, isPart: true, ending: "reset" }],
])("a connection that ends %s means that the site is down", async (_name, cut) => {
  const honest = await startHostileSite((socket) => socket.write(answerOf("<p>Hello.")));
  const network = await startCuttingNetwork(honest, cut);
  const report = await visitSafely(visitor, network);
  await Promise.all([network.close(), honest.close()]);
  expect(report.evidence.page).toMatchObject({ hops: [], body: null });
  expect(findingsOf(report)["reach.connect"]).toBe("fail");
});
