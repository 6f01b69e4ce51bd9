import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { useFiles } from "../harness/database.ts";
import { hold, waitForWaiting } from "../harness/locks.ts";
import { openDatabase } from "../harness/opened-database.ts";
import { addAccount } from "../harness/process.ts";
import { useServerOn } from "../harness/server.ts";
import { sendCheck } from "../harness/request.ts";
import { startSlowSite } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const BEFORE = "2031-12-31T23:59:58.500Z";
const AFTER = "2032-01-01T00:00:00.000Z";

describe.runIf(inject("database") === "postgres")("at the turn of the database's month", () => {
  let token: string;

  const files = useFiles();
  const site = use(startSlowSite);
  beforeAll(async () => {
    token = await addAccount(files.env, "ann@example.com", "free");
  });
  const database = use(() => openDatabase(files.env));
  beforeAll(async () => {
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
  });
  const server = useServerOn(files);
  beforeEach(async () => {
    await database.sql`truncate checks cascade`;
    await database.sql`truncate usage`;
    await database.sql`
      insert into usage (account_id, month, used) select id, '2031-12-01', 29 from accounts`;
    await setClock(BEFORE);
  });

  const setClock = (at: string) => database.sql`update clock.time set at = ${at}::timestamptz`;
  const holdDecember = () =>
    hold(database, (sql) => sql`select from usage where month = '2031-12-01' for update`);

  async function check(key = "") {
    const headers = { "idempotency-key": key };
    const answer = await sendCheck(server.url, token, site.url, { headers });
    const { id, quota } = (await answer.json()) as { id?: string; quota: object };
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), id, quota };
  }
  const usages = () =>
    database.sql`select month::text, used from usage order by month`.then((rows) =>
      rows.map(Object.values),
    );

  const refused = { status: 429, retryAfter: "2", quota: { used: 30, limit: 30, remaining: 0 } };
  const accepted = { status: 200, quota: { used: 1, limit: 30, remaining: 29 } };

  test("a refusal gives the time to wait; after it the next check is accepted", async () => {
    await check();
    expect(await check()).toMatchObject(refused);
    await setClock(AFTER);
    expect(await check()).toMatchObject(accepted);
  });

  test("a refusal reports the count of the month in which the check was requested", async () => {
    await check();
    const release = await holdDecember();
    const asking = check();
    await waitForWaiting(database, 1);
    await setClock(AFTER);
    await release();
    expect(await asking).toMatchObject(refused);
  });

  test("two uses of one key in different months count once", async () => {
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
