import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { runCheck } from "../../server/checks/check.ts";
import { takeSlot } from "../../server/checks/quota.ts";
import { LEASES } from "../../server/base/bounds.ts";
import { giveExpiredSlotsBack, giveSlotBack } from "../../server/db/checks/checks.ts";
import { newId } from "../../server/db/id.ts";
import { toSql, type Database, type Sql } from "../../server/db/driver/sql.ts";
import type { Vet } from "../../server/engine/net/vet.ts";
import type { Deps } from "../../server/deps.ts";
import { AppError, isAppError } from "../../server/base/errors.ts";
import { hold, waitForWaiting } from "../harness/locks.ts";
import { openDatabase } from "../harness/opened-database.ts";
import { addPerson, type Person } from "../harness/people.ts";
import { sendRaw } from "../harness/raw-http.ts";
import { useServer } from "../harness/server.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";
import { sendCheck } from "../harness/request.ts";
import { valueOf } from "../harness/rows.ts";

const PATIENT_MS = 120_000;
const onPostgres = describe.runIf(inject("database") === "postgres");
const NONE_LEFT = { used: 30, limit: 30, remaining: 0 };

/** Beside the server's own connections, where the database can have others, and in no makeMessagesDue. */
let database: Database;

const site = use(startSlowSite);
const server = useServer();
beforeAll(async () => {
  database =
    inject("database") === "postgres"
      ? await openDatabase(server.database.env, PATIENT_MS)
      : { ...server.deps.database, close: async () => {} };
});
afterAll(async () => {
  await database.close();
});

/** An account on the free plan, of whose 30 slots so many are used. */
async function addAccount(name: string, used: number): Promise<Person> {
  const person = await addPerson(server, name, "free");
  await server.sql`
    insert into usage (account_id, month, used)
    values (${person.accountId}, date_trunc('month', now() at time zone 'utc'), ${used})`;
  return person;
}

const countUsedChecks = (account: Person) =>
  valueOf<number>(server.sql`select used from usage where account_id = ${account.accountId}`);

const check = (account: Person, key = "", url = site.url) =>
  sendCheck(server.url, account.token, url, { headers: { "idempotency-key": key } });
const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const textsOf = (answers: Response[]) => Promise.all(answers.map((answer) => answer.text()));
const quotaOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { quota?: object }).quota,
];

async function waitForRunning(key: string): Promise<string> {
  let id: string | undefined;
  await waitUntil("the check runs", async () => {
    const [row] = await server.sql<{ id: string }>`
      select id from checks where idempotency_key = ${key} and state = 'running'`;
    id = row?.id;
    return id !== undefined;
  });
  return id ?? "";
}

describe("with one check left in the quota", () => {
  test("thirty uses of one key get one answer; another key gets the 429", async () => {
    const account = await addAccount("crowd", 29);
    const answers = await times(30, () => check(account, "one"));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(await textsOf(answers)).size).toBe(1);
    expect(await quotaOf(await check(account, "another"))).toEqual([429, NONE_LEFT]);
    expect((await check(account, "one")).status).toBe(200);
  });

  test("a second use waits for the first, and counts when the first does not", async () => {
    const account = await addAccount("heir", 29);
    site.hold();
    const first = check(account, "heir");
    const firstId = await waitForRunning("heir");
    const second = check(account, "heir");
    const other = await check(account, "other", `${site.url}other`);
    expect(await quotaOf(other)).toEqual([429, NONE_LEFT]);
    await giveSlotBack(server.sql, firstId);
    await waitUntil("the second runs", async () => (await waitForRunning("heir")) !== firstId);
    site.release();
    expect((await first).status).toBe(503);
    expect(await quotaOf(await second)).toEqual([200, NONE_LEFT]);
    expect(await countUsedChecks(account)).toBe(30);
  });
});

