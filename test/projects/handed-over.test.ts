import { beforeAll, beforeEach, expect, test } from "vitest";
import { testAlert } from "../../server/alerts/deliveries.ts";
import { LEASES } from "../../server/base/bounds.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { claimAlert } from "../../server/db/alerts/alert-claims.ts";
import { finishAttempt, claimMessage } from "../../server/db/alerts/deliveries.ts";
import { recordConsent } from "../../server/alerts/recipients.ts";
import { upsertRecipient } from "../../server/db/alerts/recipients.ts";
import { acceptHandOver, offerProject } from "../../server/projects/hand-over.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { removeMember } from "../../server/projects/members.ts";
import { addTarget, openIncident, waitForDeliveries } from "../harness/alerts.ts";
import { signIn } from "../harness/application.ts";
import { addHook, deliver, sendToHook, type AddedHook } from "../harness/deployment-hosts.ts";
import { startMailRelay } from "../harness/mail.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { startReceiver } from "../harness/receiver.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const EVENT = { type: "deployment.succeeded" };

const receiver = use(startReceiver);
const relay = use(startMailRelay);
const server = use(() =>
  startTestServer({ env: relay.env, roots: [receiver.authority.certificate] }),
);
let alice: Person;
let bob: Person;
let project: string;

beforeAll(async () => {
  ({ alice, bob } = await addPeople(server));
});
/** Alice's project, of which Bob is a member. */
beforeEach(async () => {
  project = await addProject(server, alice, "https://127.0.0.1:9/", "Shop");
  await shareProject(server.deps, OPERATOR, project, bob.email);
  await acceptInvitation(server.deps, actorOf(bob), project);
});

async function handOver() {
  await offerProject(server.deps, actorOf(alice), project, bob.email);
  await acceptHandOver(server.deps, actorOf(bob), project);
}
const add = (path: string, actor = actorOf(alice)) =>
  addTarget(server, project, receiver.at(path), {}, actor);
const stateOf = async (id: string) =>
  (await server.sql<{ state: string }>`select state from alerts where id = ${id}`)[0]?.state;

test("alerts that the former owner added, or that go to their address, send nothing more", async () => {
  const own = await add("own");
  const [operators, ownMail, bobsMail] = [
    await addTarget(server, project, receiver.at("operators")),
    await addTarget(server, project, alice.email, { kind: "email" }),
    await addTarget(server, project, bob.email, { kind: "email" }),
  ];
  const before = relay.received.filter(({ to }) => to.includes(alice.email)).length;
  await handOver();
  expect(
    await Promise.all([own, operators, ownMail, bobsMail].map(({ id }) => stateOf(id))),
  ).toEqual(["handed_over", "active", "handed_over", "active"]);
  await removeMember(server.deps, actorOf(bob), project, alice.email);
  await openIncident(server, project);
  await receiver.waitForRequest("operators", 1);
  await waitForDeliveries(server, bobsMail.id, ([sent]) => sent?.state === "sent");
  for (const { id } of [own, ownMail])
    expect(await waitForDeliveries(server, id, () => true)).toMatchObject([
      { state: "dead", attempts: 0, error: "handed_over" },
    ]);
  expect(receiver.posted("own")).toEqual([]);
  expect(relay.received.filter(({ to }) => to.includes(alice.email))).toHaveLength(before);

  expect(await testAlert(server.deps, actorOf(bob), own.id)).toMatchObject({ state: "sent" });
  expect(await stateOf(own.id)).toBe("active");
  // The former owner is none of the project's people any more.
  expect(await testAlert(server.deps, actorOf(bob), ownMail.id)).toMatchObject({
    state: "dead",
    error: "waiting",
  });
});

test("alerts that the former owner ended at another address do not start again from there", async () => {
  const second = "alice-too@example.com";
  const { id } = await addTarget(server, project, second, { kind: "email" }, actorOf(alice));
  const hashes = server.deps.secretBox.hash(second, project);
  const recipient = await upsertRecipient(server.sql, project, hashes);
  await recordConsent(server.deps, recipient.id, "ended");
  await handOver();
  await recordConsent(server.deps, recipient.id, "accepted");
  expect(await stateOf(id)).toBe("handed_over");
});

