import { beforeAll, describe, expect, test } from "vitest";
import { waitForVerification } from "../../server/watching/deployments.ts";
import { recordShips } from "../../server/projects/deployments.ts";
import { addTarget } from "../harness/alerts.ts";
import { signedOutClient, signIn, type Client } from "../harness/application.ts";
import { expectSoundPage } from "../harness/html.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { reportOf } from "../harness/ships.ts";
import { startTestServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const COMMIT = "3f1c9b7e2a6d4850b1e9c7a3d5f2846017ab9cde";
const REPOSITORY = "https://git.example.com/harbour/shop";

const site = use(() =>
  startSite({
    routes: {
      "*": (_request, response) =>
        void response
          .writeHead(status, { "content-type": "text/html", ...headers })
          .end("<!doctype html><title>Tea</title><p>Tea, by the leaf."),
    },
  }),
);
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let status = 200;
let headers: Record<string, string> = { "x-content-type-options": "nosniff" };
let people: Record<"alice" | "bob" | "carol", Person>;
let clients: Record<"alice" | "bob" | "carol", Client>;
let project: string;
let first: string;
let second: string;

const round = () => server.perform("round", {});

async function ship(said: Parameters<typeof reportOf>[0]): Promise<string> {
  const hook = { by: "hook", accountId: people.alice.accountId, projectId: project } as const;
  const [outcome] = await recordShips(server.deps, hook, [reportOf(said)]);
  if (outcome === undefined || !("id" in outcome)) throw new Error("It was not recorded.");
  await waitForVerification(server.deps, outcome.id);
  return outcome.id;
}

beforeAll(async () => {
  people = await addPeople(server);
  clients = {
    alice: await signIn(server, people.alice),
    bob: await signIn(server, people.bob),
    carol: await signIn(server, people.carol),
  };
  project = await addProject(server, people.alice, site.url, "Shop");
  await server.sql`
    insert into memberships (project_id, account_id) values (${project}, ${people.bob.accountId})`;
  await addTarget(server, project, "https://127.0.0.1:9/alerts");
  first = await ship({
    commit: "1111111",
    commitUrl: "javascript:alert(1)",
    refUrl: "http://a.example/",
  });
  headers = { "x-frame-options": "DENY", "referrer-policy": "no-referrer" };
  const links = { commitUrl: `${REPOSITORY}/commit/${COMMIT}`, refUrl: `${REPOSITORY}/tree/main` };
  second = await ship({ commit: COMMIT, ref: "main", ...links });
});

describe.each<[string, path: () => string, unknown: string]>([
  ["a deployment", () => `/deployments/${second}`, "/deployments/dep_00000000000000000000"],
  [
    "an incident",
    () => "/incidents/inc_11111111111111111111",
    "/incidents/inc_00000000000000000000",
  ],
])("%s", (_, path, unknown) => {
  beforeAll(async () => {
    await server.sql`
      insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at, closed_at)
      values ('inc_11111111111111111111', 'url_gone', ${project}, ${site.url}, now() - interval '9 days',
        '{"fr": "Rien.", "en": "Nothing."}', now(), now() - interval '8 days') on conflict do nothing`;
  });

  test("that the user may not see answers like one that does not exist", async () => {
    const known = await clients.carol.get(unknown);
    for (const asked of [path(), unknown.replace("_", "-"), unknown.replace(/\/\w+_/, "/prj_")]) {
      const answer = await clients.carol.get(asked);
      expect([answer.status, answer.html]).toEqual([404, known.html]);
    }
    const answer = await signedOutClient(server).get(path());
    expect(answer.location).toBe(`/sign-in?next=${encodeURIComponent(path())}`);
  });

  test.each(["alice", "bob"] as const)("is visible to %s, in both languages", async (name) => {
    for (const language of ["en", "fr"] as const) {
      const client = await signIn(server, people[name], { language });
      const { status: answered, html } = await client.get(path());
      expect(answered).toBe(200);
      expectSoundPage(html, language);
      expect(Buffer.byteLength(html)).toBeLessThan(50_000);
    }
  });
});

test("the first deployment has nothing to compare with; only https addresses become links", async () => {
  const { page, html } = await clients.alice.get(`/deployments/${first}`);
  expect(page.h1).toBe("Deployment 1111111");
  expect(page.text).toContain("This is the first checked deployment");
  expect(html).not.toMatch(/javascript:|href="http:/);
});

test("the next one shows what changed, where its code is, and its report", async () => {
  const { page, html } = await clients.bob.get(`/deployments/${second}`);
  expect(page.text).toMatch(
    /Compared with the previous deployment, 1111111, .* ago \d+, was \d+ \([+−±]\d/,
  );
  expect(page.links["1111111"]).toBe(`/deployments/${first}`);
  expect(page.links[COMMIT]).toBe(`${REPOSITORY}/commit/${COMMIT}`);
  expect(page.links["main"]).toBe(`${REPOSITORY}/tree/main`);
  const groups = [...html.matchAll(/<h3>(\w[\w ]*) \(\d+\)<\/h3>/g)].map(([, name]) => name);
  expect(groups).toEqual(["Fixed", "New", "Still present"]);
  expect(page.text).toMatch(/New \(\d+\).*−[\d.]+ .*hdr\.nosniff/);
  expect(page.text).toContain("Fix first");
  expect(page.text).toContain("Incidents since None.");
});

test("a waiting one says so, and is linked as the next one", async () => {
  const id = "dep_11111111111111111111";
  await server.sql`
    insert into deployments (id, project_id, url, environment, try_at, failure)
    values (${id}, ${project}, ${site.url}, 'production', now() + interval '1 hour', '{"fr": "Non.", "en": "Not yet."}')`;
  const { page } = await clients.alice.get(`/deployments/${id}`);
  expect(page.text).toContain("Waiting to be checked. Not yet.");
  const before = await clients.alice.get(`/deployments/${second}`);
  expect(before.page.links["Next deployment:"]).toBe(`/deployments/${id}`);
  expect(before.page.buttons).toContain(`Copy ${second}`);
  await server.sql`delete from deployments where id = ${id}`;
});

test("an incident page shows the failure, the evidence, its hours, and the notified alerts", async () => {
  status = 500;
  await round();
  await round();
  await round();
  const list = await clients.alice.get("/incidents");
  expectSoundPage(list.html, "en");
  expect(list.page.rows[1]).toEqual([
    "500",
    site.url,
    "Shop",
    expect.anything(),
    expect.stringMatching(/, still open$/),
  ]);
  for (const [name, count] of [
    ["alice", 1],
    ["bob", 1],
    ["carol", 0],
  ] as const) {
    const { html } = await clients[name].get("/projects");
    expect([name, html.includes(`<span class="count">${count}</span>`)]).toEqual([name, count > 0]);
  }
  const path = list.page.links["500"] ?? "";
  const open = await clients.alice.get(path);
  expectSoundPage(open.html, "en");
  expect(open.page.h1).toBe("500 · /");
  expect(open.page.buttons).toContain(`Copy ${path.slice("/incidents/".length)}`);
  expect(open.page.text).toMatch(/■ Failing for \d+ seconds?/);
  const rows = open.page.rows.map((row) => row.join(" | "));
  expect(rows).toContainEqual(
    expect.stringMatching(
      /^Opened the incident \| \d.* UTC \| 500 \| 127\.0\.0\.1 \| .*First byte \d+/,
    ),
  );
  expect(rows).toContainEqual(expect.stringMatching(/^\d.* UTC \| \d+ \| [23] \| /));
  expect(rows).toContainEqual(expect.stringMatching(/^Incident opened \| Webhook 127\.0\.0\.1/));
  expect(open.page.links["3f1c9b7e2a6d · main"]).toBe(`/deployments/${second}`);
  expect((await clients.bob.get(path)).page.rows.map(([, target]) => target)).toContain("Webhook");
  await server.sql`update incidents set locations = '{paris,virginia}' where closed_at is null`;
  for (const shown of [path, "/incidents"])
    expect((await clients.alice.get(shown)).page.text).toContain("failing from paris and virginia");
  await server.sql`
    update incidents set opened_by = opened_by || '{"rule": "reach.dns", "status": null, "failure": "not_found"}'
    where closed_at is null`;
  const unknown = await clients.alice.get(path);
  expect(unknown.page.h1).toBe("Name not found · /");
  expect(unknown.page.rows.map((row) => row.join(" | "))).toContainEqual(
    expect.stringMatching(/^Opened the incident \| \d.* UTC \| Name not found \|/),
  );

  status = 200;
  await round();
  await round();
  const closed = await clients.alice.get(path);
  expect(closed.page.text).toMatch(/● Closed after \d+ seconds?/);
  expect(closed.page.text).toContain("failed from paris and virginia");
  expect(closed.page.rows.map((row) => row.join(" | "))).toContainEqual(
    expect.stringMatching(/^Closed the incident \| \d.* UTC \| 200 \| 127\.0\.0\.1/),
  );
  expect((await clients.alice.get("/incidents")).page.text).toContain("Nothing is failing.");
  const { page } = await clients.alice.get(`/deployments/${second}`);
  const past = [
    "Name not found, failed from paris and virginia",
    "/",
    expect.anything(),
    expect.anything(),
  ];
  expect(page.rows.slice(1, 2)).toEqual([past]);

  await server.sql`update watched_urls set fails_from = 'paris' where project_id = ${project}`;
  for (const shown of ["", "/urls"]) {
    const { page: one } = await clients.alice.get(`/projects/${project}${shown}`);
    expect(one.text).toContain("▲ Failing from paris only");
  }
});
