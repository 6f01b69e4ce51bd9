import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { createCleanUp } from "../../server/watching/retention.ts";
import { toSql, type Database, type Sql } from "../../server/db/driver/sql.ts";
import { useFiles } from "../harness/database.ts";
import { openDatabase } from "../harness/opened-database.ts";
import { startTestServer } from "../harness/server.ts";
import { waitUntil } from "../harness/slow-site.ts";

/** The statements of a clean-up that finds nothing, one each for: checks, those of ships, answers, accounts, projects, scans, starts, events, hours, messages, recipients, what expired, hosts. */
const STATEMENTS = 17;
let database: Database;

const files = useFiles();
beforeAll(async () => {
  database = await openDatabase(files.env);
  const { sql } = database;
  await sql`insert into accounts (id, email, plan) values ('acc_1', 'ann@example.com', 'team')`;
  await sql`
    insert into projects (id, owner_id, name, url)
    values ('prj_1', 'acc_1', 'Shop', 'https://example.com/')`;
});
afterAll(async () => {
  await database.close();
});
beforeEach(async () => {
  await database.sql`delete from deployments`;
  await database.sql`delete from checks`;
  await database.sql`delete from hosts`;
});

/** Checks that ended `age` ago, with answer, evidence and key: an account's or, without one, a deployment's. */
async function insertChecks(
  count: number,
  age: string,
  { of = "account", state = "done" }: { of?: "account" | "deployment"; state?: string } = {},
): Promise<void> {
  const accountId = of === "account" ? "acc_1" : null;
  const id = `${of}-${state}-${age}-`;
  await database.sql`
    insert into checks (id, kind, account_id, month, host, state, started_at, lease_until, idempotency_key, request_hash,
      answer, evidence)
    select ${id}::text || n, ${of === "account" ? "api" : "deployment"}, ${accountId}::text, case when ${accountId}::text is not null then date '2026-01-01' end,
      'host-' || n % 50 || '.example', ${state}, now() - ${age}::text::interval, now(), ${id}::text || n, '\\x00', '{}', '\\x01'
    from generate_series(1, ${count}::int) n`;
  await database.sql`
    insert into hosts (host) select distinct host from checks on conflict (host) do nothing`;
  if (of === "account" || state !== "done") return;
  await database.sql`
    insert into deployments (id, project_id, url, environment, check_id)
    select 'dep-' || id, 'prj_1', 'https://example.com/', 'production', id from checks where kind = 'deployment'
    and state = 'done' on conflict do nothing`;
}

async function countRows(): Promise<Record<string, number> | undefined> {
  const [counts] = await database.sql<Record<string, number>>`
    select count(*)::int as checks, count(answer)::int as answers, count(idempotency_key)::int as keys,
      count(evidence)::int as evidence, (select count(*)::int from hosts) as hosts
    from checks`;
  return counts;
}

async function cleanUp(sql: Sql = database.sql, signal = new AbortController().signal) {
  await createCleanUp(sql, signal)();
}

/** Counts the statements that go through it. */
function counting(): { sql: Sql; statements: () => number } {
  let statements = 0;
  return {
    sql: toSql((strings, ...values) => {
      statements++;
      return database.sql(strings, ...values);
    }),
    statements: () => statements,
  };
}

test("rows that are not due stay, with one statement per clean-up", async () => {
  await insertChecks(3, "23 hours 59 minutes");
  await insertChecks(3, "89 days", { of: "deployment" });
  await database.sql`update checks set answer = null where kind = 'deployment'`;
  const { sql, statements } = counting();
  await cleanUp(sql);
  expect(await countRows()).toEqual({ checks: 6, answers: 3, keys: 6, evidence: 6, hosts: 3 });
  expect(statements()).toBe(STATEMENTS);
});

test("after a day an answer and its key are deleted; the evidence stays", async () => {
  await insertChecks(250, "24 hours 1 minute");
  await insertChecks(5, "399 days", { of: "deployment" });
  await cleanUp();
  expect(await countRows()).toMatchObject({ checks: 255, answers: 0, keys: 0, evidence: 255 });
});

