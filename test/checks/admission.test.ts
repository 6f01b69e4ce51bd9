import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { HOST_BOUNDS, LEASES } from "../../server/base/bounds.ts";
import { admitChecks } from "../../server/db/checks/checks.ts";
import { newId } from "../../server/db/id.ts";
import type { Database, Sql } from "../../server/db/driver/sql.ts";
import { openDatabase, useDatabase } from "../harness/opened-database.ts";
import { waitForWaiting } from "../harness/locks.ts";

const SEED = 20_264;
const DEADLINE_MS = 60_000;
const PEOPLE = ["acc_ann", "acc_ben", "acc_cid", "acc_dan", "acc_eve"] as const;
/** Those of deployments have none. */
type Account = (typeof PEOPLE)[number] | null;
const ACCOUNTS: readonly Account[] = [...PEOPLE, null];

/** The other server's; the embedded database has one session. */
let other: Database;
let sql: Sql;
let host = "";

const database = useDatabase(DEADLINE_MS);
beforeAll(async () => {
  other =
    inject("database") === "postgres" ? await openDatabase(database.env, DEADLINE_MS) : database;
  sql = database.sql;
  await sql`
    insert into accounts (id, email, plan)
    select id, id || '@example.com', 'team' from unnest(string_to_array(${PEOPLE.join(" ")}, ' ')) id`;
});
afterAll(async () => {
  if (other !== database) await other.close();
});
beforeEach(() => (host = `${newId("chk")}.example.com`));

const kindOf = (account: Account) => (account === null ? "deployment" : "api");
const monthOf = (account: Account) => (account === null ? null : "2026-01-01");

/** Adds checks that wait for the host, and returns their ids. */
async function insertWaiting(accounts: readonly Account[]): Promise<string[]> {
  const rows = accounts.map((account) => ({
    id: newId("chk"),
    kind: kindOf(account),
    account,
    month: monthOf(account),
  }));
  await sql`
    insert into checks (id, kind, account_id, month, host, state, lease_until)
    select id, kind, account, month, ${host}, 'running', now() + interval '10 seconds'
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as row (id text, kind text, account text, month date)`;
  return rows.map(({ id }) => id);
}

/** Adds checks that were let in half a minute ago and have ended, or visit still. */
const insertEarlier = (account: Account, state: "running" | "done", count: number) => sql`
  insert into checks (id, kind, account_id, month, host, state, lease_until, admitted_at)
  select 'chk_' || gen_random_uuid(), ${kindOf(account)}, ${account}, ${monthOf(account)}::text::date, ${host}, ${state},
    now() + interval '1 hour', now() - interval '30 seconds'
  from generate_series(1, ${count}::int)`;

/** Adds eight scans that wait for the host, and returns their checks' ids. */
async function insertScans(): Promise<string[]> {
  const ids = Array.from({ length: 8 }, () => newId("chk"));
  await sql`
    insert into checks (id, kind, host, state, lease_until)
    select id, 'scan', ${host}, 'running', now() + interval '10 seconds'
    from unnest(string_to_array(${ids.join(" ")}, ' ')) id`;
  return ids;
}

interface Earlier {
  running: number;
  done: number;
}

/** The bounds in words: one after the other, of the account that has the fewest there, of these the first that came. */
function chooseAdmitted(waiting: readonly Account[], earlier: ReadonlyMap<Account, Earlier>) {
  const running = new Map<Account, number>(ACCOUNTS.map((one) => [one, 0]));
  const minute = new Map(running);
  for (const [account, { running: now, done }] of earlier) {
    running.set(account, now);
    minute.set(account, now + done);
  }
  const of = (counts: ReadonlyMap<Account, number>, account: Account) => counts.get(account) ?? 0;
  const sum = (counts: ReadonlyMap<Account, number>) =>
    [...counts.values()].reduce((total, count) => total + count, 0);
  const hasRoom = (account: Account) =>
    account === null || (of(running, account) < 4 && of(minute, account) < 60);
  const left = new Set(waiting.keys());
  const admitted = new Set<number>();
  for (;;) {
    const [next] = [...left]
      .filter((index) => hasRoom(waiting[index] ?? null))
      .toSorted(
        (a, b) => of(running, waiting[a] ?? null) - of(running, waiting[b] ?? null) || a - b,
      );
    if (next === undefined || sum(running) >= 8 || sum(minute) >= 240) return admitted;
    const account = waiting[next] ?? null;
    running.set(account, of(running, account) + 1);
    minute.set(account, of(minute, account) + 1);
    left.delete(next);
    admitted.add(next);
  }
}

const anyAccount = fc.constantFrom(...ACCOUNTS);

test("a query admits the checks that the bounds allow, in turns", async () => {
  const anyEarlier = fc.record({
    running: fc.integer({ min: 0, max: 4 }),
    done: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 50, max: 60 })),
  });
  const anyCrowd = fc.array(fc.tuple(anyAccount, anyEarlier), { maxLength: 6 });
  const anyQueue = fc.array(anyAccount, { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(anyCrowd, anyQueue, async (crowd, queue) => {
      host = `${newId("chk")}.example.com`;
      const earlier = new Map<Account, Earlier>(crowd);
      for (const [account, { running, done }] of earlier) {
        await insertEarlier(account, "running", running);
        await insertEarlier(account, "done", done);
      }
      const ids = await insertWaiting(queue);
      const admitted = await admitChecks(sql, host, ids, HOST_BOUNDS, LEASES.checkMs);
      const expected = [...chooseAdmitted(queue, earlier)].map((index) => ids[index]);
      expect(new Set(admitted)).toEqual(new Set(expected));
    }),
    { numRuns: 60, seed: SEED },
  );
});

