import { beforeAll, describe, expect, test } from "vitest";
import { visitAs } from "../harness/browser.ts";
import { PageDriver, BROWSER_MODES } from "../harness/page-driver.ts";
import { insertPast } from "../harness/past.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const site = use(() =>
  startSite({ routes: { "/": { body: "<!doctype html><title>Tea</title><p>Tea, by the leaf." } } }),
);
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let alice: Person;

beforeAll(async () => {
  ({ alice } = await addPeople(server));
});

describe.each(BROWSER_MODES)("$name", (mode) => {
  test("a list is searched, and sorted by its column headings", async () => {
    const projectId = await addProject(server, alice, site.url, "Tea");
    await insertPast(server.sql, projectId, { urls: 60, open: 2 });
    const driver = new PageDriver(await visitAs(server, alice, mode), mode);
    await driver.open(`/projects/${projectId}`);
    await driver.follow(`/projects/${projectId}/urls`);
    expect(await driver.text()).toContain(driver.say("1 to 36 of 61", "1 à 36 sur 61"));
    await driver.type("q", "page-00005");
    await driver.press("Filter");
    expect(await driver.text()).toContain(driver.say("1 to 10 of 10", "1 à 10 sur 10"));
    const head = driver.page.getByRole("columnheader", { name: "Score" });
    await driver.follow((await head.getByRole("link").getAttribute("href")) ?? "");
    expect(await head.getAttribute("aria-sort")).toMatch(/^(?:as|des)cending$/);
    expect(await driver.page.locator("[name=q]").inputValue()).toBe("page-00005");
    expect(await driver.text()).toContain(driver.say("1 to 10 of 10", "1 à 10 sur 10"));
  });

  test("a check is compared with the previous one, and its page becomes a watched URL", async () => {
    for (const _ of [1, 2])
      await server.request("/api/v1/check", {
        token: alice.token,
        method: "POST",
        body: { url: site.url },
      });
    const driver = new PageDriver(await visitAs(server, alice, mode), mode);
    const hrefOf = (start: string) =>
      driver.page.locator(`main a[href^="${start}"]`).first().getAttribute("href");
    await driver.open("/checks");
    await driver.follow((await hrefOf("/checks/compare?")) ?? "");
    expect(await driver.text()).toContain(driver.say("What changed", "Ce qui a changé"));
    await driver.open("/checks");
    await driver.follow((await hrefOf("/checks/chk_")) ?? "");
    await driver.follow(`/projects/new?url=${encodeURIComponent(site.url)}`);
    expect(await driver.page.locator("main [name=url]").inputValue()).toBe(site.url);
    await driver.type("name", "Tea");
    await driver.press("Create the project");
    expect(driver.path).toMatch(/^\/projects\/prj_\w+$/);
  });
});
