import { afterAll, beforeAll, expect, test } from "vitest";
import { startScan, type AskedScan } from "../../server/scan/start.ts";
import { deleteScan, findScan, watchScan } from "../../server/scan/scans.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { startSlowSite, type SlowSite } from "../harness/slow-site.ts";

let site: SlowSite;
let server: TestServer;

beforeAll(async () => {
  site = await startSlowSite();
  server = await startTestServer({ roots: [site.authority.certificate] });
});
afterAll(async () => {
  await server.close();
  await site.close();
});

const scan = (path: string, visitor: string, asked: Partial<AskedScan> = {}) =>
  startScan(
    server.deps,
    { url: `${site.url}${path}`, again: false, isScripted: true, ...asked },
    visitor,
  );

async function watch(id: string) {
  const seen = [];
  for await (const step of watchScan(server.deps, id, AbortSignal.timeout(60_000))) seen.push(step);
  return seen;
}

test("a scan runs, and is read in both languages by whoever knows its id", async () => {
  const started = await scan("page?token=secret", "192.0.2.1");
  expect(started).toMatchObject({ url: `${site.url}page?token=***`, isReused: false });
  const seen = await watch(started.id);
  expect(seen.at(-1)).toMatchObject({ id: started.id, state: "done" });
  const [fr, en] = await Promise.all([
    findScan(server.sql, started.id, "fr"),
    findScan(server.sql, started.id, "en"),
  ]);
  expect(fr?.check?.score).toBe(en?.check?.score);
  expect(fr?.check?.findings[0]?.title).not.toBe(en?.check?.findings[0]?.title);
  expect(fr).not.toHaveProperty("check.quota");
  await deleteScan(server.deps, started.id, started.deleteKey ?? "");
  expect(await findScan(server.sql, started.id, "fr")).toBeUndefined();
  expect(await server.sql`select from checks where kind = 'scan'`).toEqual([]);
});
