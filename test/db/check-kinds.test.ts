import { beforeAll, expect, test } from "vitest";
import { giveExpiredSlotsBack, giveSlotBack } from "../../server/db/checks/checks.ts";
import { useDatabase } from "../harness/opened-database.ts";
import { valueOf } from "../harness/rows.ts";

const database = useDatabase();
beforeAll(async () => {
  const { sql } = database;
  await sql`insert into accounts (id, email, plan) values ('acc_1', 'ann@example.com', 'team')`;
  await sql`insert into usage (account_id, month, used) values ('acc_1', '2026-01-01', 9)`;
  await sql`
    insert into checks (id, kind, account_id, month, host, state, lease_until)
    select 'api-' || state, 'api', 'acc_1', '2026-01-01', 'example.com', state, now() + interval '20 seconds'
    from unnest(array['done', 'running', 'given_back']) as state`;
  await sql`
    insert into checks (id, kind, host, state, lease_until)
    select 'dep-' || state, 'deployment', 'example.com', state, now() + interval '20 seconds'
    from unnest(array['done', 'running', 'given_back']) as state`;
});

test("a check must have a known kind", async () => {
  const insert = (kind: string | null) => database.sql`
    insert into checks (id, kind, host, state, lease_until) values ('chk_x', ${kind}, 'example.com', 'done', now())`;
  await expect(insert("guess")).rejects.toThrow("checks_kind");
  await expect(insert(null)).rejects.toThrow("null value");
});

test("only checks of accounts give quota back", async () => {
  const { sql } = database;
  const readUsed = () => valueOf<number>(sql`select used from usage`);
  for (const id of ["dep-done", "dep-given_back", "dep-running"]) await giveSlotBack(sql, id);
  expect(await readUsed()).toBe(9);
  expect(await sql`select id from checks where kind = 'deployment' order by id`).toEqual([
    { id: "dep-done" },
    { id: "dep-given_back" },
  ]);
  await giveSlotBack(sql, "api-done");
  expect(await readUsed()).toBe(8);
  await sql`update checks set lease_until = now() where state = 'running'`;
  await giveExpiredSlotsBack(sql);
  expect(await readUsed()).toBe(7);
  expect(await sql`select from checks where state = 'running'`).toEqual([]);
});
