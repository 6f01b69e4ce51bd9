import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { isDrop } from "../../server/watching/deployments.ts";
import type { RoundEntry } from "../../server/watching/round.ts";
import type { HookActor } from "../../server/db/accounts/actors.ts";
import { recordShips, type ReportedDeployment } from "../../server/projects/deployments.ts";
import type { LastShipResponse } from "../../shared/last-ship.ts";
import type { Verdict } from "../../shared/check.ts";
import type { MessageData } from "../../shared/message.ts";
import { addTarget } from "../harness/alerts.ts";
import { signIn } from "../harness/application.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { startReceiver } from "../harness/receiver.ts";
import { useServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { ONE_IN } from "../harness/thorough.ts";
import { use } from "../harness/use.ts";
import { reportOf } from "../harness/ships.ts";

const GOOD = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tea</title><p>Tea, by the leaf.`;

/** What the site answers by path; 404 to every other. */
const statuses = new Map<string, number>();
/** Headers of all its answers. */
let headers: Record<string, string> = {};

const BURST = 10_000 / ONE_IN;

const site = use(() =>
  startSite({
    routes: {
      "*": ({ url = "" }, response) =>
        void response
          .writeHead(statuses.get(url) ?? 404, { "content-type": "text/html", ...headers })
          .end(GOOD),
    },
  }),
);
const slow = use(startSlowSite);
const receiver = use(startReceiver);
const server = useServer({ tickMs: 200 });
const alice = use(() => addPerson(server, "alice"));
beforeEach(async () => {
  // Those of earlier tests, which would become more than an account can own.
  await server.sql`update projects set owner_id = null`;
  headers = {};
  statuses.clear();
});

/** The hook of a new project at this address, which answers `status`. */
async function addHook(url: string, status = 200): Promise<HookActor> {
  statuses.set(new URL(url).pathname, status);
  const projectId = await addProject(server, alice, url);
  return { by: "hook", accountId: alice.accountId, projectId };
}

async function ship(hook: HookActor, said: Partial<ReportedDeployment> = {}): Promise<string> {
  const [outcome] = await recordShips(server.deps, hook, [reportOf(said)]);
  if (outcome === undefined || !("id" in outcome)) throw new Error("It was not recorded.");
  return outcome.id;
}

interface Shown {
  state: string;
  score: number | null;
  tries: number;
  checkId: string | null;
  reason: string | null;
}
const show = (id: string) => server.perform<Shown>("deployment show", { id });
const untilItWaits = (id: string) =>
  waitUntil("it waits", async () => (await show(id)).reason !== null);
const visitAgain = (id: string) =>
  server.sql`update deployments set try_at = now() where id = ${id} and try_at > now()`;
const untilVerified = (id: string) =>
  waitUntil("it is verified", async () => (await show(id)).state === "verified");

async function lastShip({ projectId }: HookActor): Promise<LastShipResponse["lastShip"]> {
  const path = `/api/v1/projects/${projectId}/last-ship`;
  const answer = await server.request(path, { token: alice.token });
  return ((await answer.json()) as LastShipResponse).lastShip;
}

test("twenty queued together begin together, however long each takes", async () => {
  slow.hold();
  slow.requests.length = 0;
  const paths = Array.from({ length: 20 }, (_, index) => `/shop${index}`);
  const hooks = await Promise.all(paths.map((path) => addHook(new URL(path, slow.url).href)));
  const ids = await Promise.all(hooks.map((hook) => ship(hook)));
  // A visit ends after eight seconds: on a slow machine before the last of them has asked for its page.
  await waitUntil("all have begun", async () => {
    const begun =
      await server.sql`select from checks where kind = 'deployment' and state = 'running'`;
    return begun.length === paths.length;
  });
  await waitUntil("all are visited", () => {
    const visited = new Set(slow.requests.map(({ url }) => url));
    return paths.every((path) => visited.has(path));
  });
  slow.release();
  for (const id of ids) await untilVerified(id);
});

describe("a page that is not there yet", () => {
  test.each([404, 502, 503])("and returns %i is visited again until it is", async (status) => {
    const path = `/soon${status}`;
    const hook = await addHook(new URL(path, site.url).href, status);
    const id = await ship(hook);
    await untilItWaits(id);
    expect(await show(id)).toMatchObject({
      state: "queued",
      tries: 0,
      checkId: null,
      reason: `The page returns ${status}: the deployment may not be live yet.`,
    });
    expect(await lastShip(hook)).toMatchObject({ id, score: null, verdict: null });
    statuses.set(path, 200);
    await visitAgain(id);
    await untilVerified(id);
    expect(await lastShip(hook)).toMatchObject({ verdict: expect.stringMatching(/^ship/) });
    expect(await server.sql`select from checks where state <> 'done'`).toEqual([]);
  });

  test("after two minutes is a result", async () => {
    const hook = await addHook(`${site.url}never`, 502);
    const id = await ship(hook);
    await untilItWaits(id);
    await server.sql`update deployments set begun_at = now() - interval '2 minutes' where id = ${id}`;
    await visitAgain(id);
    await untilVerified(id);
    expect(await lastShip(hook)).toMatchObject({ id, verdict: "do_not_ship" });
  });

  test("counts in a round, which visits once", async () => {
    const hook = await addHook(`${site.url}round`, 503);
    // A round would look at the same site for each project of the earlier tests, two a second.
    await server.sql`delete from watched_urls where project_id <> ${hook.projectId}`;
    const id = await ship(hook);
    await untilItWaits(id);
    await server.sql`update deployments set try_at = now() + interval '1 hour' where id = ${id}`;
    const entries = await server.perform<RoundEntry[]>("round", {});
    expect(entries.filter(({ kind }) => kind === "deployment")).toMatchObject([
      { id, outcome: "do_not_ship" },
    ]);
  });

  test("but returns 500 is broken", async () => {
    const id = await ship(await addHook(`${site.url}broken`, 500));
    await untilVerified(id);
    expect(await server.sql`select from deployments where id = ${id} and tries = 1`).toHaveLength(
      1,
    );
  });
});

describe("the last deployment", () => {
  test("of two in one second is the later by the provider's time, then by id, and both have results", async () => {
    const hook = await addHook(site.url);
    const deployedAt = new Date(Math.floor(Date.now() / 1000) * 1000);
    const ids = [
      await ship(hook, { deployedAt, commit: "one" }),
      await ship(hook, { deployedAt, commit: "two" }),
      await ship(hook, { deployedAt: new Date(deployedAt.getTime() - 1), commit: "three" }),
    ];
    for (const id of ids) await untilVerified(id);
    expect((await lastShip(hook))?.id).toBe(ids.slice(0, 2).toSorted().at(-1));
  });

  test("names the score before it and the changes since, in any order of their ends", async () => {
    const hook = await addHook(site.url);
    const at = (minutes: number) => ({ deployedAt: new Date(Date.now() - minutes * 60_000) });
    const third = await ship(hook, at(1));
    await untilVerified(third);
    headers = { "x-content-type-options": "nosniff" };
    const first = await ship(hook, at(3));
    await untilVerified(first);
    const second = await ship(hook, at(2));
    await untilVerified(second);
    const scores = await server.sql<{ previousScore: number | null; changed: string[] }>`
      select previous_score, to_json(coalesce(changed, '{}')) as changed from scores
      where deployment_id in (${first}, ${second}, ${third}) order by array_position(array[${first}, ${second}, ${third}], deployment_id)`;
    const scoreOf = async (id: string) => (await show(id)).score;
    expect(scores.map(({ previousScore }) => previousScore)).toEqual([
      null,
      await scoreOf(first),
      await scoreOf(second),
    ]);
    // What is fast may differ from visit to visit.
    const ofHeaders = ({ changed }: { changed: string[] }) =>
      changed.filter((id) => id.startsWith("hdr."));
    expect(scores.map(ofHeaders)).toEqual([[], [], ["hdr.nosniff", "hdr.valid"]]);
  });
});

test("a deployment counts the files of the previous build that the site still serves", async () => {
  const build = (...files: string[]) =>
    GOOD + files.map((file) => `<script src="/${file}.js"></script>`).join("");
  const served = new Set(["app.3f9c2b1a", "menu.4e8d1c2b", "cart.5d7e2f3a", "same.6c6f3e4b"]);
  let page = build(...served);
  const shop = await startSite({
    routes: {
      "/": (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end(page),
      "*": ({ url = "" }, response) => {
        const isServed = served.has(url.slice(1, -3));
        const type = isServed ? "text/javascript" : "text/html";
        const isStartPage = url.startsWith("/menu");
        void response
          .writeHead(isServed || isStartPage ? 200 : 404, { "content-type": type })
          .end("//");
      },
    },
  });
  onTestFinished(() => shop.close());
  const projectId = await addProject(server, alice, shop.url);
  const hook: HookActor = { by: "hook", accountId: alice.accountId, projectId };
  await untilVerified(await ship(hook));
  expect(await lastShip(hook)).toMatchObject({ previousFiles: null });

  page = build("app.7b5a4d5c", "same.6c6f3e4b");
  for (const gone of ["menu.4e8d1c2b", "cart.5d7e2f3a"]) served.delete(gone);
  served.add("app.7b5a4d5c");
  const second = await ship(hook);
  await untilVerified(second);
  expect(await lastShip(hook)).toMatchObject({ previousFiles: { tried: 3, answered: 1 } });
  const client = await signIn(server, alice);
  const { page: shown } = await client.get(`/deployments/${second}`);
  expect(shown.text).toContain("1 of 3 files of the previous build still answers");
  expect(shown.text).toContain("skew protection");
});

describe("messages about deployments", () => {
  const told = (path: string) =>
    receiver
      .posted(path)
      .map(({ body }) => (JSON.parse(body) as { data: MessageData }).data.deployment);
  async function addTargets({ projectId }: HookActor): Promise<void> {
    await addTarget(server, projectId, receiver.at(`${projectId}-ship`), { on: ["ship"] });
    await addTarget(server, projectId, receiver.at(`${projectId}-drop`), { on: ["drop"] });
  }

  test("one message names all deployments of a visit and compares them with the visit before", async () => {
    const hook = await addHook(`${site.url}together`);
    await addTargets(hook);
    const first = await ship(hook);
    await untilVerified(first);
    statuses.set("/together", 500);
    const said = ["a", "b", "c"].map((commit) => reportOf({ commit }));
    const outcomes = await recordShips(server.deps, hook, said);
    const ids = outcomes.map((outcome) => ("id" in outcome ? outcome.id : "")).toReversed();
    const { body } = await receiver.waitForRequest(`${hook.projectId}-drop`, 1);
    expect((JSON.parse(body) as { data: MessageData }).data.deployment).toMatchObject({
      id: ids[0],
      ids,
      score: (await show(ids[0]!)).score,
      previousScore: (await show(first)).score,
    });
    await receiver.waitForRequest(`${hook.projectId}-ship`, 2);
    expect(told(`${hook.projectId}-ship`)).toMatchObject([{ ids: [first] }, { ids }]);
  });

  test("a deployment overtaken by a newer one is announced, but is no drop", async () => {
    const hook = await addHook(`${site.url}overtaken`);
    await addTargets(hook);
    const at = (minutes: number) => ({ deployedAt: new Date(Date.now() - minutes * 60_000) });
    const ids = [await ship(hook, at(3))];
    await untilVerified(ids[0]!);
    ids.push(await ship(hook, at(1)));
    await untilVerified(ids[1]!);
    statuses.set("/overtaken", 500);
    ids.push(await ship(hook, at(2)));
    await receiver.waitForRequest(`${hook.projectId}-ship`, 3);
    expect(told(`${hook.projectId}-ship`)).toMatchObject(ids.map((id) => ({ id, ids: [id] })));
    expect(told(`${hook.projectId}-drop`)).toEqual([]);
  });
});

test("a deployment keeps its score after its check is deleted, and the next is compared with it", async () => {
  const hook = await addHook(`${site.url}old`);
  const old = await ship(hook);
  await untilVerified(old);
  const before = await lastShip(hook);
  await server.sql`delete from checks where id = ${before?.checkId ?? null}`;
  expect(await lastShip(hook)).toEqual({ ...before, checkId: null });
  expect(await show(old)).toMatchObject({ state: "verified", score: before?.score });
  const next = await ship(hook, { commit: "next" });
  await untilVerified(next);
  const [score] =
    await server.sql`select previous_score, changed from scores where deployment_id = ${next}`;
  expect(score).toEqual({ previousScore: before?.score, changed: null });
});

test("a burst of thousands needs few visits and delays no other project", async () => {
  const [hook, other] = [await addHook(`${site.url}busy`), await addHook(`${site.url}calm`)];
  const before = site.requests.filter(({ url }) => url === "/busy").length;
  await server.sql`
    insert into deployments (id, project_id, url, environment)
    select 'dep_burst' || n, ${hook.projectId}, ${`${site.url}busy`}, 'production' from generate_series(1, ${BURST}::int) n`;
  const id = await ship(other);
  await untilVerified(id);
  await waitUntil("all are verified", async () => {
    const left = await server.sql`
      select from deployments where project_id = ${hook.projectId} and check_id is null limit 1`;
    return left.length === 0;
  });
  const visits =
    await server.sql`select distinct check_id from deployments where project_id = ${hook.projectId}`;
  expect(visits.length).toBeLessThanOrEqual(12);
  const pages = site.requests.filter(({ url }) => url === "/busy").length - before;
  expect(pages).toBeLessThan(100);
  const scores = await server.sql`select from scores where project_id = ${hook.projectId}`;
  expect(scores).toHaveLength(BURST);
});

describe("a drop", () => {
  test.each<[previous: [number, Verdict] | null, now: [number, Verdict], is: boolean]>([
    [null, [10, "do_not_ship"], false],
    [[90, "ship"], [90, "ship"], false],
    [[90, "ship"], [86, "ship"], false],
    [[90, "ship"], [95, "ship"], false],
    [[60, "do_not_ship"], [90, "ship"], false],
    [[90, "inconclusive"], [88, "do_not_ship"], false],
    [[90, "ship"], [88, "inconclusive"], false],
    [[90, "ship"], [85, "ship"], true],
    [[80, "ship"], [79, "ship_with_warnings"], true],
    [[80, "ship_with_warnings"], [80, "do_not_ship"], true],
  ])("after %j with %j: %s", (previous, [score, verdict], is) => {
    const [previousScore, previousVerdict] = previous ?? [null, null];
    const said = { id: "dep", changed: [], score, verdict, previousScore, previousVerdict };
    expect(isDrop(said)).toBe(is);
  });
});
