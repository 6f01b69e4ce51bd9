import { beforeAll, expect, test } from "vitest";
import type { ProjectHistory } from "../../server/db/projects/history.ts";
import { signIn } from "../harness/application.ts";
import { expectSoundPage } from "../harness/html.ts";
import { insertDays } from "../harness/past.ts";
import { addPerson, addProject, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(startTestServer);
let alice: Person;
let id: string;

beforeAll(async () => {
  alice = await addPerson(server, "alice");
  id = await addProject(server, alice, "https://example.com/", "Shop");
});

const read = async (language: "fr" | "en") =>
  (await signIn(server, alice, { language })).get(`/projects/${id}`);
const chartsOf = (html: string) =>
  [...html.matchAll(/<figcaption>([^<]*)/g)].map(([, label]) => label);

test("without a day, the page says nothing of days", async () => {
  const { page } = await read("en");
  expect(page.text).not.toContain("The last 30 days");
});

test("one day is a row and no chart", async () => {
  await insertDays(server.sql, id, 1);
  const { html, page } = await read("en");
  expect(page.text).toContain("The last 30 days Day by day (UTC)");
  expect(chartsOf(html)).toEqual([]);
  expect(page.rows.filter(([, score]) => score === "81")).toHaveLength(1);
});

test.each([
  ["en", ["Score", "Uptime", "First byte"], "%"],
  ["fr", ["Score", "Disponibilité", "Premier octet"], "\u00a0%"],
] as const)(
  "in %s, the days have the figures of the command",
  async (language, labels, percent) => {
    await insertDays(server.sql, id, 40);
    const { html, page } = await read(language);
    expectSoundPage(html, language);
    expect(chartsOf(html)).toEqual(labels);
    const { days } = await server.perform<ProjectHistory>("history", { project: id });
    expect(days).toHaveLength(30);
    expect(new Set(days.map(({ uptime }) => uptime)).size).toBeGreaterThan(1);
    const decimal = language === "fr" ? "," : ".";
    const figures = days
      .toReversed()
      .map(({ score, uptime, firstByteMs }) => [
        `${score}`,
        `${Math.round((uptime ?? 0) * 1e4) / 100}`.replace(".", decimal) + percent,
        `${firstByteMs}\u00a0ms`,
      ]);
    const rows = page.rows.filter((row) => /^\d+\s?ms$/.test(row[3] ?? ""));
    const plain = (cells: readonly string[]) => cells.map((cell) => cell.replaceAll(/\s/g, " "));
    expect(rows.map(([, ...cells]) => plain(cells))).toEqual(figures.map(plain));
  },
);

test("a list alone has no days", async () => {
  const { page } = await (await signIn(server, alice)).get(`/projects/${id}?list=urls`);
  expect(page.text).not.toContain("The last 30 days");
});

test("a watched URL leads to the report of its newest verification", async () => {
  const checkId = "chk_00000000000000000009";
  await server.sql`
    update watched_urls set newest_check_id = ${checkId} where project_id = ${id} and is_address`;
  expect((await read("en")).page.links["Report https://example.com/"]).toBe(`/checks/${checkId}`);
});
