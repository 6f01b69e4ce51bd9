import { beforeEach, describe, expect, inject, test } from "vitest";
import { deleteAccount } from "../../server/access/account-deletion.ts";
import { signInByLink } from "../../server/access/link-uses.ts";
import { createLink } from "../../server/access/links.ts";
import { createToken } from "../../server/access/tokens.ts";
import { createApp } from "../../server/app.ts";
import { createCleanUp } from "../../server/watching/retention.ts";
import { OPERATOR, operatorFor } from "../../server/db/accounts/actors.ts";
import { Client, signedOutClient, signIn } from "../harness/application.ts";
import { expectSoundPage } from "../harness/html.ts";
import { hold, waitForWaiting } from "../harness/locks.ts";
import { startMailRelay } from "../harness/mail.ts";
import { addPerson, addProject, givePassword, type Person } from "../harness/people.ts";
import { countQueries, startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const PATH = "/settings/account";
const NEXT = "une phrase tout à fait nouvelle";

const relay = use(startMailRelay);
const server = use(() => startTestServer({ env: relay.env }));
let alice: Person;
let password: string;
let client: Client;
let people = 0;

/** Alice is somebody new in each test. */
beforeEach(async () => {
  alice = await addPerson(server, `alice${++people}`);
  password = await givePassword(server, alice);
  client = await signIn(server, alice);
});

/** Makes it a while since the person proved who they are. */
const wait = ({ accountId }: Person) =>
  server.sql`update sessions set confirmed_at = now() - interval '16 minutes' where account_id = ${accountId}`;

const actionsOf = async ({ accountId }: Person) =>
  (
    await server.sql<{ action: string }>`
      select action from events where account_id = ${accountId} and actor = 'session' order by id`
  ).map(({ action }) => action);

const isSignedIn = async (one: Client) => (await one.get(PATH)).status === 200;

describe("the page", () => {
  test("redirects a visitor to the sign-in", async () => {
    const { location } = await signedOutClient(server).get(PATH);
    expect(location).toBe("/sign-in?next=%2Fsettings%2Faccount");
  });

  test.each(["en", "fr"] as const)("is valid, and small (%s)", async (language) => {
    await signIn(server, alice);
    const one = await signIn(server, alice, { language });
    const { html, page } = await one.get(PATH);
    expectSoundPage(html, language);
    expect(html.length).toBeLessThan(50_000);
    expect(page.text).toContain(alice.email);
    expect(page.buttons).toEqual(
      expect.arrayContaining(
        language === "en"
          ? ["Change the password", "Save", "Sign out the others", `Delete ${alice.email}`]
          : [
              "Changer le mot de passe",
              "Enregistrer",
              "Fermer les autres sessions",
              `Supprimer ${alice.email}`,
            ],
      ),
    );
  });

  test("is small, and needs four queries, for any amount of content", async () => {
    const { accountId } = alice;
    await server.sql`insert into sessions (id, account_id, fingerprint, browser, address)
      select 'ses_' || right(${accountId}, 16) || lpad(n::text, 4, '0'), ${accountId}, sha256((${accountId}::text || n)::bytea),
        'Chrome, Windows', '2001:db8:85a3:8d3:1319:8a2e:370:7348' from generate_series(1, 99) n`;
    await server.sql`
      insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name)
      select 'key_' || right(${accountId}, 16) || lpad(n::text, 4, '0'), ${accountId}, sha256((${accountId}::text || n)::bytea), '\\x00', 0, '',
        repeat('key ', 10) || n from generate_series(1, 10) n`;
    await server.sql`
      insert into events (action, account_id, project_id, actor, actor_id, address, browser)
      select 'hand_over.withdrawn', ${accountId}, 'prj_' || n, 'session', ${accountId}, '2001:db8:85a3:8d3:1319:8a2e:370:7348', 'Chrome, Windows'
      from generate_series(1, 1000) n`;
    const { server: counted, asked } = countQueries(server);
    const app = await createApp(counted);
    const url = await app.listen({ port: 0 });
    const one = await signIn({ ...server, url }, alice, { language: "fr" });
    for (const path of [PATH, "/checks"]) {
      asked.count = 0;
      const { html, status } = await one.get(path);
      expect([status, path, asked.count]).toEqual([200, path, path === PATH ? 4 : 2]);
      expect(Buffer.byteLength(html)).toBeLessThan(50_000);
    }
    await app.close();
  });

  test("describes the plan", async () => {
    const { page } = await client.get(PATH);
    expect(page.text).toContain("Team: 1,000 checks a month, and the MCP server");
  });
});

describe("the password", () => {
  const change = (fields: Record<string, string>) => client.post(PATH, fields);

  test.each<[what: string, fields: Record<string, string>, field: string]>([
    ["without the current one", { new_password: NEXT }, "current_password"],
    [
      "with a wrong one",
      { current_password: "le cheval de trois", new_password: NEXT },
      "current_password",
    ],
  ])("is not changed %s", async (_, fields, field) => {
    const { page, status, html } = await change(fields);
    expect([status, Object.keys(page.problems)]).toEqual([422, [field]]);
    expect(html).not.toContain(NEXT);
    expect(await actionsOf(alice)).not.toContain("account.password_changed");
  });

  test.each(["court", "password1234", "x".repeat(257)])("is not changed to %s", async (next) => {
    const { page, status } = await change({ current_password: password, new_password: next });
    expect([status, Object.keys(page.problems)]).toEqual([422, ["new_password"]]);
  });

  test("cannot be tried without limit", async () => {
    const wrong = { current_password: "le cheval de trois", new_password: NEXT };
    for (let tries = 0; tries < 10; tries++) expect((await change(wrong)).status).toBe(422);
    const refused = await change({ current_password: password, new_password: NEXT });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.page.problems["current_password"]).toContain("Try again in");
  });

  test("is changed, and closes the other sessions", async () => {
    const other = await signIn(server, alice);
    const done = await change({ current_password: password, new_password: NEXT });
    expect([done.status, done.location]).toEqual([303, `${PATH}?done=password-changed#done`]);
    expect([await isSignedIn(client), await isSignedIn(other)]).toEqual([true, false]);
    expect(await actionsOf(alice)).toContain("account.password_changed");
    const { subject } = await relay.lastTo(alice.email);
    expect(subject).toContain("The password of your account was changed");
    const typed = { email: alice.email, password: NEXT };
    expect((await signedOutClient(server).post("/sign-in", typed)).status).toBe(303);
    expect((await signedOutClient(server).post("/sign-in", { ...typed, password })).status).toBe(
      422,
    );
  });

  test("is set for an account without one", async () => {
    await server.sql`update accounts set password_hash = null where id = ${alice.accountId}`;
    const form = (await client.get(PATH)).page.formOf("Change the password");
    expect(Object.keys(form.fields)).toEqual(["new_password"]);
    await wait(alice);
    const refused = await change({ new_password: NEXT });
    expect([refused.status, Object.keys(refused.page.problems)]).toEqual([
      422,
      ["current_password"],
    ]);
    await server.sql`update sessions set confirmed_at = now() where account_id = ${alice.accountId}`;
    expect((await change({ new_password: NEXT })).status).toBe(303);
  });
});

