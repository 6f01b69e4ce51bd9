import { expect, test } from "vitest";
import { expectGoodPage, takePicture, visit } from "../harness/browser.ts";
import { Hands, MANNERS, type Manner } from "../harness/hands.ts";
import { addPerson, givePassword } from "../harness/people.ts";
import { codeOf } from "../harness/second-factor.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const PATH = "/settings/account/second-factor";

const server = use(startTestServer);

const FRENCH: Manner = {
  manner: "with a mouse, in French",
  language: "fr",
  width: 320,
  hasScript: true,
  byKeyboard: false,
};

test.each([...MANNERS, FRENCH])(
  "a second factor is set up, asked for, and switched off, $manner",
  async (manner) => {
    const { language, hasScript } = manner;
    const look = hasScript ? expectGoodPage : takePicture;
    const person = await addPerson(server, `alice-${language}-${hasScript}`);
    const password = await givePassword(server, person);
    const page = await visit(server.url, manner);
    const hands = new Hands(page, manner);
    await hands.open(`/sign-in?next=${PATH}`);
    await hands.signIn(person.email, password);
    const key = (await page.locator("#key").innerText()).replaceAll(" ", "");
    await look(page, `second-factor-new-${language}`);
    await hands.type("code", codeOf(key));
    await hands.press("Switch on");
    await look(page, `second-factor-codes-${language}`);
    const text = await page.locator("#recovery-codes").innerText();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: hands.say("Download", "Télécharger") }).click(),
    ]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe(text);

    await hands.press("Sign out");
    await hands.signIn(person.email, password);
    expect(hands.path).toBe("/sign-in/code");
    await hands.type("code", "000000");
    await hands.press("Sign in");
    expect(await hands.text()).toContain(hands.say("This code is wrong", "Ce code est faux"));
    await look(page, `second-factor-asked-${language}`);
    await hands.type("code", text.split("\n")[0] ?? "");
    await hands.press("Sign in");
    expect(hands.path).toBe("/projects");

    await server.sql`update sessions set confirmed_at = now() - interval '1 hour'`;
    await hands.open(PATH);
    expect(await hands.text()).toContain(hands.say("9 are left", "Il en reste 9"));
    await look(page, `second-factor-on-${language}`);
    await server.sql`update sessions set confirmed_at = now()`;
    await hands.open(PATH);
    await hands.press("Switch off");
    expect(await page.locator("#key").count()).toBe(1);
  },
);
