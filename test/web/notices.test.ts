import { beforeEach, describe, expect, test } from "vitest";
import { createToken } from "../../server/access/tokens.ts";
import { openSession } from "../../server/access/sessions.ts";
import { operatorFor, type SessionActor } from "../../server/db/accounts/actors.ts";
import { insertEvent } from "../../server/db/accounts/events.ts";
import { createCleanUp } from "../../server/watching/retention.ts";
import { signedOutClient, signIn, type Client } from "../harness/application.ts";
import { findLinks, startMailRelay } from "../harness/mail.ts";
import { addPerson, givePassword, type Person } from "../harness/people.ts";
import { startTestServer, useServer, type TestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const PATH = "/settings/account";
const NEXT = "une phrase tout à fait nouvelle";

const relay = use(startMailRelay);
const server = use(() => startTestServer({ env: relay.env }));
const silent = useServer();
let people = 0;

/** Somebody who has signed in from 192.0.2.0/24. */
async function addUser(at: TestServer, language: "fr" | "en" | null = "en") {
  const person = await addPerson(at, `user${++people}`);
  await at.sql`update accounts set language = ${language} where id = ${person.accountId}`;
  return { person, actor: await begin(at, person, "192.0.2.1") };
}

const begin = async (at: TestServer, { accountId }: Person, address: string) => {
  const client = { browser: "Firefox, Linux", address };
  return (await at.deps.database.begin((sql) => openSession(sql, accountId, client))).actor;
};

async function addPasskey(at: TestServer, actor: SessionActor, name: string): Promise<void> {
  const { accountId } = actor;
  const passkeyId = `key_${String(++people).padStart(20, "0")}`;
  await at.deps.database.begin(async (sql) => {
    await sql`
      insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name)
      values (${passkeyId}, ${accountId}, ${Buffer.from(passkeyId)}, '\\x00', 0, '', ${name})`;
    await insertEvent(sql, actor, { action: "passkey.added", accountId, details: { passkeyId } });
  });
}

const actionsOf = async (at: TestServer, { accountId }: Person) => {
  const rows = await at.sql<{ action: string }>`
    select action from events where account_id = ${accountId} and action like 'session.begun%' order by id`;
  return rows.map(({ action }) => action.replace("session.", ""));
};

test("notices stay for 30 days, whatever the account does afterwards", async () => {
  const { person, actor } = await addUser(silent);
  const { accountId } = person;
  await addPasskey(silent, actor, "old");
  await silent.sql`
    update events set at = now() - interval '31 days', is_untold = false where account_id = ${accountId}`;
  await addPasskey(silent, actor, "new");
  await silent.sql`
    insert into events (action, actor, actor_id) select 'deployment.recorded', 'token', ${accountId} from generate_series(1, 10000)`;
  await silent.deps.database.begin((sql) =>
    insertEvent(sql, actor, { action: "token.revoked", accountId }),
  );
  const rows = await silent.sql<{ action: string }>`
    select action from events where account_id = ${accountId} and actor_id = ${accountId} order by id`;
  expect(rows.map(({ action }) => action)).toEqual(["passkey.added", "token.revoked"]);
});

describe("a network", () => {
  test.each<[what: string, address: string, action: string]>([
    ["the same /24", "192.0.2.255", "begun"],
    ["another /24", "192.0.3.1", "begun_elsewhere"],
    ["IPv6", "2001:db8:1:2::/64", "begun_elsewhere"],
    ["no address", "", "begun_elsewhere"],
  ])("is known, or new: %s", async (_what, address, action) => {
    const { person } = await addUser(silent);
    await begin(silent, person, address);
    await begin(silent, person, address);
    expect(await actionsOf(silent, person)).toEqual(["begun", action, "begun"]);
  });

  test("of IPv6 is its first 48 bits", async () => {
    const { person } = await addUser(silent);
    for (const address of ["2001:db8:1:2::/64", "2001:db8:1:ffff::/64", "2001:db8:2:2::/64"])
      await begin(silent, person, address);
    const [, ...actions] = await actionsOf(silent, person);
    expect(actions).toEqual(["begun_elsewhere", "begun", "begun_elsewhere"]);
  });

  test("of another account is new, and beyond a hundred the oldest is deleted", async () => {
    const [{ person }, { person: other }] = [await addUser(silent), await addUser(silent)];
    await begin(silent, other, "203.0.113.1");
    for (let n = 0; n < 102; n++) await begin(silent, person, `10.0.${n}.1`);
    expect(new Set((await actionsOf(silent, person)).slice(1))).toEqual(
      new Set(["begun_elsewhere"]),
    );
    const [counted] = await silent.sql<{ rows: number }>`
      select count(*)::int as rows from networks where account_id = ${person.accountId}`;
    expect(counted?.rows).toBeLessThanOrEqual(101);
    const stored = await silent.sql<{ row: string }>`select networks::text as row from networks`;
    expect(stored.map(({ row }) => row).join()).not.toMatch(/10\.0\.|192\.0\.2/);
  });

  test("is new again after 90 days, even if no network is known then", async () => {
    const { person } = await addUser(silent);
    await silent.sql`update accounts set created_at = now() - interval '1 year' where id = ${person.accountId}`;
    await silent.sql`
      update networks set seen_at = now() - interval '91 days' where account_id = ${person.accountId}`;
    await createCleanUp(silent.sql, silent.deps.draining)();
    const left = await silent.sql`select from networks where account_id = ${person.accountId}`;
    expect(left).toEqual([]);
    await begin(silent, person, "192.0.2.1");
    expect(await actionsOf(silent, person)).toEqual(["begun", "begun_elsewhere"]);
  });
});

describe("without e-mail", () => {
  let person: Person;
  let actor: SessionActor;
  let client: Client;
  const told = async () =>
    /<ul>.*?<\/ul>(?=<p>If one of these)/s.exec((await client.get(PATH)).html)?.[0] ?? "";

  beforeEach(async () => {
    ({ person, actor } = await addUser(silent));
    client = await signIn(silent, person);
    await silent.sql`update accounts set notices_seen = (select max(id) from events) where id = ${person.accountId}`;
  });

  test("the account's page says what happened, until it is dismissed", async () => {
    expect(await told()).toBe("");
    await begin(silent, person, "203.0.113.1");
    await addPasskey(silent, actor, "Phone. See https://phish.example/x");
    await createToken(silent.deps, operatorFor(person.accountId), `CI” <b>`);
    const read = await client.get(PATH);
    const lines = await told();
    expect(lines).toMatch(
      /Sign-in from a network.*New passkey: “Phone See https phish example x”.*Firefox, Linux.*New API token: “CI b”.*by the administrator/s,
    );
    expect(findLinks(lines.replaceAll(/<[^>]*>/g, " "))).toEqual([]);

    await addPasskey(silent, actor, "later");
    await client.press(read, "This was me");
    expect(await told()).toMatch(/^<ul><li>New passkey: “later”(?!.*<li>)/s);
    await client.post(`${PATH}/notices`, { up_to: "9".repeat(18) });
    expect(await told()).toBe("");
    for (const upTo of ["", "-1", "9".repeat(19), "x"])
      expect((await client.post(`${PATH}/notices`, { up_to: upTo })).status).toBe(303);
    await addPasskey(silent, actor, "after all");
    expect(await told()).toContain("after all");
  });

  test("notices that were never shown are not dismissed; the oldest come first", async () => {
    for (let n = 1; n <= 21; n++) await addPasskey(silent, actor, `number ${n}.`);
    expect(await told()).toMatch(/number 1”.*number 20”(?!.*<li>)/s);
    await client.press(await client.get(PATH), "This was me");
    expect(await told()).toMatch(/^<ul><li>New passkey: “number 21”(?!.*<li>)/s);
  });

  test("notices are shown for 30 days, and only to the account", async () => {
    await addPasskey(silent, actor, "Phone");
    const other = await signIn(silent, await addPerson(silent, `other${people}`));
    expect((await other.get(PATH)).html).not.toContain("New passkey");
    await silent.sql`update events set at = now() - interval '31 days' where account_id = ${person.accountId}`;
    expect(await told()).toBe("");
  });
});

describe("by e-mail", () => {
  test.each<[language: "fr" | "en" | null, subject: string, text: RegExp]>([
    ["fr", "Nouvelle clé d'accès", /^Nouvelle clé d'accès : « Phone »\.\s.*« Firefox, Linux »/s],
    ["en", "New passkey", /^New passkey: “Phone”\.\s.*browser: “Firefox, Linux”/s],
    [null, "Nouvelle clé d'accès / New passkey", /« Phone ».*“Phone”/s],
  ])("in the account's language: %s", async (language, subject, text) => {
    const { person, actor } = await addUser(server, language);
    await addPasskey(server, actor, "Phone");
    const mail = await relay.lastTo(person.email);
    expect([
      mail.subject.replaceAll("\u00a0", " "),
      mail.text.replaceAll(/[\u00a0\u202f]/g, " "),
    ]).toEqual([`[shipscore] ${subject}`, expect.stringMatching(text)]);
  });

  test("with names that are no links, and at most five in 24 hours", async () => {
    const { person, actor } = await addUser(server);
    await begin(server, person, "203.0.113.1");
    for (let n = 0; n < 7; n++) await addPasskey(server, actor, `see https://phish.example/${n}`);
    const { text } = await relay.lastTo(person.email, 5);
    expect(text).toContain("“see https phish example");
    expect(findLinks(text)).toEqual([new URL(PATH, server.deps.site.origin).href]);
    await server.sql`update buckets set full_at = full_at - interval '23 hours'`;
    for (let n = 7; n < 9; n++) await addPasskey(server, actor, `phone ${n}`);
    const { person: next, actor: nextActor } = await addUser(server);
    await addPasskey(server, nextActor, "Phone");
    await relay.lastTo(next.email);
    expect(relay.received.filter(({ to }) => to.includes(person.email))).toHaveLength(5);
  });

  test("old notices are not sent once a relay is configured", async () => {
    const { person, actor } = await addUser(server);
    await server.deps.database.begin(async (sql) => {
      const { accountId } = actor;
      await insertEvent(sql, actor, { action: "token.created", accountId });
      await sql`update events set at = now() - interval '2 hours' where account_id = ${accountId}`;
    });
    await addPasskey(server, actor, "Phone");
    expect((await relay.lastTo(person.email)).subject).toBe("[shipscore] New passkey");
  });
});

test("after a password change, the page lists everything else that opens the account", async () => {
  const person = await addPerson(silent, "revoker");
  const password = await givePassword(silent, person);
  const client = await signIn(silent, person);
  const actor = await begin(silent, person, "127.0.0.1");
  await addPasskey(silent, actor, "Old phone");
  const changed = await client.post(PATH, { current_password: password, new_password: NEXT });
  const { page, html } = await client.follow(changed);
  expect(
    page.rows
      .filter(([first]) => first !== "Name")
      .slice(0, 2)
      .map((row) => row.join(" ")),
  ).toEqual([
    expect.stringMatching(/^test .*Never used/i),
    expect.stringMatching(/^Old phone .*Never used/i),
  ]);
  expect(page.buttons).toContain("Revoke test");
  expect(html).toContain(`href="${PATH}/passkeys/key_`);
  expect((await client.get(PATH)).html).not.toContain("They still work");
  expect((await signedOutClient(silent).get(`${PATH}?done=password-changed`)).status).toBe(303);
});
