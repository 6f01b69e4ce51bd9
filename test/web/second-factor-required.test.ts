import { beforeAll, expect, test } from "vitest";
import { createLink, fingerprintOfLink } from "../../server/access/links.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { upsertLink } from "../../server/db/accounts/links.ts";
import { signedOutClient, signIn } from "../harness/application.ts";
import { addPerson, givePassword, type Person } from "../harness/people.ts";
import { codeOf } from "../harness/second-factor.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const PATH = "/settings/account/second-factor";

const server = use(() => startTestServer({ env: { SHIPSCORE_SECOND_FACTOR: "required" } }));
let alice: Person;
/** Has a passkey alone. */
let bob: Person;
let password: string;

beforeAll(async () => {
  alice = await addPerson(server, "alice");
  bob = await addPerson(server, "bob");
  await givePassword(server, bob);
  password = await givePassword(server, alice);
  await server.sql`
    insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name)
    values ('key_bob', ${bob.accountId}, '\\x01', '\\x01', 0, '', 'Phone')`;
});

test("an account with neither must set one up first, for any page or form", async () => {
  const client = signedOutClient(server);
  const begun = await client.post("/sign-in", { email: alice.email, password, next: "/checks" });
  expect(begun.location).toBe("/checks");
  for (const path of ["/checks", "/projects/new", "/settings/api", "/settings/account"])
    expect((await client.get(path)).location).toBe(PATH);
  for (const path of ["/settings/api", "/settings/account/delete", "/projects/new"])
    expect((await client.post(path, { name: "x" })).location).toBe(PATH);
  expect((await client.get("/settings/account/passkeys")).status).toBe(200);
  expect((await client.post("/language", { language: "en" })).status).toBe(303);
  const projects = await server.request("/api/v1/projects", { token: alice.token });
  expect(projects.status).toBe(200);

  const asked = await client.get(PATH);
  expect(asked.page.text).toContain("This server requires two-factor authentication.");
  const key = /id="key">([^<]*)/.exec(asked.html)?.[1]?.replaceAll(" ", "") ?? "";
  expect((await client.press(asked, "Turn on", { code: codeOf(key) })).status).toBe(200);
  expect((await client.get("/checks")).status).toBe(200);
});

test("an account with only a passkey signs in with it, and not with its password or a link", async () => {
  const client = signedOutClient(server);
  const answer = await client.follow(
    await client.post("/sign-in", { email: bob.email, password, next: "/checks" }),
  );
  expect(answer.page.text).toContain("This server asks for your passkey.");
  expect(answer.page.links["Use a passkey"]).toBe("/sign-in?next=%2Fchecks");
  const typed = { email: bob.email, next: "/checks", code: "000000" };
  expect((await client.post("/sign-in/code", typed)).status).toBe(422);
  for (const kind of ["password", "sign_in"] as const) {
    const link = await createLink(server.deps, OPERATOR, { email: bob.email, kind });
    const path = new URL(link).pathname;
    expect((await client.get(path)).page.buttons).not.toContain("Sign in");
    const fields = { password: "a newer sentence", code: "" };
    expect((await client.post(path, fields)).status).toBe(422);
  }
  const sessions = await server.sql`select from sessions where account_id = ${bob.accountId}`;
  expect(sessions).toHaveLength(0);
  expect((await (await signIn(server, bob)).get("/checks")).status).toBe(200);
});

test("an account with only a passkey confirms a new address by the link sent to it", async () => {
  const client = await signIn(server, bob);
  const { accountId } = bob;
  const [session] = await server.sql<{ id: string }>`
    select id from sessions where account_id = ${accountId}`;
  const secret = "A".repeat(43);
  const link = { email: "moved@example.com", sessionId: session?.id ?? "" };
  await upsertLink(server.sql, fingerprintOfLink(secret), { kind: "email", accountId, ...link });
  const page = await signedOutClient(server).get(`/links/${secret}`);
  expect((await client.press(page, "Confirm")).location).toBe("/settings/account");
});
