import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { newId } from "../../server/db/id.ts";
import { signIn, type Client } from "../harness/application.ts";
import { insertDays, insertPast, insertTargets, scoreShips } from "../harness/past.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { countQueries, startTestServer } from "../harness/server.ts";
import { ONE_IN } from "../harness/thorough.ts";
import { use } from "../harness/use.ts";

const MOST_BYTES = 50_000;
const MOST_QUERIES = 3;
/** Some pages of each, or as many as somebody has. */
const PROJECTS = 1000 / ONE_IN;
const URLS = 1000 / ONE_IN;

const server = use(startTestServer);
let app: FastifyInstance;
let url: string;
let client: Client;
let id: string;
let asked: { count: number };

/** Somebody with many projects, one of which has many URLs and long lists, on an app whose queries are counted. */
beforeAll(async () => {
  const counting = countQueries(server);
  asked = counting.asked;
  app = await createApp(counting.server);
  url = await app.listen({ port: 0 });
  const alice = await addPerson(server, "alice");
  id = await addProject(server, alice, "https://example.com/", "A site");
  await insertPast(server.sql, id, { urls: URLS, open: 60, closed: 310, deployments: 120 });
  await insertDays(server.sql, id, 90);
  await server.sql`delete from incidents where project_id = ${id} and id like 'inc_h%'`;
  const prefix = newId("prj").slice(0, 18);
  await server.sql`insert into projects (id, owner_id, name, url, state, state_since)
    select ${prefix} || lpad(n::text, 6, '0'), ${alice.accountId}, 'The site of team ' || n, 'https://www.example.com/team/' || n, 'up', now()
    from generate_series(1, ${PROJECTS - 1}) n`;
  await server.sql`insert into watched_urls (id, project_id, url, is_address, score, scored_at)
    select 'url_' || right(id, 20), id, url, true, 90, now() from projects where id like ${prefix} || '%'`;
  await server.sql`
    update looks set last_outcome = 'good', looked_at = now(), first_looked_at = now(), verified_at = now()
    from watched_urls where watched_urls.number = looks.number and project_id like ${prefix} || '%'`;
  await server.sql`
    insert into checks (id, kind, project_id, host, state, lease_until, score, verdict, ruleset)
    select 'chk_' || right(projects.id, 17) || lpad(n::text, 3, '0'), 'deployment', projects.id, 'example.com', 'done', now(),
      50 + n, 'ship', '2026.1' from projects, generate_series(1, 20) n where projects.name like 'The site of team 1%'`;
  await server.sql`insert into deployments (id, project_id, url, environment, check_id)
    select 'dep_' || right(id, 20), project_id, 'https://example.com/', 'production', id from checks where ruleset = '2026.1'
      and id not in (select check_id from deployments where check_id is not null)`;
  await scoreShips(server.sql);
  client = await signIn({ ...server, url }, alice);
});
afterAll(async () => {
  await app.close();
});

/** A page, held to what a page may cost. */
async function get(path: string) {
  asked.count = 0;
  const answer = await client.get(path);
  expect(answer.status).toBe(200);
  expect(asked.count).toBeGreaterThan(0);
  expect(asked.count).toBeLessThanOrEqual(MOST_QUERIES);
  expect(Buffer.byteLength(answer.html)).toBeLessThan(MOST_BYTES);
  return answer.page;
}

/** The first cells of all rows of a list, over its pages. */
async function walk(path: string): Promise<string[]> {
  const cells: string[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page = await get(next);
    cells.push(...page.rows.slice(1).map(([cell = ""]) => cell));
    next = page.links["Next page"];
  }
  return cells;
}

test.each<[list: string, rows: number, of: () => string]>([
  ["projects", PROJECTS, () => "/projects"],
  ["watched URLs", URLS + 1, () => `/projects/${id}/urls`],
  ["URLs in the settings", URLS, () => `/projects/${id}/settings/urls`],
  ["incidents", 370, () => `/projects/${id}/incidents`],
])("%s have cheap pages, each item once", async (_, rows, of) => {
  const cells = await walk(of());
  expect(cells).toHaveLength(rows);
  expect(new Set(cells).size).toBe(rows);
});

test("a hundred members in the settings have cheap pages, each member once", async () => {
  await server.sql`insert into invitations (project_id, email, invited_by, invited_at)
    select ${id}, 'somebody-' || n || '@team.example.com', owner_id, now() - n * interval '1 minute'
    from projects, generate_series(1, 100) n where id = ${id}`;
  const path = `/projects/${id}/settings/people`;
  const emails: string[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page = await get(next);
    const cells = page.rows.map(([cell = ""]) => cell);
    emails.push(...cells.filter((cell) => cell.endsWith("@team.example.com")));
    next = page.links["Next page"];
  }
  const expected = Array.from({ length: 100 }, (_, n) => `somebody-${n + 1}@team.example.com`);
  expect(emails).toEqual(expected);
  expect((await client.get(`${path}?page=18`)).location).toBe(`${path}?page=17`);
  await server.sql`delete from invitations where project_id = ${id}`;
});

test("deployments have pages too", async () => {
  expect(await walk(`/projects/${id}/deployments`)).toHaveLength(120);
});

test("the page of one project is as cheap, and links to each full list", async () => {
  const { links } = await get(`/projects/${id}`);
  expect(links).toMatchObject({
    "All open incidents": `/projects/${id}/incidents?state=open`,
    "All deployments": `/projects/${id}/deployments`,
    "All watched URLs": `/projects/${id}/urls`,
    "All closed incidents": `/projects/${id}/incidents?state=closed`,
  });
});

test("a forbidden project costs as much as a missing one", async () => {
  const costs = new Set<number>();
  const stranger = await addPerson(server, "carol");
  const carol = await signIn({ ...server, url }, stranger);
  for (const wanted of [id, newId("prj"), "x", "a".repeat(3000)]) {
    asked.count = 0;
    expect((await carol.get(`/projects/${wanted}`)).status).toBe(404);
    costs.add(asked.count);
  }
  expect([...costs]).toEqual([2]);
});

test.each(["hooks", "alerts"])(
  "all %s fit on one page, and the page of one is as cheap",
  async (section) => {
    await insertTargets(server.sql, id, { hooks: 20, alerts: 20 });
    const { links } = await get(`/projects/${id}/settings/${section}`);
    const pages = Object.values(links).filter((href) =>
      href.startsWith(`/projects/${id}/${section}/`),
    );
    expect(pages).toHaveLength(20);
    await get(`${pages[0]}?done=saved`);
    await server.sql`delete from alerts`;
    await server.sql`delete from hooks`;
  },
);
