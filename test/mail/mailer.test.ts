import { getEventListeners } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { createLog } from "../../server/base/log.ts";
import { createMailer, type Mailer } from "../../server/mail/mailer.ts";
import { readMailAddress, readRelay } from "../../server/mail/relay.ts";
import { createWork, type Work } from "../../server/base/work.ts";
import { startMailRelay, type MailRelay } from "../harness/mail.ts";

let relay: MailRelay;
let stopping: AbortController;
let work: Work;
let log: string[];
let mailer: Mailer;
beforeAll(async () => {
  relay = await startMailRelay();
});
afterAll(() => relay.close());

function open(env: Readonly<Record<string, string>>): void {
  const { mail } = readConfig(env);
  if (mail === undefined) throw new Error("no mail");
  mailer = createMailer(mail, {
    log: createLog("info", (line) => log.push(line)),
    work,
    stopping: stopping.signal,
  });
}

beforeEach(() => {
  stopping = new AbortController();
  work = createWork();
  log = [];
  open(relay.env);
});

const LINK = "https://shipscore.example.com/links/c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldDE";
const flushed = () => new Promise((resolve) => setImmediate(resolve));

test("an e-mail arrives as written, and is marked as automatic", async () => {
  const text = `Bonjour,\n\nVoici votre lien, qui expire à 14 h :\n${LINK}\n.\n\nÀ bientôt`;
  mailer.send({ to: "alice@example.com", subject: "Mot de passe oublié", text });
  const mail = await relay.lastTo("alice@example.com");
  expect(mail).toMatchObject({
    to: ["alice@example.com"],
    subject: "[shipscore] Mot de passe oublié",
    text,
    links: [LINK],
    headers: {
      from: "Shipscore <shipscore@example.com>",
      to: "alice@example.com",
      "auto-submitted": "auto-generated",
      "content-type": "text/plain; charset=utf-8",
    },
  });
  await work.end();
  expect(log).toEqual([]);
});

test("no part of a subject or an address becomes a header or another recipient", async () => {
  mailer.send({
    to: "bob@example.com",
    subject: "Project Shop\r\nBcc: carol@example.com\r\n\r\nhello",
    text: "text",
  });
  const { to, headers, subject } = await relay.lastTo("bob@example.com");
  expect(to).toEqual(["bob@example.com"]);
  expect(headers).not.toHaveProperty("bcc");
  expect(subject).toBe("[shipscore] Project Shop Bcc: carol@example.com hello");

  for (const address of [
    "dan@example.com, carol@example.com",
    "dan@example.com\r\nBcc: carol@example.com",
    "<dan@example.com> <carol@example.com>",
  ])
    mailer.send({ to: address, subject: "s", text: "t" });
  await work.end();
  await flushed();
  const recipients = relay.received.flatMap((mail) => [...mail.to, mail.headers["bcc"] ?? ""]);
  expect(recipients.join()).not.toContain("carol");
});

describe("an e-mail with a single attempt", () => {
  const mail = {
    to: "kim@example.com",
    subject: "Incident",
    text: "Voilà",
    html: "<p>Voilà &amp; fin</p>",
    messageId: "<one@example.com>",
    inReplyTo: "<zero@example.com>",
    headers: { "List-Unsubscribe": `<https://example.com/${"x".repeat(80)}>` },
  };

  test("is not retried, and the failure contains the relay's answer", async () => {
    relay.refuse([451]);
    const sending = mailer.sendOnce(mail, stopping.signal);
    await expect(sending).rejects.toMatchObject({ responseCode: 451 });
    expect(relay.received.filter(({ to }) => to.includes(mail.to))).toEqual([]);
  });

  test("arrives as text and as HTML, in its thread", async () => {
    await mailer.sendOnce(mail, stopping.signal);
    const { text, html, headers } = await relay.lastTo(mail.to);
    expect([text, html]).toEqual([mail.text, mail.html]);
    expect(headers).toMatchObject({
      "content-type": expect.stringContaining("multipart/alternative") as string,
      "message-id": mail.messageId,
      "in-reply-to": mail.inReplyTo,
      references: mail.inReplyTo,
      "auto-submitted": "auto-generated",
      "list-unsubscribe": mail.headers["List-Unsubscribe"],
    });
  });
});

