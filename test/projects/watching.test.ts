import { beforeAll, describe, expect, test } from "vitest";
import { recordDeployment } from "../../server/projects/deployments.ts";
import { createProject } from "../../server/projects/projects.ts";
import { unwatchUrl, watchUrl } from "../../server/projects/watching.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { shipOf } from "../harness/ships.ts";
import { columnOf } from "../harness/rows.ts";

const ADDRESS = "https://127.0.0.1:8443/";

let alice: Person;
let project: string;

const server = useServer();
beforeAll(async () => {
  ({ alice } = await addPeople(server));
  project = await addProject(server, alice, ADDRESS);
});

const watch = (url: string) => watchUrl(server.deps, actorOf(alice), project, url);
const unwatch = (url: string) => unwatchUrl(server.deps, actorOf(alice), project, { url });
const create = (url: string) => createProject(server.deps, actorOf(alice), { name: "Other", url });
const record = (url: string) => recordDeployment(server.deps, actorOf(alice), shipOf(project, url));

const urls = () => columnOf<string>(server.sql`select url from watched_urls order by url`);

describe("a URL that no verification would visit is rejected, for any purpose", () => {
  test.each([
    ["http://example.com/", "not_https", null],
    ["https://10.0.0.1/", "private", "10.0.0.1"],
    ["example.com", "unparseable", null],
  ])("%s: %s", async (url, code, host) => {
    for (const use of [create, watch, record])
      await expect(use(url)).rejects.toMatchObject({
        code: "url_refused",
        parameters: { code, host },
      });
    expect(await urls()).toEqual([ADDRESS]);
    expect(await server.sql`select from deployments`).toEqual([]);
  });
});

test("a name that does not resolve yet may be watched", async () => {
  const url = "https://not-there-yet.example.com/";
  expect(await watch(url)).toMatch(/^url_/);
  await unwatch(url);
});

test("a URL is watched once, and the project's URL always", async () => {
  await expect(watch(ADDRESS)).rejects.toMatchObject({ code: "url_watched_already" });
  const id = await watch(`${ADDRESS}tea`);
  await expect(watch(`${ADDRESS}tea`)).rejects.toMatchObject({
    code: "url_watched_already",
    parameters: { projectId: project },
  });
  await expect(unwatch(ADDRESS)).rejects.toMatchObject({ code: "url_not_watched" });
  expect(await unwatch(`${ADDRESS}tea`)).toBe(id);
  await expect(unwatch(`${ADDRESS}tea`)).rejects.toMatchObject({
    code: "url_not_watched",
    parameters: { projectId: project },
  });
  expect(await urls()).toEqual([ADDRESS]);
});
