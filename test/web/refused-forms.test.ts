import { beforeAll, describe, expect, test } from "vitest";
import { takeLookups } from "../../server/checks/lookups.ts";
import { createProject, deleteProject } from "../../server/projects/projects.ts";
import { signedOutClient, signIn, type Client } from "../harness/application.ts";
import { actorOf, addPerson, addProject, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(startTestServer);
let clients: Record<"owner" | "visitor", Client>;
let project: string;
let owner: Person;

beforeAll(async () => {
  owner = await addPerson(server, "alice");
  project = await addProject(server, owner, "https://127.0.0.1:8443/", "Café");
  clients = { owner: await signIn(server, owner), visitor: signedOutClient(server) };
});

/** Every form of the pages, as it is refused: who sends it, where, what, and the ids of the fields that are wrong. */
test.each<[keyof typeof clients, string, Record<string, string>, string[]]>([
  ["owner", "/projects/new", { name: "", url: "" }, ["name"]],
  ["owner", "/projects/new", { name: "x", url: "https://10.0.0.1/" }, ["url"]],
  ["owner", "/projects/ID/settings", { name: "x", url: "http://x.example/" }, ["url"]],
  ["owner", "/projects/ID/settings/urls", { urls: "" }, ["urls"]],
  ["owner", "/projects/ID/settings/urls", { urls: "http://x.example/" }, ["urls"]],
  ["owner", "/projects/ID/settings/urls/sitemap", { sitemap: "x" }, ["sitemap"]],
  ["owner", "/projects/ID/settings/people", { email: "x" }, ["email"]],
  ["owner", "/projects/ID/settings/hooks", { provider: "x" }, ["provider"]],
  [
    "owner",
    "/projects/ID/settings/alerts",
    { kind: "webhook", target: "https://x.example/" },
    ["on"],
  ],
  [
    "owner",
    "/projects/ID/settings/gate",
    { min_score: "x", require: "hdr.x" },
    ["min_score", "require"],
  ],
  ["owner", "/projects/ID/settings/gate/accept", { rule: "hdr.csp" }, ["reason", "until"]],
  ["owner", "/projects/ID/settings/previews", { hosts: "", headers: "x" }, ["hosts", "headers"]],
  [
    "owner",
    "/projects/ID/settings/previews",
    { hosts: "*.vercel.app", headers: "cf-access-client-id: x" },
    ["hosts"],
  ],
  ["owner", "/projects/ID/settings/maintenance", { kind: "once", from: "x", to: "y" }, ["from"]],
  ["owner", "/projects/ID/settings/delete", { confirm_name: "x" }, ["confirm_name"]],
  ["owner", "/settings/api", { name: "" }, ["name"]],
  ["owner", "/settings/account", { current_password: "x" }, ["current_password"]],
  ["owner", "/settings/account/preferences", { time_zone: "Nowhere" }, ["time_zone"]],
  ["visitor", "/sign-in", { email: "x@example.com", password: "wrong wrong" }, ["password"]],
  ["visitor", "/scan", { url: "" }, ["url"]],
])("%s %s %j is rejected at its field", async (who, form, fields, wrong) => {
  const { status, html, page } = await clients[who].post(form.replace("ID", project), fields);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(page.title).toMatch(/^Error: /);
  expect(page.text).toMatch(new RegExp(`^${wrong.length} problem`));
  for (const id of wrong) {
    expect(html).toContain(`<a href="#${id}">`);
    expect(html).toMatch(new RegExp(`id="${id}"`));
  }
  expect(html).toContain("autofocus");
  expect(html).toContain('document.querySelector("[aria-invalid]")');
});

test("in French too, and a page without an error shows none", async () => {
  const french = signedOutClient(server, { language: "fr" });
  const refused = await french.post("/scan", { url: "" });
  expect(refused.page.title).toMatch(/^Erreur : /);
  expect(refused.page.text).toMatch(/^1 problème : /);
  const { html, page } = await clients.owner.get("/projects/new");
  expect([page.title, page.text]).toEqual([
    expect.stringMatching(/^New project/),
    expect.stringMatching(/^New project/),
  ]);
  expect(html).not.toContain("autofocus");
});

describe("beyond a limit of the account a form is rejected, with the input and the time to retry", () => {
  const URL = "https://example.com/";
  const ALERT = { kind: "webhook", incident: "on" };

  beforeAll(async () => {
    await takeLookups(server.deps, actorOf(owner), 5000);
    await server.sql`update buckets set full_at = full_at + interval '30 minutes'`;
  });

  test.each<[string, Record<string, string>, string, string]>([
    ["/projects/new", { name: "x", url: URL }, "url", URL],
    ["/projects/ID/settings", { name: "x", url: URL }, "url", URL],
    ["/projects/ID/settings/urls", { urls: URL, page0: `${URL}a` }, "urls", `${URL}\n${URL}a`],
    ["/projects/ID/settings/urls/sitemap", { sitemap: URL }, "sitemap", URL],
    ["/projects/ID/settings/alerts", { ...ALERT, target: URL }, "target", URL],
  ])("%s %j: host names an hour", async (path, fields, field, typed) => {
    const { status, headers, page } = await clients.owner.post(path.replace("ID", project), fields);
    expect([status, Number(headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    expect(page.problems[field]).toMatch(
      /^Nothing was saved: .* The limit is 5,000 DNS lookups an hour per account, .* Try again in (30|31) minutes\.$/,
    );
    const values = page.forms.map((form) => form.fields[field]?.value.trim());
    expect(values).toContain(typed);
  });

  test("/projects/new: projects a day", async () => {
    const form = { name: "x", url: "https://127.0.0.1:8443/" };
    await server.sql`delete from buckets`;
    for (let made = 0; made < 100; made++) {
      const { id } = await createProject(server.deps, actorOf(owner), form);
      await deleteProject(server.deps, actorOf(owner), id, "x");
    }
    const { status, headers, page } = await clients.owner.post("/projects/new", form);
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(page.problems["name"]).toMatch(
      /^The project was not created: .* 100 new projects a day\. Try again/,
    );
    expect(page.form("/projects/new").fields["name"]?.value).toBe("x");
  });
});
