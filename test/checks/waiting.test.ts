import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOST_BOUNDS, LEASES } from "../../server/base/bounds.ts";
import { newId } from "../../server/db/id.ts";
import { toSql, type Sql } from "../../server/db/driver/sql.ts";
import {
  createHostQueues,
  type CountedRow,
  type HostQueues,
} from "../../server/checks/host-queues.ts";
import { useDatabase } from "../harness/opened-database.ts";

const PATIENT_MS = 60_000;
const PEOPLE = ["acc_ann", "acc_ben", "acc_cid"] as const;
type Account = (typeof PEOPLE)[number];

let host = "";
let stop: AbortController;
let queues: HostQueues;
/** The questions asked so far, those that run, the most that ran at once, and the most checks that one asked for. */
let questions = { asked: 0, running: 0, most: 0, checks: 0 };

const counting = toSql(async (strings, ...values) => {
  questions.asked++;
  const [, ids] = values;
  if (typeof ids === "string") questions.checks = Math.max(questions.checks, ids.split(" ").length);
  questions.most = Math.max(questions.most, ++questions.running);
  try {
    return await database.sql(strings, ...values);
  } finally {
    questions.running--;
  }
});

const database = useDatabase(PATIENT_MS);
beforeAll(async () => {
  await database.sql`
    insert into accounts (id, email, plan)
    select id, id || '@example.com', 'team' from unnest(string_to_array(${PEOPLE.join(" ")}, ' ')) id`;
});
beforeEach(() => {
  host = `${newId("chk")}.example.com`;
  questions = { asked: 0, running: 0, most: 0, checks: 0 };
  stop = new AbortController();
  queues = createHostQueues(counting, LEASES.checkMs, stop.signal);
});

async function insertRow(accountId: Account): Promise<CountedRow> {
  const [id, leasedAt] = [newId("chk"), performance.now()];
  await database.sql`
    insert into checks (id, kind, account_id, month, host, state, lease_until)
    values (${id}, 'api', ${accountId}, '2026-01-01', ${host}, 'running', now() + interval '20 seconds')`;
  return { id, kind: "api", accountId, leasedAt };
}

async function insertRowOfNobody(kind: "scan" | "deployment"): Promise<CountedRow> {
  const [id, leasedAt] = [newId("chk"), performance.now()];
  await database.sql`
    insert into checks (id, kind, host, state, lease_until)
    values (${id}, ${kind}, ${host}, 'running', now() + interval '20 seconds')`;
  return { id, kind, accountId: null, leasedAt };
}

const insertRows = (accountId: Account, count: number) =>
  Promise.all(Array.from({ length: count }, () => insertRow(accountId)));
const finish = (id: string) =>
  database.sql`update checks set state = 'done' where id = ${id} and admitted_at is not null`;

describe("checks of one host in one process", () => {
  test("are rejected when the server stops", async () => {
    const [first, ...others] = await insertRows("acc_ann", 5);
    const admitting = [first!, ...others].map((row) => queues.admit(host, row, Infinity));
    await Promise.any(admitting);
    stop.abort("stopping");
    const ends = await Promise.allSettled(admitting);
    expect(ends.filter(({ status }) => status === "rejected")).not.toEqual([]);
    for (const end of ends) if (end.status === "rejected") expect(end.reason).toBe("stopping");
    await expect(queues.admit(host, await insertRow("acc_ben"), Infinity)).rejects.toBe("stopping");
  });

  test("are busy after their maximum wait", async () => {
    const rows = await insertRows("acc_ann", 30);
    const ends = await Promise.allSettled(rows.map((row) => queues.admit(host, row, 0)));
    const reasons = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    expect(reasons).toHaveLength(26);
    for (const reason of reasons) expect(reason).toMatchObject({ code: "busy" });
  });

  test("fail with a failed query, and the next query starts again", async () => {
    const rows = await insertRows("acc_ann", 2);
    const failing = createHostQueues(
      questionsThatFail(1, new Error("the database is away")),
      LEASES.checkMs,
      stop.signal,
    );
    const ends = rows.map((row) => failing.admit(host, row, PATIENT_MS));
    for (const end of ends) await expect(end).rejects.toThrow("the database is away");
    const next = await insertRow("acc_ben");
    const { leasedAt } = await failing.admit(host, next, PATIENT_MS);
    expect(leasedAt).toBeGreaterThan(next.leasedAt);
  });

  test("are queried one statement at a time, however many wait", async () => {
    const rows = await insertRows("acc_ann", 40);
    const deadline = performance.now() + PATIENT_MS;
    await Promise.all(
      rows.map(async (row) => {
        await queues.admit(host, row, deadline);
        await finish(row.id);
      }),
    );
    expect(questions.most).toBe(1);
    expect(questions.asked).toBeLessThan(rows.length);
    expect(questions.checks).toBe(HOST_BOUNDS.all.atOnce);
  });

  test("do not block those of another account", async () => {
    const flood = [...(await insertRows("acc_ann", 30)), ...(await insertRows("acc_ben", 30))];
    const quiet = await insertRow("acc_cid");
    const admitting = Promise.allSettled(flood.map((row) => queues.admit(host, row, Infinity)));
    // The first checks of the flood would fill the host; this one waits for a single question.
    await expect(queues.admit(host, quiet, 0)).resolves.toMatchObject({ id: quiet.id });
    stop.abort();
    await admitting;
  });

  test("do not block a deployment's, if they are scans", async () => {
    const scans = await Promise.all(Array.from({ length: 16 }, () => insertRowOfNobody("scan")));
    const admitting = Promise.allSettled(scans.map((row) => queues.admit(host, row, Infinity)));
    const quiet = await insertRowOfNobody("deployment");
    await expect(queues.admit(host, quiet, Infinity)).resolves.toMatchObject({ id: quiet.id });
    stop.abort();
    await admitting;
  });
});

function questionsThatFail(count: number, error: Error): Sql {
  let left = count;
  return toSql(async (strings, ...values) => {
    if (left-- > 0) throw error;
    return database.sql(strings, ...values);
  });
}