describe("the e-mail address", () => {
  const change = (fields: Record<string, string>) => client.post(`${PATH}/email`, fields);

  test.each(["", "alice", "a@b", `${"a".repeat(300)}@example.com`])(
    "is not changed to an invalid one: %s",
    async (email) => {
      const { page, status } = await change({ email });
      expect([status, Object.keys(page.problems)]).toEqual([422, ["email"]]);
      expect(page.form(`${PATH}/email`).fields["email"]?.value).toBe(email);
    },
  );

  test("is not changed to itself", async () => {
    const { page } = await change({ email: alice.email.toUpperCase() });
    expect(page.problems["email"]).toBe("This is already your address.");
  });

  test("asks for the password again after a while, and keeps the input", async () => {
    await wait(alice);
    const typed = { email: `new${people}@example.com` };
    for (const wrong of ["", "le cheval de trois"]) {
      const { page, status } = await change({ ...typed, current_password: wrong });
      expect([status, Object.keys(page.problems)]).toEqual([422, ["current_password"]]);
      expect(page.form(`${PATH}/email`).fields["email"]?.value).toBe(typed.email);
    }
    expect((await change({ ...typed, current_password: password })).status).toBe(303);
  });

  test("is changed by the link sent to the new one, which closes the other sessions", async () => {
    const other = await signIn(server, alice);
    const email = `new${people}@example.com`;
    const asked = await change({ email });
    expect(asked.location).toBe(`${PATH}?done=email-asked#done`);
    const back = await client.follow(asked);
    expect(back.page.text).toContain("A link has been sent to the new address.");
    expect(back.page.text).toContain(`You sign in with ${alice.email}`);
    const { links } = await relay.lastTo(email);
    const path = new URL(links[0] ?? "").pathname;
    const link = await client.get(path);
    await client.press(link, link.page.buttons[0] ?? "");
    expect((await client.get(PATH)).page.text).toContain(`You sign in with ${email}`);
    expect(await isSignedIn(other)).toBe(false);
  });

  test("gives the same answer for an address with an account, which gets an e-mail", async () => {
    const bob = await addPerson(server, `bob${people}`);
    const [free, taken] = [
      await change({ email: `free${people}@example.com` }),
      await change({ email: bob.email }),
    ];
    expect([taken.status, taken.location]).toEqual([free.status, free.location]);
    const { subject, links } = await relay.lastTo(bob.email);
    expect([subject, links]).toEqual([
      "[shipscore] This address already belongs to an account",
      [],
    ]);
  });

  test("cannot be requested without limit", async () => {
    const email = `often${people}@example.com`;
    for (let links = 0; links < 5; links++) expect((await change({ email })).status).toBe(303);
    const refused = await change({ email });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.page.problems["email"]).toContain("Try again in");
  });
});

