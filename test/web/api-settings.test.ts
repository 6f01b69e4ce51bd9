import { beforeEach, describe, expect, test } from "vitest";
import { hashPassword } from "../../server/access/passwords.ts";
import { fingerprintOfSession } from "../../server/access/sessions.ts";
import { createApp } from "../../server/app.ts";
import { createToken } from "../../server/access/tokens.ts";
import { addPerson, actorOf, type Person } from "../harness/people.ts";
import { signedOutClient, signIn, type Client, type PageAnswer } from "../harness/application.ts";
import { countQueries, startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const PATH = "/settings/api";
const TOKEN = /psk_[0-9A-Za-z]{40}/g;

const server = use(startTestServer);
let person: Person;
let client: Client;
let people = 0;

beforeEach(async () => {
  person = await addPerson(server, `person-${++people}`, "pro");
  client = await signIn(server, person);
});

/** A page, from an app on the same database whose queries are counted. */
async function getCounted(path: string): Promise<{ html: string; asked: number }> {
  const { server: counted, asked } = countQueries(server);
  const app = await createApp(counted);
  const cookie = `shipscore=${client.cookies.get("shipscore")}`;
  const { body } = await app.inject({ url: path, headers: { cookie, host: "127.0.0.1" } });
  await app.close();
  return { html: body, asked: asked.count };
}

const create = (name: string, by = client) => by.post(PATH, { name });
const tokensIn = ({ html }: PageAnswer) => [...new Set(html.match(TOKEN))];
const statusFor = async (token = "") =>
  (await server.request("/api/v1/projects", { token })).status;
const countActive = async () => {
  const [row] = await server.sql<{ count: number }>`
    select count(*)::int as count from tokens where account_id = ${person.accountId} and revoked_at is null`;
  return row?.count;
};
const revokePath = (id: string) => `${PATH}/tokens/${id}/revoke`;

describe("rejected", () => {
  test("the page and its form for visitors, with a redirect to the sign-in", async () => {
    const nobody = signedOutClient(server);
    expect((await nobody.get(PATH)).location).toBe("/sign-in?next=%2Fsettings%2Fapi");
    expect((await create("laptop", nobody)).page.h1).toBe("Sign in");
    expect(await countActive()).toBe(1);
  });

  test("a bearer token as a session", async () => {
    const headers = { authorization: `Bearer ${person.token}` };
    expect((await signedOutClient(server, { headers }).get(PATH)).status).toBe(303);
  });

  test.each<[name: string, problem: string]>([
    ["", "Enter a name for the token"],
    ["  ", "Enter a name for the token"],
    ["x".repeat(101), "over 100 characters"],
    ["a\tb", "control characters"],
    ["a\u0000b", "control characters"],
  ])("the name %j, at the field, with the input", async (name, problem) => {
    const answer = await create(name);
    expect(answer.status).toBe(422);
    expect(answer.page.problems["name"]).toContain(problem);
    expect(answer.page.form(PATH).fields["name"]?.value).toBe(name);
    expect(await countActive()).toBe(1);
  });

  test("a missing name, and two names", async () => {
    expect([(await client.post(PATH)).status, await countActive()]).toEqual([422, 1]);
  });

  test("a sixth token, with the names of the five and advice; the name stays in the field", async () => {
    for (const name of ["ci", "laptop", "desk", "<b>phone</b>"]) await create(name);
    const before = await client.get(PATH);
    expect(before.page.text).toContain("5 tokens are active, the limit for an account");
    const answer = await create("sixth");
    expect(answer.status).toBe(422);
    expect(answer.page.problems["name"]).toBe(
      "5 tokens are active, the limit for an account: test, ci, laptop, desk, <b>phone</b>. Revoke one first.",
    );
    expect(answer.page.form(PATH).fields["name"]?.value).toBe("sixth");
    expect(tokensIn(answer)).toEqual([]);
    expect(await countActive()).toBe(5);
  });

  test("more than four of ten sent at once by two tabs; each answer has its own token or none", async () => {
    const tabs = [client, await signIn(server, person)];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create(`tab ${index}`, tabs[index % 2])),
    );
    const created = answers.filter(({ status }) => status === 200);
    expect(created).toHaveLength(4);
    expect(new Set(created.map((answer) => tokensIn(answer).join())).size).toBe(4);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.flatMap(tokensIn)).toEqual([]);
    expect([refused.length, await countActive()]).toEqual([6, 5]);
  });

  test("revoking another's token, with the error of an unknown one, and no effect", async () => {
    const carol = await addPerson(server, `carol-${people}`);
    const ids = [carol.tokenId, "tok_00000000000000000000", "x", "%00", "tok_'"];
    const answers = await Promise.all(
      ids.flatMap((id) => [client.get(revokePath(id)), client.post(revokePath(id))]),
    );
    for (const { status, page } of answers)
      expect([status, page.h1]).toEqual([404, "Token not found"]);
    expect(await statusFor(carol.token)).toBe(200);
  });
});

