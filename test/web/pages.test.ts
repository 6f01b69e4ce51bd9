import { beforeAll, expect, test } from "vitest";
import { MAX_ALERTS } from "../../server/db/alerts/outbox.ts";
import { MAX_HOOKS } from "../../server/projects/hooks.ts";
import { signIn, type Client } from "../harness/application.ts";
import { expectSoundPage } from "../harness/html.ts";
import { insertDays, insertPast, insertTargets } from "../harness/past.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const MAX_PAGE_BYTES = 50_000;
const MAX_SCRIPT_BYTES = 10_000;

const server = use(startTestServer);
let alice: Client;
let people: Record<"alice" | "bob" | "carol", Person>;
let paths: string[];

beforeAll(async () => {
  people = await addPeople(server);
  const id = await addProject(server, people.alice, "https://example.com/", "Shop");
  await insertPast(server.sql, id, { urls: 60, open: 2, closed: 3, deployments: 12 });
  await insertDays(server.sql, id, 30);
  await insertTargets(server.sql, id, { hooks: MAX_HOOKS, alerts: MAX_ALERTS });
  await server.sql`insert into memberships (project_id, account_id, accepted_at)
    values (${id}, ${people.bob.accountId}, now())`;
  await server.sql`insert into invitations (project_id, email)
    select ${id}, 'dave-' || n || '@example.com' from generate_series(1, 30) n`;
  alice = await signIn(server, people.alice);
  paths = [
    "/projects",
    "/projects/new",
    `/projects/${id}`,
    ...[
      "",
      "/urls",
      "/people",
      "/hooks",
      "/alerts",
      "/maintenance",
      "/badge",
      "/status-page",
      "/delete",
    ].map((page) => `/projects/${id}/settings${page}`),
    "/incidents",
    ...(
      await server.sql<{ path: string }>`
      (select '/hooks/' || id as path from hooks order by id limit 5)
      union all (select '/alerts/' || id from alerts order by id limit 4)
      union all (select '/urls/' || id from watched_urls order by id limit 1)`
    ).map(({ path }) => `/projects/${id}${path}`),
    "/checks",
    "/settings/api",
    `/settings/api/tokens/${people.alice.tokenId}/revoke`,
    "/settings/account",
    "/settings/account/second-factor",
  ];
});

/** Everything in the database but when a session, a token or a server was last used. */
async function takeStock(): Promise<string[]> {
  const tables = await server.sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  const stock: string[] = [];
  for (const { name } of tables) {
    const [row] = await server.sql<{ rows: string | null }>`
      select query_to_xml(format('select * from %I', ${name}::text), true, true, '')::text as rows`;
    stock.push(`${name} ${row?.rows?.replace(/<last_(used|seen)_at>.*?<\/last_\1_at>/g, "")}`);
  }
  return stock;
}

test("every page is valid, small, has at most one short script, is not cached, and changes nothing", async () => {
  // The background work deletes what is full again.
  await server.sql`delete from buckets`;
  const before = await takeStock();
  for (const path of paths) {
    const { status, headers, html, page } = await alice.get(path);
    expect([path, status]).toEqual([path, 200]);
    expectSoundPage(html, "en");
    expect(page.title).not.toBe("");
    expect([path, Buffer.byteLength(html) < MAX_PAGE_BYTES]).toEqual([path, true]);
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = ""]) => text);
    expect(scripts.length).toBeLessThanOrEqual(1);
    expect(Buffer.byteLength(scripts.join(""))).toBeLessThan(MAX_SCRIPT_BYTES);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe-|\*|http:/);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  }
  expect(await takeStock()).toEqual(before);
});

test("every page is valid and small in French too", async () => {
  const french = await signIn(server, people.alice, { language: "fr" });
  for (const path of paths) {
    const { html } = await french.get(path);
    expectSoundPage(html, "fr");
    expect([path, Buffer.byteLength(html) < MAX_PAGE_BYTES]).toEqual([path, true]);
  }
});

test("the id for commands and the API is on its page, with a copy button", async () => {
  const named = paths.filter((path) => /(?:prj|hook|alr|url)_\w{20}$/.test(path));
  expect(named.length).toBe(11);
  const ids = named.map((path) => [path, path.slice(path.lastIndexOf("/") + 1)] as const);
  for (const [path, id] of [...ids, ["/settings/api", people.alice.tokenId] as const])
    expect((await alice.get(path)).page.buttons).toContain(`Copy ${id}`);
});

test("each page has a different title", async () => {
  const titles = new Set<string>();
  for (const path of paths) titles.add((await alice.get(path)).page.title);
  expect(titles.size).toBe(paths.length);
});
