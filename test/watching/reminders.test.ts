import { beforeEach, describe, expect, test } from "vitest";
import { queueReminders } from "../../server/db/alerts/outbox.ts";
import { actorOf, addPeople, addProject } from "../harness/people.ts";
import { acknowledgeIncident } from "../../server/projects/incidents.ts";
import { addTarget, closeIncident, openIncident } from "../harness/alerts.ts";
import { startReceiver } from "../harness/receiver.ts";
import { columnOf } from "../harness/rows.ts";
import { useServer } from "../harness/server.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const UNKNOWN = "inc_00000000000000000000";
const receiver = use(startReceiver);
const server = useServer({ tickMs: 200 });
const people = use(() => addPeople(server));
let project: string;
let path: string;
let count = 0;
beforeEach(async () => {
  await server.sql`update projects set owner_id = null`;
  project = await addProject(server, people.alice, "https://example.com/", "Shop");
  path = `target-${++count}`;
});

const addOne = (wanted: { after?: number; remind?: number }) =>
  addTarget(server, project, receiver.at(path), wanted);
const told = () =>
  receiver.posted(path).map(({ body }) => (JSON.parse(body) as { type: string }).type);
const waiting = () =>
  columnOf<string>(server.sql`
    select type || case when due_at > now() then ' later' else '' end from messages
    where project_id = ${project} and state = 'pending' order by created_at`);
/** Waits until these were received and noted as sent. */
const untilTold = (...types: string[]) =>
  waitUntil(types.join(), async () => {
    const isSent = (await waiting()).every((one) => one.endsWith(" later"));
    return isSent && told().join() === types.join();
  });
/** Lets minutes pass for the project's incidents, its alerts and what waits. */
async function pass(minutes: number): Promise<void> {
  const by = `${minutes} minutes`;
  await server.sql`
    update incidents set since = since - ${by}::interval, silenced_until = silenced_until - ${by}::interval
    where project_id = ${project}`;
  await server.sql`
    update messages set due_at = due_at - ${by}::interval where project_id = ${project} and state = 'pending'`;
  await server.sql`
    update alerts set due_at = due_at - ${by}::interval, remind_at = remind_at - ${by}::interval,
      reminded_at = reminded_at - ${by}::interval
    where project_id = ${project}`;
  await queueReminders(server.deps.database);
}
const silence = (id: string, until: string) => server.perform("incident silence", { id, until });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe("a rejected action on an incident", () => {
  test.each<[string, string, object, RegExp]>([
    ["ack", "an unknown one", { id: UNKNOWN }, /no incident/],
    ["silence", "an unknown one", { id: UNKNOWN, until: "now" }, /no incident/],
    ["publish", "an unknown one", { id: UNKNOWN, text: "x" }, /no incident/],
    ["ack", "a long note", { note: "x".repeat(501) }, /500/],
    ["silence", "a time that is past", { until: "2020-01-01T00:00Z" }, /past/],
    ["silence", "a time that is none", { until: "later" }, /not a time/],
  ])("%s: %s", async (verb, _what, input, words) => {
    const id = await openIncident(server, project);
    await expect(server.perform(`incident ${verb}`, { id, ...input })).rejects.toThrow(words);
  });

  test("acknowledging a closed one; members may not, and for strangers it does not exist", async () => {
    const id = await openIncident(server, project);
    await expect(
      acknowledgeIncident(server.deps, actorOf(people.carol), id, null),
    ).rejects.toMatchObject({
      code: "incident_not_found",
    });
    await closeIncident(server, id);
    await expect(server.perform("incident ack", { id })).rejects.toThrow(/already closed/);
    await expect(silence(id, inHours(1))).rejects.toThrow(/already closed/);
  });
});

test.each([
  [{ after: "0" }, /1 to 1440/],
  [{ after: "soon" }, /1 to 1440/],
  [{ remind: "169" }, /1 to 168/],
])("an alert with %j is rejected", async (input, words) => {
  const target = {
    project,
    kind: "webhook",
    target: receiver.at("x"),
    on: "incident",
    language: "en",
  };
  await expect(server.perform("alert add", { ...target, ...input })).rejects.toThrow(words);
});

