import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { createSemaphore } from "../../server/semaphores.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { setBadge } from "../../server/projects/badges.ts";
import { createStatusPages } from "../../server/projects/known-status-pages.ts";
import { pauseUrl } from "../../server/projects/watching.ts";
import { signIn, type Client } from "../harness/application.ts";
import { insertDays } from "../harness/past.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { countQueries, startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const ADDRESS = "https://127.0.0.1:8443/";
const BASKET = `${ADDRESS}basket?a=1`;
const FORMATS = ["", ".json", ".atom", ".svg"];

const server = use(startTestServer);
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: Client;
let project: string;
/** As long as a name may be, and another in each test. */
let name: string;
let names = 0;

beforeAll(async () => {
  people = await addPeople(server);
  alice = await signIn(server, people.alice);
});
beforeEach(async () => {
  name = `tea-${String(++names).padStart(36, "0")}`;
  project = await addProject(server, people.alice, ADDRESS, "Secret name");
  await server.sql`insert into watched_urls (id, project_id, url) values (${`url_${name.slice(-20)}`}, ${project}, ${BASKET})`;
});

const edit = (more: object = {}) =>
  server.perform<{ url: string }>("status-page edit", {
    project,
    name,
    show: [`${ADDRESS}=Shop`, `${BASKET}=Basket = cart`],
    ...more,
  });
const ask = (path: string, headers: Record<string, string> = {}) =>
  server.request(`/status/${path}`, { headers });
const readJson = async () => (await (await ask(`${name}.json`)).json()) as Record<string, unknown>;
const setLooks = (outcome: string | null) => server.sql`
  update looks set last_outcome = ${outcome}, first_looked_at = now() - interval '2 days', looked_at = now()
  from watched_urls where watched_urls.number = looks.number and project_id = ${project}`;
const insertIncident = (
  url: string,
  { closed = false, note = null as string | null } = {},
) => server.sql`
  insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at, closed_at, public_note, note)
  select 'inc_' || right(md5(project_id || url), 20), id, project_id, url, now() - interval '1 hour',
    '{"fr": "500", "en": "answers 500"}', now(), case when ${closed}::boolean then now() end, ${note}, 'inner note'
  from watched_urls where project_id = ${project} and url = ${url}`;

describe("there is no page", () => {
  test.each([
    ["that nobody has", "nobody"],
    ["too short", "ab"],
    ["too long", "a".repeat(41)],
    ["in capitals", "TEASHOP"],
    ["with a slash", "tea/shop"],
    ["with a zero byte", "tea%00shop"],
    ["with SQL", "%27%20or%201%3D1--"],
    ["empty", ""],
  ])("of a name %s", async (_what, malformed) => {
    await edit();
    await server.perform("status-page off", { project });
    for (const format of FORMATS)
      for (const cookie of ["", `shipscore-language=fr; shipscore=${"a".repeat(43)}`]) {
        const [off, none] = await Promise.all(
          [name, malformed].map((one) => ask(`${one}${format}`, { cookie })),
        );
        expect([none?.status, none?.headers.get("set-cookie")]).toEqual([404, null]);
        expect(await none?.text()).toBe(await off?.text());
      }
  });

  test("of a deleted project, and its name is free", async () => {
    await edit();
    await server.perform("project remove", { id: project, name: "Secret name" });
    expect((await ask(name)).status).toBe(404);
    project = await addProject(server, people.bob, ADDRESS);
    expect(await edit({ show: [] })).toMatchObject({ url: `/status/${name}` });
  });
});

describe("the operator cannot use", () => {
  test.each([
    [{ name: "Tea" }, "3 to 40"],
    [{ title: "x".repeat(101) }, "at most 100"],
    [{ show: [ADDRESS] }, "1 to 60"],
    [{ show: [`${ADDRESS}=${"x".repeat(61)}`] }, "1 to 60"],
    [{ show: ["https://127.0.0.1:8443/other=Other"] }, "does not watch"],
    [{ hide: ["https://127.0.0.1:8443/other"] }, "does not watch"],
  ])("%j", async (more, why) => {
    await expect(edit(more)).rejects.toThrow(why);
    expect((await ask(name)).status).toBe(404);
  });

  test("another project's name, or show a 21st URL", async () => {
    await edit();
    const urls = Array.from({ length: 20 }, (_, at) => `${ADDRESS}${at}`);
    await server.sql`
      insert into watched_urls (id, project_id, url)
      select 'url_' || right(md5(url || ${project}), 20), ${project}, url from jsonb_array_elements_text(${JSON.stringify(urls)}::text::jsonb) url`;
    const show = urls.map((url) => `${url}=x`);
    await expect(edit({ show })).rejects.toThrow("at most 20 URLs");
    await edit({ hide: [ADDRESS, BASKET], show });
    project = await addProject(server, people.bob, ADDRESS);
    await expect(edit({ show: [] })).rejects.toThrow("Another project's");
  });
});

