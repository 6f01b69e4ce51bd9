import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { LEASES } from "../../server/base/bounds.ts";
import { removeAlert, rotateAlert } from "../../server/alerts/alerts.ts";
import { retryDelivery, testAlert } from "../../server/alerts/deliveries.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { listAlerts } from "../../server/db/alerts/alerts.ts";
import { claimAlert } from "../../server/db/alerts/alert-claims.ts";
import { finishAttempt, claimMessage } from "../../server/db/alerts/deliveries.ts";
import { announceShip } from "../../server/db/alerts/outbox.ts";
import {
  addCrowd,
  addTarget,
  closeIncident,
  makeMessagesDue,
  moveBackOneHour,
  openIncident,
  REASON,
  waitForDeliveries,
} from "../harness/alerts.ts";
import { insertPast } from "../harness/past.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { findLinks, withoutBreaks } from "../harness/mail.ts";
import { startReceiver, type Posted, type Reply } from "../harness/receiver.ts";
import { startSilentHosts } from "../harness/silent-hosts.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { useServer } from "../harness/server.ts";
import { valueOf } from "../harness/rows.ts";
import { use } from "../harness/use.ts";

const receiver = use(startReceiver);
const server = useServer({ tickMs: 200 });
const alice = use(() => addPerson(server, "alice"));

const newProject = () => addProject(server, alice, "https://example.com/", "Shop");
/** A webhook of a project of its own. */
async function newTarget(path: string) {
  const projectId = await newProject();
  return { projectId, ...(await addTarget(server, projectId, receiver.at(path))) };
}
const verify = (secret: string, { body, headers }: Posted) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
const idOf = ({ headers }: Posted) => headers["webhook-id"];
const typesOf = (path: string) =>
  receiver.posted(path).map(({ body }) => (JSON.parse(body) as { type: string }).type);
const stateOf = async (projectId: string) => (await listAlerts(server.sql, projectId))[0]?.state;

/** Expects so many seconds from a message's last try to the next, once that try has ended. */
async function expectPause(alertId: string, least: number, most: number): Promise<void> {
  const pauseOf = () =>
    valueOf<number>(server.sql`
      select extract(epoch from due_at - tried_at)::float8 from messages where alert_id = ${alertId}`);
  await waitUntil("the try has ended", async () => ((await pauseOf()) ?? 0) > 0);
  expect(await pauseOf()).toBeGreaterThanOrEqual(least);
  expect(await pauseOf()).toBeLessThan(most);
}

describe.concurrent("a webhook", () => {
  test("receives an incident by Standard Webhooks, and its end", async () => {
    const { projectId, id, secret } = await newTarget("hook");
    const incidentId = await openIncident(server, projectId);
    const opened = await receiver.waitForRequest("hook", 1);
    const data = {
      project: { id: projectId, name: "Shop", url: "https://example.com/" },
      incident: {
        id: incidentId,
        url: "https://example.com/page",
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        reason: REASON.en,
        locations: null,
        closedAt: null,
      },
      deployment: null,
    };
    expect(verify(secret ?? "", opened)).toEqual({
      type: "incident.opened",
      timestamp: expect.stringMatching(/Z$/),
      data,
    });
    expect(opened.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "shipscore/1.0 (alerts)",
    });
    await closeIncident(server, incidentId);
    const closed = await receiver.waitForRequest("hook", 2);
    expect(verify(secret ?? "", closed)).toMatchObject({
      type: "incident.closed",
      data: { incident: { id: incidentId, closedAt: expect.stringMatching(/Z$/) } },
    });
    const deliveries = await waitForDeliveries(server, id, (all) =>
      all.every(({ state }) => state === "sent"),
    );
    expect(deliveries).toMatchObject([
      { id: idOf(opened), type: "incident.opened", attempts: 1, error: null },
      { id: idOf(closed), type: "incident.closed", attempts: 1, error: null },
    ]);
  });

  test("is signed with both secrets during a rotation, and only with the new one afterwards", async () => {
    const { projectId, id, secret: old } = await newTarget("rotated");
    const { secret } = await rotateAlert(server.deps, OPERATOR, id);
    expect(secret).not.toBe(old);
    await openIncident(server, projectId);
    const during = await receiver.waitForRequest("rotated", 1);
    expect(verify(secret, during)).toEqual(verify(old ?? "", during));
    await server.sql`update alerts set old_secret_until = now() where id = ${id}`;
    await openIncident(server, projectId);
    const after = await receiver.waitForRequest("rotated", 2);
    expect(() => verify(old ?? "", after)).toThrow("No matching signature found");
    expect(verify(secret, after)).toMatchObject({ type: "incident.opened" });
  });

  test("that failed gets the same id and the same bytes again, and finally only the end", async () => {
    const { projectId, id } = await newTarget("flaky");
    receiver.reply("flaky", 500, 503);
    const incidentId = await openIncident(server, projectId);
    await waitForDeliveries(server, id, ([first]) => first?.error === "status_500");
    await makeMessagesDue(server, id);
    await waitForDeliveries(server, id, ([first]) => first?.error === "status_503");
    const [first, second] = receiver.posted("flaky");
    expect(idOf(second!)).toBe(idOf(first!));
    expect(second!.body).toBe(first!.body);
    await closeIncident(server, incidentId);
    const last = await receiver.waitForRequest("flaky", 3);
    expect(JSON.parse(last.body)).toMatchObject({ type: "incident.closed" });
    expect(await waitForDeliveries(server, id, ([only]) => only?.state === "sent")).toMatchObject([
      { type: "incident.closed", attempts: 1 },
    ]);
  });
});

