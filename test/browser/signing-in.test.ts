import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFirstLink } from "../../server/access/links.ts";
import { startMailRelay, type MailRelay } from "../harness/mail.ts";
import { MANNERS, openBrowser, type Hands } from "../harness/hands.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const EMAIL = "alice@example.com";
const FIRST = "le cheval de Troie";
const SECOND = "une autre phrase assez longue";

const pathOf = (link: string | undefined) => new URL(link ?? "").pathname;
const valueOf = ({ page }: Hands, field: string) =>
  page.locator(`[name="${field}"]:not([type="hidden"])`).inputValue();
const problemAt = async ({ page }: Hands, field: string) => {
  const input = page.locator(`[name="${field}"][aria-invalid="true"]`);
  const [id = ""] = (await input.getAttribute("aria-describedby"))?.split(" ") ?? [];
  return page.locator(`#${id}`).innerText();
};

describe.each(MANNERS)("$manner", (manner) => {
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

  const open = () => openBrowser(server, manner);

  async function askForLink(hands: Hands, count: number): Promise<string> {
    await hands.open("/sign-in");
    await hands.follow("/forgot");
    await hands.type("email", EMAIL);
    await hands.submit();
    return pathOf((await relay.lastTo(EMAIL, count)).links[0]);
  }

  async function expectGone(hands: Hands, path: string): Promise<void> {
    await hands.open(path);
    expect(await hands.text()).toContain(hands.say("no longer works", "Lien périmé"));
  }

  test("a link makes the first account, once", async () => {
    const path = pathOf(await createFirstLink(server.deps));
    const hands = await open();
    await hands.open(path);
    await hands.type("email", EMAIL);
    await hands.type("password", "trop court");
    await hands.submit();
    expect(await problemAt(hands, "password")).toContain("12");
    expect([await valueOf(hands, "email"), await valueOf(hands, "password")]).toEqual([EMAIL, ""]);
    await hands.type("password", FIRST);
    await hands.submit();
    expect(hands.path).toBe("/projects");
    await expectGone(await open(), path);
  });

  test("a wrong password says so and keeps the address; the right one leads to the page", async () => {
    const hands = await open();
    await hands.open("/settings/api");
    await hands.signIn(EMAIL, "pas le bon cheval");
    expect(hands.path).toBe("/sign-in");
    expect(await problemAt(hands, "password")).toContain(hands.say("wrong", "faux"));
    expect(await valueOf(hands, "email")).toBe(EMAIL);
    await hands.signIn(EMAIL, FIRST);
    expect(hands.path).toBe("/settings/api");
    await hands.press("Sign out");
    await hands.open("/settings/api");
    expect(hands.path).toBe("/sign-in");
  });

  test("a forgotten password is replaced by the latest link, once, within 30 minutes", async () => {
    const hands = await open();
    const older = await askForLink(hands, 1);
    const expired = await askForLink(hands, 2);
    await expectGone(hands, older);
    await server.sql`update links set expires_at = now()`;
    await expectGone(hands, expired);
    const path = await askForLink(hands, 3);
    await hands.open(path);
    await hands.type("password", SECOND);
    await hands.submit();
    expect(hands.path).toBe("/settings/account");
    await expectGone(hands, path);
    const other = await open();
    await other.open("/sign-in");
    await other.signIn(EMAIL, FIRST);
    expect(other.path).toBe("/sign-in");
  });

  test("a session that was ended elsewhere leads to its form again, which says that nothing was sent", async () => {
    const [desk, phone] = [await open(), await open()];
    for (const hands of [desk, phone]) {
      await hands.open("/projects/new");
      await hands.signIn(EMAIL, SECOND);
      expect(hands.path).toBe("/projects/new");
    }
    await phone.type("name", "Tea house");
    await phone.type("url", "https://127.0.0.1:8443/");

    await desk.open("/settings/account");
    expect(await desk.text()).toContain(desk.say("This one", "Celle-ci"));
    await desk.press("End the others");
    expect(desk.path).toBe("/settings/account");
    expect(await desk.button("End the others").count()).toBe(0);

    await phone.press("Create the project");
    expect(await phone.text()).not.toContain("Tea house");
    await phone.signIn(EMAIL, SECOND);
    expect(phone.path).toBe("/projects/new");
    expect(await phone.text()).toContain(
      phone.say("your input was neither sent nor saved", "ni envoyé ni enregistré"),
    );
    expect(await valueOf(phone, "name")).toBe("");
    await phone.type("name", "Tea house");
    await phone.type("url", "https://127.0.0.1:8443/");
    await phone.press("Create the project");
    expect(phone.path).toMatch(/^\/projects\/prj_\w+$/);
  });
});
