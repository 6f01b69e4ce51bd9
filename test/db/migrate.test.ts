import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { migrate } from "../../server/db/migrate.ts";
import { connectDatabase, type Sql } from "../../server/db/sql.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { readMigrations } from "../../server/db/schema.ts";
import { runSql } from "../harness/postgres.ts";
import { runOrThrow, runServerCommand, startServerProcess } from "../harness/process.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { sendRequest } from "../harness/request.ts";
import { startTestServer } from "../harness/server.ts";

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

test("a newer schema that does not serve this program is refused to every command, in one line", async () => {
  const newer = await provideSchema((sql) => sql`insert into migrations (version) values (9999)`);
  for (const command of ["migrate", "start", "account list"]) {
    const { exitCode, stdout, stderr } = await runServerCommand(command.split(" "), newer.env);
    expect([command, exitCode, stdout]).toEqual([command, 1, ""]);
    expect(stderr).toMatch(
      /^shipscore-server: The database is at schema 9999, newer than this program, which knows \d+, and serves programs from schema 9999 on\. Upgrade shipscore-server\.\n$/,
    );
  }
  await newer.drop();
});

test("a newer schema that serves this program is worked on; the server's log says so", async () => {
  const newer = await provideSchema(
    (sql) => sql`insert into migrations (version, serves_from) values (9999, 1)`,
  );
  expect(await runOrThrow(["account", "list"], newer.env)).toBe("");
  expect(await runOrThrow(["migrate"], newer.env)).toBe("up to date");
  const server = await startServerProcess(newer.env);
  expect((await sendRequest(server.url, "/readyz")).status).toBe(200);
  expect(server.stdout()).toMatch(/"level":40.*The database is at schema 9999, newer than/);
  expect(await server.end("SIGTERM")).toBe(0);
  await newer.drop();
});

test("an older schema is left alone by every command but migrate and start, which say what to do", async () => {
  const older = await provideSchema(
    (sql) =>
      sql`delete from migrations where version = (select max(version) from migrations) returning version`,
  );
  for (const command of ["account list", "round"]) {
    const { exitCode, stdout, stderr } = await runServerCommand(command.split(" "), older.env);
    expect([command, exitCode, stdout]).toEqual([command, 1, ""]);
    expect(stderr).toMatch(
      /^shipscore-server: The database is at schema \d+, and this program needs schema \d+\. Run shipscore-server migrate, with the same DATABASE_URL or --data-dir\.\n$/,
    );
  }
  await older.drop();
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

test.runIf(inject("database") === "postgres")(
  "an empty database is left so by every command but migrate and start, which say what to do",
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
    expect(await runOrThrow(["migrate"], database.env)).toMatch(/^applied 1, 2, 3\b/);
    expect(await runOrThrow(["account", "list"], database.env)).toBe("");
  },
);

test.runIf(inject("database") === "postgres")(
  "a migration whose process is killed while it builds an index is gone on with by the next",
  async () => {
    const url = database.env["DATABASE_URL"] ?? "";
    await runSql(url, "drop schema public cascade; create schema public");
    const all = await readMigrations();
    const building = all.findIndex(({ isOutsideTransaction }) => isOutsideTransaction);
    await migrate({ url }, { migrations: all.slice(0, building) });
    const others = connectDatabase({ url }, { connections: 4, deadlineMs: 120_000 });
    let endTransaction = () => {};
    const ended = new Promise<void>((resolve) => (endTransaction = resolve));
    const reading = others.begin(async (_, runScript) => {
      await runScript("set transaction isolation level repeatable read; select from accounts");
      await ended;
    });
    const isBuilding = async () => {
      const builds = await others.sql`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'create index concurrently%'`;
      return builds.length > 0;
    };
    const interruption = waitUntil("the index waits for the transaction", isBuilding).then(
      () => "SIGKILL" as const,
    );
    await runServerCommand(["migrate"], database.env, { interruption });
    await waitUntil("nobody builds any more", async () => !(await isBuilding()));
    endTransaction();
    await reading;
    const rest = all.slice(building).map(({ version }) => version);
    expect(await runOrThrow(["migrate"], database.env)).toBe(`applied ${rest.join(", ")}`);
    const invalid = await others.sql`select indexrelid from pg_index where not indisvalid`;
    expect(invalid).toEqual([]);
    await others.close();
  },
);

test.runIf(inject("database") === "embedded")(
  "migrate leaves a data directory alone that a server has, and says whose it is",
  async () => {
    const server = await startServerProcess(database.env);
    const { exitCode, stdout, stderr } = await runServerCommand(["migrate"], database.env);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`in use by \`shipscore-server start\` (process ${server.child.pid},`);
    expect(await server.end("SIGTERM")).toBe(0);
  },
);