test("a page is the same for everyone, with one statement per name, and only the chosen contents", async () => {
  await edit({ title: "Tea & <co>" });
  await setLooks("good");
  await insertDays(server.sql, project, 3);
  await insertIncident(ADDRESS, { closed: true, note: "We moved <b>house</b>." });
  await insertIncident(BASKET);
  const { server: counted, asked } = countQueries(server);
  const app = await createApp({ ...counted, statusPages: createStatusPages() });
  for (const one of [name, "nobody", "NOBODY"])
    for (const format of FORMATS)
      await Promise.all(
        ["fr", "en"].map((lang) => app.inject({ url: `/status/${one}${format}`, query: { lang } })),
      );
  await app.close();
  expect(asked.count).toBe(2);
  for (const format of FORMATS) {
    const answers = await Promise.all(
      [
        {},
        { cookie: "shipscore-language=en" },
        { cookie: `shipscore=${alice.cookies.get("shipscore")}` },
      ].map((headers) => ask(`${name}${format}`, { "accept-language": "fr", ...headers })),
    );
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(texts.map((text) => text.replaceAll(/\d\d:\d\d:\d\d\.\d+Z/g, ""))).size).toBe(1);
    for (const { headers } of answers) {
      expect(headers.get("cache-control")).toMatch(/^public, max-age=[1-5]\d$/);
      expect(headers.get("x-robots-tag")).toBe("noindex");
      expect(headers.get("set-cookie")).toBeNull();
      expect(headers.get("vary")).not.toMatch(/cookie/i);
    }
    expect(texts[0]).not.toMatch(
      /127\.0\.0\.1:8443|Secret name|(?:prj|url|inc)_|answers 500|inner note|<script/,
    );
  }
  const english = await (await ask(`${name}?lang=en`, { "accept-language": "fr" })).text();
  expect(english).toMatch(/^<!doctype html><html lang="en">.*Partial outage.*Basket = cart/s);
  expect(english).toContain("We moved &lt;b>house&lt;/b>.");
  expect(await (await ask(`${name}.svg`)).text()).toContain("Status: degraded");
  await edit({ addresses: true, index: true, score: true });
  const open = await ask(name);
  expect(open.headers.get("x-robots-tag")).toBeNull();
  expect(await open.text()).toContain(BASKET);
});

test("the JSON has 90 days of each URL, and the feed an entry for each incident", async () => {
  await edit();
  await setLooks("good");
  await insertIncident(BASKET, { note: "Being looked into." });
  const today = new Date().toISOString().slice(0, 10);
  const page = await readJson();
  expect(page).toEqual({
    name,
    title: name,
    state: "degraded",
    urls: [
      { label: "Shop", state: "up", uptime: null, days: expect.any(Array) },
      { label: "Basket = cart", state: "down", uptime: null, days: expect.any(Array) },
    ],
    incidents: [
      {
        label: "Basket = cart",
        since: expect.any(String),
        closedAt: null,
        note: "Being looked into.",
      },
    ],
    maintenance: [],
    updatedAt: expect.any(String),
  });
  const [{ days }] = page["urls"] as [{ days: object[] }];
  expect([days.length, days.at(-1)]).toEqual([90, { day: today, uptime: null }]);
  const feed = await (await ask(`${name}.atom?lang=en`)).text();
  expect(
    feed.match(/<entry><id>urn:uuid:[0-9a-f-]{36}<\/id><title>Basket = cart: Down</g),
  ).toHaveLength(1);
});

