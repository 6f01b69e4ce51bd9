import { once } from "node:events";
import { request as sendHttp } from "node:http";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from "vitest";
import { createApp } from "../../server/app.ts";
import { fingerprintOfSession, openSession } from "../../server/access/sessions.ts";
import { callerOfSession, callerOfToken } from "../../server/db/accounts/callers.ts";
import { createToken, fingerprintOf, newToken } from "../../server/access/tokens.ts";
import { toSql } from "../../server/db/driver/sql.ts";
import { insertPast } from "../harness/past.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { callOf, postMcp } from "../harness/mcp.ts";
import { sendRequest } from "../harness/request.ts";
import { useServer } from "../harness/server.ts";
import { waitUntil } from "../harness/slow-site.ts";

/** Half of the connections for reads. */
const AT_ONCE = inject("database") === "embedded" ? 1 : 2;
const WAITING = 40;

/** The reads of the first app: those that run, the most that ran at once, and whether they are held. */
let reads = { running: 0, most: 0, begun: 0 };
let release: (() => void) | undefined;
let held: Promise<void> | undefined;

function hold(): void {
  held = new Promise((resolve) => (release = resolve));
}

const server = useServer();
let app: FastifyInstance;
let url: string;
let people: Record<"alice" | "bob", Person>;
let id: string;
let secrets: string[];
let tokens: string[];

beforeAll(async () => {
  const { database } = server.deps;
  const sql = toSql(
    (strings, ...values) => database.sql(strings, ...values),
    async (strings, ...values) => {
      reads.begun++;
      reads.most = Math.max(reads.most, ++reads.running);
      try {
        await held;
        return await database.sql.read(strings, ...values);
      } finally {
        reads.running--;
      }
    },
  );
  app = await createApp({ ...server.deps, database: { ...database, sql } });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
  people = await addPeople(server);
  id = await addProject(server, people.alice, "https://example.com/", "Shop");
  await insertPast(server.sql, id, { deployments: 3 });
  await server.sql`update accounts set plan = 'team'`;
  const { accountId } = people.alice;
  const client = { browser: "test", address: "127.0.0.1" };
  const sessions = [1, 2].map(() => openSession(server.sql, accountId, client));
  secrets = (await Promise.all(sessions)).map(({ secret }) => secret);
  const actor = { by: "operator", accountId } as never;
  const other = await createToken(server.deps, actor, "other");
  tokens = [people.alice.token, other.token];
});
afterAll(() => {
  app.server.closeAllConnections();
  return app.close();
});
afterEach(() => release?.());
beforeEach(() => {
  reads = { running: 0, most: 0, begun: 0 };
  hold();
});

