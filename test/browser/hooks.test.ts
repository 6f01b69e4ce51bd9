import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectGoodPage } from "../harness/browser.ts";
import { deliver, payloadOf, sendToHook } from "../harness/deployment-hosts.ts";
import { BROWSER_MODES, openBrowser } from "../harness/page-driver.ts";
import { addPerson, addProject, givePassword } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { startSlowSite, type SlowSite, waitUntil } from "../harness/slow-site.ts";
import { REPOSITORY, startGitHub, TOKEN, type StatusHost } from "../harness/status-hosts.ts";

let server: TestServer;
let site: SlowSite;
let github: StatusHost;

beforeAll(async () => {
  site = await startSlowSite();
  github = await startGitHub();
  server = await startTestServer({ env: { SHIPSCORE_STATUS_HOSTS: github.host } });
});
afterAll(async () => {
  await server.close();
  await github.close();
  await site.close();
});

describe.each(BROWSER_MODES)("$name", (mode) => {
  test("after adding an incoming webhook, a signed delivery arrives and the deployment is on the page", async () => {
    const person = await addPerson(server, `hooks-${mode.language}`);
    const password = await givePassword(server, person);
    const project = `/projects/${await addProject(server, person, site.url, "Tea house")}`;
    const driver = await openBrowser(server, mode);
    await driver.open(`${project}/settings/hooks`);
    await driver.signIn(person.email, password);

    await driver.press("Add", driver.say("the incoming webhook", "le webhook entrant"));
    const secret = await driver.page.locator("#secret").inputValue();
    const url = await driver.page.locator("#address").inputValue();
    const page = `${project}/hooks/${url.slice(url.lastIndexOf("/") + 1)}`;
    const hook = { url, secret, provider: "github" as const };
    const waiting = driver.say("Waiting for the first event", "En attente du premier événement");
    await driver.open(page);
    expect(await driver.text()).toContain(waiting);
    if (mode.hasScript) await expectGoodPage(driver.page, `app-hook-waiting-${mode.language}`);
    expect((await sendToHook(url, "{}", { "x-github-event": "push" })).status).toBe(401);
    await server.deps.work.end();
    if (!mode.hasScript) await driver.follow(page);
    const refused = driver.say("The signature is missing", "La signature est absente");
    await driver.page.getByText(refused).waitFor();
    expect(await driver.text()).not.toContain(waiting);
    const id = url.slice(url.lastIndexOf("/") + 1);
    const credential = { repository: REPOSITORY, api: github.api, token: TOKEN };
    await server.perform("hook reporting", { hook: id, ...credential });
    github.reply({ status: 403, headers: { "x-accepted-github-permissions": "statuses=write" } });
    site.hold();
    expect((await deliver(hook, payloadOf("github"))).status).toBe(202);
    const told = () => server.sql`select from statuses where hook_id = ${id} and sent <> 'pending'`;
    await waitUntil("the pending state is told", async () => (await told()).length === 1);
    site.release();
    await waitUntil("both states are told", async () => (await told()).length === 2);

    await driver.open(project);
    expect(await driver.text()).toContain("3f1c9b7");
    await driver.open(page);
    expect(await driver.text()).toContain(driver.say("Recorded", "Enregistré"));
    expect(await driver.text()).toContain("403: needs statuses=write");
    expect(await driver.page.content()).not.toContain(secret);
    if (mode.hasScript) await expectGoodPage(driver.page, `app-hooks-${mode.language}`);

    await driver.press("Save", driver.say("the secret", "le secret"));
    const second = await driver.page.locator("#secret").inputValue();
    expect(second).not.toBe(secret);
    for (const good of [secret, second])
      expect((await deliver({ ...hook, secret: good }, {})).status).toBe(200);
    const name = `GitHub …${url.slice(-4)}`;
    await driver.press("Remove", name);
    expect(await driver.text()).toContain(
      driver.say("The secret, the received events", "Le secret, les événements reçus"),
    );
    await driver.press("Remove", name);
    expect((await deliver(hook, {})).status).toBe(401);
  });
});
