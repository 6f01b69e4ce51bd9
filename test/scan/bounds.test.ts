import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../server/base/errors.ts";
import { deleteScan } from "../../server/scan/scans.ts";
import { startScan, type ScanOrder, type StartedScan } from "../../server/scan/scan-request.ts";
import { createVet, type Vet } from "../../server/engine/net/vet.ts";
import { useServer } from "../harness/server.ts";
import { valueOf } from "../harness/rows.ts";

/** A server that runs no scan, so that all wait. */
let page = 0;
let visitor = 0;

const server = useServer({ env: { SHIPSCORE_PUBLIC_SCAN: "0" } });
beforeEach(async () => {
  await server.sql`delete from scans`;
  await server.sql`delete from scan_starts`;
});

const newPage = () => `https://127.1.${++page >> 8}.${page & 255}:8443/`;
const newVisitor = () => `10.0.${++visitor >> 8}.${visitor & 255}`;

const scan = (url: string, by: string, asked: Partial<ScanOrder> = {}) =>
  startScan(server.deps, { url, again: false, ...asked }, by);

/** The code and parameters with which a scan is refused. */
async function refusalOf(started: Promise<StartedScan>): Promise<object> {
  const error = await started.then(
    ({ id }) => new Error(`${id} was started`),
    (refusal: unknown) => refusal,
  );
  if (!(error instanceof AppError)) throw error;
  return { ...(error.parameters as object), code: error.code };
}

/** Time passes for all scans that were started. */
const pass = async (time: string) => {
  await server.sql`update scan_starts set started_at = started_at - ${time}::text::interval`;
  await server.sql`update scans set started_at = started_at - ${time}::text::interval`;
};
const endAll = () =>
  server.sql`update scans set state = 'done', exact_url = null, visitor = null where state in ('waiting', 'running')`;

/** Starts scans of the visitor that have ended. */
async function startMany(count: number, by: () => string, url = () => newPage()): Promise<void> {
  for (let index = 0; index < count; index++) {
    await scan(url(), by());
    await endAll();
  }
}

const countStarts = () =>
  valueOf<number>(server.sql`
  select count(*)::int as count from scan_starts`);

describe("a visitor", () => {
  test("starts ten scans an hour, and gets the time of the next", async () => {
    const one = newVisitor();
    await startMany(9, () => one);
    await pass("20 minutes");
    await startMany(1, () => one);
    await pass("30 minutes");
    const refusal = await refusalOf(scan(newPage(), one));
    expect(refusal).toMatchObject({ code: "scan_visitor_bound", bound: "hour", limit: 10 });
    const { retryAfterSeconds } = refusal as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(590);
    expect(retryAfterSeconds).toBeLessThanOrEqual(600);
    await scan(newPage(), newVisitor());
  });

  test("may continue after that time", async () => {
    const one = newVisitor();
    await startMany(10, () => one);
    await pass("1 hour");
    await scan(newPage(), one);
  });

  test("starts thirty scans a day", async () => {
    const one = newVisitor();
    for (let round = 0; round < 3; round++) {
      await startMany(10, () => one);
      await pass("2 hours");
    }
    const refusal = await refusalOf(scan(newPage(), one));
    expect(refusal).toMatchObject({ code: "scan_visitor_bound", bound: "day", limit: 30 });
    const { retryAfterSeconds } = refusal as { retryAfterSeconds: number };
    expect(retryAfterSeconds / 3600).toBeCloseTo(18, 1);
  });

  test("may have four scans waiting or running", async () => {
    const one = newVisitor();
    for (let count = 0; count < 4; count++) await scan(newPage(), one);
    const fifth = newPage();
    const bound = { bound: "at_once", limit: 4, retryAfterSeconds: 10 };
    expect(await refusalOf(scan(fifth, one))).toEqual({ code: "scan_visitor_bound", ...bound });
    await endAll();
    expect(await scan(fifth, one)).toMatchObject({ isReused: false });
  });

  test("gets no more scans by deleting earlier ones", async () => {
    const one = newVisitor();
    for (let count = 0; count < 10; count++) {
      const { id, deleteKey } = await scan(newPage(), one);
      await deleteScan(server.deps, id, deleteKey ?? "");
    }
    expect(await refusalOf(scan(newPage(), one))).toMatchObject({ bound: "hour" });
  });

  test("is still recognized after midnight", async () => {
    const one = newVisitor();
    await startMany(10, () => one);
    // The salt of today becomes yesterday's, in the database and here.
    await server.sql`update salts set day = day - 1`;
    const { salts } = server.deps;
    const { today } = await salts.find();
    const { createSalts } = await import("../../server/scan/salt.ts");
    const deps = { ...server.deps, salts: createSalts(server.sql) };
    expect((await deps.salts.find()).yesterday).toEqual(today);
    const asked = { url: newPage(), again: false };
    expect(await refusalOf(startScan(deps, asked, one))).toMatchObject({ bound: "hour" });
  });

  test("uses nothing up by a rejected or reused scan", async () => {
    const one = newVisitor();
    const url = newPage();
    await scan(url, newVisitor());
    for (const refused of ["http://127.0.0.1/", "https://10.0.0.1/", "https://", "x"])
      expect(await refusalOf(scan(refused, one))).toMatchObject({ code: "url_refused" });
    for (let count = 0; count < 12; count++) expect((await scan(url, one)).isReused).toBe(true);
    expect(await countStarts()).toBe(1);
    await startMany(10, () => one);
  });
});

