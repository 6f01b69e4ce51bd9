import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { MAILS } from "../../server/alerts/kinds/email.ts";
import { addAlert, editAlert, removeAlert } from "../../server/alerts/alerts.ts";
import { testAlert } from "../../server/alerts/deliveries.ts";
import { notifyOwnerOfPause } from "../../server/alerts/letters.tsx";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { leaveProject, removeMember } from "../../server/projects/members.ts";
import { insertTest } from "../../server/db/alerts/alerts.ts";
import { readBucket, returnToBucket, takeFromBucket } from "../../server/db/checks/buckets.ts";
import {
  addTarget,
  closeIncident,
  makeMessagesDue,
  openIncident,
  waitForDeliveries,
} from "../harness/alerts.ts";
import { signedOutClient, signIn, type Client } from "../harness/application.ts";
import { expectSoundPage } from "../harness/html.ts";
import { findLinks, startMailRelay, withoutBreaks, type ReceivedMail } from "../harness/mail.ts";
import { actorOf, addPerson, addProject, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const NAME = "Tea <b>& more</b>: pay at https://phish.example/";
const ONE_CLICK = { "List-Unsubscribe": "One-Click" };

const relay = use(startMailRelay);
const server = use(() => startTestServer({ env: relay.env }));
let alice: Person;
let owner: Client;
let project: string;
let reader: string;
let readers = 0;

beforeAll(async () => {
  alice = await addPerson(server, "alice");
  owner = await signIn(server, alice);
  project = await addProject(server, alice, "https://127.0.0.1:8443/", NAME);
});
beforeEach(async () => {
  await server.sql`delete from messages`;
  await server.sql`delete from alerts`;
  await server.sql`delete from buckets`;
  reader = `reader-${++readers}@example.com`;
});

const add = (wanted: Parameters<typeof addTarget>[3] = {}) =>
  addTarget(server, project, reader, { kind: "email", ...wanted });
const WANTED = (target = reader) =>
  ({ kind: "email", target, on: ["incident"], language: "en" }) as const;
const addByOwner = (target?: string) =>
  addAlert(server.deps, actorOf(alice), project, WANTED(target));
const sentTo = (address: string) => relay.received.filter(({ to }) => to.includes(address));
/** By an invitation, which is an e-mail. */
async function joinProject(person: Person) {
  await shareProject(server.deps, OPERATOR, project, person.email);
  await relay.lastTo(person.email);
  await acceptInvitation(server.deps, actorOf(person), project);
}
const stateOf = async (id: string) =>
  (await server.sql<{ state: string }>`select state from alerts where id = ${id}`)[0]?.state;
const pathToUnsubscribe = ({ headers }: ReceivedMail) =>
  new URL(/^<(.+)>$/.exec(headers["list-unsubscribe"] ?? "")?.[1] ?? "").pathname;

describe("an e-mail alert", () => {
  test("is text and HTML with the same content, marked as automatic, with a link to unsubscribe", async () => {
    await add();
    await openIncident(server, project, "https://example.com/cart?<i>", {
      fr: "Le serveur répond 500.",
      en: "The server <answers> “phish.example”.",
    });
    const mail = await relay.lastTo(reader);
    expect(mail.to).toEqual([reader]);
    expect(mail.headers["auto-submitted"]).toBe("auto-generated");
    const title = "“Tea b & more b pay at https phish example”: incident open";
    expect(withoutBreaks(mail.subject)).toBe(`[shipscore] ${title}, https://example.com/cart?<i>`);
    const page = `${server.deps.site.origin}/projects/${project}`;
    const unsubscribe = `${server.deps.site.origin}${pathToUnsubscribe(mail)}`;
    for (const said of [
      title,
      "https://example.com/cart?<i>",
      "Found: “The server <answers> 'phish.example'.”",
      page,
      unsubscribe,
    ]) {
      expect(withoutBreaks(mail.text)).toContain(said);
      const escaped = said.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      expect(withoutBreaks(mail.html)).toContain(escaped);
    }
    expect(findLinks(mail.text)).toEqual([page, unsubscribe]);
    const seen = mail.html.replaceAll(/<[^>]*>/g, " ");
    expect(findLinks(seen)).toEqual([page, unsubscribe]);
    expect(mail.html).toMatch(/^<!doctype html><html lang="en">/);
    expect(mail.html).not.toMatch(/<b>|<i>|<answers>|<img|<script|<link|<style/);
    expect(mail.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
  });

  test("of an incident is one thread, separate from all others", async () => {
    await add();
    const [first, second] = [
      await openIncident(server, project),
      await openIncident(server, project),
    ];
    const opened = await Promise.all([1, 2].map((count) => relay.lastTo(reader, count)));
    await closeIncident(server, first);
    const closed = await relay.lastTo(reader, 3);
    const [thread, other] = opened.map(({ headers }) => headers["message-id"] ?? "");
    expect(thread).toMatch(/^<inc_[\w.]+@example\.com>$/);
    expect(other).not.toBe(thread);
    expect(thread).toContain(first);
    expect(other).toContain(second);
    expect(closed.headers["in-reply-to"]).toBe(thread);
    expect(closed.headers["references"]).toBe(thread);
    expect(closed.headers["message-id"]).not.toBe(thread);
    expect(closed.subject).toBe(`Re: ${opened[0]?.subject}`);
    expect(closed.text).toContain("It was failing for");
    expect(opened[0]?.headers["in-reply-to"]).toBeUndefined();
  });

  test("is in the language of the alert", async () => {
    await add({ language: "fr" });
    await openIncident(server, project);
    const { html, text } = await relay.lastTo(reader);
    expect(html).toContain('<html lang="fr">');
    expect(text).toContain("Le serveur répond 500.");
    expect(text).toContain("Se désabonner");
  });

  test("is retried if the relay rejects it, with the same Message-ID, and the log names nobody", async () => {
    const { id } = await add();
    relay.refuse([451]);
    const refused = await testAlert(server.deps, OPERATOR, id);
    expect(refused).toMatchObject({ state: "pending", attempts: 1, error: "mail_refused" });
    await server.sql`update messages set due_at = now() where alert_id = ${id}`;
    await server.sql`update alerts set due_at = now() where id = ${id}`;
    const mail = await relay.lastTo(reader);
    expect(mail.headers["message-id"]).toBe(`<${refused.id}@example.com>`);
    expect(server.log.join("\n")).not.toContain(reader);
  });
});

describe("the recipient can unsubscribe", () => {
  async function subscribe() {
    const { id } = await add();
    await openIncident(server, project);
    return { id, path: pathToUnsubscribe(await relay.lastTo(reader)) };
  }

  test("by a URL that cannot be guessed", async () => {
    const { id, path } = await subscribe();
    const last = path.at(-1) === "a" ? "b" : "a";
    for (const guess of [path.slice(0, -1) + last, `/unsubscribe/${id}`, "/unsubscribe/x"])
      for (const method of ["get", "post"] as const) {
        const { status, page } = await signedOutClient(server)[method](guess, {});
        expect([guess, status, page.h1]).toEqual([guess, 404, "Subscription not found"]);
      }
    expect(path).toMatch(/^\/unsubscribe\/[0-9A-Za-z]{22}$/);
    expect(await stateOf(id)).toBe("active");
  });

  test("but not with a body larger than a one-click form", async () => {
    const { id, path } = await subscribe();
    const { status } = await signedOutClient(server).post(path, { x: "x".repeat(5000) });
    expect([status, await stateOf(id)]).toEqual([413, "active"]);
  });

  test("after a confirmation: opening the page changes nothing, in both languages, without signing in", async () => {
    const { id, path } = await subscribe();
    for (const [language, button] of [
      ["en", "Unsubscribe"],
      ["fr", "Me désabonner"],
    ] as const) {
      const { status, html, page, headers } = await signedOutClient(server, { language }).get(path);
      expect(status).toBe(200);
      expectSoundPage(html, language);
      expect(page.buttons).toEqual([button]);
      expect(page.text).toContain(NAME);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect((await fetch(server.url + path, { method: "HEAD" })).status).toBe(200);
    expect(await stateOf(id)).toBe("active");
  });

  test("with the button, also pressed again", async () => {
    const { id, path } = await subscribe();
    const visitor = signedOutClient(server);
    const asked = await visitor.get(path);
    for (const time of ["first", "second"]) {
      const { status, page } = await visitor.press(asked, "Unsubscribe");
      expect([time, status, page.h1]).toEqual([time, 200, "Unsubscribed"]);
    }
    expect((await visitor.get(path)).page.h1).toBe("Unsubscribed");
    expect(await stateOf(id)).toBe("ended");
  });

  const formOf = (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return form;
  };
  test.each<[who: string, init: () => RequestInit]>([
    ["a mail client's form", () => ({ body: new URLSearchParams(ONE_CLICK) })],
    ["a mail client's multipart form", () => ({ body: formOf(ONE_CLICK) })],
    ["a POST without a body", () => ({})],
    [
      "a webmail's page",
      () => ({
        body: new URLSearchParams(ONE_CLICK),
        headers: { origin: "https://mail.example.com", "sec-fetch-site": "cross-site" },
      }),
    ],
  ])("with %s, by one POST without a redirect", async (_, init) => {
    const { id, path } = await subscribe();
    const response = await fetch(server.url + path, {
      method: "POST",
      redirect: "manual",
      ...init(),
    });
    expect([response.status, await stateOf(id)]).toEqual([200, "ended"]);
  });

  test("from waiting e-mails and later ones, and nothing can be resent by hand", async () => {
    const { id, path } = await subscribe();
    relay.refuse([451]);
    await testAlert(server.deps, OPERATOR, id);
    await fetch(server.url + path, { method: "POST" });
    const before = relay.received.length;
    await openIncident(server, project);
    await expect(testAlert(server.deps, OPERATOR, id)).rejects.toMatchObject({
      code: "alert_ended",
    });
    const waiting = await server.sql`select id from messages where state = 'pending'`;
    expect(waiting).toEqual([]);
    expect(relay.received).toHaveLength(before);
  });

  test("while an e-mail is being queued, which is not sent and does not subscribe them again", async () => {
    const { id, path } = await subscribe();
    const before = relay.received.length;
    await fetch(server.url + path, { method: "POST" });
    const testId = await insertTest(server.sql, id);
    await server.sql`update alerts set due_at = now() where id = ${id}`;
    const [ended] = await waitForDeliveries(server, id, (all) =>
      all.every(({ state }) => state !== "pending"),
    ).then((all) => all.filter((delivery) => delivery.id === testId));
    expect(ended).toMatchObject({ state: "dead", attempts: 0, error: "ended" });
    expect(relay.received).toHaveLength(before);
    expect(await stateOf(id)).toBe("ended");
  });

  test("from the whole project, including new alerts; only the address's hash is kept", async () => {
    const { id, path } = await subscribe();
    const other = await add();
    await removeAlert(server.deps, OPERATOR, id);
    expect((await signedOutClient(server).post(path)).page.h1).toBe("Unsubscribed");
    expect(await stateOf(other.id)).toBe("ended");
    const before = relay.received.length;
    const again = await addByOwner();
    expect(again.state).toBe("ended");
    await openIncident(server, project);
    await expect(testAlert(server.deps, OPERATOR, again.id)).rejects.toMatchObject({
      code: "alert_ended",
    });
    expect(relay.received).toHaveLength(before);
    const rows = await server.sql<{ text: string }>`
      select alerts::text || recipients::text as text from recipients left join alerts on recipient_id = recipients.id`;
    const kept = JSON.stringify(rows);
    expect(kept).not.toContain(reader);
    expect(kept).not.toContain(createHash("sha256").update(reader).digest("hex"));
  });

  test("and subscribe again, on the same page", async () => {
    const { id, path } = await subscribe();
    const visitor = signedOutClient(server);
    const ended = await visitor.post(path);
    expect(ended.page.buttons).toEqual(["Get the alerts"]);
    const begun = await visitor.press(ended, "Get the alerts");
    expect([begun.status, begun.page.h1, begun.page.buttons]).toEqual([
      200,
      "Subscribed",
      ["Unsubscribe"],
    ]);
    expect(await stateOf(id)).toBe("active");
    await openIncident(server, project);
    await relay.lastTo(reader, 2);
  });
});

describe("a recipient outside the project", () => {
  test("gets an e-mail to confirm, without the project's name, and no alerts before", async () => {
    const { id, state } = await addByOwner();
    expect(state).toBe("waiting");
    const mail = await relay.lastTo(reader);
    const [link = "", ...more] = findLinks(mail.text);
    expect(more).toEqual([]);
    expect(link).toMatch(/\/subscribe\/[0-9A-Za-z]{22}$/);
    expect(mail.subject).toBe("[shipscore] Do you want alerts by e-mail?");
    const { origin, host } = new URL(server.deps.site.origin);
    expect(link.startsWith(origin)).toBe(true);
    expect(withoutBreaks(mail.text)).toBe(
      [
        `“${alice.email}” wants to send you alerts by e-mail, from the shipscore server at ${host}. To accept:`,
        link,
        "If you do not accept, you will get no further messages.",
        "-- \nshipscore",
      ].join("\n\n"),
    );
    expect(mail.html).toBe("");

    await openIncident(server, project);
    await expect(testAlert(server.deps, OPERATOR, id)).rejects.toMatchObject({
      code: "alert_waiting",
    });
    const shown = reader.replace(/^(.).*(.@)/, "$1...$2");
    const page = await owner.get(`/projects/${project}/alerts/${id}`);
    expect(page.page.text).toContain(
      `○ Pending until ${shown} accepts. Nothing is sent before that.`,
    );
    const pressed = await owner.press(page, `Test E-mail ${shown}`);
    expect([pressed.status, pressed.page.h1]).toEqual([409, "Not accepted yet"]);
    const [dead] = await waitForDeliveries(server, id, () => true);
    expect(dead).toMatchObject({ state: "dead", attempts: 0, error: "waiting" });

    const visitor = signedOutClient(server);
    const asked = await visitor.get(new URL(link).pathname);
    expectSoundPage(asked.html, "en");
    expect([asked.page.h1, asked.page.buttons, await stateOf(id)]).toEqual([
      "Get these alerts?",
      ["Get the alerts"],
      "waiting",
    ]);
    expect(sentTo(reader)).toHaveLength(1);
    expect((await visitor.press(asked, "Get the alerts")).page.h1).toBe("Subscribed");
    await openIncident(server, project);
    expect((await relay.lastTo(reader, 2)).subject).toContain("incident open");
    expect((await addByOwner()).state).toBeUndefined();
  });

  test("gets it once, however often the address is added, but again if the relay rejected it", async () => {
    relay.refuse([451]);
    await addByOwner();
    await server.deps.work.end();
    const { id } = await addByOwner();
    await relay.lastTo(reader);
    await removeAlert(server.deps, OPERATOR, id);
    await addByOwner();
    await addAlert(server.deps, OPERATOR, project, WANTED());
    await server.deps.work.end();
    expect(sentTo(reader)).toHaveLength(1);
    await server.sql`update recipients set asked_at = asked_at - interval '25 hours'`;
    await addByOwner();
    await relay.lastTo(reader, 2);
  });

  test("gets it too if an alert is changed to their address, and no alerts before", async () => {
    const { id } = await addByOwner(alice.email);
    expect(await stateOf(id)).toBe("active");
    await editAlert(server.deps, actorOf(alice), id, WANTED());
    expect(await stateOf(id)).toBe("waiting");
    const { subject } = await relay.lastTo(reader);
    expect(subject).toBe("[shipscore] Do you want alerts by e-mail?");
    await openIncident(server, project);
    const [dead] = await waitForDeliveries(server, id, () => true);
    expect(dead).toMatchObject({ state: "dead", attempts: 0, error: "waiting" });
    expect(sentTo(reader)).toHaveLength(1);
  });

  test("also gets it from the operator", async () => {
    await addAlert(server.deps, OPERATOR, project, { ...WANTED(), language: "fr" });
    const { subject, text } = await relay.lastTo(reader);
    expect(subject).toBe("[shipscore] Recevoir des alertes par e-mail ?");
    expect(text).toContain("L'administrateur du serveur souhaite vous envoyer des alertes");
  });
});

describe("recipients inside the project need not confirm", () => {
  const nextPerson = async () => addPerson(server, `person-${++readers}`);

  test("as its owner or a member", async () => {
    const bob = await nextPerson();
    await joinProject(bob);
    for (const { email } of [alice, bob]) {
      const { id, state } = await addByOwner(email);
      expect([state, await stateOf(id)]).toEqual([undefined, "active"]);
    }
  });

  test.each<[how: string, leave: (person: Person) => Promise<unknown>]>([
    ["is removed", ({ email }) => removeMember(server.deps, OPERATOR, project, email)],
    ["leaves", (person) => leaveProject(server.deps, actorOf(person), project)],
  ])(
    "but a member who %s gets nothing more, and cannot subscribe again alone",
    async (_, leave) => {
      const bob = await nextPerson();
      await joinProject(bob);
      const { id } = await addByOwner(bob.email);
      await openIncident(server, project);
      const path = pathToUnsubscribe(await relay.lastTo(bob.email, 2)).replace("un", "");
      await waitForDeliveries(server, id, ([first]) => first?.state === "sent");
      await leave(bob);
      await openIncident(server, project);
      const told = await waitForDeliveries(server, id, (all) =>
        all.every(({ state }) => state !== "pending"),
      );
      expect(told.map(({ error }) => error)).toEqual([null, "waiting"]);
      expect((await signedOutClient(server).post(path)).status).toBe(404);
      expect(await stateOf(id)).toBe("waiting");
      expect(sentTo(bob.email)).toHaveLength(2);
      expect((await addByOwner(bob.email)).state).toBe("waiting");
      const [link = ""] = findLinks((await relay.lastTo(bob.email, 3)).text);
      expect((await signedOutClient(server).post(new URL(link).pathname)).status).toBe(200);
      expect(await stateOf(id)).toBe("active");
    },
  );

  test("nor can a member who had unsubscribed before they were removed", async () => {
    const bob = await nextPerson();
    await joinProject(bob);
    const { id } = await addByOwner(bob.email);
    await openIncident(server, project);
    const path = pathToUnsubscribe(await relay.lastTo(bob.email, 2));
    await signedOutClient(server).post(path);
    await removeMember(server.deps, OPERATOR, project, bob.email);
    expect((await signedOutClient(server).post(path.replace("un", ""))).status).toBe(404);
    expect(await stateOf(id)).toBe("ended");
  });

  test("but a member with a new address must confirm the old one, and the owner is notified", async () => {
    const bob = await nextPerson();
    await joinProject(bob);
    const { id } = await addByOwner(bob.email);
    const before = sentTo(alice.email).length;
    await server.sql`update accounts set email = 'other-' || email where id = ${bob.accountId}`;
    await openIncident(server, project);
    const told = await relay.lastTo(alice.email, before + 1);
    expect(told.subject).toMatch(/^\[shipscore\] (Une alerte est en attente|An alert is waiting)$/);
    expect(await stateOf(id)).toBe("waiting");
    const { subject, text } = await relay.lastTo(bob.email, 2);
    expect(subject).toBe("[shipscore] Do you want alerts by e-mail?");
    expect(withoutBreaks(text)).toContain(alice.email);
    await openIncident(server, project);
    expect(sentTo(bob.email)).toHaveLength(2);
  });

  test("and someone who joins before confirming gets the alerts", async () => {
    const bob = await nextPerson();
    const { id, state } = await addByOwner(bob.email);
    await relay.lastTo(bob.email);
    await joinProject(bob);
    expect([state, await stateOf(id)]).toEqual(["waiting", "active"]);
  });

  test("and a confirmation before joining ends when they leave", async () => {
    const bob = await nextPerson();
    const { id } = await addTarget(server, project, bob.email, { kind: "email" });
    await joinProject(bob);
    await removeMember(server.deps, OPERATOR, project, bob.email);
    await openIncident(server, project);
    const told = await waitForDeliveries(server, id, ([first]) => first?.state === "dead");
    expect(told).toMatchObject([{ error: "waiting" }]);
  });
});

test("an address gets at most 200 alert e-mails a day, from all senders; the next one waits", async () => {
  const { id } = await add();
  const bucket = { bound: MAILS, subject: reader };
  await takeFromBucket(server.sql, bucket, (await readBucket(server.sql, bucket)).tokens);
  const before = relay.received.length;
  expect(await testAlert(server.deps, OPERATOR, id)).toMatchObject({
    state: "pending",
    error: "recipient_full",
  });
  expect(relay.received).toHaveLength(before);
  await returnToBucket(server.sql, bucket);
  relay.refuse([451]);
  await makeMessagesDue(server, id);
  await waitForDeliveries(server, id, ([first]) => first?.error === "mail_refused");
  await makeMessagesDue(server, id);
  await waitForDeliveries(server, id, ([first]) => first?.state === "sent");
});

test("an account can start at most 20 e-mail alerts a day for others, and so can all accounts for one address", async () => {
  const begin = async (person: Person, of: string) => {
    const email = { kind: "email", target: reader, on: ["incident"], language: "fr" } as const;
    const { id } = await addAlert(server.deps, actorOf(person), of, email);
    await removeAlert(server.deps, actorOf(person), id);
  };
  const refusal = (what: string) => ({ code: "too_often", parameters: { what } });
  for (let count = 0; count < 20; count++) await begin(alice, project);
  await expect(begin(alice, project)).rejects.toMatchObject(
    refusal("alerts by e-mail of an account"),
  );
  await server.sql`delete from buckets`;
  const projectOf = (person: Person) => addProject(server, person, "https://example.com/");
  for (let count = 0; count < 20; count++) await begin(alice, await projectOf(alice));
  const bob = await addPerson(server, "bob");
  await expect(begin(bob, await projectOf(bob))).rejects.toMatchObject(
    refusal("alerts by e-mail of an address"),
  );
  await server.sql`update accounts set email = ${reader} where id = ${bob.accountId}`;
  await begin(bob, await projectOf(bob));
});

test("the owner is notified of a paused alert, in their language", async () => {
  const { id } = await add();
  const before = sentTo(alice.email).length;
  await notifyOwnerOfPause(server.deps, id, "paused");
  const french = await relay.lastTo(alice.email, before + 1);
  expect(french.subject).toBe("[shipscore] Une alerte est en pause");
  expect(withoutBreaks(french.text)).toContain("example.com (email)");
  expect(french.text).toContain(`/projects/${project}/alerts/${id}`);
  expect(french.text).not.toContain(reader);
  await server.sql`update accounts set language = 'en' where id = ${alice.accountId}`;
  await notifyOwnerOfPause(server.deps, id, "paused");
  expect((await relay.lastTo(alice.email, before + 2)).subject).toBe(
    "[shipscore] An alert is paused",
  );
});
