import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openOne } from "../harness/alerts.ts";
import { expectGoodPage, expectNoOverflow, visitAs } from "../harness/browser.ts";
import { Hands, MANNERS } from "../harness/hands.ts";
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

describe.each(MANNERS)("$manner", (manner) => {
  test("Alice adds a webhook, sees its secret once, tests it, sends again what failed, and removes it", async () => {
    const { language } = manner;
    const alice = await addPerson(server, `alice-${language}`);
    const project = await addProject(server, alice, "https://127.0.0.1:8443/", "Tea");
    const hands = new Hands(await visitAs(server, alice, manner), manner);
    const settings = `/projects/${project}/settings/alerts`;
    const look = (name: string) =>
      manner.hasScript
        ? expectGoodPage(hands.page, `alerts-${name}-${language}`)
        : expectNoOverflow(hands.page);
    const webhook = `Webhook ${new URL(receiver.url).host}`;

    await hands.open(settings);
    await hands.type("target", "https://10.0.0.1/");
    await hands.press("Add the alert");
    expect(await hands.text()).toContain(hands.say("is private", "est privé"));
    await look("refused");

    await hands.type("target", receiver.at(language));
    await hands.press("Add the alert");
    const secret = await hands.page.locator("#secret").inputValue();
    expect(secret).toMatch(/^whsec_/);
    await look("secret");
    await hands.open(settings);
    expect(await hands.page.content()).not.toContain(secret);
    await look("list");
    const link = hands.page.getByRole("link", { name: webhook });
    await hands.follow((await link.getAttribute("href")) ?? "");

    receiver.reply(language, 410);
    await hands.press("Test", webhook);
    expect(await hands.text()).toContain("410");
    await look("failed");
    const message = hands.say("Test", "Essai");
    await hands.press("Retry", message);
    expect(await hands.text()).toContain(hands.say("Sent", "Remis"));

    await openOne(server, project);
    await receiver.nth(language, 3);
    await hands.press("Rotate", webhook);
    const rotated = await hands.page.locator("#secret").inputValue();
    expect([rotated.slice(0, 6), rotated === secret]).toEqual(["whsec_", false]);
    expect(await hands.text()).toContain(hands.say("Incident opened", "Incident ouvert"));
    await hands.type("label", "Nights");
    await hands.press("Save", hands.say("the alert", "l'alerte"));
    await look("changed");
    await hands.press("Remove", "Webhook Nights");
    await hands.press("Remove", "Webhook Nights");
    expect(hands.path).toBe(settings);
  });
});
