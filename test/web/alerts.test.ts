import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { listAlerts } from "../../server/db/alerts/alerts.ts";
import { newId } from "../../server/db/id.ts";
import { acceptHandOver, offerProject } from "../../server/projects/hand-over.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { addTarget, openIncident } from "../harness/alerts.ts";
import { signIn, type Client } from "../harness/application.ts";
import { expectSoundPage } from "../harness/html.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { startReceiver } from "../harness/receiver.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const SECRET = /^whsec_[A-Za-z0-9+/]{32}$/;
const TICKED = { incident: "on", drop: "on" };

let server: TestServer;
const receiver = use(startReceiver);
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: Client;
let project: string;
let host: string;
const path = (rest = "") => `/projects/${project}${rest}`;
const settings = () => alice.get(path("/settings/alerts"));
const list = () => listAlerts(server.sql, project);
const pageOf = (id: string) => alice.get(path(`/alerts/${id}`));

beforeAll(async () => {
  host = new URL(receiver.url).host;
  server = await startTestServer({ roots: [receiver.authority.certificate] });
  people = await addPeople(server);
  alice = await signIn(server, people.alice);
});
beforeEach(async () => {
  project = await addProject(server, people.alice, "https://127.0.0.1:8443/", "Café");
});
afterAll(async () => {
  await server.close();
});

describe("adding an alert", () => {
  const add = async (fields: Record<string, string>) =>
    alice.post(path("/settings/alerts"), { kind: "webhook", ...TICKED, ...fields });

  test.each<[fields: Record<string, string>, field: string, why: string]>([
    [{ target: "" }, "target", "The URL is not valid"],
    [{ target: "https://10.0.0.1/secret" }, "target", "is private"],
    [{ target: "http://93.184.216.34/" }, "target", "https"],
    [{ kind: "email", target: "ops@example.com" }, "target", "sends no e-mail"],
    [{ target: "https://93.184.216.34/", label: "x".repeat(61) }, "label", "at most 60 characters"],
    [{ target: "https://93.184.216.34/", label: "a\u0007b" }, "label", "one line"],
  ])("%j is rejected at its field, and kept there", async (fields, field, why) => {
    const { status, page } = await add(fields);
    expect([status, page.problems[field]]).toEqual([422, expect.stringContaining(why)]);
    const form = page.formOf("Add the alert");
    expect(form.fields["target"]?.value).toBe(fields["target"]);
    expect(form.fields["kind"]?.value).toBe(fields["kind"] ?? "webhook");
    expect(await list()).toEqual([]);
  });

  test("without an event is rejected, and with an unknown kind", async () => {
    const { status, page } = await alice.post(path("/settings/alerts"), {
      kind: "webhook",
      target: receiver.at("x"),
    });
    expect([status, page.text]).toEqual([422, expect.stringContaining("Select at least one")]);
    expect((await add({ kind: "pigeon", target: receiver.at("x") })).status).toBe(422);
    expect(await list()).toEqual([]);
  });

  test("beyond 20 is rejected, with advice", async () => {
    await server.sql`
      insert into alerts (id, project_id, kind, target, host, tells_incidents, tells_ships, tells_drops)
      select 'alr_' || n || right(${project}, 15), ${project}, 'slack', '', 'hooks.example.com', true, true, true
      from generate_series(1, 20) n`;
    const { page } = await add({ target: receiver.at("x") });
    expect(page.problems["target"]).toContain("Remove one first");
  });

  test("has a form for each kind, with the kind's field", async () => {
    const { page } = await settings();
    const kinds = Object.entries(page.links).filter(([, href]) => href.includes("kind="));
    expect(kinds.map(([name]) => name)).toEqual(["Webhook", "Slack", "Discord"]);
    for (const [name, href] of [
      ...kinds,
      ["Email", path("/settings/alerts?kind=email")] as const,
    ]) {
      const shown = await alice.get(href);
      expectSoundPage(shown.html, "en");
      const { kind, target } = shown.page.formOf("Add the alert").fields;
      expect([kind?.value, target?.type]).toEqual([
        name.toLowerCase(),
        name === "Email" ? "email" : "text",
      ]);
    }
  });

  test("shows a webhook's secret once; later pages show only the host of the target", async () => {
    const form = await settings();
    const typed = { target: receiver.at("covert?key"), label: "#ops <b>" };
    const made = await alice.press(form, "Add the alert", typed);
    expect(made.status).toBe(200);
    expectSoundPage(made.html, "en");
    const [secret = ""] = /whsec_[A-Za-z0-9+/]+/.exec(made.html) ?? [];
    expect(secret).toMatch(SECRET);
    expect(made.page.text).toContain("it is shown only once");
    const [{ id } = { id: "" }] = await list();
    for (const { html, page } of [await settings(), await pageOf(id)]) {
      expect(html).not.toMatch(/covert|whsec_|<b>/);
      expect(page.text).toContain("Webhook #ops <b>");
      expect(page.text).toContain(host);
    }
    expect((await settings()).page.rows).toContainEqual([
      `Webhook #ops <b> ${host}`,
      "incidents, score drops",
      "● Active",
    ]);
    expect(server.log.join("\n")).not.toMatch(/covert|whsec_/);
  });

  test("of another kind has no secret, and leads to its page", async () => {
    const fields = { kind: "slack", target: receiver.at("slack"), ship: "on" };
    const { status, location } = await add(fields);
    const [alert] = await list();
    expect([status, location]).toEqual([303, expect.stringContaining(`/alerts/${alert?.id}`)]);
    expect(alert).toMatchObject({ kind: "slack", on: ["incident", "ship", "drop"] });
  });
});

