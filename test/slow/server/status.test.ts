import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Status } from "../../../server/db/server-status.ts";
import { getVersion } from "../../../server/base/program.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { openDatabase } from "../../harness/opened-database.ts";
import { runOrThrow, startServerProcess, type ServerProcess } from "../../harness/process.ts";
import { startTestServer } from "../../harness/server.ts";
import { insertReader } from "../../harness/crowd.ts";
import { waitUntil } from "../../harness/slow-site.ts";

const readStatus = async (env: TestDatabase["env"]) =>
  JSON.parse(await runOrThrow(["status", "--json"], env)) as Status;

test("every value of every label is served from the start", async () => {
  const server = await startTestServer();
  const text = await server.deps.metrics.registry.metrics();
  await server.close();
  const served = text.split("\n").filter((line) => line.endsWith(" 0"));
  for (const series of [
    'shipscore_looks_total{outcome="good"}',
    'shipscore_looks_total{outcome="failed"}',
    'shipscore_looks_total{outcome="inconclusive"}',
    "shipscore_cycle_lag_seconds",
    "shipscore_looks_running",
    "shipscore_claims_total",
    "shipscore_results_total",
    "shipscore_leases_lost_total",
    "shipscore_judgement_withheld",
    "shipscore_set_aside",
    "shipscore_incidents_open",
    "shipscore_deployments_queued",
    'shipscore_outbox_messages{state="pending"}',
    'shipscore_outbox_messages{state="sent"}',
    'shipscore_outbox_messages{state="dead"}',
    'shipscore_checks_total{kind="check",verdict="ship"}',
    'shipscore_checks_total{kind="look",verdict="failed"}',
    'shipscore_checks_total{kind="deployment",verdict="unverified"}',
    'shipscore_ended_threads_total{reason="hung"}',
  ])
    expect(served).toContain(`${series} 0`);
  expect(text).toMatch(/^shipscore_query_seconds_count /m);
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
});

test("values common to all servers are counted when one starts", async () => {
  const database = await createTestDatabase();
  const opened = await openDatabase(database.env);
  const { projectId } = await insertReader(opened.sql, "lou@example.com");
  await opened.sql`
    insert into deployments (id, project_id, url, environment, try_at)
    select 'dep_later' || n, ${projectId}, 'https://example.com/', 'production', now() + interval '1 day' from generate_series(1, 3) n`;
  const [counted] = await opened.sql<{ open: number }>`
    select count(*)::int as open from incidents where closed_at is null`;
  await opened.close();
  const server = await startServerProcess(database.env);
  const status = await readStatus(database.env);
  expect(status.deploymentsQueued).toBe(3);
  expect(status.incidentsOpen).toBe(counted?.open);
  await server.end("SIGTERM");
  await database.drop();
});

describe("status", () => {
  let database: TestDatabase;
  let server: ServerProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startServerProcess(database.env);
  });
  afterAll(async () => {
    await server.end("SIGKILL");
    await database.drop();
  });

  test("lists the live servers, the waiting work, and the database", async () => {
    expect(await readStatus(database.env)).toEqual({
      servers: [
        {
          id: expect.stringMatching(/^srv_[0-9A-Za-z]{20}$/),
          location: null,
          setAside: false,
          version: getVersion(),
          looksPerSecond: 0,
          lagSeconds: 0,
          lastSeenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        },
      ],
      urlsWatched: 0,
      urlsDue: 0,
      oldestDueSeconds: 0,
      incidentsOpen: 0,
      deploymentsQueued: 0,
      outbox: { pending: 0, sent: 0, dead: 0 },
      database: {
        bytes: expect.any(Number),
        version: expect.stringMatching(/^\d+\.\d+/),
        schema: expect.any(Number),
      },
    });
  });

  test("prints one figure per line", async () => {
    const lines = (await runOrThrow(["status"], database.env)).split("\n");
    expect(Object.fromEntries(lines.map((line) => line.split("\t")))).toMatchObject({
      "servers running": "1",
      "URLs watched": "0",
      "URLs due": "0",
      "incidents open": "0",
      "deployments queued": "0",
      "messages pending": "0",
    });
  });
});

describe.runIf(inject("database") === "postgres")("of three servers", () => {
  test("one that stops is removed immediately, one that was killed after 30 s, and both are deleted", async () => {
    const database = await createTestDatabase();
    const servers = await Promise.all(
      Array.from({ length: 3 }, () => startServerProcess(database.env)),
    );
    const [ending, killed, staying] = servers as [ServerProcess, ServerProcess, ServerProcess];
    const before = await readStatus(database.env);
    expect(before.servers).toHaveLength(3);
    await ending.end("SIGTERM");
    const after = await readStatus(database.env);
    expect(after.servers).toHaveLength(2);
    await killed.end("SIGKILL");
    expect((await readStatus(database.env)).servers).toHaveLength(2);

    const opened = await openDatabase(database.env);
    await opened.sql`update servers set last_seen_at = last_seen_at - interval '31 seconds'`;
    // The one that stays tells again that it does, and forgets the other.
    await waitUntil(
      "one is left",
      async () => (await opened.sql`select from servers`).length === 1,
    );
    const { servers: left } = await readStatus(database.env);
    expect(left).toHaveLength(1);
    await opened.close();
    await staying.end("SIGTERM");
    expect((await readStatus(database.env)).servers).toEqual([]);
    await database.drop();
  });
});