describe("a key", () => {
  test("that got a 429 first gets one again", async () => {
    const account = await addAccount("poor", 30);
    for (const answer of await times(2, () => check(account, "poor")))
      expect(await quotaOf(answer)).toEqual([429, NONE_LEFT]);
    await server.sql`update usage set used = 29 where account_id = ${account.accountId}`;
    expect(await quotaOf(await check(account, "poor"))).toEqual([200, NONE_LEFT]);
  });

  test("is rejected for another body while its first use runs", async () => {
    const account = await addAccount("mixed", 29);
    site.hold();
    const first = check(account, "mixed");
    await waitForRunning("mixed");
    expect((await check(account, "mixed", `${site.url}other`)).status).toBe(400);
    site.release();
    expect((await first).status).toBe(200);
  });

  test("is new after 24 hours, even for ten at once", async () => {
    const account = await addAccount("daily", 0);
    const [old] = await textsOf([await check(account, "daily")]);
    await server.sql`
      update checks set started_at = now() - interval '24 hours' where account_id = ${account.accountId}`;
    const texts = await textsOf(await times(10, () => check(account, "daily")));
    expect(new Set(texts).size).toBe(1);
    expect(texts).not.toContain(old);
    expect(await countUsedChecks(account)).toBe(2);
  });

  const asked = (account: Person, header: string) => {
    const body = JSON.stringify({ url: site.url });
    const lines = [
      "POST /api/v1/check HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${account.token}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Connection: close",
      header,
    ];
    return sendRaw(server.url, `${lines.join("\r\n")}\r\n\r\n${body}`, PATIENT_MS);
  };

  test.each<[string, header: string, status: number, slots: number]>([
    ["a NUL", "Idempotency-Key: a\0b", 400, 0],
    ["a control character", "Idempotency-Key: a\u0001b", 400, 0],
    ["256 characters", `Idempotency-Key: ${"k".repeat(256)}`, 400, 0],
    ["255 characters", `Idempotency-Key: ${"k".repeat(255)}`, 200, 1],
    ["Latin-1", "Idempotency-Key: cl\xe9", 200, 1],
    ["UTF-8", "Idempotency-Key: cl\xc3\xa9", 200, 1],
    ["bytes that are no UTF-8", "Idempotency-Key: \xff\xfe\x80", 200, 1],
    ["a quote, a backslash, a template", "Idempotency-Key: '\"\\${0} $1", 200, 1],
    ["nothing: no key", "Idempotency-Key: ", 200, 2],
    ["no header", "X-Key: none", 200, 2],
  ])("of %s", async (name, header, status, slots) => {
    const account = await addAccount(name.replaceAll(/\W/g, "").toLowerCase(), 0);
    const answers = [await asked(account, header), await asked(account, header)];
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    expect(await countUsedChecks(account)).toBe(slots);
    if (slots === 1) expect(answers[1]?.body).toBe(answers[0]?.body);
  });
});

/** A slot taken past the doors, as `id`, or what was said instead. */
const take = (account: Person, key?: string, id = newId("chk")) =>
  takeSlot(
    database.sql,
    { id, accountId: account.accountId, host: "x" },
    key === undefined ? undefined : { key, requestHash: Buffer.alloc(32) },
    LEASES.checkMs,
  );

test("a refusal reports that the limit is reached, while other checks are given back and counted", async () => {
  const account = await addAccount("churn", 29);
  const refusals: object[] = [];
  const churn = async () => {
    const id = newId("chk");
    try {
      expect(await take(account, undefined, id)).toEqual(NONE_LEFT);
      await giveSlotBack(database.sql, id);
    } catch (error) {
      if (!isAppError(error, "quota_exceeded")) throw error;
      refusals.push(error.parameters.quota);
    }
  };
  for (let round = 0; round < 25; round++) await times(16, churn);
  expect(refusals.length).toBeGreaterThan(0);
  expect(refusals).toEqual(refusals.map(() => NONE_LEFT));
  expect(await countUsedChecks(account)).toBe(29);
  expect(await server.sql`select id from checks where account_id = ${account.accountId}`).toEqual(
    [],
  );
});

