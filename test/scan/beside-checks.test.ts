import { afterAll, expect, test } from "vitest";
import { startScan } from "../../server/scan/scan-request.ts";
import { useServer } from "../harness/server.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

let page = 0;

const site = use(startSlowSite);
const server = useServer();
afterAll(async () => {
  site.release();
});

async function startScans(count: number): Promise<void> {
  for (let started = 0; started < count; started++) {
    const url = `${site.url}${++page}`;
    await startScan(server.deps, { url, again: false }, `192.0.2.${page}`);
  }
}

async function countIn(state: string): Promise<number> {
  const [row] = await server.sql<{ count: number }>`
    select count(*)::int as count from scans where state = ${state}`;
  return row?.count ?? 0;
}

test("one scan runs next to a check of an account, and more once the check has ended", async () => {
  // Its owner is asked once.
  await startScans(1);
  await waitUntil("the first is done", async () => (await countIn("done")) === 1);
  site.hold();

  const release = await server.deps.semaphores.checks.acquire("an account", 1000);
  await startScans(2);
  await waitUntil("one runs", async () => (await countIn("running")) === 1);
  expect(await countIn("waiting")).toBe(1);

  release();
  await startScans(3);
  await waitUntil("more than one runs", async () => (await countIn("running")) > 1);
});