describe("sessions", () => {
  test("of others cannot be closed", async () => {
    const bob = await addPerson(server, `bob${people}`);
    const his = await signIn(server, bob);
    const [session] = await server.sql<{ id: string }>`
      select id from sessions where account_id = ${bob.accountId}`;
    for (const id of [session?.id ?? "", "ses_00000000000000000000", "%00"])
      expect((await client.post(`${PATH}/sessions/${id}/end`)).status).toBe(409);
    expect(await isSignedIn(his)).toBe(true);
  });

  test("are listed with the current one marked, and closed one at a time", async () => {
    const [own] = await server.sql<{ id: string }>`
      select id from sessions where account_id = ${alice.accountId}`;
    const other = await signIn(server, alice);
    await server.sql`update sessions set browser = 'Firefox, Linux', address = '203.0.113.9'
      where account_id = ${alice.accountId} and id <> ${own?.id ?? ""}`;
    const read = await client.get(PATH);
    const [, mine = [], its = []] = read.page.rows;
    expect(mine.at(-1)).toBe("Current session");
    expect(its.slice(0, 2)).toEqual(["Firefox, Linux", "203.0.113.9"]);
    const ended = await client.press(read, "Sign out Firefox, Linux, 203.0.113.9");
    expect([ended.status, ended.location]).toEqual([303, `${PATH}?done=session-ended#done`]);
    expect([await isSignedIn(client), await isSignedIn(other)]).toEqual([true, false]);
    expect((await client.press(read, "Sign out Firefox, Linux, 203.0.113.9")).status).toBe(409);
  });

  test("are closed after a confirmation, with a new secret for the current one", async () => {
    const [own] = await server.sql<{ id: string }>`
      select id from sessions where account_id = ${alice.accountId}`;
    const others = [await signIn(server, alice), await signIn(server, alice)];
    await wait(alice);
    const { page } = await client.get(PATH);
    expect(page.buttons).not.toContain("Sign out the others");
    for (const path of [`${own?.id}/end`, "end-others", "confirm"]) {
      const refused = await client.post(`${PATH}/sessions/${path}`);
      expect([refused.status, Object.keys(refused.page.problems)]).toEqual([
        422,
        ["current_password"],
      ]);
      expect(refused.html).toContain('id="sessions-current_password-problem"');
    }
    expect(await Promise.all([client, ...others].map(isSignedIn))).toEqual([true, true, true]);

    const former = client.cookies.get("shipscore") ?? "";
    const thief = signedOutClient(server, { cookies: { shipscore: former } });
    const confirmed = await client.post(`${PATH}/sessions/confirm`, { current_password: password });
    expect([confirmed.location, client.cookies.get("shipscore") === former]).toEqual([
      `${PATH}#sessions`,
      false,
    ]);
    expect((await thief.post(`${PATH}/sessions/end-others`)).status).toBe(422);
    const ended = await client.press(await client.get(PATH), "Sign out the others");
    expect(ended.location).toBe(`${PATH}?done=sessions-ended#done`);
    expect(await Promise.all([client, ...others].map(isSignedIn))).toEqual([true, false, false]);
    await server.sql`update sessions set confirmed_at = now() - interval '11 seconds'`;
    expect(await Promise.all([client, thief].map(isSignedIn))).toEqual([true, false]);
  });

  test("keep the new secret even if the step itself is rejected", async () => {
    await wait(alice);
    const former = client.cookies.get("shipscore");
    const typed = { current_password: password, new_password: "short" };
    expect((await client.post(PATH, typed)).status).toBe(422);
    expect(client.cookies.get("shipscore")).not.toBe(former);
    expect(await isSignedIn(client)).toBe(true);
  });

  test("are closed together except the current one", async () => {
    const others = [await signIn(server, alice), await signIn(server, alice)];
    const ended = await client.press(await client.get(PATH), "Sign out the others");
    expect(ended.location).toBe(`${PATH}?done=sessions-ended#done`);
    const back = await client.follow(ended);
    expect(back.page.buttons).not.toContain("Sign out the others");
    expect(await Promise.all([client, ...others].map(isSignedIn))).toEqual([true, false, false]);
  });
});