/** A server, and the most of its statements with a text in them that ran at the same time. */
function countAtOnce(text: string) {
  const counted = { running: 0, most: 0 };
  const count = (query: Sql["read"]) =>
    toSql(async (strings, ...values) => {
      const isCounted = strings.join("").includes(text);
      if (isCounted) counted.most = Math.max(counted.most, ++counted.running);
      try {
        return await query(strings, ...values);
      } finally {
        if (isCounted) counted.running--;
      }
    });
  const sql = toSql(count(server.sql), count(server.sql.read));
  return { counted, deps: { ...server.deps, database: { ...server.deps.database, sql } } };
}

/** Runs a check past the doors. */
const run = (deps: Deps, { accountId }: Person, more: object = {}) =>
  runCheck(
    deps,
    { by: "token", accountId },
    { request: { url: site.url, preview: false, headers: {} }, language: "en", ...more },
  );

describe("a crowd of one account", () => {
  const CROWD = 30;
  const AT_ONCE = 2;

  test("that is rejected together gives its checks back in few statements", async () => {
    const account = await addAccount("refused", 0);
    const { counted, deps } = countAtOnce("give_slots_back");
    let admitted = 0;
    let refuse = (_error: unknown) => {};
    const refused = new Promise<never>((_, reject) => (refuse = reject));
    const admit = () => {
      if (++admitted === CROWD) refuse(new AppError("busy", {}));
      return refused;
    };
    const vet: Vet = async (...args) => {
      const vetted = await server.deps.probe.vet(...args);
      return { ...vetted, exempt: false };
    };
    const crowded = { ...deps, hostQueues: { admit }, probe: { ...deps.probe, vet } };
    const checks = times(CROWD, () => run(crowded, account).catch((error: unknown) => error));
    for (const error of await checks) expect(error).toMatchObject({ code: "busy" });
    expect(counted.most).toBeGreaterThan(0);
    expect(counted.most).toBeLessThanOrEqual(AT_ONCE);
    await expect.poll(() => countUsedChecks(account)).toBe(0);
  });

  test("that waits for one key polls it in few statements, until each leaves", async () => {
    const account = await addAccount("waiting", 0);
    const { counted, deps } = countAtOnce("request_hash, answer");
    site.hold();
    const idempotencyKey = "waiting";
    const first = run(deps, account, { idempotencyKey });
    await waitForRunning(idempotencyKey);
    const gone = new AbortController();
    const leaving = run(deps, account, { idempotencyKey, signal: gone.signal });
    const crowd = times(CROWD, () => run(deps, account, { idempotencyKey }));
    gone.abort("gone");
    await expect(leaving).rejects.toBe("gone");
    site.release();
    expect(new Set(await crowd)).toEqual(new Set([await first]));
    expect(counted.most).toBeLessThanOrEqual(AT_ONCE);
  });
});