test("after 90 days all checks are deleted, with their hosts; results of deployments stay for 400 days", async () => {
  await insertChecks(1_050, "91 days");
  await insertChecks(5, "91 days", { of: "deployment" });
  await insertChecks(7, "91 days", { of: "deployment", state: "given_back" });
  await insertChecks(9, "89 days");
  const { sql, statements } = counting();
  await cleanUp(sql);
  expect(await countRows()).toMatchObject({ checks: 14, hosts: 9 });
  const hundreds = 11;
  expect(statements()).toBe(hundreds + STATEMENTS - 1);
  await insertChecks(5, "401 days", { of: "deployment" });
  await cleanUp();
  expect(await countRows()).toMatchObject({ checks: 14, hosts: 9 });
  const [ships] = await database.sql`select count(check_id)::int as verified from deployments`;
  expect(ships).toEqual({ verified: 10 });
});

test.each<[kind: string, state: string, age: string, isKept: boolean]>([
  ["api", "done", "89 days", true],
  ["api", "done", "91 days", false],
  ["api", "given_back", "91 days", false],
  ["deployment", "given_back", "89 days", true],
  ["deployment", "given_back", "91 days", false],
  ["deployment", "done", "399 days", true],
  ["deployment", "done", "401 days", false],
  ["cycle", "done", "9000 days", true],
  ["scan", "done", "29 days", true],
  ["scan", "done", "31 days", false],
])("a check of kind %s that is %s, after %s: kept %s", async (kind, state, age, isKept) => {
  const accountId = kind === "api" ? "acc_1" : null;
  await database.sql`
    insert into checks (id, kind, account_id, month, host, state, started_at, lease_until)
    values ('chk_1', ${kind}, ${accountId}::text, case when ${accountId}::text is not null then date '2026-01-01' end,
      'example.com', ${state}, now() - ${age}::text::interval, now())`;
  await cleanUp();
  expect((await countRows())?.["checks"]).toBe(isKept ? 1 : 0);
});

test.each<[kind: string, age: string, isKept: boolean]>([
  ["api", "23 hours", true],
  ["api", "25 hours", false],
  ["deployment", "23 hours", true],
  ["deployment", "25 hours", false],
  ["cycle", "9000 days", true],
  ["scan", "29 days", true],
])("the answer of a check of kind %s after %s: kept %s", async (kind, age, isKept) => {
  await database.sql`
    insert into checks (id, kind, host, state, started_at, lease_until, answer)
    values ('chk_1', ${kind}, 'example.com', 'done', now() - ${age}::text::interval, now(), '{}')`;
  await cleanUp();
  expect(await countRows()).toMatchObject({ checks: 1, answers: isKept ? 1 : 0 });
});

test("days are deleted after 91 days, when history no longer shows them", async () => {
  await database.sql`
    insert into days (number, day, looks, good, first_byte_sum)
    select 1, date_trunc('day', now(), 'UTC') - age * interval '24 hours', 12, 12, 0 from unnest(array[90, 91]) age`;
  await cleanUp();
  expect(await database.sql`select day > now() - interval '91 days' as is_kept from days`).toEqual([
    { isKept: true },
  ]);
  await database.sql`delete from days`;
});

test("hours are deleted after 90 days, by the thousand: one hour has as many rows as there are URLs", async () => {
  await database.sql`
    insert into hours (number, hour, looks, failed, inconclusive, first_byte_sum, first_byte_max)
    select n, date_trunc('hour', now() - age * interval '1 day'), 12, 0, 0, 0, 0
    from generate_series(1, 3000) n, unnest(array[89, 91]) age`;
  const { sql, statements } = counting();
  await cleanUp(sql);
  expect(
    await database.sql`select count(*)::int, count(distinct hour)::int as hours from hours`,
  ).toEqual([{ count: 3000, hours: 1 }]);
  expect(statements()).toBe(STATEMENTS);
  await database.sql`delete from hours`;
});

