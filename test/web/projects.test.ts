import { beforeAll, describe, expect, test } from "vitest";
import type { Person } from "../harness/people.ts";
import { addPeople, addPerson, addProject } from "../harness/people.ts";
import { signedOutClient, signIn, type Client } from "../harness/application.ts";
import { expectSoundPage } from "../harness/html.ts";
import { insertPast } from "../harness/past.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(startTestServer);
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let own: Client;
let shop: string;

beforeAll(async () => {
  ({ alice, bob, carol } = await addPeople(server));
  dave = await addPerson(server, "dave");
  shop = await addProject(server, alice, "https://example.com/", "Shop");
  await insertPast(server.sql, shop, { urls: 3, open: 1, closed: 2, deployments: 3 });
  await server.sql`with scored as (
      update watched_urls set score = 91, scored_at = now() where project_id = ${shop} and is_address returning number )
    update looks set last_outcome = 'good', looked_at = now() from scored where scored.number = looks.number`;
  await server.sql`
    insert into memberships (project_id, account_id, accepted_at) values (${shop}, ${bob.accountId}, now())`;
  await server.sql`insert into invitations (project_id, email) values (${shop}, ${dave.email})`;
  own = await signIn(server, alice);
});

describe("a project that the user may not see", () => {
  const UNKNOWN = "prj_00000000000000000000";
  /** Deleted, with a membership left that was not removed yet. */
  async function leaveDeleted(): Promise<string> {
    const id = await addProject(server, alice, "https://example.com/gone", "Gone");
    await server.sql`insert into memberships (project_id, account_id, accepted_at)
      values (${id}, ${bob.accountId}, now())`;
    await server.sql`update projects set owner_id = null where id = ${id}`;
    return id;
  }

  test.each<[string, who: () => Person, id: () => string | Promise<string>]>([
    ["foreign", () => carol, () => shop],
    ["invited to", () => dave, () => shop],
    ["deleted", () => bob, leaveDeleted],
    ["of another kind", () => bob, () => "url_00000000000000000000"],
    ["malformed", () => bob, () => "prj_"],
    ["very long", () => bob, () => "a".repeat(3000)],
    ["with a control character", () => bob, () => "prj_%000000000000000000000"],
    ["with SQL", () => bob, () => "'%20or%201=1--"],
    ["in capitals", () => bob, () => shop.toUpperCase()],
  ])("%s answers like one that does not exist", async (_, who, idOf) => {
    const client = await signIn(server, who());
    const path = `/projects/${await idOf()}`;
    const answer = await client.get(path);
    const unknown = await client.get(`/projects/${UNKNOWN}`);
    expect([unknown.status, answer.status, answer.html]).toEqual([404, 404, unknown.html]);
    expect((await client.get(`${path}/urls/url_00000000000000000000`)).status).toBe(404);
  });

  test.each(["/projects", "/projects/prj_00000000000000000000", "/projects/x/urls?q=y"])(
    "%s redirects visitors to the sign-in",
    async (path) => {
      const answer = await signedOutClient(server).get(path);
      expect([answer.status, answer.location]).toEqual([
        303,
        `/sign-in?next=${encodeURIComponent(path)}`,
      ]);
    },
  );

  test("is in no one else's list; an invitation only asks for an answer", async () => {
    const { html, page } = await (await signIn(server, carol)).get("/projects");
    expect(html).not.toContain(shop);
    expect(page.rows).toEqual([]);
    const asked = await (await signIn(server, dave)).get("/projects");
    expect(Object.values(asked.page.links)).not.toContain(`/projects/${shop}`);
    expect(asked.page.buttons).toEqual(["Accept Shop", "Decline Shop"]);
  });
});

