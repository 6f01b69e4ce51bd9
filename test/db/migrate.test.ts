import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { connectDatabase } from "../../server/db/sql.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { runSql } from "../harness/postgres.ts";
import { runOrThrow, runServerCommand, startServerProcess } from "../harness/process.ts";
import { sendRequest } from "../harness/request.ts";
import { startTestServer } from "../harness/server.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

test("a database newer than the program is refused, in one line", async () => {
  const server = await startTestServer();
  try {
    await server.sql`insert into migrations (version) values (9999)`;
  } finally {
    await server.stop();
  }
  for (const command of ["migrate", "start", "account list"]) {
    const { exitCode, stdout, stderr } = await runServerCommand(
      command.split(" "),
      server.database.env,
    );
    expect([command, exitCode, stdout]).toEqual([command, 1, ""]);
    expect(stderr).toMatch(
      /^shipscore-server: The database is at schema 9999, newer than .* Upgrade shipscore-server\.\n$/,
    );
  }
  await server.database.drop();
});

test("migrating again changes nothing and says so", async () => {
  await runOrThrow(["migrate"], database.env);
  expect(await runOrThrow(["migrate"], database.env)).toBe("up to date");
  expect(JSON.parse(await runOrThrow(["migrate", "--json"], database.env))).toEqual({
    id: null,
    applied: [],
  });
});

test.runIf(inject("database") === "postgres")(
  "two servers started at once on one empty database both come up",
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

test.runIf(inject("database") === "postgres")("a migration that fails leaves nothing", async () => {
  const url = database.env["DATABASE_URL"] ?? "";
  const database2 = connectDatabase({ url }, { connections: 1 });
  await database2.begin((_, runScript) =>
    runScript(
      "drop schema public cascade; create schema public; create table deployments (in_the_way text)",
    ),
  );
  const { exitCode, stderr } = await runServerCommand(["migrate"], database.env);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("deployments")]);
  const tables = await database2.sql`select tablename from pg_tables where schemaname = 'public'`;
  expect(tables).toEqual([{ tablename: "deployments" }]);
  await database2.close();
});
