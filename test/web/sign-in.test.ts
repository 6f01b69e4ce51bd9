import { hash } from "@node-rs/argon2";
import { beforeAll, expect, test } from "vitest";
import { signIn } from "../../server/access/sign-in.ts";
import { createSemaphore } from "../../server/semaphores.ts";
import {
  signedOutClient,
  signIn as visitAs,
  type Client,
  type PageAnswer,
} from "../harness/application.ts";
import { addPerson, givePassword, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(() => startTestServer({ env: { SHIPSCORE_TRUSTED_PROXIES: "127.0.0.1" } }));
let alice: Person;
/** Whose password is typed wrong. */
let walter: Person;
let password: string;

beforeAll(async () => {
  alice = await addPerson(server, "alice");
  walter = await addPerson(server, "walter");
  await givePassword(server, walter);
  password = await givePassword(server, alice);
});

let visitors = 0;

/** Somebody at an address of their own. */
function visitor(language: "fr" | "en" = "en", headers: Record<string, string> = {}): Client {
  const address = `198.51.${visitors >> 8}.${++visitors & 255}`;
  return signedOutClient(server, { language, headers: { "x-forwarded-for": address, ...headers } });
}

const signInAs = (client: Client, fields: Record<string, string> = {}) =>
  client.post("/sign-in", { email: alice.email, password, ...fields });

const sessionsOf = ({ accountId }: Person) => server.sql<{ browser: string; address: string }>`
  select browser, address from sessions where account_id = ${accountId} order by created_at`;

const withoutTypedEmail = ({ html }: PageAnswer) => html.replace(/ value(="[^"]*")?| (?= )/g, "");

let refusal: string | undefined;
test.each([
  ["an e-mail address that nobody has", { email: "nobody@example.com" }],
  ["a wrong password", { email: "walter@example.com", password: "le cheval de trois" }],
  [
    "a password with a space after it",
    { email: "walter@example.com", password: "le cheval de Troie " },
  ],
  ["no password", { email: "walter@example.com", password: "" }],
  ["no e-mail address", { email: "" }],
  ["what is no e-mail address", { email: "alice" }],
  ["a NUL in the e-mail address", { email: "alice\0@example.com" }],
  ["more than any address has", { email: `${"a".repeat(9000)}@example.com` }],
])("%s gets the same error, and no session", async (_what, fields) => {
  const client = visitor();
  const answer = await signInAs(client, fields);
  expect(answer.status).toBe(422);
  refusal ??= withoutTypedEmail(answer);
  expect(withoutTypedEmail(answer)).toBe(refusal);
  expect(answer.page.problems).toEqual({
    password: "Incorrect e-mail address or password. Check both, or ask for a link by e-mail.",
  });
  expect(client.cookies.size).toBe(0);
});

test("an account without a password gets the error of an unknown one", async () => {
  const { email } = await addPerson(server, "paul");
  const [paul, nobody] = [
    await signInAs(visitor(), { email }),
    await signInAs(visitor(), { email: "nobody@example.com" }),
  ];
  expect(paul.status).toBe(422);
  expect(withoutTypedEmail(paul)).toBe(withoutTypedEmail(nobody));
});

test("a rejected form keeps the address and its target, but not the password", async () => {
  const { page, html } = await signInAs(visitor("fr"), {
    email: walter.email,
    password: "le cheval de Trente",
    next: "/projects/new",
  });
  expect(page.form("/sign-in").sent("Se connecter")).toEqual({
    next: "/projects/new",
    email: walter.email,
    password: "",
  });
  expect(html).not.toContain("Trente");
});

test("a form of another site is rejected", async () => {
  const fields = { email: alice.email, password };
  for (const headers of [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "", origin: "https://elsewhere.example" },
  ])
    for (const path of ["/sign-in", "/sign-out"])
      expect((await visitor().post(path, fields, headers)).headers.has("set-cookie")).toBe(false);
});

test("the right password signs in, at every spelling of the address, and leads to the projects", async () => {
  const client = visitor();
  const answer = await signInAs(client, { email: "  Alice@Example.COM " });
  expect([answer.status, answer.location]).toEqual([303, "/projects"]);
  const cookie = answer.headers.get("set-cookie");
  expect(cookie).toMatch(/^shipscore=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/);
  expect((await client.post("/language", { language: "en" })).status).toBe(303);
});

test.each([
  ["/projects/new?from=here", "/projects/new?from=here"],
  ["/sign-in", "/sign-in"],
  ["https://elsewhere.example/", "/projects"],
  ["//elsewhere.example", "/projects"],
  ["/\\elsewhere.example", "/projects"],
  ["/projects\r\nset-cookie: a=b", "/projects"],
  ["javascript:alert(1)", "/projects"],
  ["", "/projects"],
])("after signing in, next=%j leads to %s", async (next, path) => {
  expect((await signInAs(visitor(), { next })).location).toBe(path);
});

test("the page keeps a local target, and redirects signed-in users to it", async () => {
  const client = visitor();
  const open = (next: string) => client.get(`/sign-in?next=${encodeURIComponent(next)}`);
  const sent = async (next: string) => (await open(next)).page.form("/sign-in").sent("Sign in");
  expect((await sent("https://elsewhere.example/"))["next"]).toBe("");
  expect((await sent("/settings/api"))["next"]).toBe("/settings/api");
  await signInAs(client);
  expect((await client.get("/sign-in")).location).toBe("/projects");
  expect((await open("/settings/api")).location).toBe("/settings/api");
});

test.each([
  ["Mars/Olympus", null],
  ["+02:00", null],
  ["Asia/Tokyo", "Asia/Tokyo"],
  ["Europe/Paris", "Asia/Tokyo"],
])(
  "the browser's time zone %s leaves the account with %s: the first is kept",
  async (zone, kept) => {
    await signInAs(visitor(), { time_zone: zone });
    const rows = await server.sql`select time_zone from accounts where id = ${alice.accountId}`;
    expect(rows).toEqual([{ timeZone: kept }]);
  },
);

test("each sign-in is a new session, which ends only the browser's old one", async () => {
  const erin = await addPerson(server, "erin");
  await givePassword(server, erin);
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
  const [here, there] = [visitor("en", { "user-agent": firefox }), visitor()];
  const fields = { email: erin.email };
  await signInAs(here, fields);
  await signInAs(there, fields);
  const first = here.cookies.get("shipscore") ?? "";
  await signInAs(here, fields);
  const second = here.cookies.get("shipscore") ?? "";
  expect(second).not.toBe(first);
  const [former, other] = [visitor(), there];
  former.cookies.set("shipscore", first);
  expect((await former.get("/sign-in")).status).toBe(200);
  expect((await other.get("/sign-in")).status).toBe(303);
  const rows = await sessionsOf(erin);
  expect(rows.map(({ browser }) => browser)).toEqual(["", "Firefox, Linux"]);
  expect(rows[1]?.address).toMatch(/^198\.51\./);
});

test("signing out ends this session and removes the cookie; a repetition changes nothing", async () => {
  const [client, other] = [visitor(), visitor()];
  await signInAs(client);
  await signInAs(other);
  const secret = client.cookies.get("shipscore") ?? "";
  for (let times = 0; times < 2; times++) {
    const answer = await client.post("/sign-out");
    expect([answer.status, answer.location]).toEqual([303, "/sign-in"]);
    expect(answer.headers.get("set-cookie")).toContain("shipscore=; Path=/; Max-Age=0");
  }
  client.cookies.set("shipscore", secret);
  expect((await client.get("/sign-in")).status).toBe(200);
  expect((await other.get("/sign-in")).status).toBe(303);
});

test.each([
  ["ends 14 days after its last use", "fay", { created: "20 days", used: "14 days" }, 200],
  ["ends 90 days after its beginning", "gil", { created: "90 days", used: "1 minute" }, 200],
  ["has not ended a day before", "hal", { created: "89 days", used: "13 days" }, 303],
])("a session %s", async (_when, name, { created, used }, status) => {
  const person = await addPerson(server, name);
  await givePassword(server, person);
  const client = visitor();
  await signInAs(client, { email: person.email });
  await server.sql`
    update sessions set created_at = now() - ${created}::text::interval, last_used_at = now() - ${used}::text::interval
    where account_id = ${person.accountId}`;
  expect((await client.get("/sign-in")).status).toBe(status);
});

test("background requests of an open page do not keep a session alive", async () => {
  const person = await addPerson(server, "idle");
  const client = await visitAs(server, person);
  const useAt = async (headers: Record<string, string>) => {
    await server.sql`
      update sessions set last_used_at = now() - interval '2 days' where account_id = ${person.accountId}`;
    const cookie = `shipscore=${client.cookies.get("shipscore")}`;
    expect((await server.request("/projects", { headers: { cookie, ...headers } })).status).toBe(
      200,
    );
    const [session] = await server.sql<{ isUsed: boolean }>`
      select last_used_at > now() - interval '1 day' as is_used from sessions where account_id = ${person.accountId}`;
    return session?.isUsed;
  };
  expect(await useAt({ "sec-fetch-dest": "empty" })).toBe(false);
  expect(await useAt({ "sec-fetch-dest": "document" })).toBe(true);
  expect(await useAt({})).toBe(true);
});

test("a form of an ended session is neither sent nor saved, and its page says so after the sign-in", async () => {
  const client = visitor();
  const sentence = "Your session had expired: what you entered was neither sent nor saved.";
  const asked = await client.post("/settings/account/preferences", { language: "fr" });
  expect(asked.page.text).toContain(sentence);
  const refused = await client.press(asked, "Sign in", { email: alice.email, password: "wrong" });
  expect(refused.status).toBe(422);
  const answer = await client.press(refused, "Sign in", { password });
  expect(answer.location).toBe("/settings/account?done=input-lost");
  const { page } = await client.follow(answer);
  expect([page.h1, page.text]).toEqual(["Account", expect.stringContaining(sentence)]);
});

test("a sign-in for which the server had no time does not count as failed", async () => {
  const basil = await addPerson(server, "basil");
  const typed = { email: basil.email, password: await givePassword(server, basil) };
  const where = { browser: "", address: "203.0.113.7" };
  const passwords = createSemaphore({ total: 0, perKey: 0, waiting: 0 });
  const deps = { ...server.deps, semaphores: { ...server.deps.semaphores, passwords } };
  for (let tries = 0; tries < 31; tries++)
    await expect(signIn(deps, typed, where)).rejects.toMatchObject({
      code: "busy",
    });
  expect(await signIn(server.deps, typed, where)).toMatchObject({ accountId: basil.accountId });
});

test("beyond ten failed sign-ins an hour with one e-mail address, from anywhere, the right password waits too", async () => {
  const frank = await addPerson(server, "frank");
  await givePassword(server, frank);
  const tries = await Promise.all(
    Array.from({ length: 25 }, () =>
      signInAs(visitor(), { email: frank.email, password: "not that" }),
    ),
  );
  expect(tries.filter(({ status }) => status === 422)).toHaveLength(10);
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(15);
  const answer = await signInAs(visitor(), { email: frank.email.toUpperCase(), next: "/checks" });
  expect(answer.status).toBe(429);
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(360);
  expect(answer.page.text).toMatch(
    /Too many attempts\. Try again in \d minutes\. You can also sign in now with a link sent by e-mail\./,
  );
  expect(answer.page.form("/sign-in").sent("Sign in")).toEqual({
    next: "/checks",
    email: frank.email.toUpperCase(),
    password: "",
  });
  expect((await signInAs(visitor())).status).toBe(303);
});

test("an unknown e-mail address has the same limit", async () => {
  const email = "gone@example.com";
  const statuses = [];
  for (let tries = 0; tries < 11; tries++)
    statuses.push((await signInAs(visitor(), { email })).status);
  expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
});

test("beyond thirty failed sign-ins an hour from one address, no one signs in from there", async () => {
  const client = visitor();
  const tries = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      signInAs(client, { email: `nobody${index}@example.com` }),
    ),
  );
  expect(tries.filter(({ status }) => status === 422)).toHaveLength(30);
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(10);
  expect([(await signInAs(client)).status, (await signInAs(visitor())).status]).toEqual([429, 303]);
});

test("fifty right sign-ins at once from one address all succeed, because only failures count", async () => {
  const client = visitor();
  const answers = await Promise.all(Array.from({ length: 50 }, () => signInAs(client)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
});

test("a cheaper hash than today's is renewed by the next sign-in, with the same password", async () => {
  const grace = await addPerson(server, "grace");
  const cheap = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await server.sql`update accounts set password_hash = ${cheap} where id = ${grace.accountId}`;
  for (let times = 0; times < 2; times++)
    expect((await signInAs(visitor(), { email: grace.email })).status).toBe(303);
  const [row] = await server.sql<{ passwordHash: string }>`
    select password_hash from accounts where id = ${grace.accountId}`;
  expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test("the log has neither passwords nor addresses as typed", async () => {
  await signInAs(visitor(), { email: "typed-here@example.com", password: "typed there too" });
  const log = server.log.join("");
  expect(log).toContain("sign-in refused");
  for (const secret of ["typed-here", "typed there", password]) expect(log).not.toContain(secret);
});