test.each<[string, () => Promise<unknown>, string, string[]]>([
  ["nothing is known", () => setLooks(null), "unknown", ["unknown", "unknown"]],
  ["all is good", () => setLooks("good"), "up", ["up", "up"]],
  ["a look failed that is not confirmed", () => setLooks("failed"), "up", ["up", "up"]],
  ["another URL fails", () => insertIncident(BASKET), "degraded", ["up", "down"]],
  ["the address fails", () => insertIncident(ADDRESS), "down", ["down", "up"]],
  [
    "a URL is paused",
    () =>
      server.sql`update watched_urls set paused_at = now() where project_id = ${project} and url = ${BASKET}`,
    "up",
    ["up", "unknown"],
  ],
  [
    "the project is under maintenance",
    () => server.sql`
      insert into maintenance (id, project_id, starts_at, ends_at, note)
      values (${`mnt_${name}`}, ${project}, now() - interval '1 minute', now() + interval '1 hour', 'New shelves')`,
    "maintenance",
    ["maintenance", "maintenance"],
  ],
])("where %s", async (_what, arrange, state, urls) => {
  await edit();
  await setLooks("good");
  await arrange();
  expect(await readJson()).toMatchObject({ state, urls: urls.map((one) => ({ state: one })) });
});

test("the uptime weights a day by its hours without maintenance", async () => {
  await edit();
  await setLooks("good");
  await insertDays(server.sql, project, 2);
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const evening = midnight - 6 * 3_600_000;
  await server.sql`
    insert into maintenance (id, project_id, starts_at, ends_at, note)
    values (${`mnt_${name}`}, ${project}, ${new Date(midnight - 86_400_000)}, ${new Date(evening)}, '')`;
  await insertIncident(ADDRESS, { closed: true });
  await server.sql`update incidents set since = ${new Date(evening)}, closed_at = ${new Date(midnight)}
    where project_id = ${project}`;
  const { urls, updatedAt } = (await readJson()) as {
    urls: { uptime: number }[];
    updatedAt: string;
  };
  const upMs = Date.parse(updatedAt) - midnight;
  expect(urls[0]?.uptime).toBeCloseTo(upMs / (upMs + midnight - evening), 3);
});

test("the owner turns it on, changes it and turns it off on a page of the settings", async () => {
  const path = `/projects/${project}/settings/status-page`;
  const urls = `${ADDRESS}=Shop\r\n`;
  const bob = await signIn(server, people.bob);
  expect((await bob.post(path, { name, urls })).status).toBe(404);
  for (const [fields, field] of [
    [{ name: "Tea", urls }, "name"],
    [{ name, title: "x".repeat(101), urls }, "title"],
    [{ name, urls: "https://127.0.0.1:8443/other=x" }, "urls"],
  ] as const) {
    const { status, page } = await alice.post(path, fields);
    expect([status, Object.keys(page.problems)]).toEqual([422, [field]]);
  }
  const saved = await alice.post(path, { name, title: "Tea", urls, addresses: "on" });
  expect(saved.status).toBe(303);
  expect((await alice.get(path)).html).toContain(`/status/${name}`);
  expect(await server.perform("status-page show", { project })).toEqual({
    project,
    url: `/status/${name}`,
    name,
    title: "Tea",
    addresses: true,
    score: false,
    index: false,
    urls: [{ url: ADDRESS, label: "Shop" }],
  });
  expect((await alice.post(`${path}/off`)).status).toBe(303);
  expect((await ask(name)).status).toBe(404);
  await expect(server.perform("status-page show", { project })).rejects.toThrow("is off");
});

test("a later note changes its entry's time in the feed", async () => {
  await edit();
  await insertIncident(BASKET, { closed: true });
  const timesOf = async () =>
    [...(await (await ask(`${name}.atom`)).text()).matchAll(/<updated>([^<]*)</g)].map(
      ([, at]) => at,
    );
  await server.sql`
    update incidents set closed_at = now() - interval '30 minutes' where project_id = ${project}`;
  const [before] = await timesOf();
  const [incident] = await server.sql<{ id: string }>`
    select id from incidents where project_id = ${project}`;
  await server.perform("incident publish", { id: incident!.id, text: "A switch was replaced." });
  const [feed, entry] = await timesOf();
  expect(feed).toBe(entry);
  expect(Date.parse(entry!)).toBeGreaterThan(Date.parse(before!));
});

