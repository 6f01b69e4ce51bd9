import { decodeQR } from "qr/decode.js";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { beginHalf } from "../../server/access/sign-in.ts";
import { prepareSecondFactor, uriOf } from "../../server/access/second-factor.ts";
import { createSecretBox } from "../../server/access/secret-box.ts";
import { createLink } from "../../server/access/links.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { findPassword } from "../../server/db/accounts/passwords.ts";
import { signedOutClient, signIn, type Client, type PageAnswer } from "../harness/application.ts";
import { addPerson, givePassword, type Person } from "../harness/people.ts";
import { codeOf, giveSecondFactor, type App } from "../harness/second-factor.ts";
import { startTestServer } from "../harness/server.ts";
import { use, useFolder } from "../harness/use.ts";

const PATH = "/settings/account/second-factor";
const CODE_PATH = "/sign-in/code";
const OVER = "This sign-in has expired";
const WRONG =
  "This code is incorrect or has already been used. Wait until the app shows another one.";

const server = use(() => startTestServer({ env: { SHIPSCORE_TRUSTED_PROXIES: "127.0.0.1" } }));
const folder = useFolder();
let password: string;
let visitors = 0;

/** Somebody at an address of their own. */
const at = () => ({ "x-forwarded-for": `198.51.${visitors >> 8}.${++visitors & 255}` });
const visitor = (): Client => signedOutClient(server, { headers: at() });

interface Someone extends Person {
  app: App;
}

async function add(name: string): Promise<Someone> {
  const person = await addPerson(server, name);
  password = await givePassword(server, person);
  return { ...person, app: await giveSecondFactor(server, person) };
}

const typePassword = (client: Client, { email }: Person, fields = {}) =>
  client.post("/sign-in", { email, password, ...fields });

async function comeHalfway(person: Person, client = visitor()) {
  const { page } = await client.follow(await typePassword(client, person));
  return { client, send: (code: string) => client.press({ page }, "Sign in", { code }) };
}

const isSignedIn = async (client: Client) =>
  (await client.get("/sign-in")).location === "/projects";

const countSessions = async ({ accountId }: Person) =>
  (await server.sql`select from sessions where account_id = ${accountId}`).length;

const eventsOf = async ({ accountId }: Person) => {
  const rows = await server.sql<{ action: string }>`
    select action from events where account_id = ${accountId} order by id`;
  return rows.map(({ action }) => action).filter((action) => action.startsWith("second_factor."));
};

const makeOld = ({ accountId }: Person) => server.sql`
  update sessions set confirmed_at = now() - interval '1 hour' where account_id = ${accountId}`;

const keyOn = ({ html }: PageAnswer) =>
  (/id="key">([^<]*)/.exec(html)?.[1] ?? "").replaceAll(" ", "");
const codesOn = ({ html }: PageAnswer) =>
  (/<pre id="recovery-codes">([^<]*)/.exec(html)?.[1] ?? "").split("\n");

/** What a camera reads on the page. */
function readQrCode({ html }: PageAnswer): string {
  const [, size = ""] = /QR code[^>]*viewBox="0 0 (\d+) /.exec(html) ?? [];
  const width = 4 * Number(size);
  const data = new Uint8ClampedArray(4 * width * width).fill(255);
  for (const [, x, y] of html.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 4 * Number(y); row < 4 * Number(y) + 4; row++)
      data.fill(0, 4 * (row * width + 4 * Number(x)), 4 * (row * width + 4 * Number(x) + 4));
  return decodeQR({ width, height: width, data });
}

