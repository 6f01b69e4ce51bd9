import { describe, expect, test } from "vitest";
import { runCli } from "../harness/cli.ts";
import { MANNERS, openBrowser, type Hands } from "../harness/hands.ts";
import { addPerson, givePassword, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(startTestServer);

const SETTINGS = "/settings/api";

const shownToken = ({ page }: Hands) => page.locator("input[readonly]");

async function create(hands: Hands, name: string): Promise<void> {
  await hands.type("name", name);
  await hands.press("Create a token");
}

describe.each(MANNERS)("$manner", (manner) => {
  let person: Person;
  let hands: Hands;

  const useWith = (token: string) =>
    runCli(["projects"], { SHIPSCORE_URL: server.url, SHIPSCORE_TOKEN: token });

  test("a token is made, shown once, used, seen to be used, revoked and refused", async () => {
    person = await addPerson(server, `tokens-${manner.language}`);
    const password = await givePassword(server, person);
    hands = await openBrowser(server, manner);

    await hands.open(SETTINGS);
    expect(hands.path).toBe("/sign-in");
    await hands.signIn(person.email, password);
    expect(hands.path).toBe(SETTINGS);

    await create(hands, "laptop");
    const token = await shownToken(hands).inputValue();
    const row = hands.page.getByRole("row", { name: "laptop" });
    const neverUsed = hands.say("Never used", "Jamais utilisé");
    expect(await row.innerText()).toContain(neverUsed);
    expect((await useWith(token)).exitCode).toBe(0);

    await hands.open(SETTINGS);
    expect(await hands.page.content()).not.toContain(token);
    await hands.page.goBack();
    expect(await hands.page.content()).not.toContain(token);

    await hands.open(SETTINGS);
    expect(await row.innerText()).not.toContain(neverUsed);

    await hands.press("Revoke", "laptop");
    await hands.press("Revoke", "laptop");
    expect([hands.path, await hands.button("Revoke", "laptop").count()]).toEqual([SETTINGS, 0]);
    const refused = await useWith(token);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain("token");
  });
});
