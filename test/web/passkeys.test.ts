import { generateKeyPairSync } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { Client, signIn } from "../harness/application.ts";
import { Authenticator, type Asked, type Lies } from "../harness/authenticator.ts";
import { addPerson, givePassword, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const PATH = "/settings/account/passkeys";
const REFUSED =
  "This passkey is not, or is no longer, known to this server. Use another one, or your password.";

const server = use(() => startTestServer({ env: { SHIPSCORE_TRUSTED_PROXIES: "127.0.0.1,::1" } }));
/** By a name, since browsers make no passkeys for an address. */
let origin: string;

beforeAll(async () => {
  origin = server.url.replace("127.0.0.1", "localhost");
});

let visitors = 0;
const visitor = (cookies: Record<string, string> = {}) =>
  new Client(origin, { cookies, headers: { "x-forwarded-for": `203.0.113.${++visitors}` } });

async function enter(person: Person): Promise<Client> {
  const { cookies } = await signIn(server, person);
  return visitor(Object.fromEntries(cookies));
}

async function ask(client: Client, path: string): Promise<Asked> {
  const { html } = await client.get(path);
  const { create, get } = JSON.parse(html) as { create?: Asked; get?: Asked };
  return (create ?? get) as Asked;
}

const askForNew = (client: Client) => ask(client, `${PATH}/options`);

async function add(client: Client, name = "Phone", lies: Lies = {}) {
  const authenticator = new Authenticator(origin);
  const credential = authenticator.create(await askForNew(client), lies);
  const answer = await client.post(PATH, { name, credential });
  return { authenticator, answer };
}

async function signInWith(authenticator: Authenticator, lies: Lies = {}, client = visitor()) {
  const passkey = authenticator.get(await ask(client, "/sign-in/passkey"), lies);
  return { client, passkey, answer: await client.post("/sign-in", { passkey, next: "/checks" }) };
}

const wait = ({ accountId }: Person, time: string) => server.sql`
  update sessions set confirmed_at = now() - ${time}::text::interval where account_id = ${accountId}`;

const eventsOf = async ({ accountId }: Person) => {
  const rows = await server.sql<{ action: string }>`
    select action from events where account_id = ${accountId} order by id`;
  return rows.map(({ action }) => action).filter((action) => action.startsWith("passkey."));
};

test("at an IP address there are no passkeys, and the page says so", async () => {
  const alice = await addPerson(server, "adam");
  const client = await signIn(server, alice);
  expect((await client.get(PATH)).page.text).toContain("Open this server at such a URL.");
  expect((await client.get(`${PATH}/options`)).status).toBe(404);
  expect((await client.get("/sign-in/passkey")).status).toBe(404);
});

test("for a visitor, no passkey can be created", async () => {
  for (const path of [PATH, `${PATH}/options`, `${PATH}/challenge`])
    expect((await visitor().get(path)).location).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
});

test.each<[string, Lies]>([
  ["whose person was not verified", { isVerified: false }],
  ["made on a page of another site", { origin: "https://elsewhere.example" }],
  ["made for another site", { rpId: "elsewhere.example" }],
  ["with certificates, which nobody asked for", { certificates: 1 }],
])("no passkey is added %s", async (_what, lies) => {
  const client = await enter(await addPerson(server, `eve${++visitors}`));
  const { answer } = await add(client, "Phone", lies);
  expect(answer.status).toBe(422);
  expect(answer.page.text).toContain("The passkey could not be added");
  expect((await client.get(PATH)).page.rows).toEqual([]);
});

test("an answer adds a passkey once, to its own session, and not as a sign-in", async () => {
  const [bob, carol] = [await addPerson(server, "bob"), await addPerson(server, "carol")];
  const [client, stranger] = [await enter(bob), await enter(carol)];
  const authenticator = new Authenticator(origin);
  const asked = await askForNew(client);
  const credential = authenticator.create(asked);
  const other = authenticator.create(await ask(visitor(), "/sign-in/passkey"));
  expect((await stranger.post(PATH, { name: "Phone", credential })).status).toBe(422);
  expect((await client.post(PATH, { name: "Phone", credential: other })).status).toBe(422);
  expect((await client.post(PATH, { name: "Phone", credential: "{}" })).status).toBe(422);
  expect((await client.post(PATH, { name: "Phone" })).status).toBe(422);
  expect((await client.post(PATH, { name: "Phone", credential })).location).toBe(
    `${PATH}?done=passkey-added#done`,
  );
  expect((await client.post(PATH, { name: "Phone", credential })).status).toBe(422);
  const again = authenticator.create(await askForNew(client));
  expect((await client.post(PATH, { name: "Phone", credential: again })).status).toBe(422);
  expect((await client.get(PATH)).page.rows).toHaveLength(2);
});

test("a passkey needs a name", async () => {
  const client = await enter(await addPerson(server, "nina"));
  const { answer } = await add(client, "  ");
  expect(answer.status).toBe(422);
  expect(answer.page.problems).toEqual({
    name: "Enter a name for the passkey, such as that of the device.",
  });
});

test("a twenty-first passkey is rejected", async () => {
  const dave = await addPerson(server, "dave");
  const client = await enter(dave);
  await server.sql`
    insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name)
    select 'key_' || number, ${dave.accountId}, decode(lpad(number::text, 4, '0'), 'hex'), '', 0, '', 'old'
    from generate_series(1, 20) number`;
  const { answer } = await add(client);
  expect(answer.status).toBe(422);
  expect(answer.page.text).toContain("20 passkeys, which is the limit");
});

test("a passkey is added, signs in, is renamed, is removed, and no longer signs in", async () => {
  const erin = await addPerson(server, "erin");
  const client = await enter(erin);
  const { authenticator, answer } = await add(client, "Phone");
  expect([answer.status, answer.location]).toEqual([303, `${PATH}?done=passkey-added#done`]);
  const listed = await client.get(PATH);
  expect(listed.page.rows[1]?.[0]).toBe("Phone");
  expect(listed.page.rows[1]?.[2]).toContain("Never used");
  const signedIn = await signInWith(authenticator);
  expect([signedIn.answer.status, signedIn.answer.location]).toEqual([303, "/checks"]);
  expect((await signedIn.client.get(PATH)).page.rows[1]?.[2]).not.toContain("Never used");

  const one = listed.page.links["Edit Phone"] ?? "";
  expect((await client.post(one, { name: "" })).page.problems).toHaveProperty("name");
  expect((await client.post(one, { name: "Old phone" })).location).toBe(`${PATH}?done=saved#done`);
  expect((await client.get(one)).page.h1).toBe("Old phone");
  const stranger = await enter(await addPerson(server, "mallory"));
  expect((await stranger.get(one)).status).toBe(404);
  expect((await stranger.get(`${PATH}/%00`)).status).toBe(404);
  expect((await stranger.post(one, { name: "mine" })).status).toBe(409);
  for (const path of [`${one}/remove`, `${PATH}/%00/remove`])
    expect([(await stranger.get(path)).status, (await stranger.post(path)).status]).toEqual([
      404, 303,
    ]);

  const asked = await client.press(await client.get(one), "Remove Old phone");
  for (const click of ["first", "second"])
    expect([click, (await client.press(asked, "Remove Old phone")).location]).toEqual([
      click,
      `${PATH}?done=passkey-removed#done`,
    ]);
  expect((await client.get(PATH)).page.rows).toEqual([]);
  const { answer: refused } = await signInWith(authenticator);
  expect(refused.status).toBe(422);
  expect(refused.page.text).toContain(REFUSED);
  expect(await eventsOf(erin)).toEqual(["passkey.added", "passkey.renamed", "passkey.removed"]);
});

test("an answer signs in once, and only to a challenge from this server that is under five minutes old", async () => {
  const client = await enter(await addPerson(server, "frank"));
  const { authenticator } = await add(client);
  const { passkey, answer } = await signInWith(authenticator);
  expect(answer.status).toBe(303);
  expect((await visitor().post("/sign-in", { passkey })).status).toBe(422);
  const asked = await ask(visitor(), "/sign-in/passkey");
  const tries = await Promise.all(
    Array.from({ length: 5 }, () =>
      visitor().post("/sign-in", { passkey: authenticator.get(asked) }),
    ),
  );
  const statuses = tries.map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 422, 422, 422, 422]);
  const fromConfirming = authenticator.get(await ask(client, `${PATH}/challenge`));
  expect((await visitor().post("/sign-in", { passkey: fromConfirming })).status).toBe(422);
  const made = { challenge: Buffer.from("1".repeat(32)).toString("base64url"), rpId: "localhost" };
  const invented = authenticator.get(made);
  expect((await visitor().post("/sign-in", { passkey: invented })).status).toBe(422);
});

