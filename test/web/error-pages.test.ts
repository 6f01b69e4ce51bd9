import { setImmediate } from "node:timers/promises";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findCallerByToken, newToken } from "../../server/access/tokens.ts";
import { findLastShip } from "../../server/db/deployments/deployments.ts";
import type { Deps } from "../../server/deps.ts";
import { AppError } from "../../server/base/errors.ts";
import { answerRead, createAuthentication, decorateCaller } from "../../server/http/caller.ts";
import { createErrorHandler } from "../../server/web/kit/error-pages.tsx";
import { use } from "../harness/use.ts";
import { addPerson } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const server = use(() => startTestServer());
/** A server that lets go of everything, and one whose database does not answer. */
const ending = use(() => startTestServer());
let cutOff: TestServer;
let app: FastifyInstance;
let failure: unknown;

/** A page that fails as the test says, and a page of a project behind sign-in, of three servers. */
beforeAll(async () => {
  cutOff = await startTestServer();
  app = Fastify();
  decorateCaller(app);
  await app.register(pagesOf(server.deps));
  await app.register(pagesOf(ending.deps), { prefix: "/ending" });
  await app.register(pagesOf(cutOff.deps), { prefix: "/away" });
});
afterAll(async () => {
  await app.close();
  await cutOff.stop();
  await cutOff.database.drop();
});
beforeEach(() => {
  failure = undefined;
});

const pagesOf = (deps: Deps) => async (door: FastifyInstance) => {
  door.setErrorHandler(createErrorHandler(deps));
  door.get("/fails", async () => {
    throw failure;
  });
  await door.register(async (signedIn) => {
    signedIn.addHook("onRequest", createAuthentication(deps, [findCallerByToken]));
    signedIn.get("/project", { config: { isRead: true } }, (request) =>
      answerRead(request, findLastShip(deps.database.sql, request.caller.row, { id: "prj_none" })),
    );
  });
};

/** Returns when what was logged has been written too, which is once a turn of the event loop. */
async function ask(url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url, headers });
  await setImmediate();
  return answer;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const failures = (of: TestServer) => of.log.join("").split('"request failed"').length - 1;

const WAITS = [
  [1, "Réessayez dans 1 seconde.", "Try again in 1 second."],
  [59, "Réessayez dans 59 secondes.", "Try again in 59 seconds."],
  [61, "Réessayez dans 2 minutes.", "Try again in 2 minutes."],
  [3600, "Réessayez dans 60 minutes.", "Try again in 60 minutes."],
  [3601, "Réessayez dans 2 heures.", "Try again in 2 hours."],
  [100_000, "Réessayez dans 2 jours.", "Try again in 2 days."],
] as const;

test.each(WAITS)(
  "too often: the page says when to retry, %i s",
  async (seconds, french, english) => {
    failure = new AppError("too_often", { what: "tries", retryAfterSeconds: seconds });
    for (const [language, words] of Object.entries({ fr: french, en: english })) {
      const answer = await ask("/fails", { "accept-language": language });
      expect(answer.statusCode).toBe(429);
      expect(answer.headers["retry-after"]).toBe(String(seconds));
      expect(answer.body.replaceAll(/[\u00A0\u202F]/g, " ")).toContain(words);
    }
  },
);

test.each([
  ["session_not_found", { id: "ses_1" }],
  ["member_not_found", { email: "secret@example.com", projectId: "secret" }],
  ["url_watched_already", { projectId: "secret" }],
] as const)("%s: the page is out of date", async (code, parameters) => {
  failure = new AppError(code, parameters);
  const answer = await ask("/fails", { "accept-language": "en" });
  expect([answer.statusCode, answer.headers["x-shipscore-error"]]).toEqual([409, "form_stale"]);
  expect(answer.body).not.toContain("secret");
});

test.each([
  ["unauthorized", 401, "Connexion requise", "Sign-in required"],
  ["form_foreign", 403, "Formulaire refusé", "Form rejected"],
  ["owner_only", 403, "Réservé au propriétaire", "For the owner only"],
  ["form_stale", 409, "Page qui n'est plus à jour", "Page out of date"],
  ["body_too_large", 413, "Texte trop long", "Text too long"],
  ["body_media_type", 415, "Format refusé", "Format refused"],
  ["input_invalid", 422, "Valeur refusée", "Invalid value"],
  ["origin_foreign", 403, "Requête d'un autre site", "Request from another site"],
  ["host_foreign", 403, "Adresse inconnue de ce serveur", "Not a URL of this server"],
  ["project_not_found", 404, "Projet introuvable", "Project not found"],
  ["route_not_found", 404, "Page introuvable", "Page not found"],
  ["token_not_found", 404, "Jeton introuvable", "Token not found"],
  ["too_many_reads", 429, "Trop de pages à la fois", "Too many pages at a time"],
  ["internal", 500, "Erreur interne", "Internal error"],
  ["busy", 503, "Serveur surchargé", "Server overloaded"],
  ["unavailable", 503, "Service indisponible", "Service unavailable"],
  ["shutting_down", 503, "Serveur en cours d'arrêt", "Server shutting down"],
] as const)("%s is a page in the reader's language", async (code, status, fr, en) => {
  failure = new AppError(code, {});
  for (const [language, title] of Object.entries({ fr, en })) {
    const before = failures(server);
    const answer = await ask("/fails", { "accept-language": language });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "x-shipscore-error": code,
      "cache-control": "no-store",
    });
    const waits = { 429: "1", 503: "2" } as Partial<Record<number, string>>;
    expect(answer.headers["retry-after"]).toBe(waits[status]);
    expect(answer.body).toContain(`<html lang="${language}">`);
    expect(answer.body).toContain(`<h1>${title}</h1>`);
    expect(failures(server)).toBe(before + (status === 500 ? 1 : 0));
  }
});

test.each<[string, unknown]>([
  ["a bug", new Error("a secret")],
  ["what only an operator does", new AppError("account_exists", { email: "secret@example.com" })],
])("%s is an internal error, in the log alone", async (_, thrown) => {
  failure = thrown;
  const before = failures(server);
  const answer = await ask("/fails");
  expect([answer.statusCode, answer.headers["x-shipscore-error"]]).toEqual([500, "internal"]);
  expect(answer.body).not.toContain("secret");
  expect(failures(server)).toBe(before + 1);
});

test("an error while the server abandons its work is not internal", async () => {
  ending.abandonWork();
  failure = new Error("let go");
  const answer = await ask("/ending/fails");
  expect([answer.statusCode, answer.headers["x-shipscore-error"]]).toEqual([503, "shutting_down"]);
  expect(failures(ending)).toBe(0);
});

describe("a page of a project", () => {
  test.each([
    ["nobody", {}],
    ["somebody unknown", bearer(newToken())],
  ])("requires %s to sign in", async (_, headers) => {
    const answer = await ask("/project", headers);
    expect([answer.statusCode, answer.headers["x-shipscore-error"]]).toEqual([401, "unauthorized"]);
  });

  test("does not exist for someone who may not see it", async () => {
    const { token } = await addPerson(server, "carol");
    const answer = await ask("/project", bearer(token));
    expect(answer.statusCode).toBe(404);
    expect(answer.headers["x-shipscore-error"]).toBe("project_not_found");
  });

  test("asks to retry while the database is away", async () => {
    const { token } = await addPerson(cutOff, "carol");
    await cutOff.deps.database.close();
    const answer = await ask("/away/project", bearer(token));
    expect([answer.statusCode, answer.headers["x-shipscore-error"]]).toEqual([503, "unavailable"]);
    expect(failures(cutOff)).toBe(0);
  });
});