test("two servers that query at the same time admit exactly as many as allowed", async () => {
  const anyWave = fc.record({
    mine: fc.array(anyAccount, { maxLength: 8 }),
    others: fc.array(anyAccount, { maxLength: 8 }),
    ending: fc.integer({ min: 0, max: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyWave, { minLength: 1, maxLength: 4 }), async (waves) => {
      host = `${newId("chk")}.example.com`;
      const earlier = new Map<Account, Earlier>();
      for (const { mine, others, ending } of waves) {
        const [here, there] = [await insertWaiting(mine), await insertWaiting(others)];
        await Promise.all([
          ...here.map((id) => admitChecks(sql, host, [id], HOST_BOUNDS, LEASES.checkMs)),
          admitChecks(other.sql, host, there, HOST_BOUNDS, LEASES.checkMs),
        ]);
        // How many fit does not depend on whom of them the race let in first.
        const fitting = chooseAdmitted([...mine, ...others], earlier).size;
        const counts = await sql<{ account: Account; running: number; done: number }>`
          select account_id as account, count(*) filter (where state = 'running')::int as running,
            count(*) filter (where state = 'done')::int as done
          from checks where host = ${host} and admitted_at is not null group by account_id`;
        const before = [...earlier.values()].reduce((sum, { running }) => sum + running, 0);
        expect(counts.reduce((sum, { running }) => sum + running, 0)).toBe(before + fitting);
        for (const { account, running } of counts)
          expect(running).toBeLessThanOrEqual(account === null ? 8 : 4);
        const ended = await sql<{ account: Account }>`
          update checks set state = 'done' where id in (
            select id from checks where host = ${host} and state = 'running' and admitted_at is not null
            order by id limit ${ending}::int
          ) returning account_id as account`;
        for (const { account, running, done } of counts) {
          const less = ended.filter((one) => one.account === account).length;
          earlier.set(account, { running: running - less, done: done + less });
        }
        await sql`delete from checks where host = ${host} and admitted_at is null`;
      }
    }),
    { numRuns: 20, seed: SEED },
  );
});

test("scans get at most half of a host's places, so that an account keeps its own", async () => {
  const scans = await insertScans();
  expect(await admitChecks(sql, host, scans, HOST_BOUNDS, LEASES.checkMs)).toEqual(
    scans.slice(0, 4),
  );
  const counted = await insertWaiting(["acc_ann", "acc_ann", "acc_ann", "acc_ann"]);
  const admitted = await admitChecks(
    sql,
    host,
    [...scans.slice(4), ...counted],
    HOST_BOUNDS,
    LEASES.checkMs,
  );
  expect(new Set(admitted)).toEqual(new Set(counted));
});

test("the lease starts again when a check is admitted", async () => {
  const [id = ""] = await insertWaiting(["acc_ann"]);
  expect(await admitChecks(sql, host, [id], HOST_BOUNDS, LEASES.checkMs)).toEqual([id]);
  const [row] = await sql<{ seconds: number }>`
    select extract(epoch from lease_until - admitted_at)::int as seconds from checks where id = ${id}`;
  expect(row).toEqual({ seconds: 25 });
});

test.each([
  ["has ended", "update checks set state = 'given_back'"],
  ["is let in already", "update checks set admitted_at = now()"],
])("a check that %s is not admitted", async (_what, change) => {
  const [id = ""] = await insertWaiting(["acc_ann"]);
  await database.begin((_sql, runScript) => runScript(`${change} where id = '${id}'`));
  expect(await admitChecks(sql, host, [id], HOST_BOUNDS, LEASES.checkMs)).toEqual([]);
});

describe.runIf(inject("database") === "postgres")("next to another transaction", () => {
  test("a check that is being given back is skipped, not awaited", async () => {
    const [leaving = "", staying = ""] = await insertWaiting(["acc_ann", "acc_ben"]);
    await other.begin(async (transaction) => {
      await transaction`update checks set state = 'given_back' where id = ${leaving}`;
      expect(await admitChecks(sql, host, [leaving, staying], HOST_BOUNDS, LEASES.checkMs)).toEqual(
        [staying],
      );
    });
  });

  test("a host that is deleted during the query is written again", async () => {
    const ids = await insertWaiting(["acc_ann", "acc_ben"]);
    await admitChecks(sql, host, ids.slice(0, 1), HOST_BOUNDS, LEASES.checkMs);
    let asking: Promise<string[]> | undefined;
    await other.begin(async (transaction) => {
      await transaction`delete from hosts where host = ${host}`;
      asking = admitChecks(sql, host, ids.slice(1), HOST_BOUNDS, LEASES.checkMs);
      await waitForWaiting(database, 1);
    });
    expect(await asking).toEqual(ids.slice(1));
    expect(await sql`select host from hosts where host = ${host}`).toHaveLength(1);
  });
});
