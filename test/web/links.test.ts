import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFirstLink, createLink, offerEmail } from "../../server/access/links.ts";
import { OPERATOR, type SessionActor } from "../../server/db/accounts/actors.ts";
import { findSignedIn } from "../../server/db/accounts/sessions.ts";
import { fingerprintOfSession } from "../../server/access/sessions.ts";
import { signIn, signedOutClient, type Client, type PageAnswer } from "../harness/application.ts";
import { startMailRelay } from "../harness/mail.ts";
import { addPerson, type Person } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const relay = use(startMailRelay);
const server = use(() => startTestServer({ env: { ...relay.env, SHIPSCORE_SIGNUP: "open" } }));

const PASSWORD = "a long enough sentence";
function pathOf(link: string | undefined): string {
  const { pathname, search } = new URL(link ?? "");
  return pathname + search;
}
const make = async (person: Person, kind: "password" | "sign_in" = "password") =>
  pathOf(await createLink(server.deps, OPERATOR, { email: person.email, kind }));

const isSignedIn = async (client: Client) =>
  (await client.get("/sign-in")).location === "/projects";
const CHANGED = "/settings/account?done=password-changed#done";
const expectSignedIn = async (client: Client, answer: PageAnswer, location = "/projects") => {
  expect([answer.status, answer.location]).toEqual([303, location]);
  expect(await isSignedIn(client)).toBe(true);
};
const signInBy = async (email: string, password: string) =>
  (await signedOutClient(server).post("/sign-in", { email, password })).status;

/** Ages every link, as if it had been made so many minutes ago. */
const age = (minutes: number) =>
  server.sql`update links set expires_at = expires_at - make_interval(mins => ${minutes}::int)`;

async function findActor(client: Client): Promise<SessionActor> {
  const secret = client.cookies.get("shipscore") ?? "";
  const found = await findSignedIn(server.sql, fingerprintOfSession(secret));
  if (found === undefined) throw new Error("signed out");
  const { accountId, sessionId } = found;
  return { by: "session", accountId, sessionId, address: "127.0.0.1" };
}

describe("a link that no longer works", () => {
  let gone: PageAnswer;
  beforeAll(async () => {
    gone = await signedOutClient(server).get(`/links/${"A".repeat(43)}`);
  });

  test("because it never existed", async () => {
    expect([gone.status, gone.page.h1]).toEqual([410, "This link no longer works"]);
    for (const secret of ["x", "A".repeat(5000), "%00", "..%2f", "é"])
      expect((await signedOutClient(server).get(`/links/${secret}`)).html).toBe(gone.html);
  });

  const refusals: [what: string, void: (person: Person, path: string) => Promise<unknown>][] = [
    ["used", (_, path) => signedOutClient(server).post(path, { password: PASSWORD })],
    ["void, since there is a newer one", (person) => make(person)],
    ["over 30 minutes old", () => age(30)],
    [
      "an account's that was deleted",
      ({ accountId }) => server.sql`update accounts set email = null where id = ${accountId}`,
    ],
  ];
  test.each(refusals)("because it is %s", async (what, makeVoid) => {
    const person = await addPerson(server, `gone-${what.split(/\W/)[0]}`);
    const path = await make(person);
    expect((await signedOutClient(server).get(path)).status).toBe(200);
    await makeVoid(person, path);
    for (const answer of [
      await signedOutClient(server).get(path),
      await signedOutClient(server).post(path, { password: PASSWORD }),
    ]) {
      expect(answer.status).toBe(410);
      expect(answer.html).toBe(gone.html);
    }
  });

  test("unlike one that is a minute younger than 30", async () => {
    const path = await make(await addPerson(server, "punctual"));
    await age(29);
    const client = signedOutClient(server);
    await expectSignedIn(client, await client.post(path, { password: PASSWORD }), CHANGED);
  });

  test("of ten simultaneous uses one works", async () => {
    const person = await addPerson(server, "ten");
    const path = await make(person);
    const post = () => signedOutClient(server).post(path, { password: PASSWORD });
    const answers = await Promise.all(Array.from({ length: 10 }, post));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([303, ...Array<number>(9).fill(410)]);
    const sessions = await server.sql`select from sessions where account_id = ${person.accountId}`;
    expect(sessions).toHaveLength(1);
  });
});

