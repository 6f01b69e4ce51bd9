import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFirstLink } from "../../server/access/links.ts";
import { startMailRelay, type MailRelay } from "../harness/mail.ts";
import { BROWSER_MODES, openBrowser, type PageDriver } from "../harness/page-driver.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const EMAIL = "alice@example.com";
const FIRST = "le cheval de Troie";
const SECOND = "une autre phrase assez longue";

const pathOf = (link: string | undefined) => new URL(link ?? "").pathname;
const valueOf = ({ page }: PageDriver, field: string) =>
  page.locator(`[name="${field}"]:not([type="hidden"])`).inputValue();
const problemAt = async ({ page }: PageDriver, field: string) => {
  const input = page.locator(`[name="${field}"][aria-invalid="true"]`);
  const [id = ""] = (await input.getAttribute("aria-describedby"))?.split(" ") ?? [];
  return page.locator(`#${id}`).innerText();
};

describe.each(BROWSER_MODES)("$name", (mode) => {
  let relay: MailRelay;
  let server: TestServer;
  beforeAll(async () => {
    relay = await startMailRelay();
    server = await startTestServer({ env: relay.env });
  });
  afterAll(async () => {
    await server.close();
    await relay.close();
  });

  const open = () => openBrowser(server, mode);

  async function askForLink(driver: PageDriver, count: number): Promise<string> {
    await driver.open("/sign-in");
    await driver.follow("/forgot");
    await driver.type("email", EMAIL);
    await driver.submit();
    return pathOf((await relay.lastTo(EMAIL, count)).links[0]);
  }

  async function expectGone(driver: PageDriver, path: string): Promise<void> {
    await driver.open(path);
    expect(await driver.text()).toContain(driver.say("no longer works", "Lien expiré"));
  }

  test("a link creates the first account, once", async () => {
    const path = pathOf(await createFirstLink(server.deps));
    const driver = await open();
    await driver.open(path);
    await driver.type("email", EMAIL);
    await driver.type("password", "trop court");
    await driver.submit();
    expect(await problemAt(driver, "password")).toContain("12");
    expect([await valueOf(driver, "email"), await valueOf(driver, "password")]).toEqual([
      EMAIL,
      "",
    ]);
    await driver.type("password", FIRST);
    await driver.submit();
    expect(driver.path).toBe("/projects");
    await expectGone(await open(), path);
  });

  test("a wrong password shows an error and keeps the address; the right one leads to the page", async () => {
    const driver = await open();
    await driver.open("/settings/api");
    await driver.signIn(EMAIL, "pas le bon cheval");
    expect(driver.path).toBe("/sign-in");
    expect(await problemAt(driver, "password")).toContain(driver.say("Incorrect", "incorrect"));
    expect(await valueOf(driver, "email")).toBe(EMAIL);
    await driver.signIn(EMAIL, FIRST);
    expect(driver.path).toBe("/settings/api");
    await driver.press("Sign out");
    await driver.open("/settings/api");
    expect(driver.path).toBe("/sign-in");
  });

  test("a forgotten password is replaced through the latest link, once, within 30 minutes", async () => {
    const driver = await open();
    const older = await askForLink(driver, 1);
    const expired = await askForLink(driver, 2);
    await expectGone(driver, older);
    await server.sql`update links set expires_at = now()`;
    await expectGone(driver, expired);
    const path = await askForLink(driver, 3);
    await driver.open(path);
    await driver.type("password", SECOND);
    await driver.submit();
    expect(driver.path).toBe("/settings/account");
    await expectGone(driver, path);
    const other = await open();
    await other.open("/sign-in");
    await other.signIn(EMAIL, FIRST);
    expect(other.path).toBe("/sign-in");
  });

  test("a form of an ended session returns after the sign-in, with a note that nothing was sent", async () => {
    const [desk, phone] = [await open(), await open()];
    for (const driver of [desk, phone]) {
      await driver.open("/projects/new");
      await driver.signIn(EMAIL, SECOND);
      expect(driver.path).toBe("/projects/new");
    }
    await phone.type("name", "Tea house");
    await phone.type("url", "https://127.0.0.1:8443/");

    await desk.open("/settings/account");
    expect(await desk.text()).toContain(desk.say("Current session", "Session actuelle"));
    await desk.press("Sign out the others");
    expect(desk.path).toBe("/settings/account");
    expect(await desk.button("Sign out the others").count()).toBe(0);

    await phone.press("Create the project");
    expect(await phone.text()).not.toContain("Tea house");
    await phone.signIn(EMAIL, SECOND);
    expect(phone.path).toBe("/projects/new");
    expect(await phone.text()).toContain(
      phone.say("what you entered was neither sent nor saved", "ni envoyée ni enregistrée"),
    );
    expect(await valueOf(phone, "name")).toBe("");
    await phone.type("name", "Tea house");
    await phone.type("url", "https://127.0.0.1:8443/");
    await phone.press("Create the project");
    expect(phone.path).toMatch(/^\/projects\/prj_\w+$/);
  });
});