/** Requests of Alice, in turn by each of her sessions or tokens. */
type Ask = (index: number, signal?: AbortSignal) => Promise<Response>;
const of = (list: readonly string[], index: number) => list[index % list.length] ?? "";
const page =
  (path: () => string, init: { method?: string; body?: string } = {}): Ask =>
  (index, signal) =>
    fetch(new URL(path(), url), {
      ...init,
      headers: {
        cookie: `shipscore=${of(secrets, index)}`,
        "accept-language": "en",
        "sec-fetch-site": "same-origin",
        ...(init.body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
      },
      redirect: "manual",
      ...(signal && { signal }),
    });
const list = page(() => `/projects/${id}/deployments?sort=score&q=a`);
const readProjects: Ask = (index) =>
  sendRequest(url, "/api/v1/projects", { token: of(tokens, index) });
const DOORS: Record<string, Ask> = {
  "a list": list,
  "its file": page(() => `/projects/${id}/deployments?format=csv`),
  "its HEAD": page(() => `/projects/${id}/deployments`, { method: "HEAD" }),
  "a page of several reads": page(() => "/settings/account"),
  "the API": readProjects,
};
const REFUSED_FORM = page(() => "/checks", { method: "POST", body: "url=" });
const callTool: Ask = (index) =>
  postMcp(server.url, callOf("list_projects"), { token: of(tokens, index) });

const ask = (count: number, door: Ask) => Array.from({ length: count }, (_, index) => door(index));
const bobReads = () => sendRequest(server.url, "/api/v1/projects", { token: people.bob.token });
/** So that they are known, and no read finds out whose a session or a token is. */
const becomeKnown = async () => {
  release?.();
  for (const door of [list, callTool]) await Promise.all(ask(2, door));
  reads = { running: 0, most: 0, begun: 0 };
  hold();
};
/** Sends more reads than wait; resolves to all answers once those beyond are refused. */
async function fillQueue(): Promise<Promise<Response>[]> {
  const [beyond, refused] = [3, [] as Response[]];
  const answers = ask(AT_ONCE + WAITING + beyond, readProjects);
  for (const answer of answers) void answer.then((one) => one.status === 429 && refused.push(one));
  await waitUntil("those beyond are refused", () => refused.length === beyond);
  return answers;
}
/** How many answers have each status, once nothing is held. */
async function countStatuses(answers: readonly Promise<Response>[]) {
  release?.();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  return [200, 429].map((one) => statuses.filter((status) => status === one).length);
}
const areHeld = (count: number) => waitUntil("reads are held", () => reads.running === count);

test("an unknown token, a check and another account do not wait for the reads of an account", async () => {
  await becomeKnown();
  const waiting = ask(AT_ONCE + WAITING, list);
  await areHeld(AT_ONCE);
  const unknown = await sendRequest(server.url, "/api/v1/projects", { token: newToken() });
  expect(unknown.status).toBe(401);
  const check = { token: people.alice.token, method: "POST", body: { url: "x" } };
  expect((await sendRequest(server.url, "/api/v1/check", check)).status).toBe(400);
  expect((await bobReads()).status).toBe(200);
  release?.();
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
});

test.each(Object.keys(DOORS))(
  "of %s at most half of the read connections serve one account, with any number of sessions and tokens",
  async (name) => {
    await becomeKnown();
    const answers = ask(10, DOORS[name]!);
    await areHeld(AT_ONCE);
    expect((await bobReads()).status).toBe(200);
    release?.();
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    expect(reads.most).toBe(AT_ONCE);
  },
);

test("unused sessions are identified first, and then wait for each other", async () => {
  const client = { browser: "test", address: "127.0.0.1" };
  const opening = [1, 2, 3, 4, 5].map(() =>
    openSession(server.sql, people.alice.accountId, client),
  );
  const known = secrets;
  secrets = (await Promise.all(opening)).map(({ secret }) => secret);
  const answers = ask(20, list);
  await areHeld(AT_ONCE);
  release?.();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  expect(reads.most).toBe(AT_ONCE);
  secrets = known;
});

test("the page of a rejected form waits for a permit too", async () => {
  release?.();
  const caller = callerOfSession(fingerprintOfSession(of(secrets, 0)));
  const permits = Array.from({ length: AT_ONCE }, () => server.deps.accountReads.begin(caller));
  const ends = await Promise.all(permits);
  const form = REFUSED_FORM(0);
  await waitUntil("the form's account is found", () => reads.begun === 1);
  expect((await bobReads()).status).toBe(200);
  expect(reads.begun).toBe(1);
  for (const end of ends) end?.();
  expect((await form).status).toBe(422);
});

test("a revoked token waits like the account's others for at most 10 s", async () => {
  const { accountReads } = server.deps;
  const actor = { by: "operator", accountId: people.alice.accountId } as never;
  const created = await createToken(server.deps, actor, "leaked");
  const caller = callerOfToken(fingerprintOf(created.token));
  (await accountReads.begin(caller))?.();
  await server.sql`update tokens set revoked_at = now() where id = ${created.id}`;
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 10_000);
  expect(await accountReads.begin(caller).finally(() => clock.mockRestore())).toBeUndefined();
});