describe("10,000 checks whose servers died", () => {
  const CHECKS = 10_000;
  const ACCOUNTS = 20;

  async function insertDead(prefix: string): Promise<void> {
    await database.sql`
      insert into accounts (id, email, plan)
      select ${prefix} || n, ${prefix} || n || '@example.com', 'team' from generate_series(1, ${ACCOUNTS}::int) n`;
    await database.sql`
      insert into usage (account_id, month, used)
      select ${prefix} || n, date_trunc('month', now() at time zone 'utc'), ${CHECKS / ACCOUNTS}::int + 7
      from generate_series(1, ${ACCOUNTS}::int) n`;
    await database.sql`
      insert into checks (id, kind, account_id, month, host, state, admitted_at, lease_until)
      select ${prefix} || '-' || n, 'api', ${prefix} || 1 + n % ${ACCOUNTS}::int, date_trunc('month', now() at time zone 'utc'),
        'x', 'running', case when n % 2 = 0 then now() end, now() - interval '1 second'
      from generate_series(1, ${CHECKS}::int) n`;
  }
  const countDead = (prefix: string) =>
    valueOf<number>(database.sql`
    select count(*)::int as count from checks where starts_with(id, ${prefix}) and state = 'running'`);
  const usages = (prefix: string) =>
    database.sql<{ used: number; accounts: number }>`
      select used, count(*)::int as accounts from usage where starts_with(account_id, ${prefix})
      group by used order by used`;

  test("are all given back in one call, once, by any caller; those never admitted leave no row", async () => {
    await insertDead("dead");
    const deployment = newId("chk");
    await database.sql`
      insert into checks (id, kind, host, state, admitted_at, lease_until)
      values (${deployment}, 'deployment', 'x', 'running', now(), now() - interval '1 second')`;
    await times(3, () => giveExpiredSlotsBack(database.sql));
    expect(await countDead("dead")).toBe(0);
    expect(await usages("dead")).toEqual([{ used: 7, accounts: ACCOUNTS }]);
    const [left] = await database.sql<{ count: number }>`
      select count(*)::int as count from checks where starts_with(id, 'dead') and state = 'given_back'`;
    expect(left?.count).toBe(CHECKS / 2);
    expect(await database.sql`select state from checks where id = ${deployment}`).toEqual([
      { state: "given_back" },
    ]);
  });

  onPostgres("beside an account whose count is locked", () => {
    test("are all given back, including those of the account, when it is free", async () => {
      await insertDead("stuck");
      const release = await hold(
        database,
        (sql) => sql`select from usage where account_id = 'stuck1' for update`,
      );
      const sweep = giveExpiredSlotsBack(database.sql);
      await waitUntil(
        "all others are back",
        async () => (await countDead("stuck")) === CHECKS / ACCOUNTS,
      );
      await release();
      await sweep;
      expect(await usages("stuck")).toEqual([{ used: 7, accounts: ACCOUNTS }]);
    });
  });
});

onPostgres("of two that wait for the account's count", () => {
  const holdUsage = (account: Person) =>
    hold(
      database,
      (sql) => sql`select from usage where account_id = ${account.accountId} for update`,
    );

  test("with one key, both get the answer of the check that used the last of the quota", async () => {
    const account = await addAccount("twins", 29);
    const release = await holdUsage(account);
    const asking = [check(account, "twins"), check(account, "twins")];
    await waitForWaiting(database, 2);
    await release();
    const answers = await Promise.all(asking);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(await textsOf(answers)).size).toBe(1);
    expect(await countUsedChecks(account)).toBe(30);
  });

  test("a repeated key and a first use that is given back do not block each other", async () => {
    const account = await addAccount("circle", 0);
    const id = newId("chk");
    await take(account, "circle", id);
    const release = await holdUsage(account);
    const repeating = take(account, "circle");
    await waitForWaiting(database, 1);
    const givingBack = giveSlotBack(database.sql, id);
    await waitForWaiting(database, 2);
    await release();
    expect(await repeating).toBeUndefined();
    await givingBack;
    expect(await countUsedChecks(account)).toBe(0);
    expect(await take(account, "circle")).toMatchObject({ used: 1 });
  });

  test("a key that another request has just used in another month repeats its answer", async () => {
    const account = await addAccount("turn", 0);
    const release = await hold(
      database,
      (sql) => sql`
        insert into checks (id, kind, account_id, month, host, state, lease_until, idempotency_key)
        values (${newId("chk")}, 'api', ${account.accountId}, '2020-01-01', 'x', 'running', now() + interval '20 seconds', 'turn')`,
    );
    const repeating = take(account, "turn");
    await waitForWaiting(database, 1);
    await release();
    expect(await repeating).toBeUndefined();
    expect(await countUsedChecks(account)).toBe(0);
  });

  test.each<["free" | "pro", "free" | "pro", expected: unknown[]]>([
    ["free", "pro", [200, { used: 31, limit: 300, remaining: 269 }]],
    ["pro", "free", [429, NONE_LEFT]],
  ])(
    "a change of plan from %s to %s applies to a request that was authenticated before",
    async (from, to, expected) => {
      const account = await addAccount(`${from}to${to}`, 30);
      await server.perform("account edit", { email: account.email, plan: from });
      const release = await holdUsage(account);
      const asking = check(account);
      await waitForWaiting(database, 1);
      await server.perform("account edit", { email: account.email, plan: to });
      await release();
      expect(await quotaOf(await asking)).toEqual(expected);
    },
  );
});
