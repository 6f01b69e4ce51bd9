import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOST_BOUNDS, LEASES } from "../../server/base/bounds.ts";
import { admitChecks } from "../../server/db/checks/checks.ts";
import { newId } from "../../server/db/id.ts";
import { createSemaphore } from "../../server/semaphores.ts";
import { addPerson } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";

describe("a host gets 4 checks of an account at once and 60 a minute, 8 and 240 in total", () => {
  const accounts: string[] = [];
  let host = "";

  const server = useServer();
  beforeAll(async () => {
    for (const name of ["ann", "ben", "cid", "dan", "eve"])
      accounts.push((await addPerson(server, name)).accountId);
  });
  beforeEach(() => {
    host = `${newId("chk")}.example.com`;
  });

  async function ask(account: number): Promise<boolean> {
    const id = newId("chk");
    await server.sql`
      insert into checks (id, kind, account_id, month, host, state, lease_until)
      values (${id}, 'api', ${accounts[account] ?? ""}, '2026-01-01', ${host}, 'running', now() + interval '20 seconds')`;
    return (await admitChecks(server.sql, host, [id], HOST_BOUNDS, LEASES.checkMs)).includes(id);
  }
  const askAtOnce = async (...people: number[]) =>
    (await Promise.all(people.map(ask))).filter(Boolean).length;
  const earlier = (count: number, account: number, secondsAgo = 30) => server.sql`
    insert into checks (id, kind, account_id, month, host, state, lease_until, admitted_at)
    select 'chk_' || md5(random()::text), 'api', ${accounts[account] ?? ""}, '2026-01-01', ${host}, 'done', now(),
      now() - make_interval(secs => ${secondsAgo}) from generate_series(1, ${count})`;

  test("of ten of one account at once, four run", async () => {
    expect(await askAtOnce(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).toBe(4);
  });

  test("of four each of five accounts at once, eight run", async () => {
    expect(await askAtOnce(0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4)).toBe(8);
  });

  test("the sixty-first in a minute waits, but another account's does not", async () => {
    await earlier(60, 0);
    expect([await ask(0), await ask(1)]).toEqual([false, true]);
  });

  test("the 241st over all waits", async () => {
    for (const account of [0, 1, 2, 3]) await earlier(60, account);
    expect(await ask(4)).toBe(false);
  });

  test("both are admitted a minute later", async () => {
    for (const account of [0, 1, 2, 3]) await earlier(60, account, 61);
    expect([await ask(0), await ask(4)]).toEqual([true, true]);
  });

  test("a check of a dead server frees its place when its lease ends", async () => {
    await askAtOnce(0, 0, 0, 0);
    await server.sql`update checks set lease_until = now() - interval '1 second' where host = ${host}`;
    expect(await ask(0)).toBe(true);
  });
});

const PATIENT_MS = 60_000;
const HASTY_MS = 20;

describe("a semaphore", () => {
  test("admits up to its limit, then the next in order as one leaves", async () => {
    const semaphore = createSemaphore({ total: 2, perKey: 2 });
    const order: string[] = [];
    const enter = async (name: string) => {
      const release = await semaphore.acquire("k", PATIENT_MS);
      order.push(name);
      return release;
    };
    const [first] = await Promise.all([enter("a"), enter("b")]);
    const waiting = [enter("c"), enter("d")];
    expect(order).toEqual(["a", "b"]);
    first?.();
    (await waiting[0])?.();
    await waiting[1];
    expect(order).toEqual(["a", "b", "c", "d"]);
  });

  test("rejects callers that have waited too long, and keeps no place for them", async () => {
    const semaphore = createSemaphore({ total: 1, perKey: 1 });
    const release = await semaphore.acquire("k", PATIENT_MS);
    await expect(semaphore.acquire("k", HASTY_MS)).rejects.toMatchObject({ code: "busy" });
    release();
    expect(typeof (await semaphore.acquire("k", HASTY_MS))).toBe("function");
  });

  test("rejects waiting and new callers when the server stops", async () => {
    const stopping = new AbortController();
    const semaphore = createSemaphore({ total: 1, perKey: 1 }, stopping.signal);
    const release = await semaphore.acquire("k", PATIENT_MS);
    const waiting = semaphore.acquire("k", PATIENT_MS);
    stopping.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    release();
    await expect(semaphore.acquire("k", PATIENT_MS)).rejects.toMatchObject({ name: "AbortError" });
  });

  test("leaves room for other keys next to one key's crowd", async () => {
    const semaphore = createSemaphore({ total: 3, perKey: 2 });
    await semaphore.acquire("a", PATIENT_MS);
    await semaphore.acquire("a", PATIENT_MS);
    await expect(semaphore.acquire("a", HASTY_MS)).rejects.toMatchObject({ code: "busy" });
    expect(typeof (await semaphore.acquire("b", HASTY_MS))).toBe("function");
  });

  test("gives keys turns, however long the first key's queue is", async () => {
    const semaphore = createSemaphore({ total: 1, perKey: 1 });
    const order: string[] = [];
    const enter = async (key: string) => {
      const release = await semaphore.acquire(key, PATIENT_MS);
      order.push(key);
      release();
    };
    const release = await semaphore.acquire("a", PATIENT_MS);
    const waiting = ["a", "a", "a", "b", "b", "c"].map(enter);
    release();
    await Promise.all(waiting);
    expect(order.join("")).toBe("abcaba");
  });

  test("removes the last of the longest queue for one of a shorter queue when too many wait", async () => {
    const semaphore = createSemaphore({ total: 1, perKey: 1, waiting: 3 });
    const stranger = { isStranger: true };
    const release = await semaphore.acquire("a", PATIENT_MS, stranger);
    const crowd = ["first", "second", "last"].map(async (name) => {
      const leave = await semaphore.acquire("a", PATIENT_MS, stranger);
      return { name, leave };
    });
    const other = semaphore.acquire("b", PATIENT_MS, stranger);
    await expect(crowd[2]).rejects.toMatchObject({ code: "busy" });
    await expect(semaphore.acquire("a", PATIENT_MS, stranger)).rejects.toMatchObject({
      code: "busy",
    });
    release();
    for (const next of [crowd[0], other, crowd[1]]) {
      const entered = await next;
      (typeof entered === "function" ? entered : entered?.leave)?.();
    }
  });

  test("keeps a permit and a place in the queue for a known caller, however many strangers wait", async () => {
    const semaphore = createSemaphore({ total: 2, perKey: 1, strangers: 1, waiting: 1 });
    const stranger = { isStranger: true };
    const release = await semaphore.acquire("network a", PATIENT_MS, stranger);
    const waiting = semaphore.acquire("network b", PATIENT_MS, stranger);
    await expect(semaphore.acquire("network c", PATIENT_MS, stranger)).rejects.toMatchObject({
      code: "busy",
    });
    const first = await semaphore.acquire("account a", HASTY_MS);
    const second = semaphore.acquire("account b", PATIENT_MS);
    first();
    (await second)();
    release();
    (await waiting)();
    expect(semaphore.held).toBe(0);
  });
});
