import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { connectDatabase, type Sql } from "../../../server/db/driver/sql.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { runSql } from "../../harness/postgres.ts";
import {
  runOrThrow,
  runServerCommand,
  startServerProcess,
  refused,
} from "../../harness/process.ts";
import { sendRequest } from "../../harness/request.ts";
import { startTestServer } from "../../harness/server.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** A database whose schema is not this program's, as `change` makes it. */
async function provideSchema(change: (sql: Sql) => Promise<unknown>): Promise<TestDatabase> {
  const server = await startTestServer();
  try {
    await change(server.sql);
  } finally {
    await server.stop();
  }
  return server.database;
}

test("every command rejects a newer schema that does not support this program, in one line", async () => {
  const newer = await provideSchema(
    (sql) => sql`insert into migrations (version, serves_from) values (9999, 9999)`,
  );
  for (const command of ["migrate", "start", "account list"]) {
    const { exitCode, stdout, stderr } = await runServerCommand(command.split(" "), newer.env);
    expect([command, exitCode, stdout]).toEqual([command, 1, ""]);
    expect(stderr).toMatch(
      /^shipscore-server: The database is at schema 9999 and works with programs from schema 9999 on\. This program knows only schema \d+\. Upgrade shipscore-server\.\n$/,
    );
  }
  await newer.drop();
});

test("a newer schema that supports this program is used, with a log line", async () => {
  const newer = await provideSchema(
    (sql) => sql`insert into migrations (version, serves_from) values (9999, 1)`,
  );
  expect(await runOrThrow(["account", "list"], newer.env)).toBe("");
  expect(await runOrThrow(["migrate"], newer.env)).toBe("up to date");
  const server = await startServerProcess(newer.env);
  expect((await sendRequest(server.url, "/readyz")).status).toBe(200);
  expect(server.stdout()).toMatch(
    /"level":40.*The database is at schema 9999\. This program knows only/,
  );
  expect(await server.end("SIGTERM")).toBe(0);
  await newer.drop();
});

test("every command rejects a database from before the first release, in one sentence", async () => {
  const unreleased = await provideSchema(async (sql) => {
    await sql`alter table watched_urls add column look_id text`;
    await sql`insert into migrations (version, serves_from) select n, 3 from generate_series(2, 43) n`;
  });
  for (const command of ["migrate", "start", "account list", "round"]) {
    const { exitCode, stdout, stderr } = await runServerCommand(command.split(" "), unreleased.env);
    expect([command, exitCode, stdout]).toEqual([command, 1, ""]);
    expect(stderr).toBe(
      "shipscore-server: The database was created by a shipscore-server from before the first release, and this program cannot use its data. Use an empty database, or another --data-dir.\n",
    );
  }
  await unreleased.drop();
});

test("migrating again changes nothing, with a message", async () => {
  await runOrThrow(["migrate"], database.env);
  expect(await runOrThrow(["migrate"], database.env)).toBe("up to date");
  expect(JSON.parse(await runOrThrow(["migrate", "--json"], database.env))).toEqual({
    id: null,
    applied: [],
  });
});

test.runIf(inject("database") === "postgres")(
  "two servers that start at the same time on an empty database both run",
  async () => {
    const url = database.env["DATABASE_URL"] ?? "";
    await runSql(url, "drop schema public cascade; create schema public");
    const servers = await Promise.all([
      startServerProcess(database.env),
      startServerProcess(database.env),
    ]);
    for (const server of servers)
      expect((await sendRequest(server.url, "/readyz")).status).toBe(200);
    expect(await Promise.all(servers.map((server) => server.end("SIGTERM")))).toEqual([0, 0]);
  },
);

test.runIf(inject("database") === "postgres")(
  "only migrate and start change an empty database; other commands say what to do",
  async () => {
    const emptied = connectDatabase(
      { url: database.env["DATABASE_URL"] ?? "" },
      { connections: 1 },
    );
    await emptied.begin((_, runScript) =>
      runScript("drop schema public cascade; create schema public"),
    );
    const { exitCode, stderr } = await runServerCommand(["account", "list"], database.env);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^shipscore-server: The database has no schema yet, .*\bmigrate\b.*\n$/,
      ),
    ]);
    expect(await emptied.sql`select tablename from pg_tables where schemaname = 'public'`).toEqual(
      [],
    );
    await emptied.close();
    expect(await runOrThrow(["migrate"], database.env)).toMatch(/^applied 1\b/);
    expect(await runOrThrow(["account", "list"], database.env)).toBe("");
  },
);

test.runIf(inject("database") === "embedded")(
  "migrate does not touch a data directory in use, and names its holder",
  async () => {
    const server = await startServerProcess(database.env);
    expect(refused(await runServerCommand(["migrate"], database.env), 1)).toContain(
      `in use by \`shipscore-server start\` (process ${server.child.pid},`,
    );
    expect(await server.end("SIGTERM")).toBe(0);
  },
);
