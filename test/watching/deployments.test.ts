import { beforeAll, describe, expect, test } from "vitest";
import { LEASES } from "../../server/base/bounds.ts";
import { waitForVerification, createDeploymentQueue } from "../../server/watching/deployments.ts";
import type { RoundEntry } from "../../server/watching/round.ts";
import {
  claimDueDeployments,
  finishDeployments,
  postponeDeployments,
  releaseDeployments,
  type ClaimedDeployments,
} from "../../server/db/deployments/deployment-claims.ts";
import {
  findDeployment,
  insertDeployment,
  type DeploymentState,
} from "../../server/db/deployments/deployments.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { finishCheck, insertDeploymentCheck } from "../../server/db/checks/checks.ts";
import { storeDeploymentScores } from "../../server/db/checks/scores.ts";
import { newId } from "../../server/db/id.ts";
import type { Sql } from "../../server/db/driver/sql.ts";
import { INTERRUPTED } from "../../server/watching/failed-tries.ts";
import type { LastShipResponse } from "../../shared/last-ship.ts";
import { insertReader } from "../harness/crowd.ts";
import { useDatabase } from "../harness/opened-database.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { rejectForOperator } from "../harness/operator-errors.ts";
import { use } from "../harness/use.ts";
import { shipOf } from "../harness/ships.ts";

const FAILURE = { fr: "Rien.", en: "Nothing." };
/** A place that no server here may visit. */
const REFUSED_URL = "https://10.0.0.1/";

async function insert(sql: Sql, projectId: string, url = REFUSED_URL): Promise<string> {
  const id = newId("dep");
  await insertDeployment(sql, OPERATOR, { id, ...shipOf(projectId, url) });
  return id;
}

const endLeases = (sql: Sql) =>
  sql`update deployments set lease_until = now() - interval '1 second' where lease_until is not null`;
const makeDue = (sql: Sql) =>
  sql`update deployments set try_at = now() - interval '1 second' where try_at is not null`;

