import { beforeEach, describe, expect, inject, test } from "vitest";
import type { HookActor } from "../../server/db/accounts/actors.ts";
import {
  recordShips,
  type ReportedDeployment,
  type ReportOutcome,
} from "../../server/projects/deployments.ts";
import { hold, waitForWaiting } from "../harness/locks.ts";
import { openDatabase } from "../harness/opened-database.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";
import { reportOf } from "../harness/ships.ts";

/** A place that no server here may visit. */
const ADDRESS = "https://127.0.0.1:9/";
const HOUR_MS = 3_600_000;

let hook: HookActor;

const server = useServer();
const alice = use(() => addPerson(server, "alice"));
beforeEach(async () => {
  await server.sql`update projects set owner_id = null`;
  const projectId = await addProject(server, alice, ADDRESS);
  hook = { by: "hook", accountId: alice.accountId, projectId };
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

const reportAll = (...reports: readonly Partial<ReportedDeployment>[]): Promise<ReportOutcome[]> =>
  recordShips(server.deps, hook, reports.map(reportOf));

async function report(said: Partial<ReportedDeployment> = {}): Promise<ReportOutcome> {
  const [outcome] = await reportAll(said);
  if (outcome === undefined) throw new Error("It has no outcome.");
  return outcome;
}

async function recorded(said: Partial<ReportedDeployment> = {}): Promise<string> {
  const outcome = await report(said);
  if (!("id" in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.id;
}

const ships = () =>
  server.sql<Record<string, unknown>>`
    select id, url, environment, commit, ref from deployments
    where project_id = ${hook.projectId} order by deployed_at desc, id desc`;

describe("ignored", () => {
  test.each([
    ["staging", "environment staging"],
    ["Preview\r\nX: y", "environment Preview X: y"],
    ["x".repeat(500), `environment ${"x".repeat(49)}…`],
    ["", "environment "],
  ])("an environment that is not production: %j", async (environment, ignored) => {
    expect(await report({ environment })).toEqual({ ignored });
    expect(await ships()).toEqual([]);
  });

  test("a repeated event, for one day", async () => {
    const eventKey = "delivery 1";
    const id = await recorded({ eventKey, providerId: "1" });
    await recorded({ providerId: "2" });
    expect(await report({ eventKey, providerId: "1" })).toEqual({ ignored: "repeated" });
    await server.sql`update deployments set recorded_at = now() - interval '25 hours' where id = ${id}`;
    await recorded({ eventKey, providerId: "3" });
    expect(await report({ eventKey })).toEqual({ ignored: "repeated" });
    expect(await ships()).toHaveLength(3);
  });

  test("another event of the last deployment; an earlier one is a new deployment", async () => {
    const last = { ignored: "already the last ship" };
    await recorded({ providerId: "first" });
    expect(await report({ providerId: "first", deployedAt: hoursAgo(1) })).toEqual(last);
    await recorded({ providerId: "second" });
    await recorded({ providerId: "first" });
    expect(await report({ providerId: "first" })).toEqual(last);
    expect(await ships()).toHaveLength(3);
  });

  test("a repeated time, commit and ref, without an id of the provider", async () => {
    const said = { deployedAt: hoursAgo(1), commit: "c0ffee", ref: "main" };
    await recorded(said);
    expect(await report(said)).toEqual({ ignored: "already the last ship" });
    await recorded({ ...said, commit: "decade" });
    await recorded({ commit: "decade" });
    await recorded({ commit: "decade" });
    expect(await ships()).toHaveLength(4);
  });

  test.each([
    ["events of one deployment", { providerId: "one" }],
    ["repeats of one event", { eventKey: "the same" }],
  ])("nine of ten simultaneous %s", async (_, said) => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => report(said)));
    expect(outcomes.filter((outcome) => "id" in outcome)).toHaveLength(1);
    expect(await ships()).toHaveLength(1);
  });
});

describe("a recorded deployment", () => {
  test("has the project's own URL, in production, with its details on one line", async () => {
    const id = await recorded({
      environment: " PRODUCTION ",
      commit: "a\0b\n\tc",
      ref: "r".repeat(300),
    });
    expect(await ships()).toEqual([
      { id, url: ADDRESS, environment: "production", commit: "ab c", ref: `${"r".repeat(199)}…` },
    ]);
  });

  test("is in the audit, as an action of its webhook", async () => {
    const id = await recorded();
    const [event] = await server.sql`
      select action, actor, actor_id, details from events where project_id = ${hook.projectId} order by id desc limit 1`;
    expect(event).toEqual({
      action: "deployment.recorded",
      actor: "hook",
      actorId: alice.accountId,
      details: { deploymentId: id },
    });
  });

  test("is ordered by the provider's time, in any order of arrival", async () => {
    const third = await recorded({ deployedAt: hoursAgo(1) });
    const first = await recorded({ deployedAt: hoursAgo(3) });
    const second = await recorded({ deployedAt: hoursAgo(2) });
    expect((await ships()).map(({ id }) => id)).toEqual([third, second, first]);
  });

  test.each([
    ["none", null],
    ["one in the future", new Date(Date.now() + HOUR_MS)],
    ["one beyond all calendars", new Date(8.64e15)],
    ["one before all of this", new Date(-8.64e15)],
    ["none that can be read", new Date(NaN)],
  ])("has the time of its arrival if the provider sends %s", async (_, deployedAt) => {
    const id = await recorded({ deployedAt });
    const [ship] = await server.sql`
      select deployed_at = recorded_at as arrived from deployments where id = ${id}`;
    expect(ship).toEqual({ arrived: true });
  });
});

describe("several reported together", () => {
  const LAST = { ignored: "already the last ship" };
  const REPEATED = { ignored: "repeated" };
  const SHIP = { id: expect.stringMatching(/^dep_/) as string };

  test("are decided in order, as if the earlier ones were recorded", async () => {
    await recorded({ providerId: "zero", eventKey: "before" });
    const outcomes = await reportAll(
      { providerId: "zero" },
      { providerId: "one", eventKey: "first" },
      { providerId: "one" },
      { providerId: "two", eventKey: "first" },
      { environment: "staging" },
      { providerId: "two", deployedAt: hoursAgo(1) },
      { providerId: "one" },
      { providerId: "three", eventKey: "before" },
      { providerId: "three" },
    );
    expect(outcomes).toEqual([
      LAST,
      SHIP,
      LAST,
      REPEATED,
      { ignored: "environment staging" },
      SHIP,
      LAST,
      REPEATED,
      SHIP,
    ]);
    expect(await ships()).toHaveLength(4);
  });

  test("the last to arrive is the last deployment, if the provider sends no time", async () => {
    const before = await recorded();
    const outcomes = await reportAll(...Array.from({ length: 50 }, () => ({})));
    const ids = outcomes.map((outcome) => ("id" in outcome ? outcome.id : ""));
    expect((await ships()).map(({ id }) => id)).toEqual([before, ...ids].toReversed());
  });

  test("are each in the audit, in order", async () => {
    const outcomes = await reportAll({}, {}, {});
    const listed = await server.sql<{ id: string }>`
      select details ->> 'deploymentId' as id from events where project_id = ${hook.projectId} and actor = 'hook' order by events.id`;
    expect(listed).toEqual(outcomes);
  });
});

describe.runIf(inject("database") === "postgres")("a burst", () => {
  test("for a project that someone has locked blocks no other account", async () => {
    const database = await openDatabase(server.database.env);
    const release = await hold(
      database,
      (sql) => sql`select from projects where id = ${hook.projectId} for update`,
    );
    const waiting = Promise.all(Array.from({ length: 50 }, () => report()));
    await waitForWaiting(database, 1);
    const bob = await addPerson(server, "bob");
    const projectId = await addProject(server, bob, ADDRESS);
    hook = { ...hook, accountId: bob.accountId, projectId };
    await recorded();
    await waitForWaiting(database, 1);
    await release();
    expect((await waiting).filter((outcome) => "id" in outcome)).toHaveLength(50);
    await database.close();
  });
});
