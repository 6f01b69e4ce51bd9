import { beforeEach, expect, test } from "vitest";
import { toSql, type Sql } from "../../server/db/driver/sql.ts";
import { createSalts, hashVisitor } from "../../server/scan/salt.ts";
import { useDatabase } from "../harness/opened-database.ts";

const TEN_MINUTES_MS = 600_000;

let elapsedMs = 0;

const database = useDatabase();
beforeEach(async () => {
  await database.sql`delete from salts`;
});

/** One server of several; they share the database and the passing of time. */
const startServer = (sql: Sql = database.sql) => ({ salts: createSalts(sql, () => elapsedMs) });

/** What was stored today was stored yesterday; the servers learn it when they next look. */
const passADay = () => database.sql`update salts set day = day - 1`;
const lookAgain = () => (elapsedMs += TEN_MINUTES_MS);

test("all servers make the same hash of a visitor, and a different one of another", async () => {
  const servers = [startServer(), startServer(), startServer()];
  const hashes = await Promise.all(servers.map((server) => hashVisitor(server, "192.0.2.1")));
  const [hash] = hashes;
  expect(hash?.today).toMatch(/^[0-9a-f]{64}$/);
  expect(hash?.recent).toEqual([hash?.today]);
  expect(hashes).toEqual([hash, hash, hash]);
  expect((await hashVisitor(startServer(), "192.0.2.2")).today).not.toBe(hash?.today);
});

test("the salt is random and is read once", async () => {
  let reads = 0;
  const counting = toSql((strings, ...values) => {
    reads++;
    return database.sql(strings, ...values);
  });
  const server = startServer(counting);
  const [one] = await Promise.all([1, 2, 3].map(() => hashVisitor(server, "192.0.2.1")));
  await hashVisitor(server, "192.0.2.1");
  expect(reads).toBe(1);
  await database.sql`delete from salts`;
  expect((await hashVisitor(startServer(), "192.0.2.1")).today).not.toBe(one?.today);
});

test("at midnight a visitor gets a new hash, and is still recognized by the old one", async () => {
  const [early, late] = [startServer(), startServer()];
  const before = await hashVisitor(early, "192.0.2.1");
  await hashVisitor(late, "192.0.2.1");
  await passADay();
  const atMidnight = await hashVisitor(late, "192.0.2.1");
  expect(atMidnight).toEqual(before);
  lookAgain();
  const after = await hashVisitor(early, "192.0.2.1");
  expect(after.today).not.toBe(before.today);
  expect(after.recent).toEqual([after.today, before.today]);
  expect(await hashVisitor(late, "192.0.2.1")).toEqual(after);

  await passADay();
  lookAgain();
  const dayAfter = await hashVisitor(late, "192.0.2.1");
  expect(dayAfter.recent).toEqual([dayAfter.today, after.today]);
});

test("a day without requests has no salt, and no hash to look for", async () => {
  const server = startServer();
  await hashVisitor(server, "192.0.2.1");
  await passADay();
  await passADay();
  lookAgain();
  const hashes = await hashVisitor(server, "192.0.2.1");
  expect(hashes.recent).toEqual([hashes.today]);
});

test("a failed read of the salt is repeated when it is next needed", async () => {
  let isAway = true;
  const sql = toSql((strings, ...values) =>
    isAway ? Promise.reject(new Error("away")) : database.sql(strings, ...values),
  );
  const server = startServer(sql);
  await expect(hashVisitor(server, "192.0.2.1")).rejects.toThrow("away");
  isAway = false;
  expect((await hashVisitor(server, "192.0.2.1")).today).toMatch(/^[0-9a-f]{64}$/);
});
