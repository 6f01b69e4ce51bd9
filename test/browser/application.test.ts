import { afterAll, beforeAll, describe, test } from "vitest";
import { createFirstLink } from "../../server/access/links.ts";
import { pathOfUnsubscribing } from "../../server/alerts/subscriptions.ts";
import { expectGoodPage, visit, visitAs } from "../harness/browser.ts";
import { insertDays, insertPast, insertTargets } from "../harness/past.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { startSite, type Site } from "../harness/site.ts";

let server: TestServer;
let site: Site;
let people: Record<"alice" | "bob" | "carol", Person>;
let checkId: string;
let projectId: string;
let firstAccount: string;
let unsubscribing: string;

beforeAll(async () => {
  site = await startSite({ routes: { "/": { body: "<!doctype html><title>Tea</title>" } } });
  server = await startTestServer({ roots: [site.authority.certificate] });
  people = await addPeople(server);
  projectId = await addProject(server, people.alice, site.url, "Tea house");
  await insertPast(server.sql, projectId, { urls: 60, open: 2, closed: 3, deployments: 12 });
  await insertDays(server.sql, projectId, 30);
  await insertTargets(server.sql, projectId, { hooks: 5, alerts: 12 });
  await server.sql`
    insert into memberships (project_id, account_id, accepted_at)
    values (${projectId}, ${people.bob.accountId}, now())`;
  await server.sql`
    insert into invitations (project_id, email) values
      (${projectId}, ${people.carol.email}), (${projectId}, 'dave@example.com')`;
  const [subscribed] = await server.sql<{ unsubscribeId: string }>`
    select unsubscribe_id from alerts where kind = 'email' and state = 'active'`;
  unsubscribing = pathOfUnsubscribing(subscribed?.unsubscribeId ?? "");
  firstAccount = new URL((await createFirstLink(server.deps)) ?? "").pathname;
  const { token } = people.alice;
  const check = await server.request("/api/v1/check", {
    token,
    method: "POST",
    body: { url: site.url },
  });
  ({ id: checkId } = (await check.json()) as { id: string });
});
afterAll(async () => {
  await server.close();
  await site.close();
});

describe.each(["fr", "en"] as const)("in %s", (language) => {
  test.each([
    ["sign-in", () => "/sign-in"],
    ["forgot", () => "/forgot"],
    ["first account", () => firstAccount],
    ["link void", () => `/links/${"a".repeat(43)}`],
    ["unsubscribing", () => unsubscribing],
    ["no subscription", () => pathOfUnsubscribing("a".repeat(22))],
  ])("%s, signed out", async (name, path) => {
    const page = await visit(server.url, { language });
    await page.goto(path());
    await expectGoodPage(page, `app-${name}-${language}`);
  });

  test.each([
    ["projects", () => "/projects"],
    ["project", () => `/projects/${projectId}`],
    ["watched URLs", () => `/projects/${projectId}?list=urls`],
    ["new project", () => "/projects/new"],
    ["project settings", () => `/projects/${projectId}/settings`],
    ["account", () => "/settings/account"],
    ["api", () => "/settings/api"],
    ["revoke", () => `/settings/api/tokens/${people.alice.tokenId}/revoke`],
    ["checks", () => "/checks"],
    ["check", () => `/checks/${checkId}`],
    ["missing", () => "/checks/chk_00000000000000000000"],
  ])("%s", async (name, path) => {
    const page = await visitAs(server, people.alice, { language });
    await page.goto(path());
    await expectGoodPage(page, `app-${name}-${language}`);
  });

  test.each([
    ["no checks", "/checks"],
    ["invited", "/projects"],
  ])("%s", async (name, path) => {
    const page = await visitAs(server, people.carol, { language });
    await page.goto(path);
    await expectGoodPage(page, `app-${name}-${language}`);
  });

  test("settings of a member", async () => {
    const page = await visitAs(server, people.bob, { language });
    await page.goto(`/projects/${projectId}/settings`);
    await expectGoodPage(page, `app-member-settings-${language}`);
  });
});