describe("opening a link changes nothing", () => {
  test("for any number of times and visitors", async () => {
    const person = await addPerson(server, "scanned");
    const path = await make(person);
    const read = () => server.sql`select * from links where account_id = ${person.accountId}`;
    const before = await read();
    expect(before).toHaveLength(1);
    for (let opened = 0; opened < 3; opened++) {
      const { status, page, headers } = await signedOutClient(server).get(path);
      expect(status).toBe(200);
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(page.forms.map(({ action, method }) => [action, method])).toEqual([
        [path, "post"],
        ["/visitor/language", "post"],
      ]);
    }
    expect(await read()).toEqual(before);
  });

  test("its form must come from its page", async () => {
    const person = await addPerson(server, "forged");
    const path = await make(person);
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }])
      expect(
        (await signedOutClient(server).post(path, { password: PASSWORD }, headers)).status,
      ).toBe(403);
    expect((await signedOutClient(server).get(path)).status).toBe(200);
  });

  test("only the fingerprint is stored", async () => {
    const path = await make(await addPerson(server, "stored"));
    const secret = path.replace("/links/", "");
    expect(secret).toMatch(/^[\w-]{43}$/);
    const rows = await server.sql<{ row: string }>`select links::text as row from links`;
    expect(rows.map(({ row }) => row).join()).not.toContain(secret);
    const [found] = await server.sql<{ isThere: boolean }>`
      select exists (select from links where fingerprint = sha256(${secret}::text::bytea)) as is_there`;
    expect(found?.isThere).toBe(true);
  });
});

describe("a link to set a new password", () => {
  test("rejects an invalid password at its field, and still works", async () => {
    const path = await make(await addPerson(server, "weak"));
    const client = signedOutClient(server);
    for (const [password, problem] of [
      ["", "fewer than 12"],
      ["short", "fewer than 12"],
      ["passwordpassword", "one of the first that attackers try"],
      ["x".repeat(257), "over 256"],
    ] as const) {
      const { status, page, html } = await client.post(path, { password });
      expect(status).toBe(422);
      expect(page.problems["password"]).toContain(problem);
      if (password.length > 20) expect(html).not.toContain(password);
    }
    expect(await isSignedIn(client)).toBe(false);
    await expectSignedIn(client, await client.post(path, { password: PASSWORD }), CHANGED);
    expect((await client.get(CHANGED)).page.text).toContain("The password is set");
  });

  test("sets it, closes the other sessions, signs in, and confirms by e-mail", async () => {
    const person = await addPerson(server, "reset");
    const other = await signIn(server, person);
    const client = signedOutClient(server, { language: "fr" });
    const path = await make(person);
    const { page } = await client.get(path);
    expect(page.h1).toBe("Choisir un nouveau mot de passe");
    expect(page.text).toContain("reset@example.com");
    await expectSignedIn(
      client,
      await client.press({ page }, "Définir le mot de passe", { password: PASSWORD }),
      CHANGED,
    );
    expect([await isSignedIn(other), await signInBy(person.email, PASSWORD)]).toEqual([false, 303]);
    const mail = await relay.lastTo(person.email);
    expect(mail.subject).toContain("Le mot de passe de votre compte a été modifié");
    expect(mail.links).toEqual([]);
  });

  test("voids every other link of the account", async () => {
    const person = await addPerson(server, "thorough");
    const signInPath = await make(person, "sign_in");
    await offerEmail(server.deps, await findActor(await signIn(server, person)), {
      email: "thief@example.com",
      language: "en",
    });
    const { links } = await relay.lastTo("thief@example.com");
    await signedOutClient(server).post(await make(person), { password: PASSWORD });
    for (const path of [signInPath, pathOf(links[0])])
      expect((await signedOutClient(server).post(path)).status).toBe(410);
  });

  test("replaces the session of another account in the browser", async () => {
    const [former, person] = [await addPerson(server, "former"), await addPerson(server, "latter")];
    const client = await signIn(server, former);
    await client.post(await make(person), { password: PASSWORD });
    expect((await findActor(client)).accountId).toBe(person.accountId);
    const left = await server.sql`select from sessions where account_id = ${former.accountId}`;
    expect(left).toEqual([]);
  });
});

test("a link to sign in keeps the password and the other sessions", async () => {
  const person = await addPerson(server, "guest");
  const other = await signIn(server, person);
  const client = signedOutClient(server);
  const { page } = await client.get(await make(person, "sign_in"));
  expect(page.text).toContain("As guest@example.com.");
  await expectSignedIn(client, await client.press({ page }, "Sign in"));
  expect(await isSignedIn(other)).toBe(true);
});