test("salts are deleted after a day, used challenges and cached robots.txt when they expire, until none is left", async () => {
  // One transaction has one time, also at midnight.
  await database.begin(async (sql) => {
    await sql`
      insert into salts (day, salt)
      select (now() at time zone 'utc')::date - n, '\\x00' from generate_series(0, 3) n`;
    await sql`
      insert into used_challenges (challenge, expires_at)
      select n, now() - interval '1 second' from generate_series(1, 2500) n`;
    await sql`
      insert into robots_permissions (origin, refuses, expires_at)
      select n, false, now() - interval '1 second' from generate_series(1, 1000) n`;
    await sql`insert into used_challenges values ('kept', now() + interval '1 minute')`;
    await sql`insert into robots_permissions values ('kept', true, now() + interval '1 minute')`;
    await cleanUp(sql);
    expect(
      await sql`
        select (select count(*)::int from salts) as salts, (select string_agg(challenge, ',') from used_challenges) as challenges,
          (select string_agg(origin, ',') from robots_permissions) as answers`,
    ).toEqual([{ salts: 2, challenges: "kept", answers: "kept" }]);
  });
});

/** Rows of an age, by their number n, of which a clean-up leaves none once they are too old. */
const AGEING: [table: string, days: number, rows: string][] = [
  [
    "scans",
    30,
    `(id, url, url_hash, host, delete_key_hash, state, started_at, result_fr)
    select 'scan' || n, 'https://example.com/', '\\x00', 'example.com', '\\x01', 'done', now() - AGE, '{}'`,
  ],
  ["scan_starts", 1, "(visitor, host, started_at) select n, 'example.com', now() - AGE"],
  [
    "events",
    365,
    "(action, account_id, actor, at) select 'token.created', 'acc_1', 'operator', now() - AGE",
  ],
  [
    "hours",
    90,
    `(number, hour, looks, failed, inconclusive, first_byte_sum, first_byte_max)
    select n, now() - AGE, 12, 0, 0, 600, 60`,
  ],
  [
    "invitations",
    14,
    "(project_id, email, invited_at) select 'prj_1', n || '@example.com', now() - AGE",
  ],
  ["sessions", 14, sessionsOf("AGE", "interval '20 days'")],
  ["sessions", 90, sessionsOf("interval '1 minute'", "AGE")],
];

function sessionsOf(unused: string, begun: string): string {
  return `(id, account_id, fingerprint, browser, address, last_used_at, created_at)
    select 'ses_' || n, 'acc_1', decode(md5(n::text) || md5(n::text), 'hex'), 'test', '::1', now() - ${unused}, now() - ${begun}`;
}

test.each(AGEING)("%s are kept for %i days, and none afterwards", async (table, days, rows) => {
  const run = (text: string) =>
    database.sql<{ count: number }>(Object.assign([text], { raw: [text] }));
  const count = async () => (await run(`select count(*)::int from ${table}`))[0]?.count;
  const insert = (more: string) => {
    const age = `interval '${days} days ${more}'`;
    return run(`insert into ${table} ${rows.replace("AGE", age)} from generate_series(1, 1250) n`);
  };
  await insert("-1 minute");
  await cleanUp();
  expect(await count()).toBe(1250);
  await run(`delete from ${table}`);
  await insert("1 minute");
  await cleanUp();
  expect(await count()).toBe(0);
});

test.each<[age: string, isKept: boolean]>([
  ["29 days 23 hours", true],
  ["30 days 1 minute", false],
])("messages that ended %s ago: kept %s, and waiting ones forever", async (age, isKept) => {
  const { sql } = database;
  await sql`
    insert into alerts (id, project_id, kind, target, host, tells_incidents, tells_ships, tells_drops)
    values ('alr_told', 'prj_1', 'webhook', '', '', true, true, true)`;
  await sql`
    insert into messages (id, alert_id, project_id, type, data, created_at, state, ended_at)
    select 'msg_' || n, 'alr_told', 'prj_1', 'test', '{}', '2020-01-01', case when n > 5 then 'sent' else 'pending' end,
      case when n > 5 then now() - ${age}::text::interval end
    from generate_series(1, 255) n`;
  await cleanUp();
  const [left] = await sql`select count(*)::int as count from messages`;
  expect(left).toEqual({ count: isKept ? 255 : 5 });
  await sql`delete from alerts`;
});