describe("claims", () => {
  let sql: Sql;
  let projectId: string;

  const database = useDatabase();
  beforeAll(async () => {
    sql = database.sql;
    projectId = (await insertReader(sql, "lou@example.com")).projectId;
  });

  async function claim(): Promise<ClaimedDeployments> {
    const claimed = await claimDueDeployments(sql, projectId, INTERRUPTED, LEASES.claimMs);
    if (claimed === undefined) throw new Error("nothing to claim");
    return claimed;
  }
  async function stateOf(id: string): Promise<DeploymentState> {
    const state = await findDeployment(sql, id);
    if (state === undefined) throw new Error("no deployment");
    return state;
  }

  test("a deployment that cannot be verified is tried ten times at growing intervals, and then no more", async () => {
    const id = await insert(sql, projectId);
    const waits: unknown[] = [];
    for (let number = 1; number <= 10; number++) {
      const claimed = await claim();
      expect([claimed.ids, claimed.tries]).toEqual([[id], number]);
      expect((await stateOf(id)).state).toBe("queued");
      waits.push(await postponeDeployments(sql, claimed, FAILURE));
      expect(
        await claimDueDeployments(sql, projectId, INTERRUPTED, LEASES.claimMs),
      ).toBeUndefined();
      await makeDue(sql);
    }
    expect(waits).toEqual([10, 30, 90, 270, 810, 2430, 3600, 3600, 3600, null]);
    expect(await claimDueDeployments(sql, projectId, INTERRUPTED, LEASES.claimMs)).toBeUndefined();
    expect(await stateOf(id)).toMatchObject({
      state: "unverified",
      tries: 10,
      failure: FAILURE,
    });
  });

  test("a deployment whose servers die is tried ten times too", async () => {
    const id = await insert(sql, projectId);
    for (let number = 1; number <= 10; number++) {
      const { claimId } = await claim();
      await insertDeploymentCheck(
        sql,
        { id: claimId, projectId, host: "example.com" },
        LEASES.checkMs,
      );
      expect((await stateOf(id)).state).toBe("queued");
      await endLeases(sql);
    }
    // The last claim is to say so, and visits nothing.
    const over = await claim();
    expect(over.tries).toBe(11);
    expect(await postponeDeployments(sql, over, INTERRUPTED)).toBeNull();
    expect(await claimDueDeployments(sql, projectId, INTERRUPTED, LEASES.claimMs)).toBeUndefined();
    expect(await stateOf(id)).toMatchObject({
      state: "unverified",
      tries: 10,
      failure: { en: "The check was interrupted." },
    });
    expect(await sql`select from checks where state = 'running'`).toHaveLength(0);
  });

  test("a deployment released by a stopping process is due immediately, and was not an attempt", async () => {
    const id = await insert(sql, projectId);
    const first = await claim();
    await releaseDeployments(sql, first);
    const second = await claim();
    expect([second.ids, second.tries, second.claimId === first.claimId]).toEqual([[id], 1, false]);
    await postponeDeployments(sql, second, FAILURE);
  });

  test.each<[string, (late: ClaimedDeployments) => Promise<unknown>]>([
    ["finish", (late) => finishDeployments(sql, late)],
    ["put it off", (late) => postponeDeployments(sql, late, FAILURE)],
    ["let go of it", (late) => releaseDeployments(sql, late)],
  ])("a server that comes late cannot %s", async (_, end) => {
    const id = await insert(sql, projectId);
    const late = await claim();
    await endLeases(sql);
    expect((await stateOf(id)).failure).toBeNull();
    const claimed = await claim();
    expect(claimed.ids).toEqual([id]);
    await insertDeploymentCheck(
      sql,
      { id: claimed.claimId, projectId, host: "example.com" },
      LEASES.checkMs,
    );
    const before = await sql`select * from deployments where id = ${id}`;

    expect(await end(late)).toBeFalsy();
    expect(await sql`select * from deployments where id = ${id}`).toEqual(before);
    const checked = {
      url: "https://example.com/",
      score: 90,
      verdict: "ship",
      ruleset: "2026.2",
      firstByteMs: null,
      answer: "",
      evidence: Buffer.of(),
      findings: {},
      previousFiles: null,
    } as const;
    await finishCheck(sql, claimed.claimId, checked);
    expect(await finishDeployments(sql, claimed)).toBe(1);
    await storeDeploymentScores(sql, claimed.claimId);
    await end(claimed);
    expect(await stateOf(id)).toMatchObject({
      state: "verified",
      score: 90,
      checkId: claimed.claimId,
    });
  });

  test("many servers at once claim each deployment once, and those of one URL together", async () => {
    await sql`
      insert into deployments (id, project_id, url, environment)
      select 'dep_many' || n, ${projectId}, ${REFUSED_URL}::text || n % 7, 'production' from generate_series(1, 70) n`;
    const claims = await Promise.all(
      Array.from({ length: 20 }, () =>
        claimDueDeployments(sql, projectId, INTERRUPTED, LEASES.claimMs),
      ),
    );
    const ids = claims.flatMap((claimed) => claimed?.ids ?? []);
    expect([ids.length, new Set(ids).size]).toEqual([70, 70]);
    expect(claims.filter((claimed) => claimed !== undefined).length).toBeLessThan(20);
    expect(await claimDueDeployments(sql, projectId, INTERRUPTED, LEASES.claimMs)).toBeUndefined();
    await sql`delete from deployments where id like 'dep_many%'`;
  });
});

