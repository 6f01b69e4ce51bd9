import { describe, expect, test } from "vitest";
import { runCli } from "../harness/cli.ts";
import { BROWSER_MODES, openBrowser, type PageDriver } from "../harness/page-driver.ts";
import { addPerson, givePassword, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(startTestServer);

const SETTINGS = "/settings/api";

const shownToken = ({ page }: PageDriver) => page.locator("input[readonly]");

async function create(driver: PageDriver, name: string): Promise<void> {
  await driver.type("name", name);
  await driver.press("Create a token");
}

describe.each(BROWSER_MODES)("$name", (mode) => {
  let person: Person;
  let driver: PageDriver;

  const useWith = (token: string) =>
    runCli(["projects"], { SHIPSCORE_URL: server.url, SHIPSCORE_TOKEN: token });

  test("a token is created, shown once, used, shown as used, revoked and rejected", async () => {
    person = await addPerson(server, `tokens-${mode.language}`);
    const password = await givePassword(server, person);
    driver = await openBrowser(server, mode);

    await driver.open(SETTINGS);
    expect(driver.path).toBe("/sign-in");
    await driver.signIn(person.email, password);
    expect(driver.path).toBe(SETTINGS);

    await create(driver, "laptop");
    const token = await shownToken(driver).inputValue();
    const row = driver.page.getByRole("row", { name: "laptop" });
    const neverUsed = driver.say("Never used", "Jamais utilisé");
    expect(await row.innerText()).toContain(neverUsed);
    expect((await useWith(token)).exitCode).toBe(0);

    await driver.open(SETTINGS);
    expect(await driver.page.content()).not.toContain(token);
    await driver.page.goBack();
    expect(await driver.page.content()).not.toContain(token);

    await driver.open(SETTINGS);
    expect(await row.innerText()).not.toContain(neverUsed);

    await driver.press("Revoke", "laptop");
    await driver.press("Revoke", "laptop");
    expect([driver.path, await driver.button("Revoke", "laptop").count()]).toEqual([SETTINGS, 0]);
    const refused = await useWith(token);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain("token");
  });
});
