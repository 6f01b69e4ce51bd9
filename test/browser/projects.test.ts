import type { Locator } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectGoodPage, expectNoOverflow, visitAs } from "../harness/browser.ts";
import { Hands, MANNERS } from "../harness/hands.ts";
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

describe.each(MANNERS)("$manner", (manner) => {
  let hands: Hands;
  beforeEach(async () => {
    hands = new Hands(await visitAs(server, alice, manner), manner);
  });

  const field = (name: string) => hands.page.locator(`main [name="${name}"]`);
  const isRefused = (name: string) => field(name).getAttribute("aria-invalid");
  /** Without script, axe-core cannot run. */
  const look = (name: string) =>
    manner.hasScript
      ? expectGoodPage(hands.page, `app-${name}-${manner.language}`)
      : expectNoOverflow(hands.page);

  /** Is not below the fold. */
  async function expectInView(target: Locator): Promise<void> {
    const box = await target.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(hands.page.viewportSize()?.height ?? 0);
  }

  async function twoRounds(): Promise<void> {
    for (const _ of [1, 2]) await server.perform("round", {});
  }

  test("a project is made, given URLs to watch of which some are refused, and deleted", async () => {
    await hands.open("/projects");
    await hands.follow("/projects/new");
    await hands.type("name", "Tea");
    await hands.type("url", "http://tea.example/");
    await hands.press("Create the project");
    expect([await isRefused("url"), await field("name").inputValue()]).toEqual(["true", "Tea"]);
    await hands.type("url", site.url);
    await hands.press("Create the project");
    const project = hands.path;
    expect(project).toMatch(/^\/projects\/prj_\w+$/);

    await hands.follow(`${project}/settings`);
    await hands.follow(`${project}/settings/urls`);
    await hands.type("urls", `${site.url}menu\nhttp://tea.example/\nhttps://10.0.0.1/\n`);
    await hands.press("Watch");
    expect(await isRefused("urls")).toBe("true");
    expect(await field("urls").inputValue()).toBe("http://tea.example/\nhttps://10.0.0.1/");
    await expectInView(field("urls"));
    expect(await hands.page.title()).toMatch(/^(Error:|Erreur\s:) /);
    await look("urls-refused");
    await hands.type("urls", `${site.url}shop`);
    await hands.press("Watch");
    expect(await isRefused("urls")).toBeNull();
    await hands.press("Remove", `${site.url}menu`);
    await look("url-asked");
    await hands.press("Remove", `${site.url}menu`);
    expect(await hands.button("Remove", `${site.url}menu`).count()).toBe(0);
    expect(await hands.button("Remove", `${site.url}shop`).count()).toBe(1);
    await expectInView(hands.page.getByRole("status").first());
    if (manner.hasScript) await expectInView(hands.page.locator("#done:focus"));
    await look("url-removed");

    await hands.follow(`${project}/settings/badge`);
    await hands.press("Switch on", hands.say("the badge", "le badge"));
    const badge = hands.say("This project's score", "Score de ce projet");
    expect(await hands.page.getByRole("img", { name: badge }).count()).toBe(1);
    await look("badge-on");

    await hands.follow(`${project}/settings/status-page`);
    const name = project.slice(-12).toLowerCase();
    await hands.type("name", "Tea");
    await hands.press("Switch on");
    expect(await isRefused("name")).toBe("true");
    await hands.type("name", name);
    await hands.press("Switch on");
    await look("status-page-on");
    await hands.follow(`/status/${name}`);
    expect(await hands.page.getByRole("heading", { level: 1 }).innerText()).toBe(name);
    await look("status-page");
    await hands.page.goBack();

    await hands.follow(`${project}/settings/delete`);
    await hands.type("confirm_name", "tea");
    await hands.press("Delete", "Tea");
    expect(await isRefused("confirm_name")).toBe("true");
    await hands.type("confirm_name", "Tea");
    await hands.press("Delete", "Tea");
    expect(hands.path).toBe("/projects");
    expect(await hands.text()).not.toContain("Tea");
    expect((await hands.page.goto(project))?.status()).toBe(404);
  });

  test("a deployment's score and report are seen, then an incident that opens and closes", async () => {
    const projectId = await addProject(server, alice, site.url, "Shop");
    const project = `/projects/${projectId}`;
    const deployment = { url: site.url, environment: "production", commit: "4b825dc642cb" };
    await server.perform("deployment add", { projectId, ...deployment, wait: true });
    await hands.open("/projects");
    await hands.follow(project);
    const shipped = hands.page.getByRole("row", { name: "4b825dc642cb" });
    const score = (await shipped.getByRole("cell").nth(2).innerText()).trim();
    expect(score).toMatch(/^\d+$/);
    const page = await shipped.getByRole("link").getAttribute("href");
    expect(page).toMatch(/^\/deployments\//);
    await hands.follow(page ?? "");
    await look("deployment");
    expect(await hands.text()).toContain(score);
    expect(await hands.text()).toContain(site.url);

    status = 500;
    await twoRounds();
    await hands.open("/projects");
    await hands.follow(project);
    expect(await hands.text()).toContain(hands.say("■ Down", "■ Hors service"));
    const open = hands.page.getByRole("table", {
      name: hands.say("Open incidents", "Incidents en cours"),
    });
    const closed = hands.page.getByRole("table", {
      name: hands.say("Closed incidents", "Incidents clos"),
    });
    expect(await open.innerText()).toContain("500");
    expect(await closed.count()).toBe(0);
    await look("incident-open");
    const incident = await open.getByRole("link").first().getAttribute("href");
    await hands.follow("/incidents");
    await look("incidents");
    await hands.follow(incident ?? "");
    expect(await hands.text()).toContain(hands.say("Failing for", "En échec depuis"));
    await look("incident");

    status = 200;
    await twoRounds();
    await hands.open(project);
    expect(await open.count()).toBe(0);
    expect(await closed.innerText()).toContain("500");
    expect(await hands.text()).toContain(hands.say("None open", "Aucun en cours"));
    await look("incident-closed");
  });
});