describe("an alert after ten minutes", () => {
  test("sends nothing about an incident that closes before", async () => {
    await addOne({ after: 10 });
    const id = await openIncident(server, project);
    expect(await waiting()).toEqual(["incident.opened later"]);
    await pass(9);
    await closeIncident(server, id);
    expect([await waiting(), told()]).toEqual([[], []]);
  });

  test("sends the opening of an incident that lasts, and its end", async () => {
    await addOne({ after: 10 });
    const id = await openIncident(server, project);
    await pass(10);
    await untilTold("incident.opened");
    await closeIncident(server, id);
    await untilTold("incident.opened", "incident.closed");
  });
});

describe("an alert that reminds every two hours", () => {
  test("reminds while the incident is open, once each time", async () => {
    await addOne({ remind: 2 });
    const id = await openIncident(server, project);
    await untilTold("incident.opened");
    await pass(119);
    expect(await waiting()).toEqual([]);
    await pass(2);
    await queueReminders(server.deps.database);
    await untilTold("incident.opened", "incident.reminder");
    expect(JSON.parse(receiver.posted(path)[1]!.body)).toMatchObject({
      data: { incident: { id, closedAt: null } },
    });
    await pass(120);
    await untilTold("incident.opened", "incident.reminder", "incident.reminder");
    await closeIncident(server, id);
    await pass(600);
    await untilTold("incident.opened", "incident.reminder", "incident.reminder", "incident.closed");
  });

  test("stops once it is acknowledged; the incident says by whom, and keeps the first", async () => {
    await addOne({ remind: 2 });
    const id = await openIncident(server, project);
    await untilTold("incident.opened");
    await acknowledgeIncident(server.deps, actorOf(people.alice), id, "on it");
    await server.perform("incident ack", { id });
    await server.perform("incident publish", { id, text: "We are on it." });
    await pass(300);
    expect(await waiting()).toEqual([]);
    expect(await server.perform("incident list", { project })).toMatchObject([
      {
        id,
        acknowledgedBy: people.alice.email,
        note: "on it",
        publicNote: "We are on it.",
        closedAt: null,
      },
    ]);
    await server.perform("incident publish", { id, text: "" });
    expect(await server.perform("incident list", { project })).toMatchObject([
      { publicNote: null },
    ]);
  });

  test("does not remind under maintenance", async () => {
    await addOne({ remind: 2 });
    await openIncident(server, project);
    await untilTold("incident.opened");
    await server.perform("maintenance add", { project, from: "now", to: inHours(9) });
    await pass(121);
    expect(await waiting()).toEqual([]);
    await server.sql`update maintenance set ends_at = now() where project_id = ${project}`;
    await pass(120);
    await untilTold("incident.opened", "incident.reminder");
  });
});

describe("a silenced incident", () => {
  test("sends nothing to alerts that had not sent its opening, not even its end", async () => {
    await addOne({ after: 10, remind: 1 });
    const id = await openIncident(server, project);
    await silence(id, inHours(3));
    await pass(150);
    expect(await waiting()).toEqual(["incident.opened later"]);
    await closeIncident(server, id);
    await pass(60);
    expect([await waiting(), told()]).toEqual([[], []]);
  });

  test("sends its end to alerts that had sent its opening", async () => {
    await addOne({ remind: 1 });
    const id = await openIncident(server, project);
    await untilTold("incident.opened");
    await silence(id, inHours(5));
    await pass(200);
    await closeIncident(server, id);
    await untilTold("incident.opened", "incident.closed");
  });

  test("sends its opening when the time is over, if it is still open, or when silencing is canceled", async () => {
    await addOne({ after: 10 });
    const [one, other] = [await openIncident(server, project), await openIncident(server, project)];
    await silence(one, inHours(1));
    await silence(other, inHours(5));
    await pass(61);
    await untilTold("incident.opened");
    await silence(other, "now");
    await untilTold("incident.opened", "incident.opened");
  });
});