test.each<[string, Lies]>([
  ["whose person was not verified", { isVerified: false }],
  ["given on a page of another site", { origin: "https://elsewhere.example" }],
  ["for another site", { rpId: "elsewhere.example" }],
  ["signed by another key", { key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey }],
])("no answer of a passkey signs in %s", async (_what, lies) => {
  const { authenticator } = await add(await enter(await addPerson(server, `gina${++visitors}`)));
  const { client, answer } = await signInWith(authenticator, lies);
  expect([answer.status, client.cookies.size]).toEqual([422, 0]);
  expect(answer.page.form("/sign-in").sent("Sign in")["next"]).toBe("/checks");
});

test("a passkey with a counter does not sign in after its copy has", async () => {
  const { authenticator } = await add(await enter(await addPerson(server, "hugo")), "Key", {
    counter: 4,
  });
  const statusAt = async (counter: number) =>
    (await signInWith(authenticator, { counter })).answer.status;
  expect([await statusAt(4), await statusAt(9), await statusAt(9), await statusAt(8)]).toEqual([
    422, 303, 422, 422,
  ]);
  expect(await statusAt(10)).toBe(303);
});

test("failed sign-ins with an e-mail address do not block a passkey", async () => {
  const ines = await addPerson(server, "ines");
  const { authenticator } = await add(await enter(ines));
  const wrong = { email: ines.email, password: "wrong" };
  const client = visitor();
  for (let tries = 0; tries < 11; tries++) await client.post("/sign-in", wrong);
  expect((await client.post("/sign-in", wrong)).status).toBe(429);
  expect((await signInWith(authenticator, {}, client)).answer.status).toBe(303);
});

