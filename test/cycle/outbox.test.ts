import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rotateAlert } from "../../server/alerts/alerts.ts";
import { OPERATOR } from "../../server/db/actors.ts";
import { addTarget, closeOne, hurry, openOne, REASON, untilDeliveries } from "../harness/alerts.ts";
import { addPerson, addProject, type Person } from "../harness/people.ts";
import { startReceiver, type Posted, type Receiver } from "../harness/receiver.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let receiver: Receiver;
let alice: Person;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await startTestServer({ roots: [receiver.authority.certificate] });
  alice = await addPerson(server, "alice");
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const newProject = () => addProject(server, alice, "https://example.com/", "Shop");
const verify = (secret: string, { body, headers }: Posted) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
const idOf = ({ headers }: Posted) => headers["webhook-id"];

describe("a webhook", () => {
  test("is told of an incident as Standard Webhooks has it, and of its end", async () => {
    const projectId = await newProject();
    const { id, secret } = await addTarget(server, projectId, receiver.at("hook"));
    const incidentId = await openOne(server, projectId);
    const opened = await receiver.nth("hook", 1);
    const told = {
      project: { id: projectId, name: "Shop", url: "https://example.com/" },
      incident: {
        id: incidentId,
        url: "https://example.com/page",
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        reason: REASON.en,
        closedAt: null,
      },
      deployment: null,
    };
    expect(verify(secret ?? "", opened)).toEqual({
      type: "incident.opened",
      timestamp: expect.stringMatching(/Z$/),
      data: told,
    });
    expect(opened.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "shipscore/1.0 (alerts)",
    });
    await closeOne(server, incidentId);
    const closed = await receiver.nth("hook", 2);
    expect(verify(secret ?? "", closed)).toMatchObject({
      type: "incident.closed",
      data: { incident: { id: incidentId, closedAt: expect.stringMatching(/Z$/) } },
    });
    const deliveries = await untilDeliveries(server, id, (all) =>
      all.every(({ state }) => state === "sent"),
    );
    expect(deliveries).toMatchObject([
      { id: idOf(opened), type: "incident.opened", attempts: 1, error: null },
      { id: idOf(closed), type: "incident.closed", attempts: 1, error: null },
    ]);
  });

  test("is signed with both secrets during a rotation, and with the new one alone afterwards", async () => {
    const projectId = await newProject();
    const { id, secret: old } = await addTarget(server, projectId, receiver.at("rotated"));
    const { secret } = await rotateAlert(server.deps, OPERATOR, id);
    expect(secret).not.toBe(old);
    await openOne(server, projectId);
    const during = await receiver.nth("rotated", 1);
    expect(verify(secret, during)).toEqual(verify(old ?? "", during));
    await server.sql`update alerts set old_secret_until = now() where id = ${id}`;
    await openOne(server, projectId);
    const after = await receiver.nth("rotated", 2);
    expect(() => verify(old ?? "", after)).toThrow("No matching signature found");
    expect(verify(secret, after)).toMatchObject({ type: "incident.opened" });
  });

  test("that failed gets the same id and the same bytes again, and at the last the end alone", async () => {
    const projectId = await newProject();
    const { id } = await addTarget(server, projectId, receiver.at("flaky"));
    receiver.reply("flaky", 500, 503);
    const incidentId = await openOne(server, projectId);
    await untilDeliveries(server, id, ([first]) => first?.error === "status_500");
    await hurry(server, id);
    await untilDeliveries(server, id, ([first]) => first?.error === "status_503");
    const [first, second] = receiver.posted("flaky");
    expect(idOf(second!)).toBe(idOf(first!));
    expect(second!.body).toBe(first!.body);
    await closeOne(server, incidentId);
    const last = await receiver.nth("flaky", 3);
    expect(JSON.parse(last.body)).toMatchObject({ type: "incident.closed" });
    expect(await untilDeliveries(server, id, ([only]) => only?.state === "sent")).toMatchObject([
      { type: "incident.closed", attempts: 1 },
    ]);
  });
});
