import { isLiveSession } from "../../server/db/accounts/callers.ts";
import { expect, inject, test } from "vitest";
import { confirmByPassword } from "../../server/access/confirm.ts";
import {
  endOtherSessions,
  endSession,
  fingerprintOfSession,
  openSession,
} from "../../server/access/sessions.ts";
import { signIn } from "../../server/access/sign-in.ts";
import type { SessionActor } from "../../server/db/accounts/actors.ts";
import { findSignedIn } from "../../server/db/accounts/sessions.ts";
import { hold, waitForWaiting } from "../harness/locks.ts";
import { addPerson, givePassword, type Person } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";

const server = useServer();
const listSessions = (accountId: string) => server.sql<{ id: string }>`
  select id from sessions where account_id = ${accountId} and ${isLiveSession}
  order by last_used_at desc, created_at desc, id`;

let visitors = 0;

async function begin({ accountId }: Person) {
  const client = { browser: "test", address: `192.0.2.${++visitors}` };
  const { secret, actor } = await server.deps.database.begin((sql) =>
    openSession(sql, accountId, client),
  );
  const read = () => readBy(secret);
  return { actor, read, isConfirmed: async () => (await read())?.isConfirmed };
}

const readBy = (secret: string) => findSignedIn(server.sql, fingerprintOfSession(secret));

const age = ({ sessionId }: SessionActor, by: string) => server.sql`
  update sessions set confirmed_at = now() - ${by}::text::interval where id = ${sessionId}`;

test("a new sign-in counts as confirmed for 15 minutes, for its own session only", async () => {
  const alice = await addPerson(server, "alice");
  const password = await givePassword(server, alice);
  const [here, there] = [await begin(alice), await begin(alice)];
  expect(await here.isConfirmed()).toBe(true);
  for (const { actor } of [here, there]) await age(actor, "15 minutes");
  expect(await here.isConfirmed()).toBe(false);
  const secret = await confirmByPassword(server.deps, here.actor, {
    email: alice.email,
    password,
  });
  const isConfirmed = async () => (await readBy(secret))?.isConfirmed;
  expect([await isConfirmed(), await there.isConfirmed()]).toEqual([true, false]);
  await age(here.actor, "14 minutes");
  expect(await isConfirmed()).toBe(true);
});

test("confirming gives the session a new secret: the old one works for seconds, and confirms nothing", async () => {
  const ivan = await addPerson(server, "ivan");
  const password = await givePassword(server, ivan);
  const { actor, read } = await begin(ivan);
  const confirm = () => confirmByPassword(server.deps, actor, { email: ivan.email, password });
  const second = await confirm();
  expect(await read()).toMatchObject({ sessionId: actor.sessionId, isConfirmed: false });
  expect(await readBy(second)).toMatchObject({ sessionId: actor.sessionId, isConfirmed: true });
  await age(actor, "11 seconds");
  expect(await read()).toBeUndefined();
  expect(await readBy(second)).toMatchObject({ isConfirmed: true });
  const third = await confirm();
  expect([await read(), await readBy(second)]).toMatchObject([undefined, { isConfirmed: false }]);
  await endSession(server.deps, actor, actor.sessionId);
  expect([await readBy(second), await readBy(third)]).toEqual([undefined, undefined]);
});

test("neither a wrong password nor another account's password confirms", async () => {
  const [bob, carol] = [await addPerson(server, "bob"), await addPerson(server, "carol")];
  await givePassword(server, bob);
  await givePassword(server, carol, "another good sentence");
  const { actor, isConfirmed } = await begin(bob);
  await age(actor, "1 hour");
  const confirm = (email: string, password: string) =>
    confirmByPassword(server.deps, actor, { email, password });
  const wrong = { code: "password_wrong" };
  await expect(confirm(bob.email, "another good sentence")).rejects.toMatchObject(wrong);
  await expect(confirm(carol.email, "another good sentence")).rejects.toMatchObject(wrong);
  expect(await isConfirmed()).toBe(false);
});