test("a temporary refusal by the relay is retried", async () => {
  relay.refuse([451]);
  mailer.send({ to: "erin@example.com", subject: "s", text: "t" });
  await relay.lastTo("erin@example.com");
  await work.end();
  expect(log).toEqual([]);
});

test("of two e-mails to an address the earlier one arrives first, even after a retry", async () => {
  relay.refuse([451]);
  for (const subject of ["first", "second"])
    mailer.send({ to: "judy@example.com", subject, text: "t" });
  await work.end();
  const arrived = relay.received.filter(({ to }) => to.includes("judy@example.com"));
  expect(arrived.map(({ subject }) => subject)).toEqual([
    "[shipscore] first",
    "[shipscore] second",
  ]);
});

test("a sent e-mail leaves no listener on the shutdown signal", async () => {
  const listeners = () => getEventListeners(stopping.signal, "abort").length;
  mailer.send({ to: "ivan@example.com", subject: "s", text: "t" });
  await relay.lastTo("ivan@example.com");
  expect(listeners()).toBe(1);
  await work.end();
  expect(listeners()).toBe(0);
});

test("after a permanent refusal the log contains the status, and neither address nor text", async () => {
  relay.refuse([550]);
  mailer.send({ to: "frank@example.com", subject: "s", text: LINK });
  await work.end();
  await flushed();
  expect(log).toHaveLength(1);
  expect(JSON.parse(log.join(""))).toMatchObject({
    msg: "an e-mail was not sent",
    status: 550,
    reason: "EMESSAGE",
  });
  expect(log.join("")).not.toMatch(/frank|links/);
});

test("a shutdown does not wait for an unreachable relay", async () => {
  open({ ...relay.env, SHIPSCORE_SMTP_URL: "smtp://127.0.0.1:9" });
  mailer.send({ to: "grace@example.com", subject: "s", text: "t" });
  stopping.abort();
  await work.end();
  await flushed();
  expect(log.join("")).toContain("an e-mail was not sent");
});

test("the queue of e-mails has a limit", async () => {
  open({ ...relay.env, SHIPSCORE_SMTP_URL: "smtp://127.0.0.1:9" });
  for (let count = 0; count < 1100; count++)
    mailer.send({ to: "heidi@example.com", subject: "s", text: "t" });
  await flushed();
  expect(log.filter((line) => line.includes('"FULL"')).length).toBeGreaterThanOrEqual(1);
  stopping.abort();
  await work.end();
});

describe("settings", () => {
  test.each([
    ["no relay", "https://mail.example.com"],
    ["no host", "smtp://"],
    ["no URL", "mail.example.com:25"],
    ["a password that is not encoded", "smtp://user:100%@mail.example.com"],
  ])("%s", (_what, url) => expect(readRelay(url)).toBeUndefined());

  test.each([
    ["smtp://mail.example.com", { secure: false, requireTLS: false }],
    ["smtps://mail.example.com:465", { secure: true, port: 465 }],
    [
      "smtp://me%40x:p%25w@mail.example.com",
      { auth: { user: "me@x", pass: "p%w" }, requireTLS: true, tls: { rejectUnauthorized: true } },
    ],
    ["smtp://[::1]:25", { host: "::1", requireTLS: false, tls: { rejectUnauthorized: false } }],
    ["smtp://mail.example.com?tls.rejectUnauthorized=false", { tls: { rejectUnauthorized: true } }],
  ])("%s", (url, relaySettings) => expect(readRelay(url)).toMatchObject(relaySettings));

  test.each([
    ["", undefined],
    ["nobody", undefined],
    ["a@example.com, b@example.com", undefined],
    ["a@example.com\r\nBcc: b@example.com", undefined],
    ["a@example.com", { name: "", address: "a@example.com" }],
    ["Us, Inc. <a@example.com>", { name: "Us, Inc.", address: "a@example.com" }],
  ])("sender %j", (text, address) => expect(readMailAddress(text)).toEqual(address));
});