describe("setting it up", () => {
  test("a wrong code is rejected at its field, with the same key; the right one shows ten codes, once", async () => {
    const alice = await addPerson(server, "alice");
    const [client, other] = [await signIn(server, alice), await signIn(server, alice)];
    const asked = await client.get(PATH);
    const key = keyOn(asked);
    expect(readQrCode(asked)).toBe(uriOf(key, alice.email));
    const refused = await client.press(asked, "Turn on", { code: "123456" });
    expect([refused.status, keyOn(refused)]).toEqual([422, key]);
    expect(refused.page.problems["code"]).toContain("This code does not match this key.");
    expect(await eventsOf(alice)).toEqual([]);

    const done = await client.press(refused, "Turn on", { code: ` ${codeOf(key)} ` });
    const codes = codesOn(done);
    expect(new Set(codes).size).toBe(10);
    expect(done.html).toContain(`data:text/plain;charset=utf-8,${codes[0]}%0A${codes[1]}`);
    expect([await isSignedIn(client), await isSignedIn(other)]).toEqual([true, false]);
    expect(await eventsOf(alice)).toEqual(["second_factor.on"]);

    const again = await client.press(refused, "Turn on", { code: codeOf(key) });
    expect(again.location).toBe(PATH);
    const { page } = await client.get(PATH);
    expect(page.text).toContain("You have 10 codes left.");
    expect(page.text).not.toContain(codes[0]);
    const [kept] = await server.sql<{ text: string }>`
      select (select secret::text from second_factors where account_id = ${alice.accountId})
        || string_agg(recovery_codes::text, '') as text from recovery_codes`;
    for (const secret of [key, Buffer.from(key).toString("hex"), codes[0]?.replaceAll("-", "")])
      expect(kept?.text).not.toContain(secret);
  });

  test("the first setup creates the server's key if it can", async () => {
    const person = await addPerson(server, "first");
    const boxIn = (dataDir: string | undefined) =>
      createSecretBox({ key: undefined, oldKey: undefined, dataDir });
    const deps = { ...server.deps, secretBox: boxIn(folder) };
    const { secret, sealed } = prepareSecondFactor(deps, person, "");
    expect(prepareSecondFactor(deps, person, sealed).secret).toBe(secret);
  });

  /** The embedded database has a key of its own, and one server. */
  const onPostgres = test.runIf(inject("database") === "postgres");
  onPostgres("where nobody gave the server a key, the page says so", async () => {
    const person = await addPerson(server, "keyless");
    const without = await startTestServer({
      database: server.database,
      env: { SHIPSCORE_SECRET_KEY: "" },
    });
    const asked = await (await signIn(without, person)).get(PATH);
    await without.stop();
    expect(asked.page.text).toContain("first has to set SHIPSCORE_SECRET_KEY");
  });

  test("a key that this server did not create for this account is rejected", async () => {
    const [bob, carol] = [await addPerson(server, "bob"), await addPerson(server, "carol")];
    const client = await signIn(server, bob);
    const ofCarol = await (await signIn(server, carol)).get(PATH);
    const sealed = ofCarol.page.formOf("Turn on").sent("Turn on")["sealed_secret"] ?? "";
    for (const text of [sealed, "", "x", "A".repeat(5000), `${sealed}A`]) {
      const code = codeOf(keyOn(ofCarol));
      const { status } = await client.post(PATH, { sealed_secret: text, code });
      expect(status).toBe(422);
    }
    expect((await client.get(PATH)).page.buttons).toContain("Turn on");
  });

  test("after 15 minutes it asks for the password, and then also for a code", async () => {
    const dan = await add("dan");
    const client = await signIn(server, dan);
    await makeOld(dan);
    const page = await client.get(PATH);
    const alone = await client.press(page, "Turn off", { current_password: password });
    expect(alone.status).toBe(422);
    expect(alone.page.text).toContain("Enter your password and a new code.");
    const account = await client.get("/settings/account");
    const typed = { current_password: password, new_password: "another good sentence" };
    expect((await client.press(account, "Change the password", typed)).status).toBe(422);
    const [recovery = ""] = dan.app.recoveryCodes;
    const both = { current_password: password, code: recovery };
    const renewed = await client.press(page, "Generate new codes", both);
    expect(codesOn(renewed)).toHaveLength(10);
    const { send } = await comeHalfway(dan);
    expect((await send(dan.app.recoveryCodes[1] ?? "")).status).toBe(422);
    expect((await send(codesOn(renewed)[1] ?? "")).status).toBe(303);
  });

  test("once it is off, the password is enough again, and no codes can be created", async () => {
    const ed = await add("ed");
    const client = await signIn(server, ed);
    const page = await client.get(PATH);
    expect((await client.press(page, "Turn off")).location).toBe(
      `${PATH}?done=second-factor-off#done`,
    );
    expect((await client.press(page, "Generate new codes")).status).toBe(409);
    expect((await typePassword(visitor(), ed)).location).toBe("/projects");
    expect(await eventsOf(ed)).toEqual(["second_factor.on", "second_factor.off"]);
    const rows = await server.sql`
      select from recovery_codes where account_id = ${ed.accountId}`;
    expect(rows).toHaveLength(0);
  });
});