test("the fullest page is under 30 KB", async () => {
  await server.sql`
    insert into watched_urls (id, project_id, url, status_label)
    select 'url_' || right(md5(n || ${project}), 20), ${project}, ${ADDRESS} || n, repeat('x', 40) || n from generate_series(1, 18) n`;
  await edit({ addresses: true });
  await insertDays(server.sql, project, 90);
  await server.sql`
    insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at, closed_at, public_note)
    select 'inc_' || right(md5(n || id), 20), id, project_id, url, now() - n * interval '13 hours', '{}', now(),
      now() - n * interval '12 hours', repeat('Long note. ', 50)
    from watched_urls, generate_series(1, 60) n where project_id = ${project}`;
  const html = await (await ask(name)).text();
  expect(html.match(/<li>/g)).toHaveLength(20 + 50);
  expect(Buffer.byteLength(html)).toBeLessThan(30 * 1024);
});

describe("a page changes at the next request if", () => {
  beforeEach(async () => {
    await edit();
    await setLooks("good");
    await insertIncident(BASKET);
    expect(await readJson()).toMatchObject({ state: "degraded" });
  });
  const settings = (page: string) => `/projects/${project}/settings/${page}`;

  test("its owner renames it or turns it off: both names", async () => {
    const renamed = `${name.slice(1)}x`;
    expect((await ask(renamed)).status).toBe(404);
    const saved = await alice.post(settings("status-page"), {
      name: renamed,
      urls: `${ADDRESS}=Shop`,
    });
    expect(saved.status).toBe(303);
    expect([(await ask(name)).status, (await ask(renamed)).status]).toEqual([404, 200]);
    expect((await alice.post(settings("status-page/off"))).status).toBe(303);
    expect((await ask(renamed)).status).toBe(404);
  });

  test("a URL is no longer watched", async () => {
    const labels = async () =>
      ((await readJson())["urls"] as { label: string }[]).map(({ label }) => label);
    await alice.confirm(await alice.get(settings("urls")), `Remove ${BASKET}`);
    expect(await labels()).toEqual(["Shop"]);
  });

  test.each<[string, () => Promise<unknown>, object]>([
    [
      "a URL is paused",
      () => pauseUrl(server.deps, OPERATOR, project, { url: BASKET }, true),
      { urls: [{ state: "up" }, { state: "unknown" }] },
    ],
    [
      "maintenance begins",
      () => server.perform("maintenance add", { project, from: "now", to: "2099-01-01T00:00Z" }),
      { maintenance: [{ labels: ["Shop", "Basket = cart"] }] },
    ],
    [
      "a note is published",
      async () => {
        const [incident] = await server.sql<{ id: string }>`
          select id from incidents where project_id = ${project}`;
        await server.perform("incident publish", { id: incident!.id, text: "We are on it." });
      },
      { incidents: [{ note: "We are on it." }] },
    ],
  ])("%s", async (_what, change, shown) => {
    await change();
    expect(await readJson()).toMatchObject(shown);
  });

  test("its project is deleted", async () => {
    await server.perform("project remove", { id: project, name: "Secret name" });
    expect((await ask(name)).status).toBe(404);
  });
});

describe("reads by visitors, of pages and badges,", () => {
  const appWith = async (size: { waiting?: number }) => {
    const publicReads = createSemaphore({ total: 1, perKey: 1, ...size });
    const semaphores = { ...server.deps.semaphores, publicReads };
    const app = await createApp({ ...server.deps, semaphores, statusPages: createStatusPages() });
    await edit();
    const badge = (await setBadge(server.deps, OPERATOR, project, true)) ?? "";
    expect((await app.inject({ url: `/status/${name}` })).statusCode).toBe(200);
    const release = await publicReads.acquire("another network", 0, { isStranger: true });
    return { app, paths: ["/status/nobody", badge], release };
  };

  test("are rejected for a while if too many wait", async () => {
    const { app, paths, release } = await appWith({ waiting: 0 });
    for (const url of paths) {
      const { statusCode, headers } = await app.inject({ url });
      expect([statusCode, headers["retry-after"]]).toEqual([503, "2"]);
    }
    release();
    for (const url of paths) expect((await app.inject({ url })).statusCode).not.toBe(503);
    await app.close();
  });

  test("wait for each other, unless they are cached", async () => {
    const { app, paths, release } = await appWith({});
    const answered: number[] = [];
    const waiting = paths.map(async (url) => {
      const { statusCode } = await app.inject({ url });
      answered.push(statusCode);
    });
    expect((await app.inject({ url: `/status/${name}.json` })).statusCode).toBe(200);
    expect(answered).toEqual([]);
    release();
    await Promise.all(waiting);
    expect(new Set(answered)).toEqual(new Set([200, 404]));
    await app.close();
  });
});