test("shares four parallel vettings of scans with its network", async () => {
  let running = 0;
  let most = 0;
  const vetScan: Vet = async (...args) => {
    most = Math.max(most, ++running);
    await sleep(200);
    const vetted = await server.deps.probe.vetScan(...args);
    running--;
    return vetted;
  };
  const deps = { ...server.deps, probe: { ...server.deps.probe, vetScan } };
  await Promise.all(
    Array.from({ length: 9 }, (_, index) =>
      startScan(deps, { url: newPage(), again: false }, `192.0.2.${index}`),
    ),
  );
  expect(most).toBe(4);
});

test("a host is scanned at most twenty times an hour, for any visitor, port or spelling", async () => {
  const urls = [
    "https://127.9.9.9/",
    "https://127.9.9.9:8443/",
    "https://127.9.9.9./",
    "https://127.9.0x9.9/",
  ];
  let count = 0;
  await startMany(20, newVisitor, () => `${urls[count % 4]}${++count}`);
  const refusal = await refusalOf(scan("https://127.9.9.9:443/other", newVisitor()));
  expect(refusal).toMatchObject({ code: "scan_host_bound", host: "127.9.9.9", limit: 20 });
  expect(await refusalOf(scan("https://127.9.9.9:8443/other", newVisitor()))).toMatchObject({
    code: "scan_host_bound",
  });
  await scan(newPage(), newVisitor());
});

describe("a page that has been scanned", () => {
  test("leads to its newest scan for ten minutes, waiting or done, but not if it failed", async () => {
    const url = newPage();
    const first = await scan(url, newVisitor());
    const led = { id: first.id, url, deleteKey: null, isReused: true };
    expect(await scan(`${url}#part`, newVisitor())).toEqual(led);
    await endAll();
    expect(await scan(url, newVisitor())).toEqual(led);
    expect(await scan(`${url}?other`, newVisitor())).toMatchObject({ isReused: false });
    await pass("9 minutes 55 seconds");
    expect(await scan(url, newVisitor())).toEqual(led);
    await server.sql`update scans set state = 'failed' where id = ${first.id}`;
    const second = await scan(url, newVisitor());
    expect(second).toMatchObject({ isReused: false });
    await pass("10 minutes");
    expect(await scan(url, newVisitor())).toMatchObject({ isReused: false });
  });

  test("is scanned again after a minute; before, the visitor gets the time to wait", async () => {
    const url = newPage();
    const first = await scan(url, newVisitor());
    await pass("15 seconds");
    const again = await refusalOf(scan(url, newVisitor(), { again: true }));
    expect(again).toMatchObject({ code: "scan_too_soon" });
    expect((again as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(40);
    expect((again as { retryAfterSeconds: number }).retryAfterSeconds).toBeLessThanOrEqual(45);
    await pass("45 seconds");
    const second = await scan(url, newVisitor(), { again: true });
    expect(second).toMatchObject({ isReused: false });
    expect(second.id).not.toBe(first.id);
    expect(await scan(url, newVisitor())).toMatchObject({ id: second.id });
  });

  test("is scanned once for many simultaneous requests", async () => {
    const url = newPage();
    const started = await Promise.all(Array.from({ length: 30 }, () => scan(url, newVisitor())));
    expect(new Set(started.map(({ id }) => id)).size).toBe(1);
    expect(started.filter(({ isReused }) => !isReused)).toHaveLength(1);
    expect(await countStarts()).toBe(1);
  });
});

test("at most a hundred scans wait", async () => {
  await server.sql`
    insert into scans (id, url, url_hash, exact_url, host, visitor, delete_key_hash, state, started_at)
    select 'scan' || n, '', '\\x00', '', 'example.com', n, '\\x01', 'waiting', now()
    from generate_series(1, 100) n`;
  const refused = { code: "scan_queue_full", limit: 100, retryAfterSeconds: 10 };
  expect(await refusalOf(scan(newPage(), newVisitor()))).toEqual(refused);
  await endAll();
  expect(await scan(newPage(), newVisitor())).toMatchObject({ isReused: false });
});

test("a visitor has at most 300 host names resolved an hour, even if no scan counts", async () => {
  const asked: string[] = [];
  const resolver = {
    resolve: async (name: string) => {
      asked.push(name);
      return { outcome: "not_found" as const };
    },
  };
  const vetScan = createVet({ ...server.deps.networks.scans, resolver });
  const deps = { ...server.deps, probe: { ...server.deps.probe, vetScan } };
  const ask = (url: string) =>
    startScan(deps, { url, again: false }, "192.0.2.200").catch((error: unknown) => error);
  for (let n = 0; n < 300; n++)
    expect(await ask(`https://n${n}.example.com/`)).toMatchObject({ code: "url_refused" });
  expect(await ask("https://one-more.example.com/")).toMatchObject({
    code: "scan_visitor_bound",
    parameters: { limit: 300 },
  });
  expect(await ask("https://10.0.0.1/")).toMatchObject({ code: "url_refused" });
  expect(asked).toHaveLength(300);
});
