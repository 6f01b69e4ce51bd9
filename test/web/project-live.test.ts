import { beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { signIn, type Client } from "../harness/application.ts";
import { readEvents } from "../harness/events.ts";
import { insertPast } from "../harness/past.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(startTestServer);
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: Client;
let bob: Client;
let carol: Client;
let id: string;

beforeAll(async () => {
  people = await addPeople(server);
  [alice, bob, carol] = (await Promise.all(
    [people.alice, people.bob, people.carol].map((one) => signIn(server, one)),
  )) as [Client, Client, Client];
  id = await addProject(server, people.alice, "https://example.com/", "Shop");
  await server.sql`insert into memberships (project_id, account_id) values (${id}, ${people.bob.accountId})`;
});

const page = (client = alice) => client.get(`/projects/${id}`);
const refreshOf = (html: string) =>
  /<noscript><meta http-equiv="refresh" content="3; url=([^"]+)"/.exec(html)?.[1];

/** The events of the page as it was read. */
async function follow(client: Client) {
  const { html } = await page(client);
  const [, path = ""] = /data-events="([^"]+)"/.exec(html) ?? [];
  const answer = await fetch(new URL(path, server.url), {
    headers: { cookie: `shipscore=${client.cookies.get("shipscore")}` },
  });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  return readEvents(answer);
}

const openIncident = () => insertPast(server.sql, id, { urls: 1, open: 1 });

describe("the events of a project", () => {
  test("do not exist for those who may not see the project", async () => {
    for (const wanted of [id, "prj_00000000000000000000", "x"])
      expect((await carol.get(`/projects/${wanted}/events`)).status).toBe(404);
  });

  test("report changes to its page, until access to the project ends", async () => {
    const [own, members] = [await follow(alice), await follow(bob)];
    await openIncident();
    for (const events of [own, members])
      expect((await events.next()).value).toEqual({ event: "changed", data: {} });
    await server.sql`delete from memberships where account_id = ${people.bob.accountId}`;
    expect((await members.next()).value).toEqual({ event: "end", data: {} });
    expect((await members.next()).done).toBe(true);
    await server.sql`delete from sessions where account_id = ${people.alice.accountId}`;
    expect((await own.next()).value).toEqual({ event: "end", data: {} });
    alice = await signIn(server, people.alice);
  });

  test("start with the changes since the page was rendered", async () => {
    const answer = await fetch(new URL(`/projects/${id}/events?seen=older`, server.url), {
      headers: { cookie: `shipscore=${alice.cookies.get("shipscore")}` },
    });
    const events = readEvents(answer);
    expect((await events.next()).value).toEqual({ event: "changed", data: {} });
    await events.return(undefined);
  });
});

test("a new project reloads without script until its first result", async () => {
  const { deps } = server;
  const app = await createApp({ ...deps, config: { ...deps.config, cycleSeconds: 300 } });
  const reader = await signIn({ ...server, url: await app.listen({ port: 0 }) }, people.alice);
  const fresh = await addProject(server, people.alice, "https://example.com/new", "New");
  const read = () => reader.get(`/projects/${fresh}`);
  const { html, page: shown } = await read();
  expect(refreshOf(html)).toBe(`/projects/${fresh}`);
  expect(shown.text).toContain("First probe running");
  await server.sql`update projects set state = 'up', state_since = now() where id = ${fresh}`;
  expect(refreshOf((await read()).html)).toBeUndefined();
  await app.close();
});