describe.concurrent("a target that does not accept a message", () => {
  test.each<[string, Reply, string]>([
    [
      "redirects",
      (response) => response.writeHead(307, { location: "/other" }).end(),
      "redirected",
    ],
    ["refuses", 400, "status_400"],
    ["resets the connection", (response) => response.destroy(), "cut_off"],
    ["answers what is no HTTP", (response) => response.socket!.end("hello\r\n\r\n"), "cut_off"],
  ])("%s: retried after five seconds", async (what, reply, error) => {
    const path = what.replaceAll(" ", "-");
    const { projectId, id } = await newTarget(path);
    receiver.reply(path, reply);
    await openIncident(server, projectId);
    const [delivery] = await waitForDeliveries(server, id, ([first]) => first?.error === error);
    expect(delivery).toMatchObject({ state: "pending", attempts: 1 });
    await expectPause(id, 5, 30);
  });

  test("is tried nine times over a day and a half, then the message is dead, and can be retried by hand", async () => {
    const { projectId, id } = await newTarget("broken");
    receiver.reply("broken", ...Array.from({ length: 9 }, () => 500));
    await openIncident(server, projectId);
    const pauses = [5, 30, 120, 600, 3600, 10_800, 28_800, 86_400];
    for (const [index, pause] of pauses.entries()) {
      await waitForDeliveries(server, id, ([first]) => first?.attempts === index + 1);
      await expectPause(id, pause, pauses[index + 1] ?? 2 * pause);
      await makeMessagesDue(server, id);
    }
    const [dead] = await waitForDeliveries(server, id, ([first]) => first?.state === "dead");
    expect(dead).toMatchObject({ attempts: 9, error: "status_500", dueAt: null });
    expect(await retryDelivery(server.deps, OPERATOR, dead!.id)).toMatchObject({
      state: "sent",
      attempts: 10,
      error: null,
    });
    const posted = receiver.posted("broken");
    expect(new Set(posted.map(({ body }) => body)).size).toBe(1);
    expect(new Set(posted.map(idOf))).toEqual(new Set([dead!.id]));
    await expect(retryDelivery(server.deps, OPERATOR, dead!.id)).rejects.toMatchObject({
      code: "delivery_sent",
    });
  });

  test("can set the time to retry, in seconds or as a date", async () => {
    const { projectId, id } = await newTarget("busy");
    const after = (value: string) => (response: Parameters<Exclude<Reply, number>>[0]) =>
      void response.writeHead(429, { "retry-after": value }).end();
    const inTenMinutes = new Date(Date.now() + 600_000).toUTCString();
    receiver.reply("busy", after("400"), after(inTenMinutes), after("999999999"));
    await openIncident(server, projectId);
    for (const [index, [least, most]] of [
      [400, 500],
      [500, 900],
      [86_400, 100_000],
    ].entries()) {
      await waitForDeliveries(server, id, ([first]) => first?.attempts === index + 1);
      await expectPause(id, least!, most!);
      await makeMessagesDue(server, id);
    }
  });

  test.each([404, 410])(
    "is gone with %i: waiting messages are dead, and nothing more is sent",
    async (status) => {
      const projectId = await newProject();
      const path = `gone-${status}`;
      const { id } = await addTarget(server, projectId, receiver.at(path));
      receiver.reply(path, 500, 500, status);
      await openIncident(server, projectId);
      await openIncident(server, projectId);
      await waitForDeliveries(server, id, (all) => all.every(({ error }) => error !== null));
      await makeMessagesDue(server, id);
      const deliveries = await waitForDeliveries(server, id, (all) =>
        all.every(({ state }) => state === "dead"),
      );
      expect(new Set(deliveries.map(({ error }) => error))).toEqual(
        new Set(["ended", `status_${status}`]),
      );
      expect(await stateOf(projectId)).toBe("ended");
      await openIncident(server, projectId);
      expect(await waitForDeliveries(server, id, () => true)).toHaveLength(2);
      expect(await testAlert(server.deps, OPERATOR, id)).toMatchObject({ state: "sent" });
      expect(await stateOf(projectId)).toBe("active");
    },
  );

  test("is paused after failing for five days, and active again when a test arrives", async () => {
    const { projectId, id } = await newTarget("down");
    receiver.reply("down", 500, 500, 500);
    await openIncident(server, projectId);
    await waitForDeliveries(server, id, ([first]) => first?.error === "status_500");
    await server.sql`update alerts set failing_since = failing_since - interval '5 days' where id = ${id}`;
    await makeMessagesDue(server, id);
    await waitForDeliveries(server, id, ([first]) => first?.state === "dead");
    expect(await stateOf(projectId)).toBe("paused");
    await openIncident(server, projectId);
    expect(await waitForDeliveries(server, id, () => true)).toMatchObject([
      { state: "dead", error: "status_500" },
      { state: "dead", error: "paused" },
    ]);
    const failed = { type: "test", state: "dead", error: "status_500" };
    expect(await testAlert(server.deps, OPERATOR, id)).toMatchObject(failed);
    expect(await stateOf(projectId)).toBe("paused");
    expect(await testAlert(server.deps, OPERATOR, id)).toMatchObject({ state: "sent" });
    expect(await stateOf(projectId)).toBe("active");
  });
});