describe("15 minutes after the last confirmation", () => {
  const age = (by: Client) => server.sql`
    update sessions set confirmed_at = now() - interval '16 minutes'
    where fingerprint = ${fingerprintOfSession(by.cookies.get("shipscore") ?? "")}`;

  test("a token needs the password, which no field keeps, unlike the name", async () => {
    await age(client);
    expect((await client.get(PATH)).page.form(PATH).fields["current_password"]?.type).toBe(
      "password",
    );
    for (const current_password of ["", "wrong wrong wrong"]) {
      const answer = await client.post(PATH, { name: "laptop", current_password });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.page.problems)).toEqual(["current_password"]);
      const { name, current_password: field } = answer.page.form(PATH).fields;
      expect([name?.value, field?.value]).toEqual(["laptop", ""]);
      expect(tokensIn(answer)).toEqual([]);
    }
    expect(await countActive()).toBe(1);
  });

  test("the password creates it, and the next one needs none", async () => {
    const current_password = "a password of the test";
    const hash = await hashPassword(current_password);
    await server.sql`update accounts set password_hash = ${hash} where id = ${person.accountId}`;
    await age(client);
    const answer = await client.post(PATH, { name: "laptop", current_password });
    expect([answer.status, tokensIn(answer).length]).toEqual([200, 1]);
    expect(answer.html).not.toContain(current_password);
    expect(answer.page.form(PATH).fields["current_password"]).toBeUndefined();
    expect((await create("desk")).status).toBe(200);
  });

  test("revoking needs no password: it must be fast when a token is lost", async () => {
    await age(client);
    expect((await client.post(revokePath(person.tokenId))).status).toBe(303);
  });
});

test("the log has the rejected accounts and errors, without names and tokens", async () => {
  const seen = server.log.length;
  await client.post(revokePath("tok_00000000000000000000"));
  await client.get(revokePath("tok_00000000000000000000"));
  const lines = server.log.slice(seen).map((line) => JSON.parse(line) as Record<string, unknown>);
  const route = `${PATH}/tokens/:id/revoke`;
  for (const method of ["POST", "GET"])
    expect(lines).toContainEqual(
      expect.objectContaining({ method, route, status: 404, accountId: person.accountId }),
    );
});

describe("a new token", () => {
  test("is only in the answer to its own form, in a read-only field without a name", async () => {
    const answer = await create("laptop");
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const [token = ""] = tokensIn(answer);
    expect(answer.html.split(token)).toHaveLength(2);
    const field = /<input[^>]*psk_[^>]*>/.exec(answer.html)?.[0];
    expect(field).toMatch(/ readonly/i);
    expect(field).not.toMatch(/ name=/);
    expect(await statusFor(token)).toBe(200);
    for (const path of [PATH, `${PATH}?before=x`, "/checks", "/projects", "/settings/account"])
      expect(tokensIn(await client.get(path))).toEqual([]);
    expect(server.log.join("\n")).not.toContain(token.slice(4, 20));
    expect(JSON.stringify([...answer.headers])).not.toContain(token);
  });

  test("is in the list with its id, its creation time, and the note that it was never used", async () => {
    const { page } = await create("laptop");
    const row = page.rows.find(([first]) => first?.startsWith("laptop"));
    expect(row).toEqual([
      expect.stringMatching(/^laptop tok_[0-9A-Za-z]{20} Copy$/),
      expect.stringMatching(/^\d+ \w+ \d{4}$/),
      "Never used",
      "Revoke",
    ]);
    expect(page.buttons).toContain("Revoke laptop");
  });

  test("is created again by a repeated form, up to five", async () => {
    const answers = [];
    for (let sent = 0; sent < 5; sent++) answers.push(await create("again"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 422]);
    expect(new Set(answers.flatMap(tokensIn)).size).toBe(4);
  });

  test("has its name on the page as text, without bidirectional characters", async () => {
    const { html, page } = await create(`<script>"x"</script> \u202eevil`);
    for (const part of [`<script>"x"`, "\u202e"]) expect(html).not.toContain(part);
    expect(page.buttons).toContain(`Revoke <script>"x"</script> evil`);
  });
});

