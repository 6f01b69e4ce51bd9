import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProjectList } from "../../shared/project.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let people: Record<"alice" | "bob" | "carol", Person>;
let project: string;

beforeAll(async () => {
  server = await startTestServer();
  people = await addPeople(server);
  project = await addProject(server, people.alice, "https://127.0.0.1:8443/");
});
afterAll(() => server.close());

async function seenBy(person: Person): Promise<string[]> {
  const answer = await server.request("/api/v1/projects", { token: person.token });
  const { projects } = (await answer.json()) as ProjectList;
  const incidents = await server.request(`/api/v1/projects/${project}/incidents`, {
    token: person.token,
  });
  const lastShip = await server.request(`/api/v1/projects/${project}/last-ship`, {
    token: person.token,
  });
  return [...projects.map(({ role }) => role), String(incidents.status), String(lastShip.status)];
}

describe("who sees Alice's project, step by step", () => {
  const sees = {
    owner: ["owner", "200", "200"],
    member: ["member", "200", "200"],
    nothing: ["404", "404"],
  };
  const bob = () => ({ id: project, email: people.bob.email });

  test.each<[string, string | undefined, keyof typeof sees]>([
    ["before anything", undefined, "nothing"],
    ["invited", "project share", "nothing"],
    ["accepted", "project accept", "member"],
    ["invited again", "project share", "member"],
    ["removed", "project unshare", "nothing"],
  ])("Bob, %s", async (_, operation, expected) => {
    if (operation !== undefined) await server.perform(operation, bob());
    expect(await seenBy(people.bob)).toEqual(sees[expected]);
    expect(await seenBy(people.alice)).toEqual(sees.owner);
    expect(await seenBy(people.carol)).toEqual(sees.nothing);
  });
});

test("nobody accepts without an invitation, and the owner is not invited", async () => {
  const carol = { id: project, email: people.carol.email };
  await expect(server.perform("project accept", carol)).rejects.toThrow("has no invitation");
  await expect(
    server.perform("project share", { id: project, email: people.alice.email }),
  ).rejects.toThrow("owns");
});

test("projects come by name, as people sort names, with nulls before the first look", async () => {
  for (const name of ["zèbre", "Écran", "atelier", "Site 10", "Site 9"]) {
    await addProject(server, people.carol, "https://127.0.0.1:8443/", name);
  }
  const answer = await server.request("/api/v1/projects", { token: people.carol.token });
  const { projects } = (await answer.json()) as ProjectList;
  expect(projects.map(({ name }) => name)).toEqual([
    "atelier",
    "Écran",
    "Site 9",
    "Site 10",
    "zèbre",
  ]);
  expect(projects[0]).toEqual({
    id: expect.stringMatching(/^prj_/),
    name: "atelier",
    url: "https://127.0.0.1:8443/",
    state: "unknown",
    stateSince: null,
    role: "owner",
    lastCheckedAt: null,
    score: null,
  });
  expect(answer.headers.get("cache-control")).toBe("no-store");
});
