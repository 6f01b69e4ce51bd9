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
  await page.goto("/projects");
  await page.getByRole("link", { name: say("Nouveau projet", "New project") }).press("Enter");
  await page.getByLabel(say("Nom", "Name")).fill("Tea");
  await page.getByLabel(say("Adresse", "Address")).fill("http://tea.example/");
  await page.keyboard.press("Enter");
  const address = page.getByLabel(say("Adresse", "Address"));
  await expect.poll(() => address.getAttribute("aria-invalid")).toBe("true");
  expect(await page.getByLabel(say("Nom", "Name")).inputValue()).toBe("Tea");
  await address.fill(ADDRESS);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/projects\/prj_\w+$/);

  await page
    .getByRole("link", { name: say("Réglages du projet", "Project settings") })
    .press("Enter");
  const urls = page.getByLabel(say("URL à surveiller", "URLs to watch"));
  await urls.fill(`${ADDRESS}menu\nhttp://tea.example/\nhttps://10.0.0.1/\n`);
  await page.getByRole("button", { name: say("Surveiller", "Watch") }).press("Enter");
  await expect.poll(() => urls.getAttribute("aria-invalid")).toBe("true");
  expect(await urls.inputValue()).toBe("http://tea.example/\nhttps://10.0.0.1/");
  await expectGoodPage(page, `app-urls-refused-${language}`);
  await urls.fill(`${ADDRESS}shop`);
  await page.getByRole("button", { name: say("Surveiller", "Watch") }).press("Enter");
  await page
    .getByRole("button", { name: `${say("Retirer", "Remove")} ${ADDRESS}menu` })
    .press("Enter");
  await expect.poll(() => page.getByText(`${ADDRESS}menu`).count()).toBe(0);
  expect(await page.getByText(`${ADDRESS}shop`, { exact: true }).count()).toBe(1);

  await page.getByRole("button", { name: say("Activer", "Switch on") }).press("Enter");
  await page
    .getByRole("img", { name: say("Score de ce projet", "This project's score") })
    .waitFor();
  await expectGoodPage(page, `app-badge-on-${language}`);

  const typed = page.getByLabel(say("Nom du projet", "Name of the project"));
  await typed.fill("tea");
  await page.keyboard.press("Enter");
  await expect.poll(() => typed.getAttribute("aria-invalid")).toBe("true");
  await typed.fill("Tea");
  await page.getByRole("button", { name: say("Supprimer Tea", "Delete Tea") }).press("Enter");
  await page.waitForURL(/\/projects$/);
  expect(await page.getByText("Tea").count()).toBe(0);
});