test("are all closed by the operator, for one account only", async () => {
  const other = await signIn(server, await addPerson(server, `bob${people}`));
  const unknown = { email: "nobody@example.com" };
  await expect(server.perform("account sign-out", unknown)).rejects.toThrow("no account");
  await server.perform("account sign-out", { email: alice.email });
  expect(await Promise.all([client, other].map(isSignedIn))).toEqual([false, true]);
});

describe("language and time zone", () => {
  test.each([
    [{ language: "de", time_zone: "" }, "language"],
    [{ language: "fr", time_zone: "Mars/Olympus" }, "time_zone"],
    [{ language: "fr", time_zone: "europe/paris" }, "time_zone"],
  ])("%o is rejected at its field", async (fields, field) => {
    const { page, status } = await client.post(`${PATH}/preferences`, fields);
    expect([status, Object.keys(page.problems)]).toEqual([422, [field]]);
    expect(await actionsOf(alice)).not.toContain("account.language_changed");
  });

  test("are saved, and can be left to the browser again", async () => {
    const { page, html } = await client.get(PATH);
    expect(page.formOf("Save").fields["language"]?.options).toEqual(["", "fr", "en"]);
    for (const zone of ["UTC", "America/New_York", "Asia/Kolkata"])
      expect(html.split(`<option>${zone}<`)).toHaveLength(2);
    expect(html).not.toContain("Asia/Calcutta");
    const french = { language: "fr", time_zone: "Asia/Tokyo" };
    const back = await client.follow(await client.post(`${PATH}/preferences`, french));
    expect(back.page.h1).toBe("Compte");
    expect(back.page.form(`${PATH}/preferences`).sent()).toEqual(french);
    expect(back.html).toContain("UTC+9");
    const none = { language: "", time_zone: "" };
    const last = await client.follow(await client.post(`${PATH}/preferences`, none));
    expect([last.page.h1, last.page.form(`${PATH}/preferences`).sent()]).toEqual(["Account", none]);
    expect((await actionsOf(alice)).filter((one) => /language|zone/.test(one))).toHaveLength(4);
  });
});

