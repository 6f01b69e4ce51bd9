import { beforeAll, describe, expect, inject, test } from "vitest";
import { createFirstLink } from "../../server/access/links.ts";
import { pathOfAccepting, pathOfUnsubscribing } from "../../server/alerts/recipients.ts";
import { expectGoodPage, visit, visitAs } from "../harness/browser.ts";
import { insertDays, insertPast, insertTargets } from "../harness/past.ts";
import { addPeople, addProject, givePassword, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const site = use(() =>
  startSite({ routes: { "/": { body: "<!doctype html><title>Tea</title>" } } }),
);
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let people: Record<"alice" | "bob" | "carol", Person>;
let checkId: string;
let projectId: string;
let urlId: string;
let firstAccount: string;
let recipient: string;

beforeAll(async () => {
  people = await addPeople(server);
  projectId = await addProject(server, people.alice, site.url, "Tea house");
  await insertPast(server.sql, projectId, { urls: 60, open: 2, closed: 3, deployments: 12 });
  await insertDays(server.sql, projectId, 30);
  const [address] = await server.sql<{ id: string }>`select id from watched_urls where is_address`;
  urlId = address?.id ?? "";
  await insertTargets(server.sql, projectId, { hooks: 5, alerts: 12 });
  await server.sql`insert into memberships (project_id, account_id, accepted_at)
    values (${projectId}, ${people.bob.accountId}, now())`;
  await server.sql`
    insert into hand_overs (project_id, account_id) values (${projectId}, ${people.bob.accountId})`;
  await server.sql`insert into invitations (project_id, email) values
      (${projectId}, ${people.carol.email}), (${projectId}, 'dave@example.com')`;
  const [subscribed] = await server.sql<{ recipientId: string }>`
    select recipient_id from alerts where kind = 'email' and state = 'active'`;
  recipient = subscribed?.recipientId ?? "";
  firstAccount = new URL((await createFirstLink(server.deps)) ?? "").pathname;
  const { token } = people.alice;
  const check = await server.request("/api/v1/check", {
    token,
    method: "POST",
    body: { url: site.url },
  });
  ({ id: checkId } = (await check.json()) as { id: string });
});

const SETTINGS =
  "urls people hooks alerts gate previews maintenance status-page badge delete".split(" ");

/** Without `--mode all`, every other page is seen in French, and the rest in English. */
const inTurn =
  (language: "fr" | "en") =>
  (_: unknown, index: number): boolean =>
    inject("isThorough") || (index % 2 === 0) === (language === "fr");

describe.each(["fr", "en"] as const)("in %s", (language) => {
  const signedOutClient: [page: string, path: () => string][] = [
    ["rules", () => "/docs/rules"],
    ["about", () => "/about/checks"],
    ["nothing", () => "/nothing"],
    ["sign-in", () => "/sign-in"],
    ["forgot", () => "/forgot"],
    ["first account", () => firstAccount],
    ["link void", () => `/links/${"a".repeat(43)}`],
    ["unsubscribing", () => pathOfUnsubscribing(recipient)],
    ["accepting e-mails", () => pathOfAccepting(recipient)],
    ["no subscription", () => pathOfUnsubscribing("a".repeat(22))],
  ];
  test.each(signedOutClient.filter(inTurn(language)))("%s, signed out", async (name, path) => {
    const page = await visit(server.url, { language });
    await page.goto(path());
    await expectGoodPage(page, `app-${name}-${language}`);
  });

  const settings = () => `/projects/${projectId}/settings`;

  const signedIn: [page: string, path: () => string, who?: keyof typeof people][] = [
    ["projects", () => "/projects"],
    ["project", () => `/projects/${projectId}`],
    ["watched URLs", () => `/projects/${projectId}/urls`],
    ["watched URL", () => `/projects/${projectId}/urls/${urlId}`],
    ["new project", () => "/projects/new"],
    ["project settings", settings],
    ...SETTINGS.map((each): [string, () => string] => [
      `settings, ${each}`,
      () => `${settings()}/${each}`,
    ]),
    ["account", () => "/settings/account"],
    ["api", () => "/settings/api"],
    ["revoke", () => `/settings/api/tokens/${people.alice.tokenId}/revoke`],
    ["checks", () => "/checks"],
    ["check", () => `/checks/${checkId}`],
    ["compared", () => `/checks/compare?a=${checkId}&b=${checkId}`],
    ["open incidents", () => "/incidents"],
    ["missing", () => "/checks/chk_00000000000000000000"],
    ["no checks", () => "/checks", "carol"],
    ["invited", () => "/projects", "carol"],
    ["offered", () => "/projects", "bob"],
    ["settings of a member", settings, "bob"],
    ["the question before a project is deleted", () => `${settings()}/delete`],
    ["the question before an account is deleted", () => "/settings/account/delete"],
  ];
  test.each(signedIn.filter(inTurn(language)))("%s", async (name, path, who = "alice") => {
    const page = await visitAs(server, people[who], { language });
    await page.goto(path());
    await expectGoodPage(page, `app-${name}-${language}`);
  });

  test("an alert that is rejected, and the secret of one that is added", async () => {
    const page = await visitAs(server, people.alice, { language });
    await page.goto(`${settings()}/alerts`);
    for (const [name, target, shown] of [
      ["refused", "https://10.0.0.1/", "[name=target][aria-invalid=true]"],
      ["secret", site.url, "#secret"],
    ] as const) {
      await page.locator("[name=target]").fill(target);
      await page.locator("[name=target]").press("Enter");
      await page.locator(shown).waitFor();
      await expectGoodPage(page, `app-alert ${name}-${language}`);
    }
    expect(await page.locator("#secret").inputValue()).toMatch(/^whsec_/);
  });

  test("the confirmation before a project is offered", async () => {
    await givePassword(server, people.alice);
    const page = await visitAs(server, people.alice, { language });
    await server.sql`delete from hand_overs`;
    await page.goto(`${settings()}/people`);
    await server.sql`update sessions set confirmed_at = now() - interval '1 hour'`;
    await page.getByRole("button", { name: /^(Transfer ownership to|Transférer à) bob/ }).click();
    await page.getByLabel(/password|mot de passe/i).waitFor();
    await expectGoodPage(page, `app-handing over-${language}`);
    await server.sql`
      insert into hand_overs (project_id, account_id) values (${projectId}, ${people.bob.accountId})`;
  });
});
