import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { Database } from "../../server/db/driver/sql.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { hold, waitForWaiting } from "../harness/locks.ts";
import { openDatabase } from "../harness/opened-database.ts";
import { addAccount, startServerProcess, type ServerProcess } from "../harness/process.ts";
import { sendRequest } from "../harness/request.ts";
import { startSlowSite, type SlowSite } from "../harness/slow-site.ts";

const BEFORE = "2031-12-31T23:59:58.500Z";
const AFTER = "2032-01-01T00:00:00.000Z";

describe.runIf(inject("database") === "postgres")("at the turn of the database's month", () => {
  let files: TestDatabase;
  let database: Database;
  let server: ServerProcess;
  let site: SlowSite;
  let token: string;

  beforeAll(async () => {
    files = await createTestDatabase();
    site = await startSlowSite();
    token = await addAccount(files.env, "ann@example.com", "free");
    database = await openDatabase(files.env);
    const name = new URL(files.env["DATABASE_URL"] ?? "").pathname.slice(1);
    // Every now() that connections ask for from here on is this one.
    await database.begin((_sql, runScript) =>
      runScript(`
        create schema clock;
        create table clock.time (at timestamptz not null);
        insert into clock.time values (now());
        create function clock.now() returns timestamptz stable language sql as 'select at from clock.time';
        alter table checks alter started_at set default clock.now();
        alter database ${name} set search_path = public, clock, pg_catalog`),
    );
    server = await startServerProcess(files.env);
  });
  beforeEach(async () => {
    await database.sql`truncate checks cascade`;
    await database.sql`truncate usage`;
    await database.sql`
      insert into usage (account_id, month, used) select id, '2031-12-01', 29 from accounts`;
    await setClock(BEFORE);
  });
  afterAll(async () => {
    await server.end("SIGTERM");
    await database.close();
    await site.close();
    await files.drop();
  });

  const setClock = (at: string) => database.sql`update clock.time set at = ${at}::timestamptz`;
  const holdDecember = () =>
    hold(database, (sql) => sql`select from usage where month = '2031-12-01' for update`);

  async function check(key = "") {
    const answer = await sendRequest(server.url, "/api/v1/check", {
      token,
      method: "POST",
      body: { url: site.url },
      headers: { "idempotency-key": key },
    });
    const { id, quota } = (await answer.json()) as { id?: string; quota: object };
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), id, quota };
  }
  const usages = () =>
    database.sql`select month::text, used from usage order by month`.then((rows) =>
      rows.map(Object.values),
    );

  const refused = { status: 429, retryAfter: "2", quota: { used: 30, limit: 30, remaining: 0 } };
  const accepted = { status: 200, quota: { used: 1, limit: 30, remaining: 29 } };

  test("a refusal tells the wait until then, and who waits that long is accepted", async () => {
    await check();
    expect(await check()).toMatchObject(refused);
    await setClock(AFTER);
    expect(await check()).toMatchObject(accepted);
  });

  test("a refusal tells the count of the month in which it was asked for", async () => {
    await check();
    const release = await holdDecember();
    const asking = check();
    await waitForWaiting(database, 1);
    await setClock(AFTER);
    await release();
    expect(await asking).toMatchObject(refused);
  });

  test("two uses of one key take one slot, although each has a month of its own", async () => {
    const release = await holdDecember();
    const ofDecember = check("turn");
    await waitForWaiting(database, 1);
    await setClock(AFTER);
    const ofJanuary = await check("turn");
    await release();
    expect(ofJanuary).toMatchObject(accepted);
    expect(await ofDecember).toEqual(ofJanuary);
    expect(await usages()).toEqual([
      ["2031-12-01", 29],
      ["2032-01-01", 1],
    ]);
  });
});