describe("deleting the account", () => {
  const remove = (fields: Record<string, string>) => client.post(`${PATH}/delete`, fields);

  test("needs its e-mail address", async () => {
    for (const typed of ["", "alice", "bob@example.com"]) {
      const { page, status } = await remove({ confirm_name: typed });
      expect([status, Object.keys(page.problems)]).toEqual([422, ["confirm_name"]]);
      expect(page.form(`${PATH}/delete`).fields["confirm_name"]?.value).toBe(typed);
    }
    expect(await isSignedIn(client)).toBe(true);
  });

  test("asks for the password again after a while", async () => {
    await wait(alice);
    const { page, status } = await remove({ confirm_name: alice.email });
    expect([status, Object.keys(page.problems)]).toEqual([422, ["current_password"]]);
    expect(await isSignedIn(client)).toBe(true);
    const typed = { confirm_name: alice.email, current_password: password };
    expect((await remove(typed)).status).toBe(303);
  });

  test("needs its projects to be deleted or transferred; the page lists them", async () => {
    const id = await addProject(server, alice, "https://127.0.0.1:8443/", "Shop & <b>");
    const refused = await remove({ confirm_name: alice.email });
    expect([refused.status, refused.location]).toEqual([303, `${PATH}#delete`]);
    const { page } = await client.follow(refused);
    expect(page.links["Shop & <b>"]).toBe(`/projects/${id}/settings`);
    expect(page.buttons).not.toContain(`Delete ${alice.email}`);
    expect(await isSignedIn(client)).toBe(true);
    await expect(server.perform("account remove", { email: alice.email })).rejects.toThrow(
      "The account owns projects: Shop & <b>.",
    );
  });

  test("closes its sessions and tokens immediately, and frees its address", async () => {
    const other = await signIn(server, alice);
    const gone = await remove({ confirm_name: ` ${alice.email.toUpperCase()} ` });
    expect([gone.status, gone.location, client.cookies.size]).toEqual([
      303,
      "/sign-in?done=account-deleted#done",
      0,
    ]);
    expect(await isSignedIn(other)).toBe(false);
    expect((await server.request("/api/v1/projects", { token: alice.token })).status).toBe(401);
    const typed = { email: alice.email, password };
    expect((await signedOutClient(server).post("/sign-in", typed)).status).toBe(422);
    await expect(server.perform("account remove", { email: alice.email })).rejects.toThrow(
      "no account",
    );
    await server.perform("account add", { email: alice.email, plan: "free" });
  });

  test("is done by the first of two clicks; the second leads to the sign-in without a note about lost input", async () => {
    const second = new Client(server.url, { cookies: Object.fromEntries(client.cookies) });
    const typed = { confirm_name: alice.email };
    expect((await remove(typed)).location).toBe("/sign-in?done=account-deleted#done");
    const { status, location } = await second.post(`${PATH}/delete`, typed);
    expect([status, location]).toEqual([303, "/sign-in"]);
  });

  test.runIf(inject("database") === "postgres")(
    "is done once by two simultaneous clicks, and both report it",
    async () => {
      const { database } = server.deps;
      const release = await hold(
        database,
        (sql) => sql`select from accounts where id = ${alice.accountId} for update`,
      );
      const clicks = [1, 2].map(() => remove({ confirm_name: alice.email }));
      await waitForWaiting(database, 2);
      await release();
      for (const { location } of await Promise.all(clicks))
        expect(location).toBe("/sign-in?done=account-deleted#done");
    },
  );

  test.runIf(inject("database") === "postgres").each<[what: string, make: () => Promise<unknown>]>([
    ["a token", () => createToken(server.deps, operatorFor(alice.accountId), "late")],
    ["a project", () => addProject(server, alice, "https://127.0.0.1:8443/")],
  ])("does not leave %s that is created at the same time", async (_, make) => {
    const { database } = server.deps;
    const release = await hold(
      database,
      (sql) => sql`select from accounts where id = ${alice.accountId} for update`,
    );
    const deleting = deleteAccount(server.deps, OPERATOR, alice.accountId);
    await waitForWaiting(database, 1);
    const making = make();
    making.catch(() => {});
    await waitForWaiting(database, 2);
    await release();
    await deleting;
    await expect(making).rejects.toThrow("unauthorized");
    const [left] = await server.sql<{ active: number }>`
      select (select count(*)::int from tokens where account_id = ${alice.accountId} and revoked_at is null)
        + (select count(*)::int from projects where owner_id = ${alice.accountId}) as active`;
    expect(left?.active).toBe(0);
  });

  test.runIf(inject("database") === "postgres")(
    "does not deadlock with a used link, which locks the account before itself",
    async () => {
      const { database } = server.deps;
      const { accountId, email } = alice;
      const link = await createLink(server.deps, OPERATOR, { email, kind: "sign_in" });
      const release = await hold(
        database,
        (sql) => sql`select from accounts where id = ${accountId} for update`,
      );
      const secret = link.split("/").at(-1) ?? "";
      const using = signInByLink(server.deps, {
        secret,
        accountId,
        code: "",
        client: { browser: "", address: "" },
      });
      using.catch(() => {});
      await waitForWaiting(database, 1);
      const free = await database.begin(
        (sql) => sql`select kind from links where account_id = ${accountId} for update skip locked`,
      );
      await release();
      expect(free).toEqual([{ kind: "sign_in" }]);
      await using;
    },
  );

  test("leaves only the ids in the audit", async () => {
    const bob = await addPerson(server, `bob${people}`);
    const projectId = await addProject(server, bob, "https://127.0.0.1:8443/");
    const { accountId, email } = alice;
    await server.sql`
      insert into memberships (project_id, account_id, accepted_at) values (${projectId}, ${accountId}, now())`;
    await server.sql`insert into hand_overs (project_id, account_id) values (${projectId}, ${accountId})`;
    const second = await addProject(server, bob, "https://127.0.0.1:8443/");
    await server.sql`insert into invitations (project_id, email, invited_by)
      values (${second}, ${email}, ${bob.accountId}), (${second}, 'eve@example.com', ${accountId})`;
    await server.sql`
      insert into checks (id, kind, account_id, month, host, masked_url, state, lease_until, evidence)
      select 'chk_' || ${accountId}::text || n, 'api', ${accountId}, '2026-11-01', 'example.com', '', 'done', now(), '\\x01'
      from generate_series(1, 250) n`;
    await server.sql`
      insert into usage (account_id, month, used) values (${accountId}, '2026-11-01', 250)`;
    expect((await remove({ confirm_name: email })).status).toBe(303);
    await createCleanUp(server.sql, new AbortController().signal)();
    const tables = await server.sql<{ name: string; hits: number }>`
      select table_name as name, (xpath('/row/hits/text()', query_to_xml(format(
        'select count(*) as hits from %I row where row::text like %L or row::text like %L',
        table_name, ${`%${accountId}%`}::text, ${`%${email}%`}::text), false, true, '')))[1]::text::int as hits
      from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
    expect(tables.filter(({ hits }) => hits > 0).map(({ name }) => name)).toEqual(["events"]);
    const events = await server.sql<{ address: string | null; browser: string | null }>`
      select address, browser from events where account_id = ${accountId} or actor_id = ${accountId}`;
    expect(events.filter((one) => one.address !== null || one.browser !== null)).toEqual([]);
    const [left] = await server.sql<{ invited: number }>`
      select count(*)::int as invited from invitations where project_id = ${second}`;
    expect(left?.invited).toBe(1);
  });
});
