import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { listAlerts } from "../../server/db/alerts/alerts.ts";
import { newId } from "../../server/db/id.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { addTarget, openOne } from "../harness/alerts.ts";
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
const SAID = expect.stringMatching(/\/settings\/alerts\?did=act_\w{20}#did$/);
const list = () => listAlerts(server.sql, project);

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

describe("adding one", () => {
  const add = async (fields: Record<string, string>) =>
    alice.post(path("/settings/alerts"), { kind: "webhook", ...TICKED, ...fields });

  test.each<[fields: Record<string, string>, field: string, why: string]>([
    [{ target: "" }, "target", "not a valid URL"],
    [{ target: "https://10.0.0.1/secret" }, "target", "is private"],
    [{ target: "http://93.184.216.34/" }, "target", "https"],
    [{ kind: "email", target: "ops@example.com" }, "target", "sends no e-mail"],
  ])("%j is refused at its field, and is still there", async (fields, field, why) => {
    const { status, page } = await add(fields);
    expect([status, page.problems[field]]).toEqual([422, expect.stringContaining(why)]);
    expect(page.form(path("/settings/alerts")).fields["target"]?.value).toBe(fields["target"]);
    expect(await list()).toEqual([]);
  });

  test("without an occasion is refused, and with a kind that is none", async () => {
    const { status, page } = await alice.post(path("/settings/alerts"), {
      kind: "webhook",
      target: receiver.at("x"),
    });
    expect([status, page.text]).toEqual([422, expect.stringContaining("Tick at least one")]);
    expect((await add({ kind: "pigeon", target: receiver.at("x") })).status).toBe(422);
    expect(await list()).toEqual([]);
  });

  test("beyond 20 is refused, and what to do is said", async () => {
    await server.sql`
      insert into alerts (id, project_id, kind, target, host, tells_incidents, tells_ships, tells_drops)
      select 'alr_' || n || right(${project}, 15), ${project}, 'slack', '', 'hooks.example.com', true, true, true
      from generate_series(1, 20) n`;
    const { page } = await add({ target: receiver.at("x") });
    expect(page.problems["target"]).toContain("Remove one first");
  });

  test("a webhook's secret is shown once; the page afterwards knows of the target its host alone", async () => {
    const form = await settings();
    const { fields } = form.page.form(path("/settings/alerts"));
    expect(fields["kind"]?.options).toEqual(["webhook", "slack", "discord"]);
    const made = await alice.press(form, "Add the alert", { target: receiver.at("covert?key") });
    expect(made.status).toBe(200);
    expectSoundPage(made.html, "en");
    const [secret = ""] = /whsec_[A-Za-z0-9+/]+/.exec(made.html) ?? [];
    expect(secret).toMatch(SECRET);
    expect(made.page.text).toContain("it is shown only once");
    const { html, page } = await settings();
    expect(html).not.toMatch(/covert|whsec_/);
    expect(page.rows).toContainEqual([
      `Webhook ${host}`,
      "incidents, drops of the score",
      "● Active",
      "Test Rotate Remove",
    ]);
    expect(server.log.join("\n")).not.toMatch(/covert|whsec_/);
  });

  test("another kind has no secret, and leads back", async () => {
    const fields = { kind: "slack", target: receiver.at("slack"), ship: "on" };
    const { status, location } = await add(fields);
    expect([status, location]).toEqual([303, SAID]);
    expect(await list()).toMatchObject([{ kind: "slack", on: ["incident", "ship", "drop"] }]);
  });
});

describe("what its owner does with one", () => {
  const target = () => receiver.at(project);
  const button = (name: string) => `${name} Webhook ${host}`;

  test("a test arrives, and what came of it is listed", async () => {
    await addTarget(server, project, target());
    receiver.reply(project, 410);
    expect((await alice.press(await settings(), button("Test"))).location).toEqual(SAID);
    const failed = await settings();
    expect(failed.page.text).toContain("○ Ended The target has ended it.");
    expect(failed.page.text).toContain("■ Dead The target answered 410.");
    await alice.press(failed, `Retry Test ${button("").trim()}`);
    const { page } = await settings();
    for (const part of ["● Active", "● Sent"]) expect(page.text).toContain(part);
    expect(page.buttons.filter((name) => name.startsWith("Retry"))).toEqual([]);
    const ids = receiver.posted(project).map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  test("a rotation shows the new secret once", async () => {
    const { secret } = await addTarget(server, project, target());
    const { status, html, page } = await alice.press(await settings(), button("Rotate"));
    const [rotated] = /whsec_[A-Za-z0-9+/]+/.exec(html) ?? [];
    expect([status, rotated]).toEqual([200, expect.stringMatching(SECRET)]);
    expect(rotated).not.toBe(secret);
    expect(page.text).toContain("For 24 hours");
    expect((await settings()).html).not.toContain("whsec_");
  });

  test("removed, it is gone with its deliveries; removed again, the page is out of date", async () => {
    const { id } = await addTarget(server, project, target());
    await openOne(server, project);
    await receiver.nth(project, 1);
    const before = await settings();
    expect(before.page.text).toContain("Incident opened");
    await alice.press(before, button("Remove"));
    expect(await list()).toEqual([]);
    expect((await settings()).page.text).not.toContain("Last deliveries");
    const again = await alice.press(before, button("Remove"));
    expect([again.status, again.page.h1]).toEqual([409, "Page out of date"]);
    const left = await server.sql`select id from messages where alert_id = ${id}`;
    expect(left).toEqual([]);
  });
});

test("to everybody else there is no such form, and what is sent is refused", async () => {
  await shareProject(server.deps, OPERATOR, project, people.bob.email);
  await acceptInvitation(server.deps, actorOf(people.bob), project);
  const { id } = await addTarget(server, project, receiver.at("kept"));
  const [bob, carol] = [await signIn(server, people.bob), await signIn(server, people.carol)];
  const posts: [rest: string, fields: Record<string, string>][] = [
    ["", { kind: "webhook", target: receiver.at("x"), ...TICKED }],
    ["", {}],
    ["/test", { alert: id }],
    ["/rotate", { alert: id }],
    ["/remove", { alert: id }],
    ["/retry", { delivery: newId("msg") }],
  ];
  for (const [rest, fields] of posts) {
    expect([rest, (await bob.post(path(`/settings/alerts${rest}`), fields)).status]).not.toContain(
      200,
    );
    expect([rest, (await bob.post(path(`/settings/alerts${rest}`), fields)).status]).not.toContain(
      303,
    );
    const { status } = await carol.post(path(`/settings/alerts${rest}`), fields);
    expect([rest, status]).toEqual([rest, rest === "" ? 404 : 409]);
  }
  const { html } = await bob.get(path("/settings"));
  for (const part of ["/alerts", host]) expect(html).not.toContain(part);
  expect(receiver.posted("kept")).toEqual([]);
  expect(await list()).toHaveLength(1);
});

test("alerts of one kind and host are told apart by the end of their ids", async () => {
  const one = await addTarget(server, project, receiver.at("one"));
  expect((await settings()).page.buttons).toContain(`Test Webhook ${host}`);
  const other = await addTarget(server, project, receiver.at("other"));
  const { buttons } = (await settings()).page;
  for (const { id } of [one, other])
    expect(buttons).toContain(`Test Webhook ${host} …${id.slice(-4)}`);
});

test("twenty alerts with many deliveries cost one page no more queries and few bytes", async () => {
  await server.sql`
    insert into alerts (id, project_id, kind, target, host, tells_incidents, tells_ships, tells_drops)
    select 'alr_' || n || right(${project}, 15), ${project}, 'webhook', '', 'hooks.example.com', true, true, true
    from generate_series(1, 20) n`;
  await server.sql`
    insert into messages (id, alert_id, project_id, type, data, state, error, ended_at)
    select 'msg_' || alerts.id || n, alerts.id, ${project}, 'incident.opened', '{}', 'dead', 'timeout', now()
    from alerts, generate_series(1, 100) n where project_id = ${project}`;
  const { html, page } = await settings();
  expect(page.buttons.filter((name) => name.startsWith("Retry"))).toHaveLength(5);
  expect(Buffer.byteLength(html)).toBeLessThan(50_000);
});
