import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { watchUrl } from "../../server/projects/watching.ts";
import { signIn, type Client } from "../harness/application.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { startSite, type Route, type Site } from "../harness/site.ts";

/** Longer than what is unpacked. */
const BOMB = gzipSync(`<urlset>${" ".repeat(20_000_000)}</urlset>`);

let server: TestServer;
let site: Site;
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: Client;
let project: string;

const list = (...pages: string[]) =>
  `<urlset>${pages.map((page) => `<url><loc>${page}</loc></url>`).join("")}</urlset>`;
const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => `${site.url}page/${from + n}`);
const xml =
  (body: () => string | Buffer): Route =>
  (_request, response) =>
    void response.end(body());

beforeAll(async () => {
  site = await startSite({
    routes: {
      "/sitemap.xml": xml(() =>
        list(
          site.url,
          `${site.url}tea`,
          `${site.url}tea?a=1&amp;b=%22`,
          `${site.url}tea`,
          "https://other.example/",
          site.url.replace("https:", "http:"),
          "javascript:alert(1)",
          "soon",
        ).replace(
          "</url>",
          "<image:image><image:loc>https://x.example/i.png</image:loc></image:image></url>",
        ),
      ),
      "/many.xml.gz": xml(() => gzipSync(list(...many(0, 5000)))),
      "/bomb.xml.gz": xml(() => BOMB),
      "/index.xml": xml(
        () =>
          `<sitemapindex>${[
            `${site.url}one.xml`,
            `${site.url}index.xml`,
            "https://other.example/x.xml",
            `${site.url}missing.xml`,
          ]
            .map((each) => `<sitemap><loc>${each}</loc></sitemap>`)
            .join("")}</sitemapindex>`,
      ),
      "/one.xml": xml(() => list(`${site.url}one`)),
      "/entities.xml": xml(
        () => `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${list("&b;&b;")}`,
      ),
      "/page": { body: "<!doctype html><html><body>No</body></html>" },
      "/inwards": { status: 302, headers: { location: "https://10.0.0.1/" } },
      "/around": { status: 302, headers: { location: "/around" } },
      "/silent": () => {},
    },
  });
  server = await startTestServer({ roots: [site.authority.certificate] });
  people = await addPeople(server);
});
beforeEach(async () => {
  await server.sql`update projects set owner_id = null`;
  await server.sql`delete from buckets`;
  project = await addProject(server, people.alice, site.url, "Tea");
  alice = await signIn(server, people.alice);
});
afterAll(async () => {
  await server.close();
  await site.close();
});

const path = (rest = "") => `/projects/${project}/settings/urls${rest}`;
const read = (sitemap: string) => alice.post(path("/sitemap"), { sitemap });

test.each<[string, RegExp]>([
  ["", /URL is not valid/],
  ["http://127.0.0.1/sitemap.xml", /does not use https/],
  ["https://10.0.0.1/sitemap.xml", /is private/],
  ["nothing.xml", /returns 404/],
  ["page", /not a sitemap/],
  ["inwards", /is private/],
  ["around", /returns 302/],
  ["entities.xml", /not a sitemap/],
  ["bomb.xml.gz", /not a sitemap|No page to add/],
  ["silent", /did not respond in time/],
])("%s is rejected at its field", async (typed, why) => {
  const address = typed === "" || typed.includes(":") ? typed : `${site.url}${typed}`;
  const { status, page } = await read(address);
  const isRead = typed === "bomb.xml.gz";
  expect([status, page.problems["sitemap"]]).toEqual(
    isRead ? [200, undefined] : [422, expect.stringMatching(why)],
  );
  expect(page.text).toMatch(why);
  expect(page.form(path("/sitemap")).fields["sitemap"]?.value).toBe(address);
});

test("members and strangers import nothing, and no request is sent for them", async () => {
  const asked = site.requests.length;
  for (const [person, status] of [
    [people.bob, 404],
    [people.carol, 404],
  ] as const) {
    const client = await signIn(server, person);
    const answer = await client.post(path("/sitemap"), { sitemap: `${site.url}sitemap.xml` });
    expect(answer.status).toBe(status);
  }
  expect(site.requests.length).toBe(asked);
});

test("its unwatched URLs on the project's host are shown; the selected ones are added", async () => {
  await watchUrl(server.deps, OPERATOR, project, `${site.url}tea`);
  const form = await alice.get(path());
  expect(form.page.form(path("/sitemap")).fields["sitemap"]?.value).toBe(`${site.url}sitemap.xml`);
  const found = await alice.press(form, "Load");
  expect(found.status).toBe(200);
  expect(found.page.text).toContain(
    "Pages to add: 1. Already watched: 2. Ignored (another host, or without https): 4.",
  );
  const tick = found.page.forms.find(({ fields }) => "page0" in fields);
  expect(tick?.sent()).toEqual({ page0: `${site.url}tea?a=1&b=%22` });
  const added = await alice.post(path(), tick?.sent());
  expect((await alice.follow(added)).page.text).toContain("URLs added. First results");
  const [row] = await server.sql`
    select count(*)::int from watched_urls where project_id = ${project} and url like '%a=1&b=%'`;
  expect(row).toEqual({ count: 1 });
});

test("an index leads to the sitemaps of its host, and a compressed one is unpacked, up to a page's limit", async () => {
  expect(
    (await read(`${site.url}index.xml`)).page.forms.flatMap((form) => Object.values(form.sent())),
  ).toContain(`${site.url}one`);
  const { page, html } = await read(`${site.url}many.xml.gz`);
  expect(page.text).toContain("Pages to add: 1,000. The first 100 are below");
  expect(Buffer.byteLength(html)).toBeLessThan(50_000);
});

test("a project whose owner asks too often is rejected, with the time to retry", async () => {
  for (let n = 0; n < 20; n++) expect((await read("x")).status).toBe(422);
  const answer = await read(`${site.url}sitemap.xml`);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, expect.any(String)]);
});
