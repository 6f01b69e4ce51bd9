import { afterEach, describe, expect, inject, test } from "vitest";
import { deleteScan, findScan, watchScan, type Scan } from "../../server/scan/scans.ts";
import { startScan } from "../../server/scan/scan-request.ts";
import { startTestServer, useServer, type TestServer } from "../harness/server.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";
import { valueOf } from "../harness/rows.ts";

const AT_ONCE = 2;
const settings = { SHIPSCORE_SCANS_AT_ONCE: String(AT_ONCE) };

let page = 0;
let visitor = 0;

const site = use(startSlowSite);
const server = useServer({ env: settings });
afterEach(async () => {
  site.release();
  await server.sql`delete from scan_starts`;
  await waitUntil("all have ended", async () => (await countIn("waiting", "running")) === 0);
});

const scan = (path = `${++page}`, of: TestServer = server) =>
  startScan(of.deps, { url: `${site.url}${path}`, again: false }, `192.0.2.${++visitor}`);

const stateOf = async (id: string) => (await findScan(server.sql, id, "fr"))?.state;
const isRunning = (id: string) =>
  waitUntil("it runs", async () => (await stateOf(id)) === "running");
const isVisiting = (id: string) =>
  waitUntil("it visits", async () => (await findScan(server.sql, id, "fr"))?.step === "visiting");
const isDone = (id: string) => waitUntil("it is done", async () => (await stateOf(id)) === "done");

const countIn = (...states: Scan["state"][]) =>
  valueOf<number>(server.sql`
  select count(*)::int as count from scans where state = any(string_to_array(${states.join(" ")}, ' '))`);

const countChecks = () =>
  valueOf<number>(server.sql`
  select count(*)::int as count from checks where kind = 'scan'`);

async function watch(id: string): Promise<Scan[]> {
  const seen: Scan[] = [];
  for await (const each of watchScan(server.deps, id, AbortSignal.timeout(60_000))) seen.push(each);
  return seen;
}

/** A second server on the same Postgres. */
const startOther = () => startTestServer({ env: settings, database: server.database });

test("as many scans run as allowed, the others wait in order, and each shows its end", async () => {
  site.hold();
  const started = [];
  for (let count = 0; count < AT_ONCE + 3; count++) {
    started.push((await scan()).id);
    if (count < AT_ONCE) await isVisiting(started[count] ?? "");
  }
  const seen = await Promise.all(started.map((id) => findScan(server.sql, id, "fr")));
  expect(seen.map((each) => [each?.state, each?.position])).toEqual([
    ["running", undefined],
    ["running", undefined],
    ["waiting", 1],
    ["waiting", 2],
    ["waiting", 3],
  ]);
  const watched = Promise.all([started[0] ?? "", started.at(-1) ?? ""].map(watch));
  site.release();
  const [first = [], last = []] = await watched;
  expect(first.at(-1)?.state).toBe("done");
  expect(last.map(({ state }) => state)).toEqual(
    expect.arrayContaining(["waiting", "running", "done"]),
  );
  expect(last[0]).toMatchObject({ state: "waiting", position: 3 });
  expect(last.at(-1)).not.toHaveProperty("position");
});

test("a finished scan keeps neither its exact URL nor its visitor", async () => {
  const { id } = await scan("secret?token=hunter2");
  await isDone(id);
  const [row] = await server.sql<object>`select * from scans where id = ${id}`;
  expect(row).toMatchObject({ exactUrl: null, visitor: null, url: `${site.url}secret?token=***` });
  const [check] = await server.sql<{ text: string }>`
    select row_to_json(checks)::text as text from checks where id = (select check_id from scans where id = ${id})`;
  expect(JSON.stringify(row) + check?.text).not.toContain("hunter2");
  expect(server.log.join("")).not.toContain("hunter2");
});

test("a URL that has become forbidden when its turn comes is rejected with the reason", async () => {
  site.hold();
  const running = [await scan(), await scan()];
  for (const { id } of running) await isRunning(id);
  const { id } = await scan();
  await server.sql`update scans set exact_url = 'https://10.0.0.1/' where id = ${id}`;
  site.release();
  await watch(id);
  const scanned = await findScan(server.sql, id, "en");
  expect(scanned).toMatchObject({ state: "failed", failure: expect.stringContaining("private") });
  expect(scanned).not.toHaveProperty("check");
});

