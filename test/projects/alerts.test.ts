import { beforeAll, describe, expect, inject, test } from "vitest";
import {
  editAlert,
  removeAlert,
  rotateAlert,
  type WantedAlert,
} from "../../server/alerts/alerts.ts";
import { retryDelivery, testAlert } from "../../server/alerts/deliveries.ts";
import { OPERATOR, type Manager } from "../../server/db/accounts/actors.ts";
import { listAlerts } from "../../server/db/alerts/alerts.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { addTarget, openIncident, waitForDeliveries } from "../harness/alerts.ts";
import { actorOf, addPeople, addProject } from "../harness/people.ts";
import { startReceiver } from "../harness/receiver.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const NO_ALERT = "alr_00000000000000000000";
const NO_DELIVERY = "msg_00000000000000000000";

let projectId: string;

/** Alice's project, of which Bob is a member; Carol has nothing to do with it. */
const receiver = use(startReceiver);
const server = use(() =>
  startTestServer({
    env: { SHIPSCORE_LOG_LEVEL: "debug", SHIPSCORE_ALERT_NETWORKS: "127.0.0.0/8" },
  }),
);
const people = use(() => addPeople(server));
beforeAll(async () => {
  projectId = await addProject(server, people.alice, "https://example.com/", "Shop");
  await shareProject(server.deps, OPERATOR, projectId, people.bob.email);
  await acceptInvitation(server.deps, actorOf(people.bob), projectId);
});

const add = (actor: Manager, target: string, kind: "webhook" | "slack" | "email" = "webhook") =>
  addTarget(server, projectId, target, { kind }, actor);

const edit = (actor: Manager, id: string, change: Partial<WantedAlert> = {}) =>
  editAlert(server.deps, actor, id, {
    target: "",
    on: ["incident", "ship"],
    language: "en",
    ...change,
  });

test.each([
  ["a private address", "https://10.1.2.3/x", "private"],
  ["http outside the allowed networks", "http://93.184.215.14/x", "not_https"],
  ["another port", "https://93.184.215.14:9000/x", "port"],
  ["a user name", "https://user@example.com/x", "userinfo"],
  ["no URL", "somewhere", "unparseable"],
  ["a name of this network", "https://intranet.local/x", "private"],
])("%s is rejected as a target", async (_what, target, reason) => {
  const refused = { code: "url_refused", parameters: { code: reason } };
  await expect(add(OPERATOR, target)).rejects.toMatchObject(refused);
  expect(await listAlerts(server.sql, projectId)).toEqual([]);
});

test("without a relay an e-mail alert is rejected", async () => {
  await expect(add(OPERATOR, "a@example.com", "email")).rejects.toMatchObject({
    code: "alert_needs_mail",
  });
});

describe("an alert of a project", () => {
  let id: string;
  let messageId: string;

  test("is added by its owner, and shows only the host of its target", async () => {
    const target = receiver.at("very-secret-path");
    await expect(add(actorOf(people.bob), target)).rejects.toMatchObject({ code: "owner_only" });
    await expect(add(actorOf(people.carol), target)).rejects.toMatchObject({
      code: "project_not_found",
    });
    const added = await add(actorOf(people.alice), target);
    expect(added).toEqual({
      id: expect.stringMatching(/^alr_/),
      kind: "webhook",
      on: ["incident", "ship"],
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
    });
    id = added.id;
    expect(await listAlerts(server.sql, projectId)).toEqual([
      {
        id,
        kind: "webhook",
        on: ["incident", "ship"],
        label: "",
        target: `127.0.0.1:${receiver.port}`,
        host: `127.0.0.1:${receiver.port}`,
        language: "en",
        state: "active",
        failingSince: null,
        after: null,
        remind: null,
      },
    ]);
  });

  test("can be tested only by its owner, who can also retry a delivery", async () => {
    receiver.reply("very-secret-path", 500);
    const tried = await testAlert(server.deps, actorOf(people.alice), id);
    expect(tried).toMatchObject({ type: "test", state: "pending", error: "status_500" });
    messageId = tried.id;
    for (const [actor, code] of [
      [actorOf(people.bob), "owner_only"],
      [actorOf(people.carol), "alert_not_found"],
    ] as const) {
      await expect(testAlert(server.deps, actor, id)).rejects.toMatchObject({ code });
      await expect(retryDelivery(server.deps, actor, messageId)).rejects.toMatchObject({ code });
      await expect(rotateAlert(server.deps, actor, id)).rejects.toMatchObject({ code });
      await expect(removeAlert(server.deps, actor, id)).rejects.toMatchObject({ code });
      await expect(edit(actor, id, { target: receiver.at("theirs") })).rejects.toMatchObject({
        code,
      });
    }
    expect(await listAlerts(server.sql, projectId)).toMatchObject([{ on: ["incident", "ship"] }]);
    expect(await retryDelivery(server.deps, actorOf(people.alice), messageId)).toMatchObject({
      id: messageId,
      state: "sent",
      attempts: 2,
    });
  });

  test("stays paused when it is edited, and starts again with a new target", async () => {
    const read = async () => (await listAlerts(server.sql, projectId))[0];
    await server.sql`update alerts set state = 'paused', failing_since = now() where id = ${id}`;
    await edit(actorOf(people.alice), id, { label: "Nights", on: ["drop"], language: "fr" });
    expect(await read()).toMatchObject({
      label: "Nights",
      on: ["drop"],
      language: "fr",
      state: "paused",
    });
    await edit(OPERATOR, id, { target: receiver.at("very-secret-path") });
    expect(await read()).toMatchObject({ label: "", state: "active", failingSince: null });
  });

  test("has a limit of test messages", async () => {
    await server.sql`update buckets set full_at = now() + interval '1 hour'`;
    await expect(testAlert(server.deps, actorOf(people.alice), id)).rejects.toMatchObject({
      code: "too_often",
    });
    expect(await testAlert(server.deps, OPERATOR, id)).toMatchObject({ state: "sent" });
  });

  test("leaves no target and no secret in the log, the audit or the tables", async () => {
    const { secret } = await rotateAlert(server.deps, OPERATOR, id);
    receiver.reply("very-secret-path", 500);
    await openIncident(server, projectId);
    await waitForDeliveries(server, id, (all) => all.some(({ error }) => error !== null));
    const rows = await server.sql<{ text: string }>`
      select array_to_string(array(select alerts::text from alerts), '') ||
        array_to_string(array(select messages::text from messages), '') ||
        array_to_string(array(select events::text from events), '') as text`;
    const hex = (text: string) => Buffer.from(text).toString("hex");
    for (const place of [server.log.join(""), rows[0]!.text])
      for (const seen of ["very-secret-path", secret.slice(6)]) {
        expect(place).not.toContain(seen);
        expect(place).not.toContain(hex(seen));
      }
    expect(server.log.join("")).toContain("a message was not delivered");
  });

  test("is removed with its deliveries; unknown ones are not found", async () => {
    await removeAlert(server.deps, actorOf(people.alice), id);
    expect(await listAlerts(server.sql, projectId)).toEqual([]);
    for (const gone of [id, NO_ALERT, "nonsense"]) {
      const code = "alert_not_found";
      await expect(removeAlert(server.deps, OPERATOR, gone)).rejects.toMatchObject({ code });
      await expect(rotateAlert(server.deps, OPERATOR, gone)).rejects.toMatchObject({ code });
      await expect(edit(OPERATOR, gone)).rejects.toMatchObject({ code });
      await expect(testAlert(server.deps, OPERATOR, gone)).rejects.toMatchObject({ code });
    }
    for (const gone of [messageId, NO_DELIVERY])
      await expect(retryDelivery(server.deps, OPERATOR, gone)).rejects.toMatchObject({
        code: "delivery_not_found",
      });
    const events = await server.sql<{ action: string }>`
      select action from events where project_id = ${projectId} and action like 'alert.%' order by events.id`;
    expect(events.map(({ action }) => action)).toEqual([
      "alert.added",
      "alert.edited",
      "alert.edited",
      "alert.rotated",
      "alert.removed",
    ]);
  });
});

