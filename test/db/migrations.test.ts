import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { describeNotice } from "../../server/base/program-errors.ts";
import { migrate } from "../../server/db/schema/migrate.ts";
import {
  readMigrations,
  readSchema,
  requireSchema,
  type Migration,
} from "../../server/db/schema/schema.ts";
import type { DatabaseAddress } from "../../server/db/driver/address.ts";
import { connectDatabase, type Database } from "../../server/db/driver/sql.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { rejectForOperator } from "../harness/operator-errors.ts";
import { waitUntil } from "../harness/slow-site.ts";

const FIRST_THAT_SAYS_SO = 2;
const CAN_BE_REPEATED =
  /^(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists) /i;

test("migrations are numbered in order, name the programs they serve, and can be repeated outside a transaction", async () => {
  const migrations = await readMigrations();
  const numbers = migrations.map(({ version }) => version);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  for (const { version, servesFrom, script, isOutsideTransaction } of migrations) {
    const says = /^-- serves programs from schema \d+ on$/m.test(script);
    expect([version, says]).toEqual([version, version >= FIRST_THAT_SAYS_SO]);
    expect(servesFrom).toBeLessThanOrEqual(version);
    const statements = script.replaceAll(/^--.*\n/gm, "").split(/;\s*\n/);
    const others = statements.filter((text) => text !== "" && !CAN_BE_REPEATED.test(text.trim()));
    if (isOutsideTransaction) expect([version, others]).toEqual([version, []]);
  }
});

const BUILT_MIGRATE = new URL("../../dist/server/db/schema/migrate.js", import.meta.url).href;

const migration = (version: number, script: string, rest: Partial<Migration> = {}): Migration => ({
  version,
  script,
  servesFrom: version,
  isOutsideTransaction: false,
  ...rest,
});
const PAGES = migration(1, "create table pages (id integer primary key, title text)");
const TITLES = migration(2, "alter table pages add column titles text[]");
const BY_TITLE = migration(
  3,
  "-- Found by title.\ncreate index concurrently if not exists pages_by_title on pages (title);\n",
  { isOutsideTransaction: true },
);

