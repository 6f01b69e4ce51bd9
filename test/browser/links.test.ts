import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFirstLink, createLink } from "../../server/access/links.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { expectGoodPage, visit } from "../harness/browser.ts";
import { startMailRelay, type MailRelay } from "../harness/mail.ts";
import { addPerson } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const PASSWORD = "une phrase assez longue";

let relay: MailRelay;
let server: TestServer;
beforeAll(async () => {
  relay = await startMailRelay();
  const env = { ...relay.env, SHIPSCORE_SIGNUP: "open", SHIPSCORE_TRUSTED_PROXIES: "127.0.0.1" };
  server = await startTestServer({ env });
});
afterAll(async () => {
  await server.close();
  await relay.close();
});

describe.each(["fr", "en"] as const)("in %s", (language) => {
  const make = async (kind: "password" | "sign_in") => {
    const { email } = await addPerson(server, `${kind}-${language}`);
    return createLink(server.deps, OPERATOR, { email, kind });
  };
  test.each([
    ["first account", async () => (await createFirstLink(server.deps)) ?? ""],
    ["password", () => make("password")],
    ["sign in by link", () => make("sign_in")],
    ["sign up", async () => "/sign-up"],
    ["sent", async () => "/forgot/sent"],
  ])("the page %s", async (name, findPath) => {
    const page = await visit(server.url, { language });
    await page.goto(await findPath());
    await expectGoodPage(page, `app-${name}-${language}`);
  });

  test("a password that is too short, with the error at its field", async () => {
    const page = await visit(server.url, { language });
    await page.goto((await createFirstLink(server.deps)) ?? "");
    await page.locator("[name=email]").fill("ops@example.com");
    await page.locator("[name=password]").fill("short");
    await page.locator("main form button").click();
    await page.locator("[name=password][aria-invalid=true]").waitFor();
    await expectGoodPage(page, `app-password-refused-${language}`);
  });
});

test("creating an account, then resetting a forgotten password, by keyboard and without script", async () => {
  const page = await visit(server.url, { language: "fr", hasScript: false });
  const email = "nina@example.com";
  const type = async (text: string) => {
    await page.locator("main form input:not([type=hidden]):visible").first().focus();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Créer un compte" }).click();
  await type(email);
  await page.getByRole("heading", { name: "Consultez vos e-mails" }).waitFor();
  const [signUp = ""] = (await relay.lastTo(email)).links;
  await page.goto(signUp);
  await type(PASSWORD);
  await page.waitForURL("**/projects");

  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Mot de passe oublié ?" }).click();
  await type(email);
  await page.getByRole("heading", { name: "Consultez vos e-mails" }).waitFor();
  const [forgotten = ""] = (await relay.lastTo(email, 2)).links;
  await page.goto(forgotten);
  await type(`${PASSWORD} !`);
  await page.waitForURL("**/settings/account*");
  const gone = await page.goto(forgotten);
  expect(gone?.status()).toBe(410);
});
