import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { AppError } from "../../../server/base/errors.ts";
import { startScan } from "../../../server/scan/scan-request.ts";
import { startTestServer, useServer, type TestServer } from "../../harness/server.ts";

const AT_ONCE = 256;

/** Servers that run nothing, on one database: two on Postgres; the embedded one has one. */
let servers: TestServer[];
let other: TestServer | undefined;

const env = { SHIPSCORE_PUBLIC_SCAN: "0", SHIPSCORE_SCANS_AT_ONCE: "100" };
const server = useServer({ env });
beforeAll(async () => {
  if (inject("database") === "postgres")
    other = await startTestServer({ env, database: server.database });
  servers = other ? [server, other] : [server];
});
afterAll(async () => {
  await other?.stop();
});

/** Starts a scan through one of the servers; returns how that ended. */
async function post(index: number, url: string, visitor: string): Promise<string> {
  const { deps } = servers[index % servers.length] ?? server;
  try {
    const { isReused } = await startScan(deps, { url, again: false }, visitor);
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
const addressOf = (index: number, last: number) => `10.${index >> 8}.${index & 255}.${last}`;
const siteOf = (index: number, net: number) =>
  `https://127.${net}.${index >> 8}.${index & 255}:8443/`;

/** `rest`: what the others come to, but for those who are busy: they waited longer for the first answers than one may. */
test.each<
  [
    what: string,
    [count: number, starts: number, rest: string],
    url: (index: number) => string,
    visitor: (index: number) => string,
  ]
>([
  [
    "10,000 posts for one host from as many visitors start twenty scans",
    [10_000, 20, "scan_host_bound"],
    (index) => `https://127.3.3.3:8443/${index}`,
    (index) => addressOf(index, 1),
  ],
  [
    "1,000 posts from one visitor for as many hosts start four scans, the most at a time",
    [1000, 4, "scan_visitor_bound"],
    (index) => siteOf(index, 4),
    () => "192.0.2.1",
  ],
  [
    "1,000 posts for one page from as many visitors lead to one scan",
    [1000, 1, "reused"],
    () => "https://127.6.6.6:8443/",
    (index) => addressOf(index, 3),
  ],
  [
    "1,000 posts from as many visitors for as many hosts fill the queue",
    [1000, 100, "scan_queue_full"],
    (index) => siteOf(index, 5),
    (index) => addressOf(index, 2),
  ],
])("%s", async (_, [count, starts, rest], url, visitor) => {
  const outcomes = await flood(count, url, visitor);
  const { started, [rest]: refused = 0, busy = 0, ...others } = outcomes;
  expect([started, refused + busy, others]).toEqual([starts, count - starts, {}]);
  expect([await countOf("scans"), await countOf("scan_starts")]).toEqual([starts, starts]);
  await server.sql`delete from scans`;
  await server.sql`delete from scan_starts`;
});
