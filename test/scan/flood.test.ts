import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { AppError } from "../../server/base/errors.ts";
import { startScan } from "../../server/scan/start.ts";
import { startServer, type RunningServer } from "../../server/start.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const AT_ONCE = 256;

/** Servers that run nothing, on one database: two on Postgres; the embedded one has one. */
let server: TestServer;
let servers: Pick<RunningServer, "deps">[];
let other: RunningServer | undefined;

beforeAll(async () => {
  const env = { SHIPSCORE_PUBLIC_SCAN: "0", SHIPSCORE_SCANS_AT_ONCE: "100" };
  server = await startTestServer({ env });
  if (inject("database") === "postgres")
    other = await startServer({
      config: readConfig({
        SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8",
        SHIPSCORE_CYCLE_SECONDS: "0",
        ...server.database.env,
        ...env,
      }),
      host: "127.0.0.1",
      port: 0,
      command: "other",
      writeLog: () => {},
    });
  servers = other ? [server, other] : [server];
});
afterAll(async () => {
  await other?.drain();
  await server.close();
});

/** Starts a scan through one of the servers; returns how that ended. */
async function post(index: number, url: string, visitor: string): Promise<string> {
  const { deps } = servers[index % servers.length] ?? server;
  try {
    const { isReused } = await startScan(deps, { url, again: false, isScripted: false }, visitor);
    return isReused ? "reused" : "started";
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** `count` posts, as many at once as one would have connections. */
async function flood(
  count: number,
  urlOf: (index: number) => string,
  visitorOf: (index: number) => string,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  let next = 0;
  const keepPosting = async () => {
    while (next < count) {
      const index = next++;
      const outcome = await post(index, urlOf(index), visitorOf(index));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keepPosting));
  return outcomes;
}

const countOf = async (table: "scans" | "scan_starts") => {
  const [row] =
    table === "scans"
      ? await server.sql<{ count: number }>`select count(*)::int as count from scans`
      : await server.sql<{ count: number }>`select count(*)::int as count from scan_starts`;
  return row?.count;
};
/** `busy`: those who waited for the first answers longer than one may, in a process with too much to do. */
const clear = async () => {
  await server.sql`delete from scans`;
  await server.sql`delete from scan_starts`;
};

test("10,000 posts for one host from as many visitors start twenty scans", async () => {
  const outcomes = await flood(
    10_000,
    (index) => `https://127.3.3.3:8443/${index}`,
    (index) => `10.${index >> 8}.${index & 255}.1`,
  );
  const { started, scan_host_bound: refused = 0, busy = 0, ...others } = outcomes;
  expect([started, refused + busy, others]).toEqual([20, 9_980, {}]);
  expect([await countOf("scans"), await countOf("scan_starts")]).toEqual([20, 20]);
  await clear();
});

test("1,000 posts from one visitor for as many hosts start four scans, the most at a time", async () => {
  const outcomes = await flood(
    1_000,
    (index) => `https://127.4.${index >> 8}.${index & 255}:8443/`,
    () => "192.0.2.1",
  );
  const { started, scan_visitor_bound: refused = 0, busy = 0, ...others } = outcomes;
  expect([started, refused + busy, others]).toEqual([4, 996, {}]);
  expect([await countOf("scans"), await countOf("scan_starts")]).toEqual([4, 4]);
  await clear();
});

test("1,000 posts for one page from as many visitors lead to one scan", async () => {
  const outcomes = await flood(
    1_000,
    () => "https://127.6.6.6:8443/",
    (index) => `10.${index >> 8}.${index & 255}.3`,
  );
  const { started, reused = 0, busy = 0, ...others } = outcomes;
  expect([started, reused + busy, others]).toEqual([1, 999, {}]);
  expect([await countOf("scans"), await countOf("scan_starts")]).toEqual([1, 1]);
  await clear();
});

test("1,000 posts from as many visitors for as many hosts fill the queue", async () => {
  const outcomes = await flood(
    1_000,
    (index) => `https://127.5.${index >> 8}.${index & 255}:8443/`,
    (index) => `10.${index >> 8}.${index & 255}.2`,
  );
  const { started, scan_queue_full: refused = 0, busy = 0, ...others } = outcomes;
  expect([started, refused + busy, others]).toEqual([100, 900, {}]);
  expect([await countOf("scans"), await countOf("scan_starts")]).toEqual([100, 100]);
  await clear();
});