test.each<[string, Ask, (answer: Response) => Promise<void>]>([
  [
    "a page",
    list,
    async (answer) => {
      expect(answer.status).toBe(429);
      expect(await answer.text()).toContain("<h1>Too many pages at a time</h1>");
    },
  ],
  [
    "the API",
    (index) => sendRequest(url, "/api/v1/projects", { token: of(tokens, index) }),
    async (answer) => {
      expect(answer.status).toBe(429);
      expect(await answer.json()).toEqual({
        error: "Ce compte a trop de lectures en cours. Réessayez dans une seconde.",
      });
    },
  ],
])("with 40 waiting reads, %s is rejected without a read", async (_, door, expectRefusal) => {
  await becomeKnown();
  const answers = await fillQueue();
  const { begun } = reads;
  const answer = await door(0);
  expect(answer.headers.get("retry-after")).toBe("1");
  expect(answer.headers.get("x-shipscore-error")).toBe("too_many_reads");
  await expectRefusal(answer);
  expect(reads.begun).toBe(begun);
  expect(await countStatuses(answers)).toEqual([AT_ONCE + WAITING, 3]);
  expect(reads.most).toBe(AT_ONCE);
});

test("a crowd of reads blocks no form: signing out ends the session", async () => {
  await becomeKnown();
  const answers = await fillQueue();
  const client = { browser: "test", address: "127.0.0.1" };
  const { secret } = await openSession(server.sql, people.alice.accountId, client);
  const init = {
    headers: { cookie: `shipscore=${secret}`, "sec-fetch-site": "same-origin" },
    redirect: "manual" as const,
  };
  const leaving = fetch(new URL("/sign-out", url), { ...init, method: "POST" });
  expect(await countStatuses(answers)).toEqual([AT_ONCE + WAITING, 3]);
  expect((await leaving).status).toBe(303);
  const after = await fetch(new URL("/projects", url), init);
  expect(after.headers.get("location")).toBe("/sign-in?next=%2Fprojects");
});

test("a tool waits behind the pages, and beyond 40 it is rejected with the time to retry; another account's is answered first", async () => {
  await becomeKnown();
  const order: string[] = [];
  const note = async (who: string, answer: Promise<Response>) => {
    const { result } = (await (await answer).json()) as { result: { content: [{ text: string }] } };
    order.push(who);
    return result.content[0].text;
  };
  const pages = ask(AT_ONCE, list);
  await areHeld(AT_ONCE);
  const waiting = note("alice", callTool(0));
  await note("bob", postMcp(server.url, callOf("list_projects"), { token: people.bob.token }));
  release?.();
  expect(await waiting).toContain("Projets : 1");
  await Promise.all(pages);
  hold();
  const answers = await fillQueue();
  expect(await note("refused", callTool(0))).toBe(
    "Ce compte a trop de lectures en cours. Réessayez dans une seconde. Rappelez l'outil dans une seconde, et appelez moins d'outils à la fois.",
  );
  expect(order).toEqual(["bob", "alice", "refused"]);
  await countStatuses(answers);
});

test("a read that waited 5 s is rejected; a client that disconnects during its read keeps its turn", async () => {
  await becomeKnown();
  const leaving = new AbortController();
  const gone = Array.from({ length: AT_ONCE }, (_, index) => list(index, leaving.signal));
  await areHeld(AT_ONCE);
  leaving.abort();
  await Promise.allSettled(gone);
  const refused = await list(0);
  expect([refused.status, reads.running]).toEqual([429, AT_ONCE]);
  release?.();
  expect((await list(0)).status).toBe(200);
});

test("event streams hold no turn while they are open", async () => {
  release?.();
  const streams = secrets.flatMap((secret) =>
    [1, 2].map(() =>
      sendHttp(new URL(`/projects/${id}/events`, url), {
        headers: { cookie: `shipscore=${secret}`, accept: "text/event-stream" },
      }).end(),
    ),
  );
  await Promise.all(streams.map((stream) => once(stream, "response")));
  expect((await list(0)).status).toBe(200);
  for (const stream of streams) stream.on("error", () => {}).destroy();
});
