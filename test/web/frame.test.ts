import { beforeAll, describe, expect, test } from "vitest";
import { Client, signedOutClient, signIn } from "../harness/application.ts";
import { expectSoundPage } from "../harness/html.ts";
import { addPeople, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(() => startTestServer({ env: { SHIPSCORE_PUBLIC_SCAN: "1" } }));
let people: Record<"alice" | "bob" | "carol", Person>;
beforeAll(async () => {
  people = await addPeople(server);
});

const languageOf = async ({ accountId }: Person) => {
  const [row] = await server.sql<{ language: string | null }>`
    select language from accounts where id = ${accountId}`;
  return row?.language;
};

const OWN = () => server.url;
const AT = "/language";

describe("a form", () => {
  test.each<[string, number, () => Record<string, string>]>([
    ["of another site", 403, () => ({ "sec-fetch-site": "cross-site" })],
    ["of another host of the same site", 403, () => ({ "sec-fetch-site": "same-site" })],
    ["of another site, by its Origin", 403, () => ({ origin: "https://evil.example" })],
    ["of a page without an origin", 403, () => ({ origin: "null" })],
    ["of another port", 403, () => ({ origin: "http://127.0.0.1:1" })],
    [
      "whose Sec-Fetch-Site outweighs its Origin",
      403,
      () => ({ "sec-fetch-site": "cross-site", origin: OWN() }),
    ],
    ["with an unknown Sec-Fetch-Site", 403, () => ({ "sec-fetch-site": "own", origin: OWN() })],
    ["with an empty Sec-Fetch-Site", 403, () => ({ "sec-fetch-site": "", origin: OWN() })],
    ["that does not say where it is from", 403, () => ({})],
    ["of a page of ours", 303, () => ({ "sec-fetch-site": "same-origin" })],
    ["of the person's own", 303, () => ({ "sec-fetch-site": "none" })],
    ["of an older browser, by its Origin", 303, () => ({ origin: OWN() })],
  ])("%s: %i", async (_, status, headers) => {
    const { cookies } = await signIn(server, people.alice);
    await server.sql`update accounts set language = null where id = ${people.alice.accountId}`;
    const cookie = `shipscore=${cookies.get("shipscore")}`;
    const answer = await fetch(server.url + AT, {
      method: "POST",
      body: new URLSearchParams({ language: "fr" }),
      headers: { cookie, "accept-language": "en", ...headers() },
      redirect: "manual",
    });
    expect(answer.status).toBe(status);
    expect(await languageOf(people.alice)).toBe(status === 303 ? "fr" : null);
    if (status === 303) return;
    expect(answer.headers.get("x-shipscore-error")).toBe("form_foreign");
    expect(expectSoundPage(await answer.text(), "en").text).toContain("nothing was changed");
  });

  test("of another site is rejected for visitors, too", async () => {
    const answer = await signedOutClient(server).post(AT, {}, { "sec-fetch-site": "cross-site" });
    expect(answer.status).toBe(403);
  });

  test.each<[string, number, string, RequestInit]>([
    [
      "JSON",
      415,
      "body_media_type",
      { body: "{}", headers: { "content-type": "application/json" } },
    ],
    ["several parts", 415, "body_media_type", { body: new FormData() }],
    ["16 KB", 413, "body_too_large", { body: new URLSearchParams({ next: "a".repeat(17_000) }) }],
  ])("of %s: %i", async (_, status, code, init) => {
    const { cookies } = await signIn(server, people.alice, { language: "en" });
    const answer = await fetch(server.url + AT, {
      ...init,
      method: "POST",
      headers: {
        ...(init.headers as Record<string, string>),
        "sec-fetch-site": "same-origin",
        cookie: `shipscore=${cookies.get("shipscore")}`,
      },
    });
    expect([answer.status, answer.headers.get("x-shipscore-error")]).toEqual([status, code]);
    expect(await answer.text()).toContain('action="/sign-out"');
  });

  test("that is long waits for the account's others, and one of a crowd is rejected", async () => {
    const { accountId } = people.alice;
    const client = await signIn(server, people.alice, { language: "en" });
    const { bodies } = server.deps.semaphores;
    const permits = Array.from({ length: 16 }, () => bodies.acquire(accountId, 0));
    const long = await client.post(AT, { language: "en", next: "a".repeat(17_000) });
    expect([long.status, long.headers.get("x-shipscore-error")]).toEqual([503, "busy"]);
    expect((await client.post(AT, { language: "en" })).status).toBe(303);
    for (const release of await Promise.all(permits)) release();
  });

  test("of an ended session shows the sign-in, without the input", async () => {
    const typed = { language: "fr", current_password: "secret of Alice" };
    const { status, page, html } = await signedOutClient(server).post(AT, typed);
    expect([status, page.h1, page.buttons]).toEqual([200, "Sign in", ["Sign in"]]);
    expect(page.form("/sign-in").sent("Sign in")).toEqual({
      next: "/projects?done=input-lost",
      email: "",
      password: "",
    });
    expect(html).not.toContain("secret");
    expectSoundPage(html, "en");
  });
});

describe("a visitor", () => {
  const carol = () => new Client(server.url, { cookies: { shipscore: "a".repeat(43) } });
  test.each<[string, () => Client]>([
    ["without a cookie", () => signedOutClient(server)],
    ["with the cookie of no session", carol],
    ["with a token of the API", () => signedOutClient(server, bearer(people.alice))],
    ["with half a cookie", () => new Client(server.url, { cookies: { shipscore: "a" } })],
  ])("%s is redirected to the sign-in", async (_, client) => {
    const { status, location } = await client().get("/checks?page=2");
    expect([status, location]).toEqual([303, "/sign-in?next=%2Fchecks%3Fpage%3D2"]);
  });

  test("does not learn which of two cookies of the same name is valid", async () => {
    const { cookies } = await signIn(server, people.alice);
    const cookie = `shipscore=${cookies.get("shipscore")}; shipscore=${"a".repeat(43)}`;
    const { location } = await signedOutClient(server).get("/checks", { cookie });
    expect(location).toBe("/sign-in?next=%2Fchecks");
  });
});

const bearer = ({ token }: Person) => ({ headers: { authorization: `Bearer ${token}` } });

test.each(["/api/v1/projects", "/mcp"])(
  "a session does not work as a token at %s",
  async (path) => {
    const client = await signIn(server, people.alice);
    const answer = await (path === "/mcp" ? client.post(path) : client.get(path));
    expect(answer.status).toBe(401);
  },
);

test.each(["/nothing", "/settings", "/project", "/sign-in/now", "/signin", "/.env"])(
  "an unknown path %s is the same page for users and visitors, except for the header",
  async (path) => {
    const [stranger, alice] = [signedOutClient(server), await signIn(server, people.alice)];
    for (const [client, link] of [
      [stranger, "Sign in"],
      [alice, "Checks"],
    ] as const) {
      const { status, html, page } = await client.get(path);
      expect([status, page.h1]).toEqual([404, "Page not found"]);
      expect(expectSoundPage(html, "en").all("a").length).toBeGreaterThan(0);
      expect(html.includes(`>${link}</a>`)).toBe(true);
    }
  },
);

describe.each(["/", "/docs/rules", "/about/checks", "/forgot"])("%s", (path) => {
  test("is the same for each visitor, who may cache a document, and links to the sign-in", async () => {
    const { html, headers } = await signedOutClient(server, { language: "fr" }).get(`${path}?a=1`);
    expect(headers.get("vary")).toContain("Accept-Language, Cookie");
    expect(headers.get("cache-control")).toBe(
      path === "/forgot" ? "no-store" : "public, max-age=300",
    );
    expect(html).toMatch(/<a class="brand" href="\/">.*Se connecter/s);
    expect(html).not.toContain("/sign-out");
  });

  test("has the header, the language and no cache for a user", async () => {
    await server.sql`update accounts set language = 'en' where id = ${people.carol.accountId}`;
    const carol = await signIn(server, people.carol, { language: "fr" });
    const { html, headers, page } = await carol.get(path);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(html).toMatch(/<html lang="en">.*<a class="brand" href="\/projects">.*>Account</s);
    expect(html).not.toContain("Sign in</a>");
    const switched = await carol.press({ page }, "Français");
    expect(switched.location).toBe(path);
    expect(await languageOf(people.carol)).toBe("fr");
  });

  test("has a language switch, which sets a cookie for visitors and leads back", async () => {
    const visitor = signedOutClient(server);
    const read = await visitor.get(path);
    expect([visitor.cookies.size, read.page.h1.length > 0]).toEqual([0, true]);
    expect((await visitor.press(read, "Français")).location).toBe(path);
    for (const each of [path, "/sign-in", "/nothing", "/docs/rules"])
      expect((await visitor.get(each)).html).toContain('<html lang="fr">');
  });
});

test.each([
  ["", "en"],
  ["de", "en"],
  ["fr; other=1", "fr"],
  ["__Host-shipscore-language=fr", "fr"],
])("the cookie %j of a visitor who prefers English gives %s", async (value, language) => {
  const cookie = value.includes("=fr") ? value : `shipscore-language=${value}`;
  const { html } = await signedOutClient(server).get("/docs/rules", { cookie });
  expect(html).toContain(`<html lang="${language}">`);
});

test("the language chosen in the footer is saved, and leads back to the page", async () => {
  const client = await signIn(server, people.bob);
  const answer = await client.post(AT, { language: "fr", next: "/projects?page=2" });
  expect([answer.status, answer.location]).toEqual([303, "/projects?page=2"]);
  const refused = await client.post(AT, { language: "fr" }, { "content-type": "text/csv" });
  expect([refused.status, refused.page.h1]).toEqual([415, "Format refusé"]);
});

test.each([
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example",
  "javascript:alert(1)",
  "",
])("the language switch leads to no other site: %j", async (next) => {
  const client = await signIn(server, people.bob);
  const { location } = await client.post(AT, { language: "fr", next });
  expect(location).toBe("/projects");
});

test.each([
  ["/sign-in", 200],
  ["/forgot", 200],
  [`/links/${"a".repeat(43)}`, 410],
  ["/projects", 200],
  ["/projects/unknown", 404],
  ["/settings/api", 200],
])("HEAD %s has the same headers (%i), and no page", async (path, status) => {
  const { cookies } = await signIn(server, people.alice);
  const cookie = path === "/sign-in" ? "" : `shipscore=${cookies.get("shipscore")}`;
  const [head, whole] = await Promise.all(
    ["HEAD", "GET"].map((method) =>
      fetch(server.url + path, { method, headers: { cookie }, redirect: "manual" }),
    ),
  );
  const fields = (answer?: Response) =>
    ["content-type", "content-security-policy", "cache-control", "content-length"].map((name) =>
      answer?.headers.get(name),
    );
  expect([head?.status, whole?.status, await head?.text()]).toEqual([status, status, ""]);
  expect(fields(head)).toEqual(fields(whole));
});

test.each([
  ["/projects/prj_1/settings/urls/pause", "/projects/prj_1/settings/urls"],
  ["/projects/prj_1/settings/people/take-back", "/projects/prj_1/settings/people"],
  ["/invitations/prj_1/accept", "/projects"],
  ["/settings/account/sessions/end-others", "/settings/account"],
])("the URL of a form, %s, redirects to its page, %s", async (path, page) => {
  const client = await signIn(server, people.alice);
  const { status, location } = await client.get(path);
  expect([status, location]).toEqual([303, page]);
});