describe.runIf(inject("database") === "postgres")("a migration", () => {
  let files: TestDatabase;
  let address: DatabaseAddress;
  let database: Database;

  beforeEach(async () => {
    files = await createTestDatabase();
    address = { url: files.env["DATABASE_URL"] ?? "" };
    database = connectDatabase(address, {
      connections: 4,
      deadlineMs: 60_000,
    });
    await database.begin((_, runScript) =>
      runScript("drop schema public cascade; create schema public"),
    );
  });
  afterEach(async () => {
    await database.close();
    await files.drop();
  });

  /** Opens a transaction that does `script`, and ends it when asked to. */
  async function hold(script: string): Promise<{ pid: number; release(): Promise<void> }> {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let ended = Promise.resolve();
    const pid = await new Promise<number>((resolve, reject) => {
      ended = database.begin(async (sql, runScript) => {
        await runScript(script);
        const [own] = await sql<{ pid: number }>`select pg_backend_pid() as pid`;
        resolve(own?.pid ?? 0);
        await held;
      });
      ended.catch(reject);
    });
    return {
      pid,
      release() {
        release();
        return ended;
      },
    };
  }

  const versions = async () =>
    (await database.sql<{ version: number }>`select version from migrations order by version`).map(
      ({ version }) => version,
    );

  const indexes = () => database.sql<{ isValid: boolean }>`
    select indisvalid as is_valid from pg_index where indexrelid = to_regclass('pages_by_title')`;

  const isBuilding = async () => {
    const building = await database.sql`
      select pid from pg_stat_activity where query like 'create index concurrently%' and state = 'active'
        and datname = current_database() and wait_event_type = 'Lock'`;
    return building.length > 0;
  };

  test("that fails leaves nothing, keeps the earlier ones, and is retried", async () => {
    const broken = migration(2, "create table half (id integer); select 1 / 0");
    const failing = migrate(address, [PAGES, broken]).catch(rejectForOperator);
    await expect(failing).rejects.toThrow("Migration 2 failed: division by zero.");
    expect(await versions()).toEqual([1]);
    expect(await database.sql`select to_regclass('half') as half`).toEqual([{ half: null }]);
    expect(await migrate(address, [PAGES, TITLES])).toEqual([2]);
  });

  test("is applied once, by one of several that start at the same time", async () => {
    const migrations = [PAGES, TITLES, BY_TITLE];
    const applied = await Promise.all(
      Array.from({ length: 6 }, () => migrate(address, migrations)),
    );
    expect(await versions()).toEqual([1, 2, 3]);
    expect(applied.flat().toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    expect(await indexes()).toEqual([{ isValid: true }]);
  });

  test("is required if the program needs it and the database lacks it", async () => {
    await migrate(address, [PAGES]);
    const asking = requireSchema(database.sql, [PAGES, TITLES]).catch(rejectForOperator);
    await expect(asking).rejects.toThrow(
      "The database is at schema 1, and this program needs schema 2. Run shipscore-server migrate, with the same DATABASE_URL or --data-dir.",
    );
    expect(await versions()).toEqual([1]);
  });

  test("waits for a long transaction without blocking others, and reports what it waits for", async () => {
    await migrate(address, [PAGES]);
    const reader = await hold("select from pages");
    const words: string[] = [];
    const migrating = migrate(address, [PAGES, TITLES], {
      warn: (notice) => words.push(describeNotice(notice)),
    });
    await waitUntil("it says that it waits", () => words.length > 0);
    expect(words[0]).toMatch(
      /^Migration 2 is waiting: other transactions hold a lock that it needs; /,
    );
    expect(words[0]).toContain(`process ${reader.pid} (shipscore), since 20`);
    await database.sql`insert into pages values (1, 'read and written meanwhile')`;
    expect(await versions()).toEqual([1]);
    await reader.release();
    expect(await migrating).toEqual([2]);
  });

  test("outside a transaction lets others read and write, including those that wait to migrate", async () => {
    await migrate(address, [PAGES, TITLES]);
    const writer = await hold("insert into pages values (1, 'not committed')");
    const migrations = [PAGES, TITLES, BY_TITLE];
    const words: string[] = [];
    const first = migrate(address, migrations);
    await waitUntil("it waits for the transaction", isBuilding);
    const second = migrate(address, migrations, {
      warn: (notice) => words.push(describeNotice(notice)),
    });
    await waitUntil("the second says that it waits", () => words.length > 0);
    expect(words[0]).toBe("Migration 3 is waiting: another process is migrating the database.");
    await database.sql`insert into pages values (2, 'written meanwhile')`;
    await writer.release();
    expect(await Promise.all([first, second])).toEqual([[3], []]);
    expect(await indexes()).toEqual([{ isValid: true }]);
  });

  test("whose process is killed during an index build is continued by the next", async () => {
    await migrate(address, [PAGES, TITLES]);
    const writer = await hold("insert into pages values (1, 'not committed')");
    const program = `
      const { migrate } = await import(${JSON.stringify(BUILT_MIGRATE)});
      await migrate(${JSON.stringify(address)}, ${JSON.stringify([PAGES, TITLES, BY_TITLE])});`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
    const exited = once(child, "exit");
    await waitUntil("it waits for the transaction", isBuilding);
    child.kill("SIGKILL");
    await exited;
    await waitUntil("nobody builds any more", async () => !(await isBuilding()));
    await writer.release();
    expect(await migrate(address, [PAGES, TITLES, BY_TITLE])).toEqual([3]);
    expect(await indexes()).toEqual([{ isValid: true }]);
  });

  test.each<[string, (name: string) => string]>([
    ["build", () => "query like 'create index concurrently%'"],
    ["lock", () => "state = 'idle in transaction' and query = 'select 1'"],
  ])("outside a transaction is repeated if its %s is cut off", async (_, which) => {
    await migrate(address, [PAGES, TITLES]);
    const writer = await hold("insert into pages values (1, 'not committed')");
    const cut = migrate(address, [PAGES, TITLES, BY_TITLE]);
    cut.catch(() => {});
    await waitUntil("it waits for the transaction", isBuilding);
    await database.begin((__, runScript) =>
      runScript(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and ${which("")}`,
      ),
    );
    const again = migrate(address, [PAGES, TITLES, BY_TITLE]);
    await writer.release();
    await expect(cut).rejects.toThrow();
    expect(await again).toEqual([3]);
    expect(await indexes()).toEqual([{ isValid: true }]);
    expect(await readSchema(database.sql)).toEqual({ version: 3, servesFrom: 3 });
  });
});
