import { expect, test } from "vitest";
import { expectGoodPage, saveScreenshot, visit } from "../harness/browser.ts";
import { PageDriver, BROWSER_MODES, type BrowserMode } from "../harness/page-driver.ts";
import { addPerson, givePassword } from "../harness/people.ts";
import { codeOf } from "../harness/second-factor.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const PATH = "/settings/account/second-factor";

const server = use(startTestServer);

const FRENCH: BrowserMode = {
  name: "with a mouse, in French",
  language: "fr",
  width: 320,
  hasScript: true,
  byKeyboard: false,
};

test.each([...BROWSER_MODES, FRENCH])(
  "two-factor authentication is set up, used, and turned off, $name",
  async (mode) => {
    const { language, hasScript } = mode;
    const look = hasScript ? expectGoodPage : saveScreenshot;
    const person = await addPerson(server, `alice-${language}-${hasScript}`);
    const password = await givePassword(server, person);
    const page = await visit(server.url, mode);
    const driver = new PageDriver(page, mode);
    await driver.open(`/sign-in?next=${PATH}`);
    await driver.signIn(person.email, password);
    const key = (await page.locator("#key").innerText()).replaceAll(" ", "");
    await look(page, `second-factor-new-${language}`);
    await driver.type("code", codeOf(key));
    await driver.press("Turn on");
    await look(page, `second-factor-codes-${language}`);
    const text = await page.locator("#recovery-codes").innerText();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: driver.say("Download", "Télécharger") }).click(),
    ]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe(text);

    await driver.press("Sign out");
    await driver.signIn(person.email, password);
    expect(driver.path).toBe("/sign-in/code");
    await driver.type("code", "000000");
    await driver.press("Sign in");
    expect(await driver.text()).toContain(driver.say("This code is incorrect", "Code incorrect"));
    await look(page, `second-factor-asked-${language}`);
    await driver.type("code", text.split("\n")[0] ?? "");
    await driver.press("Sign in");
    expect(driver.path).toBe("/projects");

    await server.sql`update sessions set confirmed_at = now() - interval '1 hour'`;
    await driver.open(PATH);
    expect(await driver.text()).toContain(
      driver.say("You have 9 codes left", "Il vous reste 9 codes"),
    );
    await look(page, `second-factor-on-${language}`);
    await server.sql`update sessions set confirmed_at = now()`;
    await driver.open(PATH);
    await driver.press("Turn off");
    expect(await page.locator("#key").count()).toBe(1);
  },
);
