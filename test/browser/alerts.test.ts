import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openIncident } from "../harness/alerts.ts";
import { expectGoodPage, expectNoOverflow, visitAs } from "../harness/browser.ts";
import { PageDriver, BROWSER_MODES } from "../harness/page-driver.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { startReceiver, type Receiver } from "../harness/receiver.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  server = await startTestServer({ roots: [receiver.authority.certificate] });
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

describe.each(BROWSER_MODES)("$name", (mode) => {
  test("Alice adds a webhook, sees its secret once, tests it, resends a failed message, and removes it", async () => {
    const { language } = mode;
    const alice = await addPerson(server, `alice-${language}`);
    const project = await addProject(server, alice, "https://127.0.0.1:8443/", "Tea");
    const driver = new PageDriver(await visitAs(server, alice, mode), mode);
    const settings = `/projects/${project}/settings/alerts`;
    const look = (name: string) =>
      mode.hasScript
        ? expectGoodPage(driver.page, `alerts-${name}-${language}`)
        : expectNoOverflow(driver.page);
    const webhook = `Webhook ${new URL(receiver.url).host}`;

    await driver.open(settings);
    await driver.type("target", "https://10.0.0.1/");
    await driver.press("Add the alert");
    expect(await driver.text()).toContain(driver.say("is private", "est privé"));
    await look("refused");

    await driver.type("target", receiver.at(language));
    await driver.press("Add the alert");
    const secret = await driver.page.locator("#secret").inputValue();
    expect(secret).toMatch(/^whsec_/);
    await look("secret");
    await driver.open(settings);
    expect(await driver.page.content()).not.toContain(secret);
    await look("list");
    const link = driver.page.getByRole("link", { name: webhook });
    await driver.follow((await link.getAttribute("href")) ?? "");

    receiver.reply(language, 410);
    await driver.press("Test", webhook);
    expect(await driver.text()).toContain("410");
    await look("failed");
    const message = driver.say("Test", "Test");
    await driver.press("Retry", message);
    expect(await driver.text()).toContain(driver.say("Sent", "Envoyé"));

    await openIncident(server, project);
    await receiver.waitForRequest(language, 3);
    await driver.press("Rotate", webhook);
    const rotated = await driver.page.locator("#secret").inputValue();
    expect([rotated.slice(0, 6), rotated === secret]).toEqual(["whsec_", false]);
    expect(await driver.text()).toContain(driver.say("Incident opened", "Incident ouvert"));
    await driver.type("label", "Nights");
    await driver.press("Save", driver.say("the alert", "l'alerte"));
    await look("changed");
    await driver.press("Remove", "Webhook Nights");
    await driver.press("Remove", "Webhook Nights");
    expect(driver.path).toBe(settings);
  });
});
