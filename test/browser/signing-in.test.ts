import { describe, expect, test } from "vitest";
import { startForAll } from "../harness/for-all.ts";
import { MANNERS, openBrowser, type Hands } from "../harness/hands.ts";
import { addPerson, givePassword } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";

const server = startForAll(startTestServer);

const valueOf = ({ page }: Hands, field: string) =>
  page.locator(`[name="${field}"]:not([type="hidden"])`).inputValue();
const problemAt = async ({ page }: Hands, field: string) => {
  const input = page.locator(`[name="${field}"][aria-invalid="true"]`);
  const [id = ""] = (await input.getAttribute("aria-describedby"))?.split(" ") ?? [];
  return page.locator(`#${id}`).innerText();
};

describe.each(MANNERS)("$manner", (manner) => {
  const open = () => openBrowser(server, manner);
  const add = async (name: string) => {
    const person = await addPerson(server, `${name}-${manner.language}`);
    return [person.email, await givePassword(server, person)] as const;
  };

  test("a wrong password says so and keeps the address; the right one leads to the page", async () => {
    const [email, password] = await add("alice");
    const hands = await open();
    await hands.open("/settings/api");
    await hands.signIn(email, "pas le bon cheval");
    expect(hands.path).toBe("/sign-in");
    expect(await problemAt(hands, "password")).toContain(hands.say("wrong", "faux"));
    expect(await valueOf(hands, "email")).toBe(email);
    await hands.signIn(email, password);
    expect(hands.path).toBe("/settings/api");
    await hands.press("Sign out");
    await hands.open("/settings/api");
    expect(hands.path).toBe("/sign-in");
  });

  test("who is signed in at two places ends the other; what was typed there is not lost", async () => {
    const [email, password] = await add("bob");
    const [desk, phone] = [await open(), await open()];
    for (const hands of [desk, phone]) {
      await hands.open("/projects/new");
      await hands.signIn(email, password);
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
    await phone.signIn(email, password);
    expect([phone.path, await valueOf(phone, "name")]).toEqual(["/projects/new", "Tea house"]);
    expect(await valueOf(phone, "url")).toBe("https://127.0.0.1:8443/");
    await phone.press("Create the project");
    expect(phone.path).toMatch(/^\/projects\/prj_\w+$/);
  });
});