test("a wrong password counts as a failed sign-in, and failed sign-ins count towards the limit here", async () => {
  const dave = await addPerson(server, "dave");
  const password = await givePassword(server, dave);
  const { email } = dave;
  const elsewhere = { browser: "", address: "192.0.2.250" };
  for (let tries = 0; tries < 9; tries++)
    await expect(
      signIn(server.deps, { email, password: "wrong" }, elsewhere),
    ).rejects.toMatchObject({ code: "sign_in_refused" });
  const { actor } = await begin(dave);
  const confirm = (typed: string) =>
    confirmByPassword(server.deps, actor, { email, password: typed });
  await expect(confirm("wrong")).rejects.toMatchObject({ code: "password_wrong" });
  await expect(confirm(password)).rejects.toMatchObject({ code: "too_often" });
  await expect(signIn(server.deps, { email, password }, elsewhere)).rejects.toMatchObject({
    code: "too_often",
  });
});

test("one account cannot end another's session; all other sessions end together", async () => {
  const [erin, frank] = [await addPerson(server, "erin"), await addPerson(server, "frank")];
  const [first, second, third] = [await begin(erin), await begin(erin), await begin(erin)];
  const stranger = await begin(frank);
  const { sessionId } = first.actor;
  await expect(endSession(server.deps, stranger.actor, sessionId)).rejects.toMatchObject({
    code: "session_not_found",
  });
  expect(await first.read()).toBeDefined();
  await endSession(server.deps, second.actor, sessionId);
  expect(await first.read()).toBeUndefined();
  await server.deps.database.begin((sql) => endOtherSessions(sql, second.actor, erin.accountId));
  expect(await third.read()).toBeUndefined();
  expect((await listSessions(erin.accountId)).map(({ id }) => id)).toEqual([
    second.actor.sessionId,
  ]);
  expect(await stranger.read()).toBeDefined();
});

test("an account has at most fifty sessions, even with parallel sign-ins: the oldest end", async () => {
  const grace = await addPerson(server, "grace");
  const first = await begin(grace);
  await server.sql`
    insert into sessions (id, account_id, fingerprint, browser, address)
    select 'ses_' || n, ${grace.accountId}, sha256(n::text::bytea), '', '' from generate_series(2, 50) n`;
  expect(await first.read()).toBeDefined();
  await Promise.all(Array.from({ length: 8 }, () => begin(grace)));
  expect(await first.read()).toBeUndefined();
  expect(await listSessions(grace.accountId)).toHaveLength(50);
});

test.runIf(inject("database") === "postgres")(
  "eight correct sign-ins at once from different networks all succeed, including two that wait for the account",
  async () => {
    const ivy = await addPerson(server, "ivy");
    const password = await givePassword(server, ivy);
    const enter = (n: number) => {
      const client = { browser: "", address: `198.51.${n}.1` };
      return signIn(server.deps, { email: ivy.email, password }, client);
    };
    const release = await hold(
      server.deps.database,
      (sql) => sql`select from accounts where id = ${ivy.accountId} for update`,
    );
    const first = [enter(1), enter(2)];
    await waitForWaiting(server.deps.database, 2);
    const later = [3, 4, 5, 6, 7, 8].map(enter);
    await release();
    await Promise.all([...first, ...later]);
    expect(await listSessions(ivy.accountId)).toHaveLength(8);
  },
);

test("a sign-in with the old password does not outlive the password change", async () => {
  const heidi = await addPerson(server, "heidi");
  const password = await givePassword(server, heidi);
  const tries = Array.from({ length: 8 }, () =>
    signIn(
      server.deps,
      { email: heidi.email, password },
      { browser: "", address: `192.0.2.${++visitors}` },
    ),
  );
  const change = server.deps.database.begin(async (sql) => {
    await sql`update accounts set password_hash = null where id = ${heidi.accountId}`;
    await endOtherSessions(sql, { by: "operator", accountId: null }, heidi.accountId);
  });
  await Promise.allSettled([...tries, change]);
  expect(await listSessions(heidi.accountId)).toEqual([]);
});
