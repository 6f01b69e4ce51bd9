import { beforeAll, describe, expect, test } from "vitest";
import type { ProjectList } from "../../shared/project.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

let project: string;

const server = useServer();
const people = use(() => addPeople(server));
beforeAll(async () => {
  project = await addProject(server, people.alice, "https://127.0.0.1:8443/");
});

async function seenBy(person: Person): Promise<string[]> {
  const ask = (path: string) => server.request(`/api/v1/projects${path}`, { token: person.token });
  const { projects } = (await (await ask("")).json()) as ProjectList;
  const incidents = await ask(`/${project}/incidents`);
  const lastShip = await ask(`/${project}/last-ship`);
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

test("projects are sorted by name, as people sort names, and have nulls before the first probe", async () => {
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