test("a new project shows its owner the first steps, until all are done", async () => {
  const person = await addPerson(server, "new");
  const id = await addProject(server, person, "https://example.com/", "New");
  const client = await signIn(server, person);
  const read = async () => (await client.get(`/projects/${id}`)).page;
  const todo = ["Reload", "Add an alert", "Connect", "Turn the badge on"];
  const leftOf = ({ links }: Awaited<ReturnType<typeof read>>) =>
    todo.map((name) => links[name]).filter((href) => href !== undefined);
  expect(leftOf(await read())).toEqual([
    `/projects/${id}`,
    ...["alerts", "hooks", "badge"].map((page) => `/projects/${id}/settings/${page}`),
  ]);
  await server.sql`
    insert into alerts (id, project_id, kind, target, host, tells_incidents, tells_ships, tells_drops)
    values ('alr_11111111111111111111', ${id}, 'slack', '', 'x.example', true, true, true)`;
  await server.sql`insert into hooks (id, project_id, provider) values ('hook_11111111111111111111', ${id}, 'plain')`;
  expect(leftOf(await read())).toHaveLength(2);
  await server.sql`update projects set badge_id = 'x' where id = ${id}`;
  await server.sql`
    update looks set looked_at = now() from watched_urls
    where watched_urls.number = looks.number and project_id = ${id}`;
  const done = await read();
  expect([leftOf(done), done.text]).toEqual([[], expect.not.stringContaining("Get started")]);
});

describe("the list", () => {
  test.each([
    ["en", "You have no project yet", "New project"],
    ["fr", "Vous n'avez pas encore de projet", "Nouveau projet"],
  ] as const)(
    "in %s, describes the next step while it is empty",
    async (language, text, button) => {
      const { html, page } = await (await signIn(server, carol, { language })).get("/projects");
      expectSoundPage(html, language);
      expect(page.text).toContain(text);
      expect(page.links[button]).toBe("/projects/new");
      expect(page.text).not.toContain("shipscore-server");
    },
  );

  test("has a project's state, failing URLs, score, past scores and last probe", async () => {
    const { html, page } = await own.get("/projects");
    expectSoundPage(html, "en");
    expect(page.links["Shop"]).toBe(`/projects/${shop}`);
    const [, row = []] = page.rows;
    expect(row).toEqual([
      "Shop https://example.com/",
      "▲ Degraded 1 failing URL",
      "91",
      expect.stringMatching(/ago$/),
    ]);
    expect(html).toContain('aria-label="Scores of the latest deployments: 60, 61, 62"');
  });

  test("names the owner to a member, and is in French", async () => {
    const { page } = await (await signIn(server, bob, { language: "fr" })).get("/projects");
    expect(page.rows[1]?.slice(0, 2)).toEqual([
      "Shop https://example.com/ · partagé avec vous",
      "▲ Dégradé 1 URL en échec",
    ]);
  });

  test("has failing projects first, then sorts by name, in pages", async () => {
    const owner = await addPerson(server, "many");
    for (const n of Array.from({ length: 60 }, (_, index) => index))
      await addProject(
        server,
        owner,
        `https://example.com/${n}`,
        `Site ${String(n).padStart(2, "0")}`,
      );
    await server.sql`
      update projects set state = case name when 'Site 50' then 'down' else 'degraded' end
      where owner_id = ${owner.accountId} and name in ('Site 50', 'Site 10')`;
    const client = await signIn(server, owner);
    const pages = await walk(client, "/projects");
    expect(pages.map((rows) => rows.length)).toEqual([30, 30]);
    const names = pages.flat().map(([name = ""]) => name.slice(0, 7));
    expect(new Set(names).size).toBe(60);
    expect(names.slice(0, 4)).toEqual(["Site 50", "Site 10", "Site 00", "Site 01"]);
    for (const cursor of ["x", shop, "prj_00000000000000000000", "%00"])
      expect((await client.get(`/projects?after=${cursor}`)).page.rows[1]?.[0]).toMatch(/^Site 50/);
  });
});

/** The rows of each part of a list. */
async function walk(client: Client, path: string): Promise<(readonly string[])[][]> {
  const parts = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { page } = await client.get(next);
    parts.push(page.rows.slice(1).map((row) => row));
    next = page.links["Next page"];
  }
  return parts;
}