interface Embed {
  description: string;
}

const HOSTILE =
  "<!channel> @everyone <@U1> [x](https://evil.example) <https://evil.example|x> &amp; `a` *b*";

describe.concurrent("a chat", () => {
  async function tellChat(kind: "slack" | "discord", language: "fr" | "en") {
    const projectId = await addProject(server, alice, "https://example.com/", HOSTILE);
    const path = `${kind}-${language}`;
    await addTarget(server, projectId, receiver.at(path), { kind, language });
    const reason = { fr: `Réponse : ${HOSTILE.repeat(99)}`, en: `Answer: ${HOSTILE.repeat(99)}` };
    await openIncident(server, projectId, "https://example.com/a_b?c=1&d=2", reason);
    return (await receiver.waitForRequest(path, 1)).body;
  }

  test("of Slack gets plain text and a block, in which texts of a site are only text", async () => {
    const body = await tellChat("slack", "en");
    expect(body).not.toMatch(/<[!@#]/);
    const { text, blocks } = JSON.parse(body) as { text: string; blocks: unknown };
    expect(findLinks(text)).toEqual([]);
    expect(withoutBreaks(text)).toContain(
      "”: incident open\nhttps://example.com/a_b?c=1&amp;d=2\nFound: “Answer: &lt;!channel&gt;",
    );
    expect(text).toMatch(/\nSince \d+ \w+ \d{4} at \d\d:\d\d UTC\.$/);
    expect(text.length).toBeLessThanOrEqual(2000);
    expect(blocks).toEqual([{ type: "section", text: { type: "plain_text", text, emoji: false } }]);
  });

  test("of Discord gets plain text and an embed, and mentions nobody", async () => {
    const body = await tellChat("discord", "fr");
    expect(body).not.toMatch(/[^\\]<[!@]|[^\\]\]\(/);
    expect(findLinks(body.replace(/^.*"content"/, ""))).toEqual([]);
    const { content, embeds, ...rest } = JSON.parse(body) as { content: string; embeds: Embed[] };
    expect(rest).toEqual({ allowed_mentions: { parse: [] } });
    expect(withoutBreaks(content)).toContain(
      "\u00a0»\u00a0: incident en cours\nhttps://example.com/a\\_b?c=1&d=2",
    );
    const description = embeds[0]?.description ?? "";
    expect(withoutBreaks(description)).toMatch(
      /^Constaté\u00a0: «\u00a0Réponse : .*»\nEn échec depuis le \d+(?:er)? \S+ \d{4} à \d\d:\d\d UTC\.$/,
    );
    expect(content.length + description.length).toBeLessThanOrEqual(2000);
  });
});

describe.concurrent("messages about events", () => {
  test("one message covers an incident that closed before its opening was sent", async () => {
    const { projectId, id } = await newTarget("joined");
    const claimed = await claimAlert(server.sql, id, LEASES.claimMs);
    await closeIncident(server, await openIncident(server, projectId));
    await server.sql`update alerts set lease_until = now() where claim_id = ${claimed!.claimId}`;
    await waitForDeliveries(server, id, (all) => all.every(({ state }) => state === "sent"));
    expect(typesOf("joined")).toEqual(["incident.closed"]);
  });

  test("a process that dies during a delivery leaves the rest to another, and its late result is ignored", async () => {
    const { projectId, id } = await newTarget("left");
    const dying = (await claimAlert(server.sql, id, LEASES.claimMs))!;
    await openIncident(server, projectId);
    const taken = (await claimMessage(server.deps.database, dying, null))!;
    await server.sql`update alerts set lease_until = now() where id = ${id}`;
    const [sent] = await waitForDeliveries(server, id, ([first]) => first?.state === "sent");
    expect(sent).toMatchObject({ id: taken.id, attempts: 2 });
    expect(idOf(await receiver.waitForRequest("left", 1))).toBe(taken.id);
    const late = { as: "failed", error: "timeout", retryInSeconds: 5, isTargets: true } as const;
    expect(await finishAttempt(server.deps.database, dying, taken, late)).toBeUndefined();
    expect(await waitForDeliveries(server, id, () => true)).toEqual([sent]);
  });

  test("twenty messages are sent within an hour, and the rest as one summary afterwards", async () => {
    const { projectId, id, secret } = await newTarget("many");
    const incidents: string[] = [];
    for (let count = 0; count < 20; count++) incidents.push(await openIncident(server, projectId));
    await receiver.waitForRequest("many", 20);
    await closeIncident(server, incidents[0]!);
    for (let count = 0; count < 25; count++)
      incidents.push(
        await openIncident(server, projectId, `https://example.com/${"long".repeat(300)}`),
      );
    await closeIncident(server, incidents[20]!);
    const test21 = await testAlert(server.deps, OPERATOR, id);
    expect(test21).toMatchObject({ state: "pending", attempts: 0 });
    await makeMessagesDue(server, id);
    await waitForDeliveries(
      server,
      id,
      (all) => all.filter(({ state }) => state === "sent").length === 20,
    );
    await moveBackOneHour(server, id);
    await waitForDeliveries(server, id, (all) => all.every(({ state }) => state === "sent"));
    expect(new Set(typesOf("many").slice(20))).toEqual(new Set(["summary", "test"]));
    const posted = receiver.posted("many").find(({ body }) => body.includes('"summary"'))!;
    expect(posted.body.length).toBeLessThan(20_000);
    const { data } = verify(secret ?? "", posted) as { data: { summary: { first: unknown[] } } };
    expect(data).toMatchObject({
      project: { id: projectId },
      incident: null,
      deployment: null,
      summary: { count: 26, types: { "incident.opened": 24, "incident.closed": 2 } },
    });
    expect(data.summary.first[0]).toMatchObject({
      type: "incident.closed",
      timestamp: expect.stringMatching(/Z$/),
      incident: { id: incidents[0], reason: REASON.en },
      deployment: null,
    });
    await openIncident(server, projectId);
    await receiver.waitForRequest("many", 23);
  });

  test("a deployment is sent once to alerts for deployments or drops, a drop only to alerts for drops", async () => {
    const projectId = await newProject();
    await insertPast(server.sql, projectId, { deployments: 1 });
    const [ship] = await server.sql<{ id: string; checkId: string }>`
      select id, check_id from deployments where project_id = ${projectId}`;
    const paths = {
      both: ["ship", "drop"],
      ships: ["ship"],
      drops: ["drop"],
      none: ["incident"],
    } as const;
    for (const [path, on] of Object.entries(paths))
      await addTarget(server, projectId, receiver.at(path), { on });
    const announce = (isDrop: boolean) =>
      server.deps.database.begin((sql) =>
        announceShip(sql, ship!.id, {
          previousScore: 70,
          changed: ["hdr.csp"],
          ids: [ship!.id],
          isDrop,
        }),
      );
    await announce(false);
    await receiver.waitForRequest("ships", 1);
    await announce(true);
    await receiver.waitForRequest("ships", 2);
    await receiver.waitForRequest("both", 2);
    const { body } = await receiver.waitForRequest("drops", 1);
    expect(JSON.parse(body)).toEqual({
      type: "ship.scored",
      timestamp: expect.stringMatching(/Z$/),
      data: {
        project: { id: projectId, name: "Shop", url: "https://example.com/" },
        incident: null,
        deployment: {
          id: ship!.id,
          url: expect.stringMatching(/^https:/),
          environment: "production",
          commit: expect.stringMatching(/^a+1$/),
          ref: "main",
          deployedAt: expect.stringMatching(/Z$/),
          score: 60,
          verdict: "ship_with_warnings",
          ruleset: "2026.1",
          checkId: ship!.checkId,
          previousScore: 70,
          changed: ["hdr.csp"],
          ids: [ship!.id],
        },
      },
    });
    expect([...body.matchAll(/"(\w+)":/g)].map(([, field]) => field).join(" ")).toBe(
      "type timestamp data project id name url incident deployment id url environment commit ref deployedAt " +
        "score verdict ruleset checkId previousScore changed ids",
    );
    expect(Object.keys(paths).map((path) => receiver.posted(path).length)).toEqual([2, 2, 1, 0]);
  });

  test("an incident whose URL is no longer watched is announced as closed", async () => {
    const projectId = await newProject();
    await addTarget(server, projectId, receiver.at("unwatched"));
    const url = "https://example.com/gone";
    await server.perform("project watch", { id: projectId, url });
    const watched = await server.sql<{ id: string; url: string }>`
      select id, url from watched_urls where project_id = ${projectId}`;
    for (const each of watched) {
      const incident = await openIncident(server, projectId, each.url);
      await server.sql`update incidents set watched_url_id = ${each.id} where id = ${incident}`;
    }
    await receiver.waitForRequest("unwatched", 2);
    await server.perform("project unwatch", { id: projectId, url });
    expect(JSON.parse((await receiver.waitForRequest("unwatched", 3)).body)).toMatchObject({
      type: "incident.closed",
      data: { incident: { url, closedAt: expect.stringMatching(/Z$/) } },
    });
    const edit = { id: projectId, name: "Shop", url: "https://example.com/moved" };
    await server.perform("project edit", edit);
    expect(JSON.parse((await receiver.waitForRequest("unwatched", 4)).body)).toMatchObject({
      type: "incident.closed",
      data: { incident: { url: "https://example.com/" } },
    });
  });

  test("a removed alert and a deleted project send none of the waiting messages", async () => {
    const [removed, deleted] = [await newProject(), await newProject()];
    const alerts = await Promise.all(
      [removed, deleted].map((projectId) => addTarget(server, projectId, receiver.at(projectId))),
    );
    const claims = await Promise.all(
      alerts.map(({ id }) => claimAlert(server.sql, id, LEASES.claimMs)),
    );
    await openIncident(server, removed);
    await openIncident(server, deleted);
    await removeAlert(server.deps, OPERATOR, alerts[0]!.id);
    await server.perform("project remove", { id: deleted, name: "Shop" });
    for (const claim of claims)
      await server.sql`update alerts set lease_until = now() where claim_id = ${claim!.claimId}`;
    const third = await newProject();
    await addTarget(server, third, receiver.at("third"));
    await openIncident(server, third);
    await receiver.waitForRequest("third", 1);
    expect([removed, deleted].map((path) => receiver.posted(path).length)).toEqual([0, 0]);
  });
});

test("a host that does not answer uses eight places, and keeps no other waiting", async () => {
  const silent = await startReceiver();
  try {
    // Those that still wait: the server gives each up after ten seconds.
    const held = new Set<ServerResponse>();
    const projectId = await newProject();
    const paths = Array.from({ length: 12 }, (_, index) => `silent-${index}`);
    for (const path of paths) {
      silent.reply(path, (response) => {
        held.add(response);
        response.on("close", () => held.delete(response));
      });
      await addTarget(server, projectId, `https://localhost:${silent.port}/${path}`);
    }
    await addTarget(server, projectId, receiver.at("beside"));
    await openIncident(server, projectId);
    await receiver.waitForRequest("beside", 1);
    await openIncident(server, projectId);
    await receiver.waitForRequest("beside", 2);
    expect(held.size).toBeLessThanOrEqual(8);
    for (const path of paths) {
      for (const response of held) {
        held.delete(response);
        response.writeHead(204).end();
      }
      await silent.waitForRequest(path, 1);
    }
  } finally {
    await silent.close();
  }
});

test("an account with silent targets at many hosts uses sixteen places, and keeps no other account waiting", async () => {
  const silent = await startSilentHosts();
  try {
    await addCrowd(server, await addPerson(server, "mallory"), 80, silent.port);
    await waitUntil("its places are taken", () => silent.open.size >= 16);
    const projectId = await newProject();
    await addTarget(server, projectId, receiver.at("other"));
    await openIncident(server, projectId);
    await receiver.waitForRequest("other", 1);
    expect(silent.most()).toBe(16);
  } finally {
    await silent.close();
  }
});
