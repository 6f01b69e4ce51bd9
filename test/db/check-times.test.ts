import { expect, test } from "vitest";
import { HOST_BOUNDS } from "../../server/base/bounds.ts";
import { CHECKS_A_MONTH } from "../../server/base/plans.ts";
import {
  admitChecks,
  findByIdempotencyKey,
  insertCountedCheck,
  insertDeploymentCheck,
  KEY_TIME,
} from "../../server/db/checks/checks.ts";
import { newId } from "../../server/db/id.ts";
import type { Sql } from "../../server/db/driver/sql.ts";
import { insertReader } from "../harness/crowd.ts";
import { useDatabase } from "../harness/opened-database.ts";
import { use } from "../harness/use.ts";

const host = "shop.example";
const LEASE_MS = 1234;

const database = useDatabase();
const reader = use(() => insertReader(database.sql, "ann@example.com"));

const take = (sql: Sql, key: string | null, id = newId("chk")) =>
  insertCountedCheck(
    sql,
    { id, accountId: reader.accountId, host },
    key === null ? undefined : { key, requestHash: Buffer.alloc(32) },
    CHECKS_A_MONTH,
    LEASE_MS,
  );

test.each<[string, begin: (sql: Sql, id: string) => Promise<unknown>]>([
  ["with a slot", (sql, id) => take(sql, null, id)],
  [
    "of a deployment",
    (sql, id) => insertDeploymentCheck(sql, { id, projectId: reader.projectId, host }, LEASE_MS),
  ],
  [
    "that its host admits",
    async (sql, id) => {
      await take(sql, null, id);
      await admitChecks(sql, host, [id], HOST_BOUNDS, LEASE_MS);
    },
  ],
])("a check %s has exactly the given lease", async (_name, begin) => {
  const id = newId("chk");
  await begin(database.sql, id);
  const [lease] = await database.sql<{ ms: number }>`
    select (extract(epoch from lease_until - coalesce(admitted_at, started_at)) * 1000)::float8 as ms
    from checks where id = ${id}`;
  expect(lease).toEqual({ ms: LEASE_MS });
});

test.each([
  ["is in use a millisecond before KEY_TIME has passed", "1 millisecond", "repeated", true],
  ["is free when KEY_TIME has passed", "0 milliseconds", "taken", false],
])("an idempotency key %s", async (name, left, outcome, isFound) => {
  // In a transaction now() stands still.
  const seen = await database.begin(async (sql) => {
    await take(sql, name);
    await sql`
      update checks set started_at = now() - ${KEY_TIME}::text::interval + ${left}::text::interval
      where idempotency_key = ${name}`;
    const found = await findByIdempotencyKey(sql, reader.accountId, name);
    return [found !== undefined, (await take(sql, name)).outcome];
  });
  expect(seen).toEqual([isFound, outcome]);
});