describe("the owner of an alert", () => {
  const target = () => receiver.at(project);
  const button = (name: string) => `${name} Webhook ${host}`;

  test("sends a test, and sees its result in the list", async () => {
    const { id } = await addTarget(server, project, target());
    receiver.reply(project, 410);
    expect((await alice.press(await pageOf(id), button("Test"))).location).toContain(
      path(`/alerts/${id}`),
    );
    const failed = await pageOf(id);
    expect(failed.page.text).toContain("○ Ended by the target.");
    expect(failed.page.text).toContain("■ Gave up after 1 attempt The target responded with 410.");
    await alice.press(failed, "Retry Test");
    const { page } = await pageOf(id);
    for (const part of ["● Active", "● Sent"]) expect(page.text).toContain(part);
    expect(page.buttons.filter((name) => name.startsWith("Retry"))).toEqual([]);
    const ids = receiver.posted(project).map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  test("rotates the secret, and sees the new one once", async () => {
    const { id, secret } = await addTarget(server, project, target());
    const { status, html, page } = await alice.press(await pageOf(id), button("Rotate"));
    const [rotated] = /whsec_[A-Za-z0-9+/]+/.exec(html) ?? [];
    expect([status, rotated]).toEqual([200, expect.stringMatching(SECRET)]);
    expect(rotated).not.toBe(secret);
    expect(page.text).toContain("For 24 hours");
    expect((await pageOf(id)).html).not.toContain("whsec_");
  });

  test("removes it with its deliveries; a second click leads to the list too", async () => {
    const { id } = await addTarget(server, project, target());
    await openIncident(server, project);
    await receiver.waitForRequest(project, 1);
    const before = await pageOf(id);
    expect(before.page.text).toContain("Incident opened https://example.com/page");
    const asked = await alice.press(before, button("Remove"));
    const removed = await alice.press(asked, button("Remove"));
    expect(await list()).toEqual([]);
    expect((await pageOf(id)).status).toBe(404);
    const again = await alice.press(asked, button("Remove"));
    expect([again.status, again.location]).toEqual([303, removed.location]);
    expect((await alice.press(before, button("Remove"))).status).toBe(404);
    const left = await server.sql`select id from messages where alert_id = ${id}`;
    expect(left).toEqual([]);
  });

  test("edits it: errors are at the fields, and the target changes only if it is typed", async () => {
    const { id } = await addTarget(server, project, target());
    const page = await pageOf(id);
    const refused = await alice.press(page, "Save the alert", { target: "https://10.0.0.1/" });
    expect([refused.status, refused.page.problems["target"]]).toEqual([
      422,
      expect.stringContaining("is private"),
    ]);
    expect((await alice.post(path(`/alerts/${id}`), { label: "x" })).page.text).toContain(
      "Select at least one",
    );
    const typed = { label: "Night shift", drop: "on", language: "fr" };
    const saved = await alice.press(page, "Save the alert", typed);
    expect([saved.status, saved.location]).toEqual([
      303,
      expect.stringContaining(path(`/alerts/${id}`)),
    ]);
    expect((await alice.follow(saved)).page.text).toContain("Saved.");
    expect(await list()).toMatchObject([
      { id, label: "Night shift", on: ["incident", "ship", "drop"], language: "fr" },
    ]);
    const unticked = { label: "Night shift", incident: "on", language: "fr" };
    await alice.post(path(`/alerts/${id}`), { ...unticked, target: receiver.at("elsewhere") });
    await alice.press(await pageOf(id), "Test Webhook Night shift");
    expect((await receiver.waitForRequest("elsewhere", 1)).body).toContain('"type":"test"');
    expect(await list()).toMatchObject([{ id, on: ["incident"], state: "active" }]);
    expect(receiver.posted(project)).toEqual([]);
    await server.sql`delete from alerts`;
    expect((await alice.press(page, "Save the alert", typed)).status).toBe(409);
  });
});

test("reaches it only below its own project", async () => {
  const { id } = await addTarget(server, project, receiver.at("tied"));
  const other = await addProject(server, people.alice, "https://example.org/");
  const before = await server.sql`select * from alerts`;
  for (const rest of ["", "/test", "/rotate", "/retry"]) {
    const { status } = await alice.post(`/projects/${other}/alerts/${id}${rest}`, TICKED);
    expect([rest, status]).toEqual([rest, 404]);
  }
  const removal = await alice.post(`/projects/${other}/alerts/${id}/remove`);
  expect(removal.status).toBe(404);
  expect(await server.sql`select * from alerts`).toEqual(before);
});

test("a webhook that a new owner sends to a new target gets a new secret, which its page shows once", async () => {
  const { id, secret } = await addTarget(server, project, receiver.at("former"));
  await shareProject(server.deps, OPERATOR, project, people.bob.email);
  await acceptInvitation(server.deps, actorOf(people.bob), project);
  await offerProject(server.deps, actorOf(people.alice), project, people.bob.email);
  await acceptHandOver(server.deps, actorOf(people.bob), project);
  const bob = await signIn(server, people.bob);
  const edit = (target: string) => bob.post(path(`/alerts/${id}`), { ...TICKED, target });
  expect((await edit("")).status).toBe(303);
  const { status, html } = await edit(receiver.at("newer"));
  const [renewed] = /whsec_[A-Za-z0-9+/]+/.exec(html) ?? [];
  expect([status, renewed]).toEqual([200, expect.stringMatching(SECRET)]);
  expect(renewed).not.toBe(secret);
  const [stored] = await server.sql`select old_secret, state from alerts where id = ${id}`;
  expect(stored).toEqual({ oldSecret: null, state: "active" });
  expect((await edit(receiver.at("newest"))).status).toBe(303);
});

test("for everyone else there is no such form, and a sent form is rejected", async () => {
  await shareProject(server.deps, OPERATOR, project, people.bob.email);
  await acceptInvitation(server.deps, actorOf(people.bob), project);
  const { id } = await addTarget(server, project, receiver.at("kept"));
  const [bob, carol] = [await signIn(server, people.bob), await signIn(server, people.carol)];
  const posts: [rest: string, fields: Record<string, string>][] = [
    ["/settings/alerts", { kind: "webhook", target: receiver.at("x"), ...TICKED }],
    ["/settings/alerts", {}],
    [`/alerts/${id}`, { target: receiver.at("x"), ...TICKED }],
    [`/alerts/${id}`, {}],
    [`/alerts/${id}/test`, {}],
    [`/alerts/${id}/rotate`, {}],
    [`/alerts/${id}/retry`, { delivery: newId("msg") }],
    [`/alerts/${id}/remove`, {}],
  ];
  const before = await server.sql`select * from alerts`;
  for (const [rest, fields] of posts) {
    expect([rest, (await bob.post(path(rest), fields)).status]).not.toContain(200);
    expect([rest, (await bob.post(path(rest), fields)).status]).not.toContain(303);
    expect([rest, (await carol.post(path(rest), fields)).status]).toEqual([rest, 404]);
  }
  for (const client of [bob, carol])
    expect((await client.get(path(`/alerts/${id}`))).status).toBe(404);
  expect(await server.sql`select * from alerts`).toEqual(before);
  const { html } = await bob.get(path("/settings"));
  for (const part of ["/settings/alerts", host]) expect(html).not.toContain(part);
  expect(receiver.posted("kept")).toEqual([]);
  expect(await list()).toHaveLength(1);
});

test("twenty alerts, and one with many deliveries, fit on small pages", async () => {
  await server.sql`
    insert into alerts (id, project_id, kind, target, host, label, tells_incidents, tells_ships, tells_drops, state)
    select 'alr_' || lpad(n::text, 5, '0') || right(${project}, 15), ${project}, 'webhook', '', 'hooks.example.com',
      repeat('&', 60), true, true, true, 'paused'
    from generate_series(1, 20) n`;
  await server.sql`
    insert into messages (id, alert_id, project_id, type, data, state, attempts, error, ended_at)
    select 'msg_' || alerts.id || n, alerts.id, ${project}, 'incident.opened',
      jsonb_build_object('incident', jsonb_build_object('url', 'https://example.com/' || repeat('x', 2000))),
      'dead', n % 10, 'timeout', now()
    from alerts, generate_series(1, 100) n where project_id = ${project}`;
  const shown = await settings();
  expect(shown.page.text).toContain(
    "Paused after 5 days of failures. Send a test message to resume it.",
  );
  const [first] = await list();
  const one = await pageOf(first?.id ?? "");
  expect(one.page.text).toContain("Gave up after 9 attempts");
  expect(one.page.text).toContain("Not sent");
  expect(one.page.buttons.filter((name) => name.startsWith("Retry"))).toHaveLength(30);
  for (const { html } of [shown, one]) expect(Buffer.byteLength(html)).toBeLessThan(50_000);
});