test("a message that is being sent during the transfer does not start an alert again", async () => {
  const { id } = await add("late");
  const claimed = (await claimAlert(server.sql, id, LEASES.claimMs))!;
  await openIncident(server, project);
  const taken = (await claimMessage(server.deps.database, claimed, null))!;
  await handOver();
  const ended = await finishAttempt(server.deps.database, claimed, taken, { as: "sent" });
  expect([ended, await stateOf(id)]).toEqual([undefined, "handed_over"]);
});

test("incoming webhooks reject the former owner's signatures, until the new owner sets a secret", async () => {
  const hook = await addHook(server, project, "plain");
  const second = await server.perform<AddedHook>("hook rotate", { id: hook.id });
  const bySecret = async (secret: string) => (await deliver({ ...hook, secret }, EVENT)).status;
  expect([await bySecret(hook.secret), await bySecret(second.secret)]).toEqual([202, 202]);
  await handOver();
  expect([await bySecret(hook.secret), await bySecret(second.secret)]).toEqual([401, 401]);
  // What is compared where there is no secret opens nothing.
  expect(await bySecret("decoy")).toBe(401);
  const answers = [hook.url, new URL("/hooks/hook_00000000000000000000", hook.url).href].map(
    async (url) => {
      const response = await sendToHook(url, "{}", {});
      const { "x-request-id": _, date: __, ...headers } = Object.fromEntries(response.headers);
      return { status: response.status, headers, body: await response.text() };
    },
  );
  const [refused, unknown] = await Promise.all(answers);
  expect(refused).toEqual(unknown);
  await server.deps.work.end();
  const deliveries = await server.perform<{ event: string; outcome: string }[]>("hook deliveries", {
    id: hook.id,
  });
  expect(deliveries.slice(0, 4)).toEqual(
    Array(4).fill(expect.objectContaining({ event: "unknown", outcome: "refused: handed over" })),
  );

  const third = await server.perform<AddedHook>("hook rotate", { id: hook.id });
  const statuses = [hook.secret, second.secret, third.secret].map(bySecret);
  expect(await Promise.all(statuses)).toEqual([401, 401, 202]);
});

test("the new owner sees both on the next page, until they are settled; no one else does", async () => {
  await add("seen");
  await addHook(server, project, "github");
  await offerProject(server.deps, actorOf(alice), project, bob.email);
  const client = await signIn(server, bob);
  const accepted = await client.press(await client.get("/projects"), "Accept Shop");
  const follows = await client.get(accepted.location ?? "");
  const HOOKS = "The incoming webhooks refuse everything: a former owner knows their secrets.";
  const ALERTS = "Alerts are paused: a former owner chose them.";
  for (const words of [HOOKS, ALERTS]) expect(follows.page.text).toContain(words);
  const member = await (await signIn(server, alice)).get(`/projects/${project}`);
  expect(member.page.text).not.toMatch(/former owner/);

  const findPage = async (list: "hooks" | "alerts") => {
    const { page } = await client.get(`/projects/${project}/settings/${list}`);
    const own = Object.values(page.links).find((href) => href.includes(`/${list}/`)) ?? "";
    return { text: page.text, own: await client.get(own) };
  };
  const [hooks, alerts] = [await findPage("hooks"), await findPage("alerts")];
  for (const text of [hooks.text, hooks.own.page.text])
    expect(text).toContain("■ Refuses all events A former owner knows the secret.");
  for (const text of [alerts.text, alerts.own.page.text])
    expect(text).toContain(
      "▲ Paused since the project was transferred. Send a test message to resume it.",
    );
  await client.press(alerts.own, `Test Webhook ${new URL(receiver.url).host}`);
  expect((await client.get(`/projects/${project}`)).page.text).not.toContain(ALERTS);
  await client.press(hooks.own, "Save the secret");
  expect((await client.get(`/projects/${project}`)).page.text).not.toMatch(/former owner/);
});
