import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { describeNotice } from "../../server/operator/program-words.ts";
import { migrate } from "../../server/db/migrate.ts";
import { readMigrations, readSchema, type Migration } from "../../server/db/schema.ts";
import { connectDatabase, type Database, type DatabaseAddress } from "../../server/db/sql.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { waitForWaiting } from "../harness/locks.ts";
import { rejectInWords } from "../harness/words.ts";
import { waitUntil } from "../harness/slow-site.ts";

const FIRST_THAT_SAYS_SO = 4;
const CAN_BE_REPEATED =
  /^(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists) /i;

test("the migrations are numbered in order, say whom they serve, and repeat what is outside a transaction", async () => {
  const migrations = await readMigrations();
  const numbers = migrations.map(({ version }) => version);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  for (const { version, servesFrom, script, isOutsideTransaction } of migrations) {
    const says = /^-- serves programs from schema \d+ on$/m.test(script);
    expect([version, says]).toEqual([version, version >= FIRST_THAT_SAYS_SO]);
    expect(servesFrom).toBeLessThanOrEqual(version);
    const statements = script.replaceAll(/^--.*\n/gm, "").split(/;\s*\n/);
    const others = statements.filter((text) => text !== "" && !CAN_BE_REPEATED.test(text.trim()));
    if (isOutsideTransaction) expect([version, others]).toEqual([version, []]);
  }
});

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
    database = connectDatabase(address, { connections: 4, deadlineMs: 60_000 });
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
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
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
        letGo();
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

  test("that fails leaves nothing, keeps those before it, and is tried again", async () => {
    const broken = migration(2, "create table half (id integer); select 1 / 0");
    const failing = migrate(address, { migrations: [PAGES, broken] }).catch(rejectInWords);
    await expect(failing).rejects.toThrow("Migration 2 failed: division by zero.");
    expect(await versions()).toEqual([1]);
    expect(await database.sql`select to_regclass('half') as half`).toEqual([{ half: null }]);
    expect(await migrate(address, { migrations: [PAGES, TITLES] })).toEqual([2]);
  });

  test("is applied once, by one of several that start at once", async () => {
    const migrations = [PAGES, TITLES, BY_TITLE];
    const applied = await Promise.all(
      Array.from({ length: 6 }, () => migrate(address, { migrations })),
    );
    expect(await versions()).toEqual([1, 2, 3]);
    expect(applied.flat().toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    expect(await indexes()).toEqual([{ isValid: true }]);
  });

  test("waits for a long transaction without holding up anybody else, and says for whom", async () => {
    await migrate(address, { migrations: [PAGES] });
    const reader = await hold("select from pages");
    const words: string[] = [];
    const migrating = migrate(address, {
      migrations: [PAGES, TITLES],
      warn: (notice) => words.push(describeNotice(notice)),
    });
    await waitUntil("it says that it waits", () => words.length > 0);
    expect(words[0]).toMatch(/^Migration 2 waits: others hold a lock that it needs; /);
    expect(words[0]).toContain(`process ${reader.pid} (shipscore), since 20`);
    await database.sql`insert into pages values (1, 'read and written meanwhile')`;
    expect(await versions()).toEqual([1]);
    await reader.release();
    expect(await migrating).toEqual([2]);
  });

  test("outside a transaction lets others read and write, those too that wait to migrate", async () => {
    await migrate(address, { migrations: [PAGES, TITLES] });
    const writer = await hold("insert into pages values (1, 'not committed')");
    const migrations = [PAGES, TITLES, BY_TITLE];
    const words: string[] = [];
    const first = migrate(address, { migrations });
    await waitUntil("it waits for the transaction", isBuilding);
    const second = migrate(address, {
      migrations,
      warn: (notice) => words.push(describeNotice(notice)),
    });
    await waitUntil("the second says that it waits", () => words.length > 0);
    expect(words[0]).toBe("Migration 3 waits: another process migrates.");
    await database.sql`insert into pages values (2, 'written meanwhile')`;
    await writer.release();
    expect(await Promise.all([first, second])).toEqual([[3], []]);
    expect(await indexes()).toEqual([{ isValid: true }]);
  });

  test.each<[string, (name: string) => string]>([
    ["build", () => "query like 'create index concurrently%'"],
    ["lock", () => "state = 'idle in transaction' and query = 'select 1'"],
  ])("outside a transaction whose %s is cut off is done again", async (_, which) => {
    await migrate(address, { migrations: [PAGES, TITLES] });
    const writer = await hold("insert into pages values (1, 'not committed')");
    const cut = migrate(address, { migrations: [PAGES, TITLES, BY_TITLE] });
    cut.catch(() => {});
    await waitUntil("it waits for the transaction", isBuilding);
    await database.begin((__, runScript) =>
      runScript(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and ${which("")}`,
      ),
    );
    const again = migrate(address, { migrations: [PAGES, TITLES, BY_TITLE] });
    await writer.release();
    await expect(cut).rejects.toThrow();
    expect(await again).toEqual([3]);
    expect(await indexes()).toEqual([{ isValid: true }]);
    expect(await readSchema(database.sql)).toEqual({ version: 3, servesFrom: 3 });
  });

  test("24 follows an invitation that an older program is writing when it begins", async () => {
    const all = await readMigrations();
    const until = (last: number) => all.filter(({ version }) => version <= last);
    await migrate(address, { migrations: until(23) });
    const sharing = await hold(`
      insert into accounts (id, email, plan) values ('acc_a', 'ann@example.com', 'pro'), ('acc_b', 'bob@example.com', 'pro');
      insert into projects (id, owner_id, name, url) values ('prj_a', 'acc_a', 'Site', 'https://example.com/');
      insert into memberships (project_id, account_id) values ('prj_a', 'acc_b')`);
    const migrating = migrate(address, { migrations: until(24) });
    await waitForWaiting(database, 1);
    await sharing.release();
    expect(await migrating).toEqual([24]);
    expect(await database.sql`select email from invitations`).toEqual([
      { email: "bob@example.com" },
    ]);
  });
});
