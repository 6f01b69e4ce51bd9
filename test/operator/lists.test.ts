import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { listAccounts } from "../../server/db/accounts/accounts.ts";
import { listAllProjects } from "../../server/db/projects/projects.ts";
import { toSql, type Database } from "../../server/db/driver/sql.ts";
import { createTestDatabase, useFiles } from "../harness/database.ts";
import { openDatabase } from "../harness/opened-database.ts";
import { BIN, runOrThrow, startServerProcess, type ServerProcess } from "../harness/process.ts";
import { columnOf } from "../harness/rows.ts";

/** Three pages. */
const SIZE = 1200;
const PAGE = 500;
const ANN = "ann@example.com";

/** In the database's own order. */
let emails: string[];
let projectIds: string[];
let tokenIds: string[];

const print = (command: string, env = {}) =>
  runOrThrow(command.split(" "), { ...files.env, ...env });
const firstCells = (text: string) => text.split("\n").map((line) => line.split("\t")[0]);

async function fill({ sql }: Database): Promise<void> {
  await sql`
    insert into accounts (id, email, plan)
    select 'acc_' || n, md5(n::text) || '@example.net', 'pro' from generate_series(1, ${SIZE - 1}::int) n`;
  await sql`insert into accounts (id, email, plan) values ('acc_ann', ${ANN}, 'team')`;
  await sql`
    insert into usage (account_id, month, used)
    select id, date_trunc('month', now() at time zone 'utc')::date, 7 from accounts where id <> 'acc_ann'`;
  // A tenth of them has one name; all were made at the same time.
  await sql`
    insert into projects (id, owner_id, name, url)
    select 'prj_' || md5(n::text), 'acc_' || n % 100 + 1, 'Site ' || greatest(n, 500), 'https://example.com/'
    from generate_series(1, ${SIZE}::int) n`;
  await sql`
    insert into memberships (project_id, account_id) select id, 'acc_ann' from projects where name < 'Site 6'`;
  await sql`
    insert into invitations (project_id, email) select id, ${ANN} from projects where name >= 'Site 6'`;
  await sql`
    insert into tokens (id, account_id, name, fingerprint, revoked_at)
    select 'tok_' || md5(n::text), 'acc_ann', 'ci ' || n, sha256(n::text::bytea), now() from generate_series(1, 1200) n`;
  emails = await columnOf(sql`select email from accounts order by email`);
  projectIds = await columnOf(sql`select id from projects order by name, id`);
  tokenIds = await columnOf(sql`select id from tokens order by created_at, id`);
}

const files = useFiles();
beforeAll(async () => {
  const database = await openDatabase(files.env, 120_000);
  await fill(database);
  await database.close();
});

describe("a page needs one statement, of a limited number of rows", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(files.env);
  });
  afterAll(() => database.close());

  type List<Row> = (sql: Database["sql"], after: Row | null) => Promise<Row[]>;

  async function readTwo<Row>(list: List<Row>): Promise<number[]> {
    let statements = 0;
    const counting = toSql((strings, ...values) => {
      statements++;
      return database.sql(strings, ...values);
    });
    const first = await list(counting, null);
    const second = await list(counting, first.at(-1) ?? null);
    return [first.length, second.length, statements];
  }

  test.each([
    ["accounts", () => readTwo(listAccounts)],
    ["projects", () => readTwo(listAllProjects)],
  ])("%s", async (_noun, read) => {
    expect(await read()).toEqual([PAGE, PAGE, 2]);
  });

  test("continues after a deleted row", async () => {
    const { sql } = database;
    await sql`insert into accounts (id, email, plan) values ('acc_new', '0', 'free')`;
    await sql`insert into projects (id, owner_id, name, url) values ('prj_new', 'acc_new', '0', 'https://example.com/')`;
    const account = (await listAccounts(sql, null))[0];
    const project = (await listAllProjects(sql, null))[0];
    await sql`delete from projects where id = 'prj_new'`;
    await sql`delete from accounts where id = 'acc_new'`;
    expect([account?.id, project?.id]).toEqual(["acc_new", "prj_new"]);
    const [accounts, projects] = [
      await listAccounts(sql, account ?? null),
      await listAllProjects(sql, project ?? null),
    ];
    expect([accounts[0]?.email, projects[0]?.id]).toEqual([emails[0], projectIds[0]]);
  });

  test("neither repeats nor omits a row if rows are added", async () => {
    const { sql } = database;
    const first = await listAccounts(sql, null);
    await sql`insert into accounts (id, email, plan) values ('acc_new', '0', 'free')`;
    const second = await listAccounts(sql, first.at(-1) ?? null);
    expect([...first, ...second].map(({ email }) => email)).toEqual(emails.slice(0, 2 * PAGE));
    await sql`delete from accounts where id = 'acc_new'`;
  });
});

