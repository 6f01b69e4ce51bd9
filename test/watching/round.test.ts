import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { RoundEntry } from "../../server/watching/round.ts";
import { LIMITS } from "../../server/semaphores.ts";
import { RULESET } from "../../server/engine/judge/ruleset.ts";
import type { IncidentList } from "../../shared/incident.ts";
import type { LastShipResponse } from "../../shared/last-ship.ts";
import type { Project, ProjectList } from "../../shared/project.ts";

import { addPerson, addProject, countUsedChecks } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";
import { shipOf } from "../harness/ships.ts";

const status: Record<string, number> = {};

const site = use(() =>
  startSite({
    routes: {
      "*": ({ url = "" }, response) =>
        void response
          .writeHead(status[url] ?? 200, { "content-type": "text/html" })
          .end("<!doctype html><title>x</title><p>Some text to read on this page.</p>"),
    },
  }),
);
const server = useServer();
const alice = use(() => addPerson(server, "alice"));

const round = () => server.perform<RoundEntry[]>("round", {});
const read = async <Body>(path: string, language = "fr") =>
  (await (
    await server.request(`/api/v1${path}`, {
      token: alice.token,
      headers: { "accept-language": language },
    })
  ).json()) as Body;
async function projectNow(id: string): Promise<Project | undefined> {
  return (await read<ProjectList>("/projects")).projects.find((project) => project.id === id);
}
/** Removes a project whose site is closed next: to confirm that it fails, a round would ask the other sites once more. */
const remove = (id: string, name: string) => server.perform("project remove", { id, name });

describe("a project's life, round by round", () => {
  let id: string;
  const address = () => `${site.url}address`;
  const other = () => `${site.url}other`;
  const failing = async () => (await read<IncidentList>(`/projects/${id}/incidents`)).incidents;

  test("is unknown before the first probe", async () => {
    id = await addProject(server, alice, address(), "Life");
    await server.perform("project watch", { id, url: other() });
    expect(await projectNow(id)).toMatchObject({
      state: "unknown",
      stateSince: null,
      lastCheckedAt: null,
      score: null,
    });
  });

  test("stays unknown after a 403", async () => {
    status["/address"] = 403;
    const entries = await round();
    expect(entries.find(({ url }) => url === address())).toMatchObject({ outcome: "inconclusive" });
    expect(await projectNow(id)).toMatchObject({ state: "unknown" });
  });

  test("is up after a good probe, with a score and a time", async () => {
    status["/address"] = 200;
    await round();
    const project = await projectNow(id);
    expect(project).toMatchObject({ state: "up", score: expect.any(Number) });
    expect(Date.parse(project?.lastCheckedAt ?? "")).toBeGreaterThan(Date.now() - 60_000);
    expect(await failing()).toEqual([]);
  });

  test("does not change after one failed probe, and is degraded after the second, with an incident", async () => {
    status["/other"] = 500;
    const before = await round();
    expect(await failing()).toEqual([]);
    await round();
    const [incident, ...more] = await failing();
    expect(more).toEqual([]);
    expect(incident).toMatchObject({ url: other(), reason: expect.stringContaining("500") });
    expect(Date.parse(incident?.since ?? "")).toBeLessThan(
      Date.parse(incident?.lastCheckedAt ?? ""),
    );
    expect(before.find(({ url }) => url === other())).toMatchObject({ outcome: "failed" });
    expect(await projectNow(id)).toMatchObject({ state: "degraded", stateSince: incident?.since });
    const english = await read<IncidentList>(`/projects/${id}/incidents`, "en");
    expect(english.incidents[0]?.reason).not.toBe(incident?.reason);
  });

  test("is down if its own URL fails, longest failing first", async () => {
    status["/address"] = 404;
    await round();
    await round();
    expect(await projectNow(id)).toMatchObject({ state: "down" });
    expect((await failing()).map(({ url }) => url)).toEqual([other(), address()]);
  });

  test("ignores a gatekeeper's answer, which neither closes an incident nor breaks the row", async () => {
    status["/address"] = 429;
    await round();
    expect(await projectNow(id)).toMatchObject({ state: "down" });
  });

  test("closes its incident after two good probes", async () => {
    status["/address"] = 200;
    await round();
    expect(await projectNow(id)).toMatchObject({ state: "down" });
    await round();
    expect(await projectNow(id)).toMatchObject({ state: "degraded" });
  });

  test("loses a URL's incident when it is unwatched; its own URL stays watched", async () => {
    await expect(server.perform("project unwatch", { id, url: address() })).rejects.toThrow(
      "always watched",
    );
    await server.perform("project unwatch", { id, url: other() });
    expect(await failing()).toEqual([]);
    expect(await projectNow(id)).toMatchObject({ state: "up" });
  });
});

