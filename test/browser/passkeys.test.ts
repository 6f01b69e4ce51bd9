import type { CDPSession, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectAccessible, expectNoOverflow, saveScreenshot, visit } from "../harness/browser.ts";
import { addPerson, givePassword, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const PATH = "/settings/account/passkeys";

const server = use(() => startTestServer({ env: { SHIPSCORE_TRUSTED_PROXIES: "127.0.0.1,::1" } }));
/** By a name, since browsers make no passkeys for an address. */
let origin: string;

beforeAll(async () => {
  origin = server.url.replace("127.0.0.1", "localhost");
});

/** An authenticator of the browser's own, whose person is always there. */
async function plugIn(
  page: Page,
): Promise<{ setVerified(isUserVerified: boolean): Promise<void> }> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async setVerified(isUserVerified) {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
  };
}

const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

async function signIn(page: Page, { email }: Person, password: string): Promise<void> {
  await page.goto(`/sign-in?next=${PATH}`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await press(page, "Sign in");
  await page.waitForURL(`**${PATH}`);
}

test("a passkey is created in the browser, signs in, and confirms after 15 minutes", async () => {
  const alice = await addPerson(server, "alice");
  const password = await givePassword(server, alice);
  const page = await visit(origin);
  const authenticator = await plugIn(page);
  await signIn(page, alice, password);
  await page.getByLabel("Passkey name").fill("This laptop");
  await press(page, "Add a passkey");
  await page.getByRole("row", { name: /This laptop.*Never used/ }).waitFor();
  await expectAccessible(page);
  await saveScreenshot(page, "passkeys");

  await page.getByLabel("Passkey name").fill("The same again");
  await press(page, "Add a passkey");
  await page.getByText("Either this device already has one for this account").waitFor();
  expect(await page.getByRole("row").count()).toBe(2);

  await press(page, "Sign out");
  await page.waitForURL("**/sign-in");
  await expectAccessible(page);
  await saveScreenshot(page, "sign-in-passkey");
  await authenticator.setVerified(false);
  await press(page, "Use a passkey");
  await page.getByText("Your browser provided no passkey.").waitFor();
  await authenticator.setVerified(true);
  await press(page, "Use a passkey");
  await page.waitForURL("**/projects");

  await server.sql`
    update sessions set confirmed_at = now() - interval '1 hour' where account_id = ${alice.accountId}`;
  await page.goto(PATH);
  expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
  await expectAccessible(page);
  await saveScreenshot(page, "passkeys-confirm");
  await press(page, "Use a passkey");
  await page.getByRole("button", { name: "Add a passkey" }).waitFor();

  await page.getByRole("link", { name: "Edit This laptop" }).click();
  await page.getByRole("button", { name: "Remove This laptop" }).waitFor();
  await expectAccessible(page);
  await saveScreenshot(page, "passkey");
  await press(page, "Remove This laptop");
  await page.waitForURL("**/remove*");
  await expectAccessible(page);
  await press(page, "Remove This laptop");
  await page.waitForURL(`**${PATH}?done=passkey-removed#done`);
  await page.getByText("No passkeys. Add one on this device.").waitFor();
});

test("without script, and at 320 px, no page offers an unusable passkey", async () => {
  const bob = await addPerson(server, "bob");
  const password = await givePassword(server, bob);
  const page = await visit(origin, { hasScript: false, width: 320, scheme: "dark" });
  await page.goto("/sign-in");
  expect(await page.getByRole("button", { name: "Use a passkey" }).count()).toBe(0);
  await signIn(page, bob, password);
  expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
  expect(await page.content()).toContain("Creating a passkey requires a recent browser");
  await saveScreenshot(page, "passkeys-without-script");
});

test("the pages of passkeys fit at 320 px in French, in dark mode", async () => {
  const carol = await addPerson(server, "carol");
  const password = await givePassword(server, carol);
  const page = await visit(origin, { language: "fr", width: 320, scheme: "dark" });
  await page.goto(`/sign-in?next=${PATH}`);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByLabel("Adresse e-mail").fill(carol.email);
  await page.getByLabel("Mot de passe").fill(password);
  await press(page, "Se connecter");
  await page.waitForURL(`**${PATH}`);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await saveScreenshot(page, "passkeys-fr");
});