/** A server beside them matters where it holds the database. */
const WAYS = ["without a server", "beside a running server"].slice(
  0,
  inject("database") === "embedded" ? 2 : 1,
);
describe.each(WAYS)("%s a list of three pages", (where) => {
  let server: ServerProcess | undefined;
  beforeAll(async () => {
    if (where !== "without a server") server = await startServerProcess(files.env);
  });
  afterAll(() => server?.end("SIGTERM"));

  test("is complete and in order, in a pipe", async () => {
    expect(firstCells(await print("account list"))).toEqual(emails);
    expect(firstCells(await print("project list"))).toEqual(projectIds);
    expect(firstCells(await print(`token list ${ANN}`))).toEqual(tokenIds);
  });

  test("is one array in JSON", async () => {
    const text = await print("project list --json");
    const projects = JSON.parse(text) as { id: string; members: string[]; invited: string[] }[];
    expect(JSON.stringify(projects, undefined, 2)).toBe(text);
    expect(projects.map(({ id }) => id)).toEqual(projectIds);
    expect(projects.every(({ members, invited }) => members.length + invited.length === 1)).toBe(
      true,
    );
    const accounts = JSON.parse(await print("account list --json")) as object[];
    expect(accounts).toHaveLength(SIZE);
    expect(accounts[0]).toMatchObject({ email: emails[0], used: 7, limit: 300, activeTokens: 0 });
  });

  test("has its headings once on a terminal", async () => {
    const lines = (await print("account list", { SHIPSCORE_FORCE_TTY: "80" })).split("\n");
    expect(lines).toHaveLength(1 + SIZE);
    expect(lines.filter((line) => line.startsWith("EMAIL"))).toEqual([lines[0]]);
    const planAt = lines[0]?.indexOf("PLAN") ?? 0;
    expect(lines.at(-1)?.slice(planAt)).toMatch(/^(?:pro|team) /);
  });

  test.each(["project list", "project list --json"].slice(0, inject("isThorough") ? 2 : 1))(
    "`%s | head -1` ends quietly",
    async (words) => {
      const child = spawn(process.execPath, [BIN, ...words.split(" ")], {
        env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...files.env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let stderr = "";
      child.stderr.on("data", (chunk) => (stderr += chunk));
      const exited = once(child, "exit");
      await once(child.stdout, "data");
      child.stdout.destroy();
      expect([await exited, stderr]).toEqual([[0, null], ""]);
    },
  );
});

test("an empty list is an empty array, or nothing, or headings", async () => {
  const empty = await createTestDatabase();
  await runOrThrow(["migrate"], empty.env);
  const show = (words: string[], env = {}) => runOrThrow(words, { ...empty.env, ...env });
  expect(await show(["project", "list", "--json"])).toBe("[]");
  expect(await show(["project", "list"])).toBe("");
  expect(await show(["project", "list"], { SHIPSCORE_FORCE_TTY: "80" })).toBe(
    "ID  STATE  NAME  URL  OWNER  MEMBERS  INVITED",
  );
  await empty.drop();
});
