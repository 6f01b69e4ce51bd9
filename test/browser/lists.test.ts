import { beforeAll, describe, expect, test } from "vitest";
import { visitAs } from "../harness/browser.ts";
import { Hands, MANNERS } from "../harness/hands.ts";
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

describe.each(MANNERS)("$manner", (manner) => {
  test("a list is searched, and sorted by its heads", async () => {
    const projectId = await addProject(server, alice, site.url, "Tea");
    await insertPast(server.sql, projectId, { urls: 60, open: 2 });
    const hands = new Hands(await visitAs(server, alice, manner), manner);
    await hands.open(`/projects/${projectId}`);
    await hands.follow(`/projects/${projectId}/urls`);
    expect(await hands.text()).toContain(hands.say("1 to 36 of 61", "1 à 36 sur 61"));
    await hands.type("q", "page-00005");
    await hands.press("Filter");
    expect(await hands.text()).toContain(hands.say("1 to 10 of 10", "1 à 10 sur 10"));
    const head = hands.page.getByRole("columnheader", { name: "Score" });
    await hands.follow((await head.getByRole("link").getAttribute("href")) ?? "");
    expect(await head.getAttribute("aria-sort")).toMatch(/^(?:as|des)cending$/);
    expect(await hands.page.locator("[name=q]").inputValue()).toBe("page-00005");
    expect(await hands.text()).toContain(hands.say("1 to 10 of 10", "1 à 10 sur 10"));
  });

  test("a check is compared with the one before it, and its page is watched", async () => {
    for (const _ of [1, 2])
      await server.request("/api/v1/check", {
        token: alice.token,
        method: "POST",
        body: { url: site.url },
      });
    const hands = new Hands(await visitAs(server, alice, manner), manner);
    const hrefOf = (start: string) =>
      hands.page.locator(`main a[href^="${start}"]`).first().getAttribute("href");
    await hands.open("/checks");
    await hands.follow((await hrefOf("/checks/compare?")) ?? "");
    expect(await hands.text()).toContain(hands.say("What changed", "Ce qui a changé"));
    await hands.open("/checks");
    await hands.follow((await hrefOf("/checks/chk_")) ?? "");
    await hands.follow(`/projects/new?url=${encodeURIComponent(site.url)}`);
    expect(await hands.page.locator("main [name=url]").inputValue()).toBe(site.url);
    await hands.type("name", "Tea");
    await hands.press("Create the project");
    expect(hands.path).toMatch(/^\/projects\/prj_\w+$/);
  });
});