describe("a forgotten password", () => {
  test("an invalid address is rejected at its field", async () => {
    for (const email of [
      "",
      "alice",
      "alice@example.com\r\nBcc: x@example.com",
      `${"a".repeat(250)}@x.fr`,
    ]) {
      const { status, page } = await signedOutClient(server).post("/forgot", { email });
      expect([status, page.problems["email"]]).toEqual([
        422,
        "This is not an e-mail address. Enter it in the form name@example.com.",
      ]);
      expect(page.form("/forgot").fields["email"]?.value).toBe(email);
    }
  });

  test("the answer is the same with or without an account; only an account gets the link", async () => {
    await addPerson(server, "oblivious");
    const ask = async (email: string) => {
      const client = signedOutClient(server);
      const { page } = await client.get("/forgot");
      const answer = await client.press({ page }, "Send the link", { email });
      const after = await client.follow(answer);
      return [answer.status, answer.location, answer.html, after.status, after.html];
    };
    const known = await ask(" Oblivious@Example.com ");
    expect(known.slice(0, 2)).toEqual([303, "/forgot/sent"]);
    expect(await ask("nobody@example.com")).toEqual(known);
    const { links, subject, text } = await relay.lastTo("oblivious@example.com");
    expect([links.length, subject]).toEqual([1, "[shipscore] Choose a new password"]);
    expect(text).toContain("within 30 minutes");
    expect(links[0]).toContain(`${server.url}/links/`);
    const client = signedOutClient(server);
    await expectSignedIn(
      client,
      await client.post(pathOf(links[0]), { password: PASSWORD }),
      CHANGED,
    );
    expect(relay.received.filter(({ to }) => to.includes("nobody@example.com"))).toEqual([]);
  });

  test("the e-mail is in the account's language", async () => {
    const person = await addPerson(server, "francophone");
    await server.sql`update accounts set language = 'fr' where id = ${person.accountId}`;
    await signedOutClient(server).post("/forgot", { email: person.email });
    expect((await relay.lastTo(person.email)).subject).toBe(
      "[shipscore] Choisir un nouveau mot de passe",
    );
  });

  test("is limited to five an hour and address, known or not; then 429 with the time, and the last link works", async () => {
    await addPerson(server, "eager");
    for (const email of ["eager@example.com", "stranger@example.com"]) {
      for (let asked = 0; asked < 5; asked++)
        expect((await signedOutClient(server).post("/forgot", { email })).status).toBe(303);
      const refused = await signedOutClient(server).post("/forgot", { email: email.toUpperCase() });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(600);
    }
    const { links } = await relay.lastTo("eager@example.com", 5);
    const client = signedOutClient(server);
    await expectSignedIn(
      client,
      await client.post(pathOf(links[0]), { password: PASSWORD }),
      CHANGED,
    );
  });
});

test("is not used up by sign-ups and changes to the address", async () => {
  const { email } = await addPerson(server, "target");
  const actor = await findActor(await signIn(server, await addPerson(server, "pest")));
  for (let asked = 0; asked < 5; asked++) {
    expect((await signedOutClient(server).post("/sign-up", { email })).status).toBe(303);
    await offerEmail(server.deps, actor, { email, language: "en" });
  }
  expect((await signedOutClient(server).post("/sign-up", { email })).status).toBe(429);
  await expect(offerEmail(server.deps, actor, { email, language: "en" })).rejects.toMatchObject({
    code: "too_often",
  });
  expect((await signedOutClient(server).post("/forgot", { email })).status).toBe(303);
});