test("recipients without an answer are deleted after 90 days, if no alert uses them", async () => {
  const { sql } = database;
  await sql`
    insert into recipients (id, project_id, address_hash, state, created_at)
    select id, 'prj_1', sha256(id::bytea), state, now() - age::interval
    from (values ('old', 'waiting', '91 days'), ('new', 'waiting', '89 days'), ('told', 'waiting', '91 days'),
      ('ended', 'ended', '91 days')) as said (id, state, age)`;
  await sql`
    insert into alerts (id, project_id, kind, target, host, tells_incidents, tells_ships, tells_drops, recipient_id)
    values ('alr_told', 'prj_1', 'email', '', '', true, true, true, 'told')`;
  await cleanUp();
  const left = await sql<{ id: string }>`select id from recipients order by id`;
  expect(left.map(({ id }) => id)).toEqual(["ended", "new", "told"]);
  await sql`delete from alerts`;
});

test("links and buckets are deleted when they have expired or are full again, until none is left", async () => {
  const { sql } = database;
  for (const [count, from, to] of [
    [2500, "-1 minute", "gone"],
    [2, "1 minute", "kept"],
  ] as const) {
    await sql`
      insert into links (fingerprint, kind, email, expires_at)
      select decode(md5(${to}::text || n) || md5(n::text), 'hex'), 'sign_up', ${to}::text || n || '@example.com', now() + ${from}::text::interval
      from generate_series(1, ${count}::int) n`;
    await sql`
      insert into buckets (key, full_at)
      select decode(md5(${to}::text || n) || md5(n::text), 'hex'), now() + ${from}::text::interval
      from generate_series(1, ${count}::int) n`;
  }
  await cleanUp();
  expect(
    await sql`
      select (select count(*)::int from links) as links,
        (select count(*)::int from buckets) as buckets`,
  ).toEqual([{ links: 2, buckets: 2 }]);
});

test("hosts are cleaned up a section at a time, and then from the start again", async () => {
  await database.sql`insert into hosts (host) select n || '.example' from generate_series(1, 2500) n`;
  await insertChecks(1, "1 minute");
  const cleanUpOnce = createCleanUp(database.sql, new AbortController().signal);
  const left: (number | undefined)[] = [];
  for (let pass = 0; pass < 3; pass++) {
    await cleanUpOnce();
    left.push((await countRows())?.["hosts"]);
  }
  expect(left).toEqual([1501, 501, 1]);
  await database.sql`insert into hosts (host) values ('0.example')`;
  await cleanUpOnce();
  expect((await countRows())?.["hosts"]).toBe(1);
});

test("a stopping server ends the clean-up after the running statement", async () => {
  await insertChecks(500, "91 days");
  const stopping = new AbortController();
  const { sql, statements } = counting();
  const stopAtOnce = toSql((strings, ...values) => {
    stopping.abort();
    return sql(strings, ...values);
  });
  await cleanUp(stopAtOnce, stopping.signal);
  expect(await countRows()).toMatchObject({ checks: 400, answers: 400 });
  expect(statements()).toBe(1);
});

describe.runIf(inject("database") === "postgres")("several servers", () => {
  test("share the work: each row is deleted once, and no server waits for another's", async () => {
    await insertChecks(2_000, "91 days");
    const deleted = async () => {
      const { sql, statements } = counting();
      await cleanUp(sql);
      return statements();
    };
    const statements = await Promise.all([deleted(), deleted(), deleted()]);
    expect(await countRows()).toMatchObject({ checks: 0, hosts: 0 });
    const full = 20;
    const most = full + 3 * STATEMENTS;
    expect(statements.reduce((sum, own) => sum + own, 0)).toBeLessThanOrEqual(most);
  });

  test("skip rows that another has locked", async () => {
    await insertChecks(150, "91 days");
    await database.begin(async (sql) => {
      await sql`select from checks order by started_at, id limit 30 for update`;
      await cleanUp();
      expect(await countRows()).toMatchObject({ checks: 30 });
    });
    await cleanUp();
    expect(await countRows()).toMatchObject({ checks: 0, hosts: 0 });
  });
});

test("a server cleans up after its start until nothing is left", async () => {
  await insertChecks(1_000, "91 days");
  await database.close();
  const server = await startTestServer({ database: files });
  await waitUntil("none is left", async () => (await server.sql`select from checks`).length === 0);
  await server.stop();
  database = await openDatabase(files.env);
  expect(await countRows()).toMatchObject({ checks: 0 });
});
