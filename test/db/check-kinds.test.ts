import { afterAll, beforeAll, expect, test } from "vitest";
import { HOST_BOUNDS } from "../../server/bounds.ts";
import { admitChecks, giveExpiredSlotsBack, giveSlotBack } from "../../server/db/checks.ts";
import { openEmbedded, type EmbeddedDatabase } from "../../server/db/embedded/pglite.ts";
import { migrate } from "../../server/db/migrate.ts";
import { readMigrations } from "../../server/db/schema.ts";
import { connectDatabase, type Database, type Sql } from "../../server/db/sql.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";

/** The newest schema whose programs insert checks that do not say their kind. */
const WITHOUT_KINDS = 10;

let files: TestDatabase;
let embedded: EmbeddedDatabase | undefined;
let database: Database;
let sql: Sql;

beforeAll(async () => {
  files = await createTestDatabase();
  const { DATABASE_URL: url, SHIPSCORE_DATA_DIR: dataDir = "" } = files.env;
  embedded = url === undefined ? await openEmbedded(dataDir) : undefined;
  const address = embedded ?? { url: url ?? "" };
  const connect = () => {
    database = connectDatabase(address, {
      connections: 1,
      deadlineMs: 60_000,
      arePrepared: false,
    });
    ({ sql } = database);
  };
  connect();
  await database.begin((_, runScript) =>
    runScript("drop schema public cascade; create schema public"),
  );
  await database.close();
  const all = await readMigrations();
  await migrate(address, { migrations: all.filter(({ version }) => version <= WITHOUT_KINDS) });
  connect();
  await sql`insert into accounts (id, email, plan) values ('acc_1', 'ann@example.com', 'team')`;
  await sql`insert into usage (account_id, month, used) values ('acc_1', '2026-01-01', 9)`;
  await sql`
    insert into projects (id, owner_id, name, url) values ('prj_1', 'acc_1', 'Shop', 'https://example.com/')`;
  await insertAs("before", "done");
  await insertAs("before", "running");
  await insertAs("before", "given_back");
  await ship("before-done");
  await database.close();
  await migrate(address);
  connect();
});
afterAll(async () => {
  await database.close();
  await embedded?.close();
  await files.drop();
});

/** A check of an account and one of a deployment, as a program without kinds inserts them. */
async function insertAs(time: string, state: string): Promise<void> {
  const id = `${time}-${state}`;
  await sql`
    insert into checks (id, account_id, month, host, state, lease_until)
    values (${`api-${id}`}, 'acc_1', '2026-01-01', 'example.com', ${state}, now() + interval '20 seconds')`;
  await sql`
    insert into checks (id, host, state, lease_until)
    values (${`dep-${id}`}, 'example.com', ${state}, now() + interval '20 seconds')`;
}

/** Records a deployment, whose check ends, and ties it to that, as a program without kinds does. */
async function ship(id: string): Promise<void> {
  await sql`
    insert into deployments (id, project_id, url, environment)
    values (${id}, 'prj_1', 'https://example.com/', 'production')`;
  await sql`update checks set state = 'done' where id = ${`dep-${id}`}`;
  await sql`update deployments set check_id = ${`dep-${id}`} where id = ${id}`;
}

const readKinds = (time: string) => sql`
  select id, kind, project_id from checks where id like ${`%-${time}-%`} order by id`;

test("what was there before has its kind, and its project where a deployment came to it", async () => {
  await ship("before-running");
  expect(await readKinds("before")).toEqual([
    { id: "api-before-done", kind: "api", projectId: null },
    { id: "api-before-given_back", kind: "api", projectId: null },
    { id: "api-before-running", kind: "api", projectId: null },
    { id: "dep-before-done", kind: "deployment", projectId: "prj_1" },
    { id: "dep-before-given_back", kind: "deployment", projectId: null },
    { id: "dep-before-running", kind: "deployment", projectId: "prj_1" },
  ]);
});

test("so has what a program without kinds inserts beside the newer ones", async () => {
  await insertAs("beside", "running");
  await ship("beside-running");
  expect(await readKinds("beside")).toEqual([
    { id: "api-beside-running", kind: "api", projectId: null },
    { id: "dep-beside-running", kind: "deployment", projectId: "prj_1" },
  ]);
});

test("no check is of another kind, or of none", async () => {
  const insert = (kind: string) => sql`
    insert into checks (id, kind, host, state, lease_until) values ('chk_x', ${kind}, 'example.com', 'done', now())`;
  await expect(insert("guess")).rejects.toThrow("checks_kind");
  await expect(sql`update checks set kind = null where id = 'dep-beside-running'`).rejects.toThrow(
    "null value",
  );
});

test("both let in each other's checks and count them", async () => {
  const ids = ["a", "b", "c", "d", "e"];
  for (const id of ids)
    await sql`
      insert into checks (id, account_id, month, host, state, lease_until)
      values (${id}, 'acc_1', '2026-01-01', 'shared.example', 'running', now() + interval '20 seconds')`;
  const former = await sql<{ id: string }>`
    select id from admit_checks('shared.example', array['a', 'b']) as id`;
  expect(former.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(await admitChecks(sql, "shared.example", ["c", "d", "e"], HOST_BOUNDS)).toEqual([
    "c",
    "d",
  ]);
});

test("slots are given back of accounts' checks alone", async () => {
  const readUsed = async () =>
    (await sql<{ used: number }>`select used from usage where month = '2026-01-01'`)[0]?.used;
  for (const id of ["dep-before-done", "dep-before-given_back", "dep-before-running"])
    await giveSlotBack(sql, id);
  expect([await readUsed(), (await readKinds("before")).length]).toEqual([9, 6]);
  await giveSlotBack(sql, "api-before-done");
  expect(await readUsed()).toBe(8);
  await sql`update checks set lease_until = now() where state = 'running'`;
  await giveExpiredSlotsBack(sql);
  expect(await readUsed()).toBe(1);
  expect(await sql`select from checks where state = 'running'`).toEqual([]);
});