describe("on a server", () => {
  let projectId: string;

  const site = use(() =>
    startSite({
      routes: {
        "/": {
          headers: { "content-type": "text/html" },
          body: "<!doctype html><title>x</title>ok",
        },
      },
    }),
  );
  const server = useServer();
  const alice = use(() => addPerson(server, "alice"));
  beforeAll(async () => {
    projectId = await addProject(server, alice, site.url);
  });

  test("next to two accounts with many waiting deployments, another's starts immediately", async () => {
    await server.sql`
      insert into accounts (id, email, plan) select 'acc_' || n, n || '@example.com', 'free' from generate_series(1, 3) n`;
    await server.sql`
      insert into projects (id, owner_id, name, url)
      select 'prj_' || account || '_' || n, 'acc_' || account, 'Site', ''
      from generate_series(1, 3) account, generate_series(1, 40) n where account < 3 or n = 1`;
    await server.sql`
      insert into deployments (id, project_id, url, environment, try_at)
      select 'dep_' || id, id, ${REFUSED_URL}, 'production', case when owner_id = 'acc_3' then now() else now() - interval '1 hour' end
      from projects where owner_id in ('acc_1', 'acc_2', 'acc_3')`;
    // The server's own queue may have begun it too, and ended it by now.
    const listBegun = () => server.sql<{ account: string; count: number }>`
      select owner_id as account, count(*)::int from deployments join projects on projects.id = project_id
      where claim_id is not null or tries > 0 group by owner_id order by owner_id`;
    const begin = createDeploymentQueue(server.deps, () => {});
    await begin();
    expect(await listBegun()).toContainEqual({ account: "acc_3", count: 1 });
    await server.sql`delete from deployments where project_id in (select id from projects where owner_id in ('acc_1', 'acc_2', 'acc_3'))`;
  });

  const round = async () =>
    (await server.perform<RoundEntry[]>("round", {})).filter(({ kind }) => kind === "deployment");
  const show = (id: string) => server.perform<Record<string, unknown>>("deployment show", { id });
  const untilState = (id: string, state: string) =>
    waitUntil(state, async () => (await show(id))["state"] === state);
  const lastShip = async () =>
    (
      (await (
        await server.request(`/api/v1/projects/${projectId}/last-ship`, { token: alice.token })
      ).json()) as LastShipResponse
    ).lastShip;
  const unfinished = () => server.sql`select from checks where state <> 'done'`;

  test("an unknown one is rejected", async () => {
    await expect(show("dep_01234567890123456789")).rejects.toThrow("There is no deployment");
  });

  test("a deployment with a forbidden URL: its attempts, one per round, and then why it is not verified", async () => {
    const id = await insert(server.sql, projectId);
    await waitUntil("it is tried", async () => (await show(id))["tries"] === 1);
    await waitUntil("it waits", async () => (await round()).length === 1);
    expect(await round()).toEqual([
      expect.objectContaining({
        id,
        outcome: "queued",
        score: null,
        reason: expect.stringContaining("private"),
      }),
    ]);
    await server.sql`update deployments set tries = 9 where id = ${id}`;
    expect(await round()).toEqual([expect.objectContaining({ id, outcome: "unverified" })]);
    expect(await round()).toEqual([]);
    expect(await show(id)).toMatchObject({
      state: "unverified",
      tries: 10,
      nextTryAt: null,
      reason: expect.stringMatching(/^The host .* is private/),
    });
    const waiting = waitForVerification(server.deps, id).catch(rejectForOperator);
    await expect(waiting).rejects.toThrow(
      /could not be checked. Attempt 10: The host .* is private/,
    );
    const lines = server.log
      .join("")
      .split("\n")
      .filter((line) => line.includes(id));
    expect(lines.at(-1)).toMatch(/"level":50.*"tries":10.*last try/);
    expect(await lastShip()).toMatchObject({ id, score: null, verdict: null, checkId: null });
    expect(await unfinished()).toEqual([]);
  });

  test("a deployment that the server cannot store leaves no check, and is verified once it can", async () => {
    await server.sql`alter table checks add constraint broken check (state <> 'done') not valid`;
    const id = await insert(server.sql, projectId, site.url);
    await waitUntil("it failed", async () => (await show(id))["reason"] !== null);
    await waitUntil("its check is gone", async () => (await unfinished()).length === 0);
    expect(await show(id)).toMatchObject({
      state: "queued",
      reason: expect.stringContaining("because of a server error"),
    });
    expect(server.log.join("")).toContain('constraint \\"broken\\"');

    await server.sql`alter table checks drop constraint broken`;
    await server.sql`update deployments set try_at = now() where id = ${id}`;
    await untilState(id, "verified");
    expect(await show(id)).toMatchObject({ score: expect.any(Number), reason: null });
    expect((await lastShip())?.id).toBe(id);
  });
});