test("after 15 minutes a passkey is added and removed only after a confirmation, by password or passkey", async () => {
  const jana = await addPerson(server, "jana");
  const password = await givePassword(server, jana);
  const client = await enter(jana);
  const { authenticator } = await add(client);
  const one = (await client.get(PATH)).page.links["Edit Phone"] ?? "";
  await wait(jana, "15 minutes");

  const { answer } = await add(client, "Tablet");
  expect(answer.status).toBe(422);
  expect(answer.page.problems).toEqual({
    current_password: "Enter your current password to confirm.",
  });
  const removal = await client.post(`${one}/remove`, { current_password: "wrong" });
  expect([removal.status, removal.page.problems]).toEqual([
    422,
    { current_password: "Incorrect password. Check it and enter it again." },
  ]);
  expect(removal.html).not.toContain('value="wrong"');

  const page = await client.get(PATH);
  const confirmed = await client.press(page, "Confirm", { current_password: password });
  expect([confirmed.status, confirmed.location]).toEqual([303, PATH]);
  expect((await add(client, "Tablet")).answer.status).toBe(303);

  await wait(jana, "1 hour");
  const other = await enter(await addPerson(server, "karl"));
  const { authenticator: foreign } = await add(other, "Foreign");
  const asked = await ask(client, `${PATH}/challenge`);
  const confirm = (passkey: string) => client.post(`${one}/remove`, { passkey });
  expect((await confirm(foreign.get(asked))).page.problems["current_password"]).toBe(REFUSED);
  const toSignIn = authenticator.get(await ask(client, "/sign-in/passkey"));
  expect((await confirm(toSignIn)).status).toBe(422);
  expect((await confirm(authenticator.get(asked))).location).toBe(
    `${PATH}?done=passkey-removed#done`,
  );
  expect((await client.get(PATH)).page.rows).toHaveLength(2);
});

test("the password is changed after the passkey, also if it was forgotten", async () => {
  const mia = await addPerson(server, "mia");
  await givePassword(server, mia);
  const client = await enter(mia);
  const { authenticator } = await add(client);
  const form = (await client.get("/settings/account")).page.formOf("Change the password");
  expect(form.fields).toHaveProperty("passkey");
  const passkey = authenticator.get(await ask(client, `${PATH}/challenge`));
  const typed = { new_password: "une phrase tout à fait nouvelle" };
  expect((await client.post("/settings/account", typed)).status).toBe(422);
  const changed = await client.post("/settings/account", { ...typed, passkey });
  expect(changed.location).toBe("/settings/account?done=password-changed#done");
});
