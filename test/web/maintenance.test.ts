import { beforeAll, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { openIncident } from "../harness/alerts.ts";
import { signIn, type Client } from "../harness/application.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { valueOf } from "../harness/rows.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const ADDRESS = "https://127.0.0.1:8443/";
const server = use(startTestServer);
let people: Record<"alice" | "bob" | "carol", Person>;
let clients: Record<"alice" | "bob" | "carol", Client>;
let project: string;
let incident: string;
beforeAll(async () => {
  people = await addPeople(server);
  project = await addProject(server, people.alice, ADDRESS, "Café");
  await shareProject(server.deps, OPERATOR, project, people.bob.email);
  await acceptInvitation(server.deps, actorOf(people.bob), project);
  incident = await openIncident(server, project);
  const [alice, bob, carol] = await Promise.all([
    signIn(server, people.alice),
    signIn(server, people.bob),
    signIn(server, people.carol),
  ]);
  clients = { alice, bob, carol };
});

const settings = (page: string) => `/projects/${project}/settings${page}`;
const once = {
  kind: "once",
  from: "2098-01-01T02:00",
  to: "2098-01-01T04:00",
  zone: "Europe/Paris",
};

describe("rejected", () => {
  test.each<[string, () => string, Record<string, string>]>([
    ["plan maintenance", () => settings("/maintenance"), once],
    ["end it", () => settings("/maintenance/end"), { window: "mnt_00000000000000000000" }],
    ["pause a URL", () => settings("/urls/pause"), { watched: "url_00000000000000000000" }],
    ["acknowledge an incident", () => `/incidents/${incident}/ack`, { note: "" }],
    ["silence an incident", () => `/incidents/${incident}/silence`, { duration: "1" }],
    ["publish a note", () => `/incidents/${incident}/publish`, { text: "x" }],
  ])("%s: for a member, and for a stranger it does not exist", async (_what, path, fields) => {
    expect((await clients.bob.post(path(), fields)).status).toBe(403);
    expect((await clients.carol.post(path(), fields)).status).toBe(404);
  });
});

describe("maintenance", () => {
  test.each<[Record<string, string>, string, string]>([
    [{ to: "2098-01-01T02:00" }, "to", "must be after the start"],
    [{ from: "" }, "from", "2026-11-29T02:00"],
    [{ kind: "weekly", weekly: "sunday" }, "from", "a start time and an end time"],
    [{ zone: "Nowhere" }, "zone", "unknown"],
    [{ urls: `${ADDRESS}x` }, "urls", "does not watch"],
    [{ note: "x".repeat(501) }, "note", "500 characters"],
  ])("%j is rejected at its field, and the input is kept", async (typed, field, why) => {
    const { status, page } = await clients.alice.post(settings("/maintenance"), {
      ...once,
      ...typed,
    });
    expect(status).toBe(422);
    expect(Object.keys(page.problems)).toEqual([field]);
    expect(page.problems[field]).toContain(why);
    const { fields } = page.form(settings("/maintenance"));
    expect(fields[field]?.value).toBe({ ...once, ...typed }[field]);
  });

  test("is planned, shown to the project's members, and ended", async () => {
    const form = await clients.alice.get(settings("/maintenance"));
    const planned = await clients.alice.press(form, "Add", {
      ...once,
      note: "New shelves",
      urls: ADDRESS,
    });
    expect(planned.status).toBe(303);
    const list = await clients.alice.follow(planned);
    expect(list.page.text).toMatch(
      /Maintenance planned\..*Planned 1 January 2098, 01:00–03:00 UTC/,
    );
    await server.sql`update maintenance set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'`;
    const { page } = await clients.bob.get(`/projects/${project}`);
    expect(page.text).toMatch(/Under maintenance until .* New shelves/);
    const ended = await clients.alice.press(
      await clients.alice.get(settings("/maintenance")),
      "End New shelves",
    );
    expect((await clients.alice.follow(ended)).page.text).toMatch(/Over .*New shelves/);
    expect((await clients.bob.get(`/projects/${project}`)).page.text).not.toMatch(
      /Under maintenance/,
    );
  });

  test("is weekly, is skipped once, and removed", async () => {
    const weekly = await clients.alice.get(settings("/maintenance?kind=weekly"));
    await clients.alice.press(weekly, "Add", {
      weekly: "monday",
      from: "02:00",
      to: "04:00",
      note: "Backup",
    });
    const list = await clients.alice.get(settings("/maintenance"));
    expect(list.page.text).toMatch(/every week/);
    const first = await valueOf<Date>(
      server.sql`select starts_at from maintenance where weekly is not null`,
    );
    await clients.alice.press(list, "Skip the next one Backup");
    const next = await valueOf<Date>(
      server.sql`select starts_at from maintenance where weekly is not null`,
    );
    expect(next!.getTime()).toBeGreaterThan(first!.getTime() + 6 * 86_400_000);
    await clients.alice.press(await clients.alice.get(settings("/maintenance")), "Remove Backup");
    expect(
      await valueOf(server.sql`select is_over from maintenance where weekly is not null`),
    ).toBe(true);
  });
});

describe("an incident", () => {
  const read = (who: keyof typeof clients = "alice") => clients[who].get(`/incidents/${incident}`);

  test("with a note that is too long is rejected at its field", async () => {
    const { status, page } = await clients.alice.post(`/incidents/${incident}/ack`, {
      note: "x".repeat(501),
    });
    expect([status, Object.keys(page.problems)]).toEqual([422, ["note"]]);
  });

  test("is acknowledged, silenced and gets a published note; a member sees this, without the forms", async () => {
    const acknowledged = await clients.alice.press(await read(), "Acknowledge", { note: "On it" });
    expect(acknowledged.status).toBe(303);
    expect((await clients.alice.follow(acknowledged)).page.text).toContain("No more reminders.");
    await clients.alice.press(await read(), "Silence", { duration: "4" });
    await clients.alice.press(await read(), "Publish", { text: "We are on it." });
    const { page, html } = await read("bob");
    expect(page.text).toMatch(
      /Acknowledged .* alice@example\.com · On it Silenced until .* Public note We are on it\./,
    );
    expect(html).not.toContain("/publish");
    expect((await read("carol")).status).toBe(404);
  });
});

test("a URL is paused on its page, shown as paused in the lists, and resumed", async () => {
  const { alice } = clients;
  const id = await valueOf<string>(
    server.sql`select id from watched_urls where project_id = ${project}`,
  );
  const url = `/projects/${project}/urls/${id}`;
  const paused = await alice.press(await alice.get(url), `Pause ${ADDRESS}`);
  expect((await alice.follow(paused)).page.text).toMatch(/URL paused\. It is no longer probed/);
  for (const path of [url, `/projects/${project}`, `/projects/${project}/urls?state=paused`])
    expect((await alice.get(path)).page.text).toContain("Paused");
  expect((await clients.bob.get(url)).html).not.toContain("/resume");
  await alice.press(await alice.get(url), `Resume ${ADDRESS}`);
  expect((await alice.get(url)).page.text).not.toContain("Paused");
});

test("a project's interval and failures are set in its settings; omitted ones stay", async () => {
  const { alice } = clients;
  const details = { name: "Café", url: ADDRESS };
  const short = await alice.post(settings(""), { ...details, interval: "30" });
  expect([short.status, short.page.problems["interval"]]).toEqual([
    422,
    expect.stringContaining("60 s"),
  ]);
  expect(
    (await alice.post(settings(""), { ...details, interval: "600", failures: "3" })).status,
  ).toBe(303);
  await alice.post(settings(""), details);
  const { fields } = (await alice.get(settings(""))).page.form(settings(""));
  expect([fields["interval"]?.value, fields["failures"]?.value]).toEqual(["600", "3"]);
  // The form asks whether one location opens an incident only where servers name their locations, or where it is on.
  for (const [oneLocation, shown] of [
    ["on", "on"],
    ["off", undefined],
  ] as const) {
    await alice.post(settings(""), { ...details, oneLocation });
    const form = (await alice.get(settings(""))).page.form(settings(""));
    expect(form.fields["oneLocation"]?.value).toBe(shown);
  }
});