test("a failed probe is retried after a second before it counts", async () => {
  let visits = 0;
  const flaky = await startSite({
    routes: {
      "/": (request, response) => {
        // A check asks twice for its page, once with a foreign Origin, and once more after a 5xx.
        if (request.headers.origin === undefined) visits++;
        response
          .writeHead(visits <= 2 ? 500 : 200, { "content-type": "text/html" })
          .end("<!doctype html><title>x</title>ok");
      },
    },
  });
  const id = await addProject(server, alice, flaky.url, "Flaky");
  const entries = await round();
  expect(entries.find(({ projectId }) => projectId === id)).toMatchObject({ outcome: "good" });
  expect(visits).toBe(3);
  await remove(id, "Flaky");
  await flaky.close();
});

test("a URL whose verification gets no permit is probed", async () => {
  const { probes } = server.deps.semaphores;
  const permits = Array.from({ length: LIMITS.probes.total }, () => probes.acquire("another", 0));
  const held = await Promise.all(permits);
  const id = await addProject(server, alice, `${site.url}probed`, "Probed");
  const entries = await round();
  for (const release of held) release();
  const entry = entries.find(({ projectId }) => projectId === id);
  expect(entry).toMatchObject({ outcome: "good", score: null });
  await remove(id, "Probed");
});

test("a round leaves no listener for the server's end", async () => {
  const countWaiting = () => getEventListeners(server.deps.draining, "abort").length;
  await round();
  const before = countWaiting();
  await round();
  expect(countWaiting()).toBe(before);
});

describe("probes are claimed", () => {
  test("once per URL and round, and never in parallel, by two rounds at once", async () => {
    let inside = 0;
    let most = 0;
    let pages = 0;
    const slow = await startSite({
      routes: {
        "/": async (request, response) => {
          if (request.headers.origin !== undefined) {
            response.end();
            return;
          }
          pages++;
          most = Math.max(most, ++inside);
          await sleep(400);
          inside--;
          response
            .writeHead(200, { "content-type": "text/html" })
            .end("<!doctype html><title>x</title>ok");
        },
      },
    });
    const id = await addProject(server, alice, slow.url, "Slow");
    const [first, second] = await Promise.all([round(), round()]);
    const looks = [...first, ...second].filter(({ projectId }) => projectId === id);
    expect(most).toBe(1);
    expect(looks.length).toBe(pages);
    expect(looks.every(({ outcome }) => outcome === "good")).toBe(true);
    await remove(id, "Slow");
    await slow.close();
  });
});

describe("deployments", () => {
  const lastShip = async (id: string) =>
    (await read<LastShipResponse>(`/projects/${id}/last-ship`)).lastShip;
  const record = (projectId: string, more: object = {}) =>
    server.perform<{ id: string }>("deployment add", {
      ...shipOf(projectId, `${site.url}ship`),
      wait: false,
      ...more,
    });

  test("nothing deployed, then recorded and awaited, then a newer one and one elsewhere", async () => {
    const id = await addProject(server, alice, `${site.url}ship`, "Ship");
    expect(await lastShip(id)).toBeNull();
    const first = await record(id, { commit: "4f2a9c1", ref: "main", wait: true });
    expect(await lastShip(id)).toMatchObject({
      id: first.id,
      environment: "production",
      commit: "4f2a9c1",
      ref: "main",
      score: expect.any(Number),
      verdict: expect.any(String),
      ruleset: RULESET.version,
      checkId: expect.stringMatching(/^chk_/),
    });
    const second = await record(id, { wait: true });
    await record(id, { environment: "staging", wait: true });
    expect((await lastShip(id))?.id).toBe(second.id);
  });

  test("a deployment does not count against the quota", async () => {
    expect(await countUsedChecks(server, alice)).toBe(0);
  });
});
