import { beforeAll, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { signIn, type Client } from "../harness/application.ts";
import { addPerson, addProject, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const site = use(() => {
  const page = "<!doctype html><title>x</title><p>Some text to read on this page.</p>";
  return startSite({
    routes: {
      "*": (_, response) =>
        void response.writeHead(status, { "content-type": "text/html" }).end(page),
    },
  });
});
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let alice: Person;
let client: Client;
let id: string;
let status = 200;

beforeAll(async () => {
  alice = await addPerson(server, "alice");
  id = await addProject(server, alice, site.url, "Life");
  client = await signIn(server, alice);
});

const round = () => server.perform("round", {});
const see = async () => {
  const { html, page } = await client.get(`/projects/${id}`);
  return { html, page, cells: page.rows.map((row) => row.join(" | ")) };
};

test("before the first result, the page describes the next steps, has no chart, and shows no command", async () => {
  const { html, page } = await see();
  expect(page.text).toContain("○ Not known yet");
  expect(page.text).toContain("This server starts no probes by itself");
  expect(page.text).not.toContain("shipscore-server");
  expect(page.links["Connect GitHub, Vercel, Netlify, GitLab or CI"]).toBe(
    `/projects/${id}/settings/hooks`,
  );
  expect(page.text).toContain(
    "No deployment has been reported yet. The project's owner can connect",
  );
  expect(html).not.toContain('class="chart"');
  expect(page.text).toContain("Incidents None open");
});

test("a server with background probes says what the next one is for", async () => {
  const config = { ...server.deps.config, cycleSeconds: 60 };
  await using app = await createApp({ ...server.deps, config });
  const origin = await app.listen({ port: 0 });
  const reader = await signIn({ ...server, url: origin }, alice);
  const text = async () => (await reader.get(`/projects/${id}`)).page.text;
  expect(await text()).toContain("First probe running.");
  await server.sql`
    with scored as (update watched_urls set score = 0 where project_id = ${id} returning number)
    update looks set last_outcome = 'failed', looked_at = now() from scored where scored.number = looks.number`;
  expect(await text()).toContain(
    "The last probe could not confirm that the site is up. The next one will decide",
  );
  await server.sql`
    with scored as (update watched_urls set score = null where project_id = ${id} returning number)
    update looks set last_outcome = null, looked_at = null from scored where scored.number = looks.number`;
});

test("a first failed probe waits for confirmation, and still counts as a probe", async () => {
  status = 500;
  await round();
  status = 200;
  const list = (await client.get("/projects")).page.text;
  for (const text of [(await see()).page.text, list]) {
    expect(text).toContain("▲ Failure to be confirmed");
    expect(text).not.toContain("Not probed yet");
  }
});

test("a round makes the project up, with a score", async () => {
  await round();
  const { html, page } = await see();
  expect(page.text).toMatch(/● Up for \d+ seconds? /);
  expect(html).toMatch(/aria-label="Score \d+ of 100"/);
  expect(page.text).toContain("Incidents None open");
  expect(page.text).toContain(
    "No deployment has been reported yet. The project's owner can connect",
  );
  expect(html).not.toContain('class="chart"');
});

/** Records a deployment that no server tries to verify. */
const record = (deploymentId: string, failure: object | null) => server.sql`
  insert into deployments (id, project_id, url, environment, deployed_at, try_at, failure)
  values (${deploymentId}, ${id}, ${site.url}, 'production', now() - interval '1 hour',
    case when ${failure === null}::boolean then now() + interval '1 hour' end,
    ${failure && JSON.stringify(failure)}::text::jsonb)`;

test("a deployment waits for its verification, or says why it has none", async () => {
  await record("dep_00000000000000000001", null);
  await record("dep_00000000000000000002", { fr: "Rien.", en: "Nobody was there." });
  const { cells, html } = await see();
  expect(cells).toContain("Deployment | 1 hour ago | Waiting to be checked | – | – | – | 0");
  expect(cells).toContain(
    "Deployment | 1 hour ago | Not checked Nobody was there. | – | – | – | 0",
  );
  expect(html).not.toContain('class="chart"');
});

test("a verified deployment has its score, its time to first byte and its page", async () => {
  const commit = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  const deployment = { projectId: id, url: site.url, environment: "production", commit };
  await server.perform("deployment add", { ...deployment, wait: true });
  const { html, page, cells } = await see();
  const row = /^4b825dc642cb \| .* ago \| (Ship.*|Do not ship) \| \d+ \| – \| \d+.ms \| 0$/;
  expect(cells).toContainEqual(expect.stringMatching(row));
  expect(page.text).toMatch(/Last deployment 4b825dc642cb \d+ seconds? ago (Ship|Do not ship)/);
  expect(html).toContain('<circle class="deployment"');
  expect((await client.get(page.links["4b825dc642cb"] ?? "")).status).toBe(200);
});

test("failing probes open an incident, which the deployment's row counts, and good ones close it", async () => {
  status = 500;
  await round();
  expect((await see()).page.text).toContain("▲ Failure to be confirmed");
  await round();
  const failing = await see();
  expect(failing.page.text).toMatch(/■ Down for \d+ seconds?: 1 of 1 URL failing/);
  expect(failing.cells).toContainEqual(expect.stringMatching(/^500 \| .* UTC \| .*, still open$/));
  expect(failing.cells).toContainEqual(expect.stringMatching(/ms \| 1$/));
  expect(failing.html).toContain('class="spans"');
  status = 200;
  await round();
  await round();
  const { page } = await see();
  expect(page.text).toContain("● Up");
  expect(page.text).toMatch(/Incidents None open.*Closed incidents .*500/);
});

test("an inconclusive deployment has no score", async () => {
  await server.sql`
    update scores set verdict = 'inconclusive' where project_id = ${id} and deployment_id is not null`;
  const { cells, html } = await see();
  expect(cells).toContainEqual(expect.stringMatching(/ \| Inconclusive \| – \| – \| \d+.ms \| 1$/));
  expect(html).not.toContain('<circle class="deployment"');
  expect((await client.get("/projects")).html).not.toContain('class="spark"');
});