describe("the last use", () => {
  test("is shown in words, with the exact time in the account's time zone as title", async () => {
    await server.sql`update accounts set time_zone = 'Asia/Tokyo' where id = ${person.accountId}`;
    await server.sql`
      update tokens set last_used_at = date_trunc('minute', now()) - interval '3 hours' where id = ${person.tokenId}`;
    const { html } = await client.get(PATH);
    const [, exact, title, words] =
      /<time dateTime="([^"]+)" title="([^"]+)">([^<]* ago)</i.exec(html) ?? [];
    expect(words).toBe("3 hours ago");
    const tokyo = new Intl.DateTimeFormat("en-GB", {
      hour: "2-digit",
      minute: "2-digit",
      timeZone: "Asia/Tokyo",
    });
    expect(title).toContain(tokyo.format(new Date(exact ?? "")));
  });

  test("appears after a use", async () => {
    await statusFor(person.token);
    const { page } = await client.get(PATH);
    expect(page.rows.find(([first]) => first?.startsWith("test"))?.[2]).toMatch(/seconds? ago$/);
  });
});

describe("revoking", () => {
  test("asks once, without effect, then applies from the next request on", async () => {
    const list = await client.get(PATH);
    const { action, method } = list.page.formOf("Revoke test");
    expect(method).toBe("get");
    const question = await client.get(action);
    expect([question.status, question.page.h1]).toEqual([200, "Revoke test?"]);
    expect([question.page.links["Cancel"], await statusFor(person.token)]).toEqual([PATH, 200]);
    const answer = await client.press(question, "Revoke test");
    expect([answer.status, answer.location]).toEqual([303, `${PATH}?done=token-revoked#done`]);
    expect(await statusFor(person.token)).toBe(401);
    const after = await client.get(PATH);
    expect(after.page.text).toContain("No active token");
    expect(after.page.buttons).not.toContain("Revoke test");
    const row = after.page.rows.find(([first]) => first?.startsWith("test"));
    expect(row?.[3]).toMatch(/^\d+ \w+ \d{4}$/);
  });

  test("again, from an old page, changes nothing and leads to the list", async () => {
    await client.post(revokePath(person.tokenId));
    const read = () => server.sql`select revoked_at from tokens where id = ${person.tokenId}`;
    const before = await read();
    const { status, location } = await client.post(revokePath(person.tokenId));
    expect([status, location]).toEqual([303, `${PATH}?done=token-revoked#done`]);
    expect(await read()).toEqual(before);
  });

  test("makes room for another", async () => {
    for (let made = 0; made < 4; made++) await create("more");
    expect((await create("sixth")).status).toBe(422);
    await client.post(revokePath(person.tokenId));
    expect((await create("sixth")).status).toBe(200);
  });
});

test("shows the revoked tokens in pages, with two queries", async () => {
  await server.sql`insert into tokens (id, account_id, name, fingerprint, revoked_at)
    select 'tok_' || lpad(n::text, 20, '0'), ${person.accountId}, 'old ' || n,
      decode(md5(${person.accountId}::text || n) || md5(n::text), 'hex'), now() - n * interval '1 hour'
    from generate_series(1, 45) n`;
  const seen: string[] = [];
  let path: string | undefined = PATH;
  while (path !== undefined) {
    const { page }: PageAnswer = await client.get(path);
    seen.push(...page.rows.flatMap(([first = ""]) => /^old \d+/.exec(first) ?? []));
    expect(page.buttons).toContain("Revoke test");
    path = page.links["Next page"];
  }
  expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => `old ${index + 1}`));
  const { html, asked } = await getCounted(PATH);
  expect(asked).toBe(2);
  expect(html.length).toBeLessThan(50_000);
});

