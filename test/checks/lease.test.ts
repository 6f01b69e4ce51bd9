import { afterEach, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { unavailable } from "../../server/db/driver/failure.ts";
import { toSql, DEADLINE_MS } from "../../server/db/driver/sql.ts";
import { CHECK_TIMEOUT_MS, LEASES } from "../../server/base/bounds.ts";
import { Interrupted, type Threads } from "../../server/engine/visit/threads.ts";
import { ENDING_MS, MAX_WAIT_MS } from "../../server/checks/verify.ts";
import { hold, waitForWaiting } from "../harness/locks.ts";
import { addPerson } from "../harness/people.ts";
import { type TestServer, useServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";
import { valueOf } from "../harness/rows.ts";

let run: Threads["run"];
let vet: TestServer["deps"]["probe"]["vet"];

const site = use(() =>
  startSite({
    routes: { "/": { headers: { "content-type": "text/html" }, body: "<!doctype html><p>Hi." } },
  }),
);
const server = useServer();
const ann = use(() => addPerson(server, "ann"));
beforeAll(async () => {
  const { threads, probe } = server.deps;
  run = threads.run.bind(threads);
  vet = probe.vet.bind(probe);
});
afterEach(() => {
  server.deps.threads.run = run;
  server.deps.probe.vet = vet;
});

const check = async () => {
  const request = { token: ann.token, method: "POST", body: { url: site.url } };
  return (await server.request("/api/v1/check", request)).status;
};

test("the longest wait of a check leaves enough time for its visit", () => {
  expect(DEADLINE_MS).toBeLessThan(ENDING_MS);
  const answerOfRenewal = DEADLINE_MS;
  expect(answerOfRenewal + CHECK_TIMEOUT_MS).toBeLessThan(LEASES.checkMs - ENDING_MS);
  expect(DEADLINE_MS + MAX_WAIT_MS + DEADLINE_MS).toBeLessThan(LEASES.checkMs);
});

test.each([
  ["that is counted for its host", false],
  ["of a host that is exempt", true],
])("a check %s ends within its lease, even if it learns of it late", async (_which, exempt) => {
  await check();
  server.deps.probe.vet = async (...args) => ({ ...(await vet(...args)), exempt });
  const seen: { endedAt: number; leaseEndsAt: number }[] = [];
  server.deps.threads.run = async (task, options) => {
    const endsBy = performance.now() + options.maxMs;
    const [row] = await server.sql<{ leftMs: number }>`
      select (extract(epoch from lease_until - clock_timestamp()) * 1000)::float8 as left_ms
      from checks where state = 'running'`;
    seen.push({
      endedAt: endsBy + ENDING_MS,
      leaseEndsAt: performance.now() + (row?.leftMs ?? 0),
    });
    return run(task, options);
  };
  const release =
    inject("database") === "postgres" &&
    (await hold(server.deps.database, (sql) => sql`select used from usage for update`));
  const checking = check();
  if (release) {
    await waitForWaiting(server.deps.database, 1);
    await release();
  }
  expect(await checking).toBe(200);
  expect(seen).toHaveLength(1);
  // The embedded database's clock counts whole milliseconds.
  for (const { endedAt, leaseEndsAt } of seen) expect(endedAt).toBeLessThan(leaseEndsAt + 1);
});

test("a late result of an abandoned check is dropped, and the check does not count", async () => {
  const usedBefore = await getUsed();
  const ends = [new Interrupted("hung"), new Interrupted("hung"), new Interrupted("late")];
  server.deps.threads.run = () => Promise.reject(ends.shift());
  expect([await check(), await check(), ends.length]).toEqual([503, 503, 0]);
  expect(await getUsed()).toBe(usedBefore);
});

test("a check whose end was not acknowledged does not count, even after its lease", async () => {
  const usedBefore = await getUsed();
  const { sql } = server.deps.database;
  const now = performance.now.bind(performance);
  let passedMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + passedMs);
  onTestFinished(() => {
    clock.mockRestore();
    Object.assign(server.deps.database, { sql });
  });
  let isAway = true;
  const silent = toSql(async (strings, ...values) => {
    const [text = ""] = strings;
    const isGivingBack = text.includes("give_slots_back");
    if (isGivingBack && isAway) isAway = false;
    else if (!text.includes("state = 'done'")) return sql(strings, ...values);
    else await sql(strings, ...values);
    passedMs += LEASES.checkMs;
    throw unavailable("its answer was lost");
  });
  Object.assign(server.deps.database, { sql: silent });
  expect(await check()).toBe(503);
  await waitUntil("the slot is back", async () => (await getUsed()) === usedBefore);
  expect(isAway).toBe(false);
});

const getUsed = () => valueOf<number>(server.sql`select used from usage`);
