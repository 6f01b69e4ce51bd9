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

/** What each bar of the strip says, oldest first. */
const barsOf = (html: string) =>
  [...html.matchAll(/<rect class="(\w+)"[^>]*role="img"><title>([^<]*)/g)].map(
    ([, tone, text = ""]) => ({ tone, text: text.replaceAll(/\s/g, " ") }),
  );

test("before the first day, each bar says that nothing was checked, and there is no chart", async () => {
  const { html } = await read("en");
  const bars = barsOf(html);
  expect(bars).toHaveLength(30);
  expect(new Set(bars.map(({ tone }) => tone))).toEqual(new Set(["none"]));
  expect(bars[0]?.text).toMatch(/^\d+ \w+ \d{4}: no probe$/);
  expect(html).not.toContain('class="chart"');
});

test.each([
  ["en", "%", "up", "failing for", "Score", "First byte", ": "],
  ["fr", " %", "en ligne", "en échec pendant", "Score", "Premier octet", " : "],
] as const)(
  "in %s, the bars have the numbers of the command",
  async (language, percent, up, failing, score, firstByte, colon) => {
    await insertDays(server.sql, id, 40);
    const { html, page } = await read(language);
    expectSoundPage(html, language);
    const { days } = await server.perform<ProjectHistory>("history", { project: id });
    expect(days).toHaveLength(30);
    expect(new Set(days.map(({ uptime }) => uptime)).size).toBeGreaterThan(1);
    const decimal = language === "fr" ? "," : ".";
    const told = barsOf(html).map(({ text }) => {
      const [, ...figures] = text.split(colon).join(", ").split(", ");
      return figures.filter((figure) => !figure.startsWith(failing));
    });
    expect(told).toEqual(
      days.map((day) => [
        `${Math.round((day.uptime ?? 0) * 1e4) / 100}`.replace(".", decimal) + `${percent} ${up}`,
        `${score} ${day.score}`,
        `${firstByte} ${day.firstByteMs} ms`,
      ]),
    );
    expect(barsOf(html).filter(({ text }) => text.includes(failing)).length).toBe(
      days.filter(({ uptime }) => uptime !== 1).length,
    );
    expect(html.match(/<circle class="day" r="2.5" cx/g)).toHaveLength(30);
    expect(page.text).toMatch(/9\d[.,]\d+\s?%/);
  },
);

test("a watched URL links to the report of its newest verification", async () => {
  const checkId = "chk_00000000000000000009";
  await server.sql`
    insert into checks (id, kind, project_id, host, state, lease_until) values (${checkId}, 'cycle', ${id}, 'x', 'done', now())`;
  await server.sql`
    update watched_urls set newest_check_id = ${checkId}, score = 80 where project_id = ${id} and is_address`;
  const [path = ""] = Object.values((await read("en")).page.links).filter((href) =>
    href.startsWith(`/projects/${id}/urls/`),
  );
  const { page } = await (await signIn(server, alice, { language: "en" })).get(path);
  expect(page.links["Latest report"]).toBe(`/checks/${checkId}`);
});
