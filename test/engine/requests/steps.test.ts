import { afterEach, describe, expect, test } from "vitest";
import { lookOf } from "../../../server/engine/judge/look-outcome.ts";
import { judge } from "../../../server/engine/judge/score.ts";
import { probePage, probeUrl } from "../../harness/probing.ts";
import { type Route, type Routes, type Site, startSite } from "../../harness/site.ts";

let site: Site | undefined;
afterEach(() => site?.close());

const HTML = { "content-type": "text/html; charset=utf-8" };
const page = (markup: string): Route => ({ headers: HTML, body: `<!doctype html>${markup}` });
const refresh = (content: string) => page(`<meta http-equiv="refresh" content="${content}">`);
const script = (text: string) => page(`<script>${text}</script>`);
const GOOD = page("<title>Tea</title><p>Tea, by the leaf");

async function visitAll(routes: Routes) {
  site = await startSite({ routes: { "/en/": GOOD, ...routes } });
  const [check, probe] = [await probeUrl(site.url), await probePage(site.url)];
  return [check, probe].map((evidence) => ({ evidence, judged: judge(evidence) }));
}

function statusOf({ rows }: ReturnType<typeof judge>, id: string): string | undefined {
  return rows.find(({ row }) => row.id === id)?.judgement.status;
}

describe("a page that only leads on is followed once, as a redirect", () => {
  test.each<[name: string, start: Route]>([
    ["a refresh", refresh("1; url=/en/")],
    ["a script", script("(function(){ window.location.replace('/en/'); }());")],
  ])("%s", async (_name, start) => {
    for (const { evidence, judged } of await visitAll({ "/": start })) {
      expect(evidence.page.hops.map(({ status }) => status)).toEqual([200, 200]);
      expect(evidence.page).toMatchObject({ leadsTo: null, stop: null });
      expect(statusOf(judged, "redir.chain")).toBe("pass");
      expect(lookOf(judged).outcome).toBe("good");
    }
    const [check] = await visitAll({ "/": start });
    expect(check?.evidence.page.body?.html?.title).toBe("Tea");
  });

  test.each<[name: string, start: Route]>([
    ["a refresh", refresh("1; url=/gone/")],
    [
      "a refresh at once on a page with text",
      page(`<meta http-equiv="refresh" content="0; url=/gone/"><p>${"Tea. ".repeat(200)}`),
    ],
    ["a script", script("location = '/gone/'")],
  ])("%s to a dead page, which fails", async (_name, start) => {
    for (const { judged } of await visitAll({ "/": start })) {
      expect(statusOf(judged, "reach.status")).toBe("fail");
      expect(lookOf(judged).outcome).toBe("failed");
    }
  });

  test("back to http, which fails", async () => {
    const [check] = await visitAll({ "/": refresh("0; url=http://127.0.0.1/") });
    expect(check?.evidence.page.stop).toMatchObject({ reason: "downgrade" });
  });

  test("to a page that leads on again, which is a finding", async () => {
    for (const { evidence, judged } of await visitAll({
      "/": refresh("0; url=/two"),
      "/two": refresh("0; url=/en/?key=secret"),
    })) {
      expect(evidence.page.hops).toHaveLength(2);
      expect(evidence.page.leadsTo).toMatch(/\/en\/\?key=\*\*\*$/);
      expect(lookOf(judged).outcome).toBe("good");
    }
  });
});

test.each<[name: string, start: Route]>([
  ["a refresh", refresh("0; url=https://tea.example.net/")],
  ["a script", script("location = 'https://tea.example.net/'")],
])("%s to another site is a finding, and opens no incident", async (_name, start) => {
  const [check, probe] = await visitAll({ "/": start });
  expect(check?.evidence.page).toMatchObject({ leadsTo: "https://tea.example.net/", stop: null });
  expect(check && statusOf(check.judged, "reach.html")).toBe("unknown");
  expect(probe && lookOf(probe.judged).outcome).toBe("good");
});

test.each<[name: string, start: Route]>([
  ["a script with a condition", script("if (self.old) location = '/gone/'")],
  [
    "a refresh in noscript",
    page('<noscript><meta http-equiv="refresh" content="0;url=/gone/"></noscript>'),
  ],
  ["a refresh without an address", refresh("5")],
  ["a refresh to the page itself", refresh("5; url=/#top")],
  ["a refresh after a minute", refresh("60; url=/gone/")],
  [
    "a 404 that leads home",
    { status: 404, headers: HTML, body: '<meta http-equiv="refresh" content="0; url=/en/">' },
  ],
  [
    "a long page",
    page(
      `<meta http-equiv="refresh" content="5; url=/gone/"><p>${"Tea, by the leaf. ".repeat(40)}`,
    ),
  ],
])("%s is not followed", async (_name, start) => {
  for (const { evidence } of await visitAll({ "/": start })) {
    expect(evidence.page.hops).toHaveLength(1);
    expect(evidence.page.leadsTo).toBeNull();
  }
});