test("uses its new target even for a message that is being sent; the result of the old attempt is ignored", async () => {
  const { id } = await add(actorOf(people.alice), receiver.at("before"));
  const answers: (() => void)[] = [];
  receiver.reply("before", (response) => answers.push(() => void response.writeHead(410).end()));
  await openIncident(server, projectId);
  const first = await receiver.waitForRequest("before", 1);
  await edit(actorOf(people.alice), id, { target: receiver.at("after") });
  for (const answer of answers) answer();
  const second = await receiver.waitForRequest("after", 1);
  expect([second.headers["webhook-id"], second.body]).toEqual([
    first.headers["webhook-id"],
    first.body,
  ]);
  const [delivery] = await waitForDeliveries(server, id, ([one]) => one?.state === "sent");
  expect(delivery).toMatchObject({ attempts: 2, error: null });
  expect(await listAlerts(server.sql, projectId)).toMatchObject([{ id, state: "active" }]);
  await removeAlert(server.deps, OPERATOR, id);
});

test("only a webhook has a secret; a project has at most twenty alerts", async () => {
  const slack = await add(OPERATOR, receiver.at("slack"), "slack");
  expect(slack.secret).toBeNull();
  await expect(rotateAlert(server.deps, OPERATOR, slack.id)).rejects.toMatchObject({
    code: "alert_without_secret",
  });
  const more = Array.from({ length: 21 }, (_, index) => add(OPERATOR, receiver.at(`${index}`)));
  const added = await Promise.allSettled(more);
  const refused = added.filter(({ status }) => status === "rejected");
  expect(refused).toMatchObject([
    { reason: { code: "too_many_alerts", parameters: { limit: 20 } } },
    { reason: { code: "too_many_alerts" } },
  ]);
});

/** The embedded database has a key of its own. */
const onPostgres = test.runIf(inject("database") === "postgres");
onPostgres("without a key nothing is added, and what was sealed cannot be sent", async () => {
  const keyless = await startTestServer({ env: { SHIPSCORE_SECRET_KEY: "" } });
  try {
    const { alice } = await addPeople(keyless);
    const own = await addProject(keyless, alice, "https://example.com/", "Shop");
    await expect(addTarget(keyless, own, receiver.at("x"))).rejects.toMatchObject({
      code: "secret_key_missing",
    });
    await keyless.sql`
      insert into alerts (id, project_id, kind, target, host, tells_incidents, tells_ships, tells_drops)
      values (${NO_ALERT}, ${own}, 'slack', '\\x00', 'x.example', true, true, true)`;
    expect(await testAlert(keyless.deps, OPERATOR, NO_ALERT)).toMatchObject({
      state: "pending",
      error: "key_missing",
    });
    expect(await listAlerts(keyless.sql, own)).toMatchObject([{ failingSince: null }]);
  } finally {
    await keyless.close();
  }
});