describe("signing in", () => {
  let fay: Someone;
  beforeAll(async () => {
    fay = await add("fay");
  });

  test("a wrong password gets the same error as for any account", async () => {
    const [plain, fays] = [
      await typePassword(visitor(), { ...fay, email: "nobody@example.com" }, { password: "no" }),
      await typePassword(visitor(), fay, { password: "no" }),
    ];
    expect(fays.html.replace("fay@", "nobody@")).toBe(plain.html);
    expect(fays.headers.getSetCookie()).toEqual([]);
  });

  test("there is no session before the code, and afterwards the requested page follows", async () => {
    const client = visitor();
    const answer = await typePassword(client, fay, { next: "/checks?done=input-lost" });
    expect(answer.location).toBe("/sign-in/code?next=%2Fchecks%3Fdone%3Dinput-lost");
    expect(answer.headers.get("set-cookie")).toMatch(
      /^shipscore-half=acc_\w+\.[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    expect([await countSessions(fay), await isSignedIn(client)]).toEqual([0, false]);
    expect((await client.get(PATH)).location).toContain("/sign-in");

    const asked = await client.get(answer.location ?? "");
    for (const code of [
      "",
      "000000",
      "A".repeat(24),
      "x".repeat(5000),
      codeOf(fay.app.secret, 5),
    ]) {
      const refused = await client.press(asked, "Sign in", { code });
      expect([refused.status, refused.page.problems["code"]]).toEqual([422, WRONG]);
    }
    expect(await countSessions(fay)).toBe(0);
    const refusals = Array<string>(5).fill("second_factor.refused");
    expect(await eventsOf(fay)).toEqual(["second_factor.on", ...refusals]);
    const code = (await fay.app.nextCode()).replace(/^.../, "$& ");
    const done = await client.press(asked, "Sign in", { code });
    expect(done.location).toBe("/checks?done=input-lost");
    expect([...client.cookies.keys()]).toEqual(["shipscore"]);
    expect(await isSignedIn(client)).toBe(true);
    const { page } = await client.get("/settings/account");
    expect(page.text).toContain("Correct password, but incorrect code");
  });

  test("a code works once, and so does the first step", async () => {
    const [first, second] = [await comeHalfway(fay), await comeHalfway(fay)];
    const half = first.client.cookies.get("shipscore-half") ?? "";
    const code = await fay.app.nextCode();
    expect((await first.send(code)).status).toBe(303);
    expect((await second.send(code)).status).toBe(422);
    expect((await second.send(codeOf(fay.app.secret, -1))).status).toBe(422);
    expect((await second.send(codeOf(fay.app.secret, 1))).status).toBe(303);
    first.client.cookies.set("shipscore-half", half);
    const again = await first.send(fay.app.recoveryCodes[9] ?? "");
    expect([again.status, again.page.text.includes(OVER)]).toEqual([422, true]);
  });

  test.each(["recovery", "app"])(
    "of eight simultaneous uses of one %s code one works",
    async (kind) => {
      const person = await add(`eight-${kind}`);
      const halves = await Promise.all(Array.from({ length: 8 }, () => comeHalfway(person)));
      const [recovery = ""] = person.app.recoveryCodes;
      const code = kind === "app" ? await person.app.nextCode() : recovery.toLowerCase();
      const answers = await Promise.all(halves.map(({ send }) => send(code)));
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([303, ...Array<number>(7).fill(422)]);
      expect(await countSessions(person)).toBe(1);
      const isUsed = (await eventsOf(person)).includes("second_factor.recovery_code_used");
      expect(isUsed).toBe(kind === "recovery");
    },
  );

  test("neither codes of another account, nor its first step, work", async () => {
    const gus = await add("gus");
    const { client, send } = await comeHalfway(fay);
    for (const code of [codeOf(gus.app.secret, 1), gus.app.recoveryCodes[0] ?? ""])
      expect((await send(code)).status).toBe(422);
    const half = client.cookies.get("shipscore-half") ?? "";
    client.cookies.set("shipscore-half", half.replace(fay.accountId, gus.accountId));
    expect((await send(await gus.app.nextCode())).page.text).toContain(OVER);
    expect(await countSessions(gus)).toBe(0);
  });

  test.each<[string, (person: Someone, client: Client) => unknown]>([
    ["there is none", (_, client) => client.cookies.delete("shipscore-half")],
    ["it is no such text", (_, client) => client.cookies.set("shipscore-half", "acc_x.y")],
    [
      "it is ten minutes old",
      async ({ email }, client) => {
        const { salts } = server.deps;
        const find = async () => {
          const found = await salts.find();
          return { ...found, now: () => found.now() - 601_000 };
        };
        const stored = await findPassword(server.sql, email);
        if (stored === undefined) throw new Error("no password");
        const { half } = await beginHalf({ ...server.deps, salts: { find } }, stored);
        client.cookies.set("shipscore-half", half);
      },
    ],
    ["the password was changed", (person) => givePassword(server, person, "a newer password")],
    [
      "the account was deleted",
      ({ accountId }) => server.sql`update accounts set email = null where id = ${accountId}`,
    ],
  ])("the first step is void if %s", async (what, end) => {
    const person = await add(`over-${what.replaceAll(" ", "-")}`);
    const { client, send } = await comeHalfway(person);
    await end(person, client);
    const answer = await send(await person.app.nextCode());
    expect([answer.status, answer.page.text.includes(OVER)]).toEqual([422, true]);
    expect((await client.get(`${CODE_PATH}?next=//x`)).location).toBe("/sign-in?next=%2Fprojects");
    expect(await countSessions(person)).toBe(0);
  });

  test("the later of two sign-ins in one browser continues, and neither signs in to the other account", async () => {
    const [gina, hal] = [await add("gina"), await add("hal")];
    const client = visitor();
    const first = await comeHalfway(gina, client);
    const second = await comeHalfway(hal, client);
    const answer = await first.send(await gina.app.nextCode());
    expect(answer.page.text).toContain(OVER);
    expect((await second.send(await hal.app.nextCode())).location).toBe("/projects");
    expect((await client.get("/settings/account")).page.text).toContain(hal.email);
  });

  test("the browser's old session lasts until the code is right, and then ends", async () => {
    const [ivy, plain] = [await add("ivy"), await addPerson(server, "plain")];
    const client = await signIn(server, plain);
    const former = client.cookies.get("shipscore") ?? "";
    const asked = await client.follow(await typePassword(client, ivy));
    await client.press(asked, "Sign in", { code: "000000" });
    expect([await countSessions(plain), client.cookies.get("shipscore")]).toEqual([1, former]);
    await client.press(asked, "Sign in", { code: await ivy.app.nextCode() });
    expect([await countSessions(plain), await countSessions(ivy)]).toEqual([0, 1]);
    expect(client.cookies.get("shipscore")).not.toBe(former);
  });

  test("beyond ten wrong passwords and codes an hour, from any addresses, the right code waits too, and a link does not", async () => {
    const jo = await add("jo");
    for (let tries = 0; tries < 4; tries++)
      await typePassword(visitor(), jo, { password: "not that" });
    const { client } = await comeHalfway(jo);
    const { email } = jo;
    const send = (code: string) => client.post(CODE_PATH, { email, code }, at());
    const answers = await Promise.all(Array.from({ length: 16 }, () => send("000000")));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(6);
    const [late] = answers.filter(({ status }) => status === 429);
    expect(Number(late?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await send(await jo.app.nextCode())).status).toBe(429);

    const link = await createLink(server.deps, OPERATOR, { email, kind: "sign_in" });
    const path = new URL(link).pathname;
    const statuses = [];
    for (let tries = 0; tries < 11; tries++)
      statuses.push((await visitor().post(path, { code: "000000" })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
  });
});

test.each(["password", "sign_in"] as const)(
  "a link (%s) asks for a code too, does nothing without it, and still works afterwards",
  async (kind) => {
    const kim = await add(`kim-${kind}`);
    const { email } = kim;
    const path = new URL(await createLink(server.deps, OPERATOR, { email, kind })).pathname;
    const client = visitor();
    const { page } = await client.get(path);
    const button = kind === "password" ? "Set the password" : "Sign in";
    const typed = kind === "password" ? { password: "a newer sentence" } : {};
    for (const code of ["", codeOf(kim.app.secret)]) {
      const refused = await client.press({ page }, button, { ...typed, code });
      expect([refused.status, refused.page.problems["code"]]).toEqual([422, WRONG]);
    }
    expect([await isSignedIn(client), await countSessions(kim)]).toEqual([false, 0]);
    expect((await typePassword(visitor(), kim)).status).toBe(303);
    const code = await kim.app.nextCode();
    expect((await client.press({ page }, button, { ...typed, code })).location).toBe(
      kind === "password" ? "/settings/account?done=password-changed#done" : "/projects",
    );
    expect(await isSignedIn(client)).toBe(true);
  },
);

test("for a lost phone the operator removes two-factor authentication, the passkeys and the sessions", async () => {
  const lea = await add("lea");
  await server.sql`
    insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name)
    values ('key_lea', ${lea.accountId}, '\\x01', '\\x01', 0, '', 'Phone')`;
  const client = await signIn(server, lea);
  const ways = async () => {
    const accounts = await server.perform<Record<string, unknown>[]>("account list", {});
    return accounts.find(({ email }) => email === lea.email)?.["secondFactor"];
  };
  expect(await ways()).toBe("codes, passkeys");
  await expect(
    server.perform("account second-factor", { email: "nobody@example.com", off: true }),
  ).rejects.toThrow("no account");
  await server.perform("account second-factor", { email: lea.email, off: true });
  expect([await ways(), await isSignedIn(client)]).toEqual([null, false]);
  expect(await eventsOf(lea)).toEqual(["second_factor.on", "second_factor.off"]);
  expect((await typePassword(visitor(), lea)).location).toBe("/projects");
});

test("the log has neither keys nor codes", async () => {
  const mia = await add("mia");
  const { send } = await comeHalfway(mia);
  await send("135790");
  await send(mia.app.recoveryCodes[0] ?? "");
  const log = server.log.join("");
  for (const secret of ["135790", mia.app.secret, mia.app.recoveryCodes[0]])
    expect(log).not.toContain(secret);
});
