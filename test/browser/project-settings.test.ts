import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectGoodPage, visitAs } from "../harness/browser.ts";
import { addPeople, type Person } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const ADDRESS = "https://127.0.0.1:8443/";

let server: TestServer;
let alice: Person;

beforeAll(async () => {
  server = await startTestServer();
  ({ alice } = await addPeople(server));
});
afterAll(() => server.close());

test.each(["fr", "en"] as const)("a project's life, by keyboard, in %s", async (language) => {
  const say = (fr: string, en: string) => (language === "fr" ? fr : en);
  const page = await visitAs(server, alice, { language });
  /** Presses Enter, and waits for the page that this leads to. */
  const enter = async (at: Locator) => {
    const loaded = page.waitForEvent("load");
    await at.press("Enter");
    await loaded;
  };
  await page.goto("/projects");
  await enter(page.getByRole("link", { name: say("Nouveau projet", "New project") }));
  await page.getByLabel(say("Nom", "Name")).fill("Tea");
  const address = page.getByLabel(say("Adresse", "Address"));
  await address.fill("http://tea.example/");
  await enter(address);
  expect(await address.getAttribute("aria-invalid")).toBe("true");
  expect(await page.getByLabel(say("Nom", "Name")).inputValue()).toBe("Tea");
  await address.fill(ADDRESS);
  await enter(address);
  expect(page.url()).toMatch(/\/projects\/prj_\w+$/);

  await enter(page.getByRole("link", { name: say("Réglages du projet", "Project settings") }));
  const urls = page.getByLabel(say("URL à surveiller", "URLs to watch"));
  await urls.fill(`${ADDRESS}menu\nhttp://tea.example/\nhttps://10.0.0.1/\n`);
  const watch = page.getByRole("button", { name: say("Surveiller", "Watch") });
  await enter(watch);
  expect(await urls.getAttribute("aria-invalid")).toBe("true");
  expect(await urls.inputValue()).toBe("http://tea.example/\nhttps://10.0.0.1/");
  await expectGoodPage(page, `app-urls-refused-${language}`);
  await urls.fill(`${ADDRESS}shop`);
  await enter(watch);
  await enter(page.getByRole("button", { name: `${say("Retirer", "Remove")} ${ADDRESS}menu` }));
  expect(await page.getByText(`${ADDRESS}menu`).count()).toBe(0);
  expect(await page.getByText(`${ADDRESS}shop`, { exact: true }).count()).toBe(1);

  await enter(page.getByRole("button", { name: say("Activer", "Switch on") }));
  await page
    .getByRole("img", { name: say("Score de ce projet", "This project's score") })
    .waitFor();
  await expectGoodPage(page, `app-badge-on-${language}`);

  const typed = page.getByLabel(say("Nom du projet", "Name of the project"));
  await typed.fill("tea");
  await enter(typed);
  expect(await typed.getAttribute("aria-invalid")).toBe("true");
  await typed.fill("Tea");
  await enter(page.getByRole("button", { name: say("Supprimer Tea", "Delete Tea") }));
  expect(page.url()).toMatch(/\/projects$/);
  expect(await page.getByText("Tea").count()).toBe(0);
});
