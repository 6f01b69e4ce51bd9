import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { signIn, type Client } from "../harness/application.ts";
import { expectSoundPage } from "../harness/html.ts";
import { insertPast, insertTargets } from "../harness/past.ts";
import { addPeople, addPerson, addProject, type Person } from "../harness/people.ts";
import { countQueries, startTestServer, type TestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(startTestServer);
let app: FastifyInstance;
let asked: { count: number };
let counted: TestServer;
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: Client;
let bob: Client;
let carol: Client;
let ivy: Client;
let id: string;
let hook: string;
let alert: string;

beforeAll(async () => {
  const counting = countQueries(server);
  asked = counting.asked;
  app = await createApp(counting.server);
  counted = { ...server, url: await app.listen({ port: 0 }) };
  people = await addPeople(server);
  const invited = await addPerson(server, "ivy");
  id = await addProject(server, people.alice, "https://example.com/", "Shop");
  await insertPast(server.sql, id, { urls: 50, open: 3, closed: 4, deployments: 40 });
  await insertTargets(server.sql, id, { hooks: 1, alerts: 1 });
  await server.sql`insert into memberships (project_id, account_id) values (${id}, ${people.bob.accountId})`;
  await server.sql`insert into invitations (project_id, email) values (${id}, ${invited.email})`;
  await server.sql`update watched_urls set score = right(url, 2)::int where project_id = ${id} and not is_address`;
  await server.sql`update watched_urls set url = 'https://example.com/100%_OFF' where url like '%page-000050'`;
  [{ id: hook }, { id: alert }] = (await server.sql<{ id: string }>`
    select id from hooks union all select id from alerts`) as [{ id: string }, { id: string }];
  [alice, bob, carol, ivy] = (await Promise.all(
    [people.alice, people.bob, people.carol, invited].map((one) => signIn(counted, one)),
  )) as [Client, Client, Client, Client];
});
afterAll(() => app.close());

const pathOf = (list: string) => `/projects/${id}/${list}`;
const OF_ALL = ["urls", "deployments", "incidents"];
const ofOwner = () => [`hooks/${hook}/deliveries`, `alerts/${alert}/deliveries`];

/** The first cells of a list's rows. */
const names = ({ page }: { page: { rows: readonly (readonly string[])[] } }) =>
  page.rows.slice(1).map(([name = ""]) => name.replace(" ↗", ""));
const short = (name: string) => name.replace(/^\//, "");

test("a list that the user may not see is a page that does not exist, also as a file", async () => {
  const unknown = (await carol.get("/projects/prj_00000000000000000000")).html;
  for (const list of [...OF_ALL, ...ofOwner()])
    for (const format of ["", "?format=csv", "?format=json"])
      for (const client of [carol, ivy, ...(OF_ALL.includes(list) ? [] : [bob])]) {
        const answer = await client.get(`${pathOf(list)}${format}`);
        expect([list, answer.status]).toEqual([list, 404]);
        if (client === carol) expect(answer.html).toBe(unknown);
      }
  for (const list of [
    `hooks/${alert}/deliveries`,
    "hooks/x/deliveries",
    `alerts/${hook}/deliveries`,
  ])
    expect((await alice.get(pathOf(list))).status).toBe(404);
});

test("every list is valid in both languages, small, and needs two queries", async () => {
  const french = await signIn(counted, people.alice, { language: "fr" });
  for (const path of [...OF_ALL, ...ofOwner()].map(pathOf).concat("/checks")) {
    asked.count = 0;
    const { html, status } = await alice.get(path);
    expect([path, status, asked.count]).toEqual([path, 200, 2]);
    expect(Buffer.byteLength(html)).toBeLessThan(50_000);
    expectSoundPage(html, "en");
    expectSoundPage((await french.get(path)).html, "fr");
  }
});

test("a member sees the lists of the project", async () => {
  for (const list of OF_ALL) expect((await bob.get(pathOf(list))).status).toBe(200);
});

describe("watched URLs", () => {
  test("start with failing ones, then the lowest score; a row links to its own page, and to the site", async () => {
    const { page } = await alice.get(pathOf("urls"));
    expect(page.text).toContain("1 to 36 of 51");
    expect(names({ page }).slice(0, 5).map(short)).toEqual([
      "page-000001",
      "page-000002",
      "page-000003",
      "",
      "page-000004",
    ]);
    const url = "https://example.com/page-000001";
    expect(page.links["/page-000001"]).toMatch(
      new RegExp(`^/projects/${id}/urls/url_u\\w+000001$`),
    );
    expect(page.links[`Open ${url}`]).toBe(url);
  });

  test("have pages; a number beyond the last shows the last", async () => {
    const second = await alice.get((await alice.get(pathOf("urls"))).page.links["Next page"] ?? "");
    expect(second.page.text).toContain("37 to 51 of 51");
    expect(second.page.links["Next page"]).toBeUndefined();
    expect(second.page.links["Previous page"]).toBe(pathOf("urls"));
    for (const page of ["3", "999999"])
      expect(names(await alice.get(`${pathOf("urls")}?page=${page}`))).toEqual(names(second));
  });

  test.each<[query: string, first: string, total: number]>([
    ["sort=score", "page-000001", 51],
    ["sort=-score", "100%_OFF", 51],
    ["sort=address", "", 51],
    ["sort=-address", "page-000049", 51],
    ["q=PAGE-00000", "page-000001", 9],
    ["q=%25_off", "100%_OFF", 1],
    ["q=%25", "100%_OFF", 1],
    ["q=_", "100%_OFF", 1],
    ["state=failing", "page-000001", 3],
    ["state=failing&sort=-score", "page-000003", 3],
    ["state=unknown", "", 1],
    ["state=up&q=page-000004", "page-000004", 1],
  ])("?%s", async (query, first, total) => {
    const answer = await alice.get(`${pathOf("urls")}?${query}`);
    expect(answer.page.text).toContain(`of ${total}`);
    expect(short(names(answer)[0] ?? "")).toBe(first);
  });

  test.each([
    "state=open",
    "verdict=x",
    "sort=id",
    "sort=--score",
    "page=-1",
    "format=xml",
    "q=%00",
  ])("?%s is ignored", async (query) => {
    const all = names(await alice.get(pathOf("urls")));
    expect(names(await alice.get(`${pathOf("urls")}?${query}`))).toEqual(all);
  });

  test("without a match say so, and link to all", async () => {
    for (const query of ["q=nowhere", "verdict=ship", "q='%20or%201=1"]) {
      const { page, html } = await alice.get(`${pathOf("urls")}?${query}`);
      expect([page.text, page.links["Show all"]]).toEqual([
        expect.stringContaining("No matches."),
        pathOf("urls"),
      ]);
      expectSoundPage(html, "en");
    }
  });

  test("are searched by a form and sorted by links, which keep each other's choice", async () => {
    const sorted = await alice.get(`${pathOf("urls")}?q=page&state=failing`);
    expect(sorted.page.links["Score"]).toBe(`${pathOf("urls")}?q=page&state=failing&sort=score`);
    const { page, html } = await alice.get(sorted.page.links["Score"] ?? "");
    expect(html).toMatch(/aria-sort="ascending"><a[^>]*>Score</);
    expect(page.links["Score"]).toContain("sort=-score");
    const form = page.formOf("Filter");
    expect([form.method, form.sent()]).toEqual([
      "get",
      { q: "page", state: "failing", verdict: "", sort: "score" },
    ]);
  });
});

test.each<[list: string, query: string, rows: number]>([
  ["deployments", "q=AAAA1", 17],
  ["deployments", "q=MAIN", 40],
  ["deployments", "verdict=ship_with_warnings", 40],
  ["deployments", "verdict=ship", 0],
  ["incidents", "state=open", 3],
  ["incidents", "state=closed", 4],
  ["incidents", "q=answers%20503", 4],
  ["incidents", "q=page-000002", 1],
])("of %s, ?%s shows the expected number of rows", async (list, query, rows) => {
  const { page } = await alice.get(`${pathOf(list)}?${query}`);
  const [, total = "0"] = /to \d+ of (\d+)/.exec(page.text) ?? [];
  expect(total).toBe(String(rows));
});

test.each<[of: () => string, query: string, rows: number]>([
  [() => `hooks/${hook}/deliveries`, "state=ignored", 2],
  [() => `hooks/${hook}/deliveries`, "q=CLOCK", 1],
  [() => `alerts/${alert}/deliveries`, "state=dead", 3],
])("deliveries %#", async (of, query, rows) => {
  expect(names(await alice.get(`${pathOf(of())}?${query}`))).toHaveLength(rows);
});

describe("as a file", () => {
  test("a list has all matches, in order, and no cell starts a formula", async () => {
    const cells = [
      "=cmd|' /C calc'!A0",
      "+1",
      "-2+3",
      "@SUM(1)",
      "\t=1",
      "\r=1",
      'a "b", c',
      "é",
      "main;=1;b",
    ];
    await server.sql`
      update deployments set ref = cell from unnest(string_to_array(${cells.join("\u0001")}, chr(1))) with ordinality as cells (cell, n)
      where project_id = ${id} and deployments.id like '%' || lpad(n::text, 6, '0')`;
    const answer = await alice.get(`${pathOf("deployments")}?sort=at&format=csv`);
    expect([
      answer.status,
      answer.headers.get("content-type"),
      answer.headers.get("content-disposition"),
    ]).toEqual([
      200,
      "text/csv; charset=utf-8",
      'attachment; filename="shipscore-deployments.csv"',
    ]);
    const [head, ...lines] = answer.html.split("\r\n");
    expect(head).toBe(
      "id,ref,commit,environment,url,verdict,score,previousScore,checkId,deployedAt",
    );
    expect(lines.at(-1)).toBe("");
    for (const cell of [
      "'=cmd|' /C calc'!A0",
      "'+1",
      "'-2+3",
      "'@SUM(1)",
      "'\t=1",
      '"\'\r=1"',
      '"a ""b"", c"',
      "é",
      "main;'=1;b",
    ])
      expect(answer.html).toContain(`,${cell},`);
  });

  test("JSON has the rows and their number", async () => {
    const answer = await bob.get(`${pathOf("urls")}?state=failing&format=json`);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const { rows, total } = JSON.parse(answer.html) as { rows: object[]; total: number };
    expect([rows.length, total]).toEqual([3, 3]);
    expect(rows[0]).toEqual({
      id: expect.stringMatching(/^url_/),
      url: "https://example.com/page-000001",
      state: "failing",
      score: 1,
      verdict: null,
      checkId: null,
      lastCheckedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  test("has more than a page", async () => {
    const { rows } = JSON.parse((await alice.get(`${pathOf("urls")}?format=json`)).html) as {
      rows: unknown[];
    };
    expect(rows).toHaveLength(51);
  });
});
