import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectGoodPage, visitAs } from "../harness/browser.ts";
import { insertPast } from "../harness/past.ts";
import { addPerson, addProject, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { startSlowSite } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const site = use(startSlowSite);
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let alice: Person;
beforeAll(async () => {
  alice = await addPerson(server, "alice");
});
afterAll(() => site.release());

describe.each([true, false])("with script: %s", (hasScript) => {
  test("a check shows its steps, then its page becomes the report", async () => {
    site.hold();
    const page = await visitAs(server, alice, { hasScript });
    await page.goto("/checks");
    await page.getByLabel("Page URL").fill(site.url.replace("https://", ""));
    await page.getByLabel("Page URL").press("Enter");
    await page.getByText("Loading the page").waitFor();
    if (hasScript) await expectGoodPage(page, "running check");
    site.release();
    await page.getByRole("link", { name: /^Download the data received/u }).waitFor();
    expect(await page.title()).toContain("Ship Score");
  });
});

test("a page whose stream was closed for a fifth one polls instead", async () => {
  const id = await addProject(server, alice, `${site.url}tabs`, "Tabs");
  const page = await visitAs(server, alice);
  await page.clock.install();
  await page.goto(`/projects/${id}`);
  let asked = 0;
  page.on("request", (request) => {
    if (request.resourceType() === "fetch" && request.url() === page.url()) asked++;
  });
  for (let tabs = 1; tabs < 5; tabs++)
    await (await page.context().newPage()).goto(`/projects/${id}`);
  const ask = async () => {
    await page.clock.fastForward(31_000);
    return asked;
  };
  await expect.poll(ask, { timeout: 30_000 }).toBeGreaterThan(1);
});

test("a project's page updates itself when a URL begins to fail, and when access is revoked", async () => {
  const id = await addProject(server, alice, `${site.url}shop`, "Shop");
  const page = await visitAs(server, alice);
  await page.goto(`/projects/${id}`);
  await insertPast(server.sql, id, { urls: 1, open: 1 });
  await page.getByText("1 of 2 URLs failing").waitFor();
  await page.getByRole("link", { name: "The server answers 500." }).waitFor();
  await server.sql`update projects set owner_id = ${(await addPerson(server, "bob")).accountId} where id = ${id}`;
  await page.getByRole("heading", { name: "Project not found" }).waitFor();
});