describe("the month's quota", () => {
  test.each<[used: number, value: string]>([
    [0, "0"],
    [12, "12"],
    [340, "300"],
  ])("%i of 300, in figures and as a bar", async (used, value) => {
    await server.sql`insert into usage (account_id, month, used)
      values (${person.accountId}, date_trunc('month', now() at time zone 'utc')::date, ${used})`;
    const { html, page } = await client.get(PATH);
    expect(page.text).toContain(`${used} / 300`);
    expect(html).toMatch(new RegExp(`<progress[^>]* value="${value}"[^>]* max="300"`));
    expect(page.text.includes("Quota used up")).toBe(used >= 300);
  });

  test("resets on the first of the next month, in words", async () => {
    const [row] = await server.sql<{ turn: Date }>`
      select (date_trunc('month', now() at time zone 'utc') + interval '1 month') at time zone 'utc' as turn`;
    const turn = row?.turn ?? new Date();
    const month = (locale: string) =>
      turn.toLocaleDateString(locale, { month: "long", year: "numeric", timeZone: "UTC" });
    expect((await client.get(PATH)).page.text).toContain(`on 1 ${month("en-GB")} (UTC)`);
    const french = await signIn(server, person, { language: "fr" });
    expect((await french.get(PATH)).page.text).toContain(`le 1er ${month("fr-FR")} (UTC)`);
  });
});

describe("the examples", () => {
  test("have the server's own URL, and no token, even next to a new one", async () => {
    const { html } = await create("laptop");
    const blocks = [...html.matchAll(/<pre>.*?<\/pre>/gs)].join("\n");
    expect(blocks).toContain(`${server.url}/api/v1/check`);
    expect(blocks).toContain(`SHIPSCORE_URL=${server.url}`);
    expect(blocks).not.toContain("psk_");
    expect(html).not.toContain(`${server.url}/mcp`);
  });

  test("include one for assistants on the Team plan", async () => {
    const team = await signIn(server, await addPerson(server, `team-${people}`, "team"));
    expect((await team.get(PATH)).html).toContain(`${server.url}/mcp`);
  });
});

test("in French", async () => {
  const french = await signIn(server, person, { language: "fr" });
  const { page, html } = await french.post(PATH, { name: "portable" });
  expect(html).toContain(`lang="fr"`);
  expect(page.h1).toBe("Réglages de l'API");
  for (const part of ["Créer un jeton", "Révoquer portable"]) expect(page.buttons).toContain(part);
  expect(page.text).toContain("Jamais utilisé");
  const question = await french.get(page.formOf("Révoquer portable").action);
  expect(question.page.h1).toBe("Révoquer portable\u00a0?".replace("\u00a0", " "));
});

test("each change is recorded in its transaction, without the token or its name", async () => {
  await create("my secret name");
  await client.post(revokePath(person.tokenId));
  await createToken(server.deps, actorOf(person), "x");
  const events = await server.sql<{ action: string; address: string; details: object }>`
    select action, actor, actor_id, session_id, browser, address, details from events
    where account_id = ${person.accountId} and action like 'token.%' order by id`;
  expect(events.map(({ action }) => action)).toEqual([
    "token.created",
    "token.created",
    "token.revoked",
    "token.created",
  ]);
  expect(events[2]).toMatchObject({
    actor: "session",
    actorId: person.accountId,
    browser: "test",
    address: "127.0.0.1",
    details: { tokenId: person.tokenId },
  });
  expect(JSON.stringify(events)).not.toContain("secret name");
});

test("pages with a chosen text next to a secret are not compressed, because their length would reveal it", async () => {
  const packed = ({ headers }: PageAnswer) => headers.get("content-encoding");
  const accepts = { "accept-encoding": "gzip" };
  const created = await client.post(PATH, { name: "laptop" }, accepts);
  expect(tokensIn(created)).toHaveLength(1);
  expect(packed(created)).toBeNull();
  expect(packed(await client.get(PATH, accepts))).toBe("gzip");
  const site = { ...accepts, "sec-fetch-site": "cross-site" };
  expect(packed(await client.get(`${PATH}?before=person-1`, site))).toBeNull();
  expect(packed(await signedOutClient(server).get("/docs/rules", site))).toBe("gzip");
});