describe("a sign-up", () => {
  const ask = (email: string, client = signedOutClient(server)) =>
    client.post("/sign-up", { email });

  test("is offered on the sign-in page", async () => {
    const { page } = await signedOutClient(server).get("/sign-in");
    expect(page.links["Create an account"]).toBe("/sign-up");
  });

  test("creates an account of plan free once its address is confirmed, not before", async () => {
    const client = signedOutClient(server);
    const asked = await ask("New@example.com", client);
    expect([asked.status, asked.location]).toEqual([303, "/sign-up/sent"]);
    const find = () => server.sql<{ plan: string }>`
      select plan from accounts where email = 'new@example.com'`;
    expect(await find()).toEqual([]);
    const { links } = await relay.lastTo("new@example.com");
    const page = await client.get(pathOf(links[0]));
    expect(page.page.text).toContain("new@example.com");
    await expectSignedIn(
      client,
      await client.press(page, "Create the account", { password: PASSWORD }),
    );
    expect(await find()).toEqual([{ plan: "free" }]);
    expect(await signInBy("new@example.com", PASSWORD)).toBe(303);
  });

  test("leads to the page that the visitor requested", async () => {
    const client = signedOutClient(server);
    const next = "/projects/new?url=https%3A%2F%2Fexample.com%2F";
    const signInPage = await client.get(`/sign-in?next=${encodeURIComponent(next)}`);
    const form = await client.get(signInPage.page.links["Create an account"] ?? "");
    await client.press(form, "Send the link", { email: "watcher@example.com" });
    const { links } = await relay.lastTo("watcher@example.com");
    const page = await client.get(pathOf(links[0]));
    const made = await client.press(page, "Create the account", { password: PASSWORD });
    expect([made.status, made.location]).toEqual([303, next]);
    const filled = await client.get(next);
    expect(filled.page.formOf("Create the project").fields["url"]?.value).toBe(
      "https://example.com/",
    );
  });

  test("for an address with an account gives the same answer, and only the e-mail differs", async () => {
    await addPerson(server, "member");
    const [known, unknown] = [await ask("member@example.com"), await ask("other@example.com")];
    expect([known.status, known.location, known.html]).toEqual([
      unknown.status,
      unknown.location,
      unknown.html,
    ]);
    const mail = await relay.lastTo("member@example.com");
    expect([mail.subject, mail.links]).toEqual(["[shipscore] You already have an account", []]);
  });

  test("for an address that has got an account since then no longer works", async () => {
    await ask("overtaken@example.com");
    const { links } = await relay.lastTo("overtaken@example.com");
    await addPerson(server, "overtaken");
    const used = await signedOutClient(server).post(pathOf(links[0]), { password: PASSWORD });
    expect([used.status, await signInBy("overtaken@example.com", PASSWORD)]).toEqual([410, 422]);
  });
});

