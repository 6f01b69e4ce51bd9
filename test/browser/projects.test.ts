import type { Locator } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectGoodPage, expectNoOverflow, visitAs } from "../harness/browser.ts";
import { PageDriver, BROWSER_MODES } from "../harness/page-driver.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const site = use(() => {
  const page = "<!doctype html><title>Tea</title><p>Tea, by the leaf.";
  return startSite({
    routes: {
      "*": (_request, response) =>
        void response.writeHead(status, { "content-type": "text/html" }).end(page),
    },
  });
});
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let alice: Person;
let status = 200;

beforeAll(async () => {
  ({ alice } = await addPeople(server));
});

describe.each(BROWSER_MODES)("$name", (mode) => {
  let driver: PageDriver;
  beforeEach(async () => {
    driver = new PageDriver(await visitAs(server, alice, mode), mode);
  });

  const field = (name: string) => driver.page.locator(`main [name="${name}"]`);
  const isRefused = (name: string) => field(name).getAttribute("aria-invalid");
  /** Without script, axe-core cannot run. */
  const look = (name: string) =>
    mode.hasScript
      ? expectGoodPage(driver.page, `app-${name}-${mode.language}`)
      : expectNoOverflow(driver.page);

  /** Is not below the fold. */
  async function expectInView(target: Locator): Promise<void> {
    const box = await target.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(driver.page.viewportSize()?.height ?? 0);
  }

  async function twoRounds(): Promise<void> {
    for (const _ of [1, 2]) await server.perform("round", {});
  }

  test("a project is created, gets watched URLs of which some are rejected, and is deleted", async () => {
    await driver.open("/projects");
    await driver.follow("/projects/new");
    await driver.type("name", "Tea");
    await driver.type("url", "http://tea.example/");
    await driver.press("Create the project");
    expect([await isRefused("url"), await field("name").inputValue()]).toEqual(["true", "Tea"]);
    await driver.type("url", site.url);
    await driver.press("Create the project");
    const project = driver.path;
    expect(project).toMatch(/^\/projects\/prj_\w+$/);

    await driver.follow(`${project}/settings`);
    await driver.follow(`${project}/settings/urls`);
    await driver.type("urls", `${site.url}menu\nhttp://tea.example/\nhttps://10.0.0.1/\n`);
    await driver.press("Watch");
    expect(await isRefused("urls")).toBe("true");
    expect(await field("urls").inputValue()).toBe("http://tea.example/\nhttps://10.0.0.1/");
    await expectInView(field("urls"));
    expect(await driver.page.title()).toMatch(/^(Error:|Erreur\s:) /);
    await look("urls-refused");
    await driver.type("urls", `${site.url}shop`);
    await driver.press("Watch");
    expect(await isRefused("urls")).toBeNull();
    await driver.press("Remove", `${site.url}menu`);
    await look("url-asked");
    await driver.press("Remove", `${site.url}menu`);
    expect(await driver.button("Remove", `${site.url}menu`).count()).toBe(0);
    expect(await driver.button("Remove", `${site.url}shop`).count()).toBe(1);
    await expectInView(driver.page.getByRole("status").first());
    if (mode.hasScript) await expectInView(driver.page.locator("#done:focus"));
    await look("url-removed");

    await driver.follow(`${project}/settings/badge`);
    await driver.press("Turn on", driver.say("the badge", "le badge"));
    const badge = driver.say("This project's score", "Score de ce projet");
    expect(await driver.page.getByRole("img", { name: badge }).count()).toBe(1);
    await look("badge-on");

    await driver.follow(`${project}/settings/status-page`);
    const name = project.slice(-12).toLowerCase();
    await driver.type("name", "Tea");
    await driver.press("Turn on");
    expect(await isRefused("name")).toBe("true");
    await driver.type("name", name);
    await driver.press("Turn on");
    await look("status-page-on");
    await driver.follow(`/status/${name}`);
    expect(await driver.page.getByRole("heading", { level: 1 }).innerText()).toBe(name);
    await look("status-page");
    await driver.page.goBack();

    await driver.follow(`${project}/settings/delete`);
    await driver.type("confirm_name", "tea");
    await driver.press("Delete", "Tea");
    expect(await isRefused("confirm_name")).toBe("true");
    await driver.type("confirm_name", "Tea");
    await driver.press("Delete", "Tea");
    expect(driver.path).toBe("/projects");
    expect(await driver.text()).not.toContain("Tea");
    expect((await driver.page.goto(project))?.status()).toBe(404);
  });

  test("a deployment shows its score and report, and then an incident opens and closes", async () => {
    const projectId = await addProject(server, alice, site.url, "Shop");
    const project = `/projects/${projectId}`;
    const deployment = { url: site.url, environment: "production", commit: "4b825dc642cb" };
    await server.perform("deployment add", { projectId, ...deployment, wait: true });
    await driver.open("/projects");
    await driver.follow(project);
    const shipped = driver.page.getByRole("row", { name: "4b825dc642cb" });
    const score = (await shipped.getByRole("cell").nth(2).innerText()).trim();
    expect(score).toMatch(/^\d+$/);
    const page = await shipped.getByRole("link").getAttribute("href");
    expect(page).toMatch(/^\/deployments\//);
    await driver.follow(page ?? "");
    await look("deployment");
    expect(await driver.text()).toContain(score);
    expect(await driver.text()).toContain(site.url);

    status = 500;
    await twoRounds();
    await driver.open("/projects");
    await driver.follow(project);
    expect(await driver.text()).toContain(driver.say("■ Down", "■ En panne"));
    const open = driver.page.getByRole("table", {
      name: driver.say("Open incidents", "Incidents en cours"),
    });
    const closed = driver.page.getByRole("table", {
      name: driver.say("Closed incidents", "Incidents clos"),
    });
    expect(await open.innerText()).toContain("500");
    expect(await closed.count()).toBe(0);
    await look("incident-open");
    const incident = await open.getByRole("link").first().getAttribute("href");
    await driver.follow("/incidents");
    await look("incidents");
    await driver.follow(incident ?? "");
    expect(await driver.text()).toContain(driver.say("Failing for", "En échec depuis"));
    await look("incident");

    status = 200;
    await twoRounds();
    await driver.open(project);
    expect(await open.count()).toBe(0);
    expect(await closed.innerText()).toContain("500");
    expect(await driver.text()).toContain(driver.say("None open", "Aucun en cours"));
    await look("incident-closed");
  });
});