describe("a deletion", () => {
  test("with another key, or of another scan, deletes nothing", async () => {
    const { id, deleteKey } = await scan();
    await isDone(id);
    const key = deleteKey ?? "";
    for (const [one, other] of [
      [id, ""],
      [id, `${key}x`],
      [id.slice(1), key],
      ["0".repeat(22), key],
      ["%00", key],
    ] as const)
      await expect(deleteScan(server.deps, one, other)).rejects.toMatchObject({
        code: "scan_not_found",
      });
    expect(await stateOf(id)).toBe("done");
  });

  test("of a finished scan deletes its check and its evidence, once", async () => {
    const before = await countChecks();
    const { id, deleteKey } = await scan();
    await isDone(id);
    expect(await countChecks()).toBe((before ?? 0) + 1);
    await deleteScan(server.deps, id, deleteKey ?? "");
    expect([await stateOf(id), await countChecks()]).toEqual([undefined, before]);
    await expect(deleteScan(server.deps, id, deleteKey ?? "")).rejects.toMatchObject({
      code: "scan_not_found",
    });
  });

  test("of a waiting scan frees its position in the queue", async () => {
    site.hold();
    const started = [await scan(), await scan(), await scan(), await scan()];
    await isRunning(started[1]?.id ?? "");
    const [, , third, last] = started;
    expect(await findScan(server.sql, last?.id ?? "", "fr")).toMatchObject({ position: 2 });
    await deleteScan(server.deps, third?.id ?? "", third?.deleteKey ?? "");
    expect(await findScan(server.sql, last?.id ?? "", "fr")).toMatchObject({ position: 1 });
    expect(await stateOf(third?.id ?? "")).toBeUndefined();
  });

  test("of a running scan ends the stream, and nothing is written afterwards", async () => {
    const before = await countChecks();
    site.hold();
    const { id, deleteKey } = await scan();
    await isVisiting(id);
    const watched = watch(id);
    await deleteScan(server.deps, id, deleteKey ?? "");
    expect((await watched).at(-1)?.state).not.toBe("done");
    expect(await countChecks()).toBe(before);
    site.release();
    const next = await scan();
    await isDone(next.id);
    expect(await stateOf(id)).toBeUndefined();
    expect(await countChecks()).toBe((before ?? 0) + 1);
  });
});

test("without the public scan, no stored scan runs", async () => {
  const closed = await startTestServer({ env: { SHIPSCORE_PUBLIC_SCAN: "0" } });
  const { id } = await scan(undefined, closed);
  const seen = await findScan(closed.sql, id, "fr");
  expect([closed.deps.config.publicScan, seen?.state]).toEqual([false, "waiting"]);
  await closed.close();
});

describe.runIf(inject("database") === "postgres")("two servers", () => {
  test("together run no more scans than allowed, and each scan once", async () => {
    const other = await startOther();
    site.hold();
    const before = site.requests.length;
    const started = [];
    for (let count = 0; count < 8; count++)
      started.push((await scan(undefined, count % 2 ? other : server)).id);
    await waitUntil("as many run as may", async () => (await countIn("running")) === AT_ONCE);
    expect(await countIn("waiting")).toBe(8 - AT_ONCE);
    site.release();
    for (const id of started) await isDone(id);
    const pages = site.requests.slice(before).map(({ url }) => url);
    for (const path of started.keys())
      expect(pages.filter((url) => url === `/${page - path}`).length).toBeGreaterThan(0);
    await other.stop();
  });

  test("share work when one shuts down: the other takes over its waiting and abandoned scans", async () => {
    const other = await startOther();
    site.hold();
    const started = [await scan(), await scan(), await scan()];
    for (const { id } of started.slice(0, AT_ONCE)) await isVisiting(id);
    other.abandonWork();
    await other.stop();
    site.release();
    for (const { id } of started) await isDone(id);
  });
});