describe("a change of address", () => {
  const offer = async (client: Client, email: string) =>
    offerEmail(server.deps, await findActor(client), { email, language: "en" });
  const emailOf = async ({ accountId }: Person) => {
    const [account] = await server.sql<{ email: string }>`
      select email from accounts where id = ${accountId}`;
    return account?.email;
  };

  test("takes effect when the new address confirms it; other sessions and links end, and the old address is notified in both languages", async () => {
    const person = await addPerson(server, "mover");
    const [client, other] = [await signIn(server, person), await signIn(server, person)];
    const passwordPath = await make(person);
    await offer(client, "moved@example.com");
    expect(await emailOf(person)).toBe("mover@example.com");
    const { links } = await relay.lastTo("moved@example.com");
    const elsewhere = signedOutClient(server);
    const page = await elsewhere.get(pathOf(links[0]));
    const done = await elsewhere.press(page, "Confirm");
    expect([done.status, done.location]).toEqual([303, "/settings/account"]);
    expect(await emailOf(person)).toBe("moved@example.com");
    expect([
      await isSignedIn(client),
      await isSignedIn(other),
      await isSignedIn(elsewhere),
    ]).toEqual([true, false, false]);
    expect((await signedOutClient(server).get(passwordPath)).status).toBe(410);
    expect((await relay.lastTo("mover@example.com")).subject).toBe(
      "[shipscore] L'adresse e-mail de votre compte a été modifiée / The e-mail address of your account was changed",
    );
  });

  test("requested in a session that has ended has no effect", async () => {
    const person = await addPerson(server, "robbed");
    const [thief, owner] = [await signIn(server, person), await signIn(server, person)];
    await offer(thief, "thief@example.com");
    const { links } = await relay.lastTo("thief@example.com");
    await owner.post("/settings/account/sessions/end-others");
    expect((await thief.get(pathOf(links[0]))).status).toBe(410);
    expect((await thief.post(pathOf(links[0]))).status).toBe(410);
    expect(await emailOf(person)).toBe(person.email);
    expect(await isSignedIn(owner)).toBe(true);
  });

  test("by two accounts to one address at once succeeds for one", async () => {
    const people = [await addPerson(server, "first"), await addPerson(server, "second")];
    const paths: string[] = [];
    for (const [index, person] of people.entries()) {
      await offer(await signIn(server, person), "contended@example.com");
      const { links } = await relay.lastTo("contended@example.com", index + 1);
      paths.push(pathOf(links[0]));
    }
    const answers = await Promise.all(paths.map((path) => signedOutClient(server).post(path)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([303, 410]);
  });
});

test("no link is in the log, after any action", async () => {
  const secrets = relay.received.flatMap(({ links }) =>
    links.map((link) => link.split("/links/")[1] ?? ""),
  );
  expect(secrets.length).toBeGreaterThan(5);
  const log = server.log.join("");
  expect(log).toContain('"/links/:secret"');
  for (const secret of secrets) expect(log).not.toContain(secret);
  expect(log).not.toContain(PASSWORD);
});

describe("without e-mail and with accounts created only by the operator", () => {
  let bare: TestServer;
  beforeAll(async () => {
    bare = await startTestServer();
  });
  afterAll(() => bare.close());

  test("the page for a forgotten password says that the operator can help", async () => {
    const { status, page } = await signedOutClient(bare).get("/forgot");
    expect(status).toBe(200);
    expect(page.text).toContain("shipscore-server account link");
    expect(page.forms.map(({ action }) => action)).toEqual(["/visitor/language"]);
    const { location } = await signedOutClient(bare).post("/forgot", {
      email: "alice@example.com",
    });
    expect(location).toBe("/forgot");
  });

  test("nobody can sign up", async () => {
    for (const answer of [
      await signedOutClient(bare).get("/sign-up"),
      await signedOutClient(bare).post("/sign-up", { email: "alice@example.com" }),
      await (await signIn(bare, await addPerson(bare, "insider"))).get("/sign-up"),
    ])
      expect(answer.status).toBe(404);
  });

  test("no address can be changed", async () => {
    const person = await addPerson(bare, "stuck");
    const actor: SessionActor = {
      by: "session",
      accountId: person.accountId,
      sessionId: "ses_00000000000000000000",
      address: "127.0.0.1",
    };
    await expect(
      offerEmail(bare.deps, actor, { email: "free@example.com", language: "en" }),
    ).rejects.toMatchObject({ code: "link_needs_mail" });
  });

  describe("the first account", () => {
    const first = async () => pathOf(await createFirstLink(bare.deps));

    test("shows errors at the fields, and keeps the address", async () => {
      const { status, page } = await signedOutClient(bare).post(await first(), {
        email: "operator",
        password: "short",
      });
      expect(status).toBe(422);
      expect(Object.keys(page.problems)).toEqual(["email", "password"]);
      expect(page.forms[0]?.fields["email"]?.value).toBe("operator");
      expect(page.forms[0]?.fields["password"]?.value).toBe("");
    });

    test("a newer link replaces an older one; ten uses at once create one account", async () => {
      const older = await first();
      const path = await first();
      expect((await signedOutClient(bare).get(older)).status).toBe(410);
      const useLink = (_: unknown, index: number) =>
        signedOutClient(bare).post(path, { email: `op${index}@example.com`, password: PASSWORD });
      const answers = await Promise.all(Array.from({ length: 10 }, useLink));
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 410)).toHaveLength(9);
      const accounts = await bare.sql<{ plan: string }>`
        select plan from accounts where password_hash is not null`;
      expect(accounts).toEqual([{ plan: "team" }]);
      expect(await createFirstLink(bare.deps)).toBeUndefined();
    });

    test("an account added by the operator gets its password, and keeps its plan", async () => {
      await bare.sql`update accounts set password_hash = null`;
      const { accountId } = await addPerson(bare, "added", "pro");
      const client = signedOutClient(bare);
      const answer = await client.post(await first(), {
        email: "Added@example.com",
        password: PASSWORD,
      });
      await expectSignedIn(client, answer);
      const accounts = await bare.sql`
        select id, plan from accounts where password_hash is not null`;
      expect(accounts).toEqual([{ id: accountId, plan: "pro" }]);
    });

    test("a link to it is void once someone can sign in", async () => {
      await bare.sql`update accounts set password_hash = null`;
      const path = await first();
      const person = await addPerson(bare, "quicker");
      const link = await createLink(bare.deps, OPERATOR, { email: person.email, kind: "password" });
      await signedOutClient(bare).post(pathOf(link), { password: PASSWORD });
      for (const answer of [
        await signedOutClient(bare).get(path),
        await signedOutClient(bare).post(path, { email: "late@example.com", password: PASSWORD }),
      ])
        expect(answer.status).toBe(410);
    });
  });
});
