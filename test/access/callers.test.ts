import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fingerprintOf, findCallerByToken, newToken } from "../../server/access/tokens.ts";
import { createErrorHandler } from "../../server/http/errors.ts";
import { callerOfToken } from "../../server/db/accounts/callers.ts";
import { listProjects } from "../../server/db/projects/projects.ts";
import {
  answerRead,
  createAuthentication,
  decorateCaller,
  getActor,
  type FindCaller,
} from "../../server/http/caller.ts";
import { addPerson, type Person } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";

let app: FastifyInstance;
let alice: Person;
let bob: Person;

const findCallerByCookie: FindCaller = ({ headers }) => {
  const token = /^token=(\S+)$/.exec(headers.cookie ?? "")?.[1];
  return token === undefined ? undefined : callerOfToken(fingerprintOf(token));
};

/** A door that accepts a token in two places, with a verb, a read, and a read whose route wants an actor too early. */
const server = useServer();
beforeAll(async () => {
  [alice, bob] = [await addPerson(server, "alice"), await addPerson(server, "bob")];
  const { deps } = server;
  app = Fastify();
  app.setErrorHandler(createErrorHandler(deps));
  decorateCaller(app);
  app.get("/outside", async (request) => getActor(request));
  app.get("/outside/read", (request) =>
    answerRead(request, listProjects(deps.database.sql, request.caller.row)),
  );
  await app.register(async (door) => {
    door.addHook("onRequest", createAuthentication(deps, [findCallerByToken, findCallerByCookie]));
    door.get("/verb", async (request) => getActor(request));
    door.get("/early", { config: { isRead: true } }, async (request) => getActor(request));
    door.get("/read", { config: { isRead: true } }, async (request) => {
      await answerRead(request, listProjects(deps.database.sql, request.caller.row));
      return getActor(request);
    });
  });
});
afterAll(async () => {
  await app.close();
});

const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
const cookie = ({ token }: { token: string }) => ({ cookie: `token=${token}` });
const unknown = { token: newToken() };

test.each<[string, () => Record<string, string>]>([
  ["no credential", () => ({})],
  ["an unknown one, by the first way", () => bearer(unknown)],
  ["an unknown one, by the second way", () => cookie(unknown)],
  ["two, of one account", () => ({ ...bearer(alice), ...cookie(alice) })],
  ["two, of two accounts", () => ({ ...bearer(alice), ...cookie(bob) })],
  ["two, of which one is unknown", () => ({ ...bearer(unknown), ...cookie(alice) })],
])("%s is rejected by a verb and by a read", async (_, headers) => {
  for (const url of ["/verb", "/read"])
    expect((await app.inject({ url, headers: headers() })).statusCode).toBe(401);
});

test.each(["/outside", "/outside/read", "/early"])(
  "%s gives no actor, even next to a valid token",
  async (url) => {
    expect((await app.inject({ url, headers: bearer(alice) })).statusCode).toBe(401);
  },
);

test.each<[string, () => Record<string, string>]>([
  ["the first way", () => bearer(alice)],
  ["the second way", () => cookie(alice)],
])("with %s, a verb and a read know the account and the kind of credential", async (_, headers) => {
  for (const url of ["/verb", "/read"]) {
    const answer = await app.inject({ url, headers: headers() });
    expect(answer.json()).toEqual({ by: "token", accountId: alice.accountId });
  }
});