describe("a project", () => {
  test("shows its state, open incidents, deployments, URLs and past incidents", async () => {
    const { html, page, status } = await own.get(`/projects/${shop}`);
    expect(status).toBe(200);
    expectSoundPage(html, "en");
    expect([page.title, page.h1]).toEqual(["Shop – shipscore", "Shop"]);
    expect(page.text).toMatch(/▲ Degraded for \d+ seconds?: 1 of 4 URLs failing/);
    expect(page.text).toContain("1 open The oldest: 1 hour ago");
    const ago = expect.stringMatching(/ago$/);
    const moment = expect.stringMatching(/ UTC$/);
    const head = expect.any(Array);
    const headings = [...html.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, text]) => text);
    expect(headings).toEqual([
      "Score",
      "Last deployment",
      "Uptime, 30 days",
      "Incidents",
      "Get started",
      "Open incidents",
      "Score over time",
      "Watched URLs",
      "Deployments",
      "Closed incidents",
    ]);
    expect(page.rows).toEqual([
      head,
      ["The server answers 500.", "/page-000001", moment, "1 hour, still open"],
      head,
      ["/page-000001 ↗", "■ Failing", "80", ago, "Check now"],
      ["/page-000002 ↗", "● Up", "80", ago, "Check now"],
      ["/page-000003 ↗", "● Up", "80", ago, "Check now"],
      ["/ ↗ the project's URL", "● Up", "91", ago, "Check now"],
      head,
      ["aaaaaaaaaaaa · main", "1 day ago", "Ship with warnings", "62", "+1", "62 ms", "3"],
      ["aaaaaaaaaaaa · main", "2 days ago", "Ship with warnings", "61", "+1", "61 ms", "0"],
      ["aaaaaaaaaaaa · main", "3 days ago", "Ship with warnings", "60", "–", "60 ms", "0"],
      head,
      ["The server answers 503.", "/past-000001", moment, "30 minutes"],
      ["The server answers 503.", "/past-000002", moment, "30 minutes"],
    ]);
    expect(html).toMatch(
      /<a href="\/deployments\/dep_\w+" tabindex="-1"><title>62 \(\+1\), aaaaaaaaaaaa/,
    );
    expect(html).toMatch(
      /<a href="\/incidents\/inc_\w+" tabindex="-1"><title>incident, 30 minutes/,
    );
  });

  test("is the same for a member, in the member's language, without forms", async () => {
    const { html, page } = await (
      await signIn(server, bob, { language: "fr" })
    ).get(`/projects/${shop}`);
    expectSoundPage(html, "fr");
    expect(page.text).toContain("Membre, en lecture seule");
    expect(page.text).toContain("Le serveur répond 500.");
    expect(page.forms.map(({ action }) => action)).toEqual([
      "/sign-out",
      "/checks",
      "/checks",
      "/language",
    ]);
  });

  test("shows times in the account's time zone and language", async () => {
    const zone = (id: string | null) =>
      server.sql`update accounts set time_zone = ${id} where id = ${bob.accountId}`;
    await server.sql`update projects set state_since = '2026-01-01T23:30:00Z' where id = ${shop}`;
    await zone("Asia/Tokyo");
    const path = `/projects/${shop}`;
    const inTokyo = await (await signIn(server, bob, { language: "fr" })).get(path);
    expect(inTokyo.html).toContain('title="2 janvier 2026 à 08:30 UTC+9"');
    await zone(null);
    const { html } = await (await signIn(server, bob)).get(path);
    expect(html).toContain('title="1 January 2026 at 23:30 UTC"');
  });
});

test("shows texts of people and sites as text, in limited space", async () => {
  const owner = await addPerson(server, "erin");
  const markup = `<script>x</script><img src=x>'"&`;
  const long = `https://example.com/${"a".repeat(2000)}`;
  const id = await addProject(server, owner, "https://example.com/", markup);
  await insertPast(server.sql, id, { urls: 60, open: 60, closed: 60, deployments: 60 });
  await server.sql`
    update incidents set url = ${long}, reason = ${JSON.stringify({
      fr: markup,
      en: `\u202e${markup}${"\u00e9".repeat(3000)}`,
    })}::text::jsonb where project_id = ${id}`;
  await server.sql`
    update watched_urls set url = ${long} || id where project_id = ${id} and not is_address`;
  await server.sql`
    update deployments set ref = ${markup.repeat(5)}, environment = 'preview' where project_id = ${id} and id like '%1'`;
  const client = await signIn(server, owner);
  for (const path of [
    "/projects",
    ...["", "/urls", "/incidents", "/deployments"].map((list) => `/projects/${id}${list}`),
  ]) {
    const { html } = await client.get(path);
    expectSoundPage(html, "en");
    expect(html).not.toMatch(/<script>x|<img|\u202e/);
    expect(Buffer.byteLength(html)).toBeLessThan(50_000);
  }
});
