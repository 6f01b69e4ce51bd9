import { getEventListeners } from "node:events";
import { afterEach, expect, test } from "vitest";
import { startScan, type ScanOrder } from "../../server/scan/scan-request.ts";
import { deleteScan, findScan, watchScan } from "../../server/scan/scans.ts";
import { useServer } from "../harness/server.ts";
import { startSlowSite } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const site = use(startSlowSite);
const server = useServer();
afterEach(() => site.release());

const scan = (path: string, visitor: string, asked: Partial<ScanOrder> = {}) =>
  startScan(server.deps, { url: `${site.url}${path}`, again: false, ...asked }, visitor);

async function watch(id: string) {
  const seen = [];
  for await (const step of watchScan(server.deps, id, AbortSignal.timeout(60_000))) seen.push(step);
  return seen;
}

test("a scan runs, and anyone who knows its id can read it in both languages", async () => {
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

/** How many listeners and other signals a signal keeps. */
const sizeOf = (signal: AbortSignal) =>
  Object.getOwnPropertySymbols(signal)
    .map((symbol) => Reflect.get(signal, symbol) as { size?: unknown } | undefined)
    .reduce(
      (sum, kept) => sum + Number(kept?.size ?? 0),
      getEventListeners(signal, "abort").length,
    );

test("a visitor who follows a scan leaves no listener in the process", async () => {
  const { draining, news } = server.deps;
  site.hold();
  const started = await scan("watched", "192.0.2.2");
  const before = [sizeOf(draining), news.listenerCount("changed")];
  const watching = new AbortController();
  const changing = setInterval(() => news.emit("changed", started.id), 10);
  setTimeout(() => watching.abort(), 500);
  for await (const _ of watchScan(server.deps, started.id, watching.signal));
  clearInterval(changing);
  expect([sizeOf(draining), news.listenerCount("changed")]).toEqual(before);
});
