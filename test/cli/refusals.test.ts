import { describe, expect, test } from "vitest";
import { findRefusal } from "../../cli/client/refusals.ts";
import { formatError } from "../../cli/terminal/errors.ts";
import { API_ERROR_CODES, type ApiErrorCode } from "../../shared/error-codes.ts";

const NOW = new Date("2026-11-20T08:30:00.000Z");

function refusalOf(status: number, body: { error: string; quota?: unknown }, headers = {}) {
  const answer = { status, headers: { "x-request-id": "req-1", ...headers }, text: "" };
  const quota = { used: 30, limit: 30, remaining: 0 };
  const refusal = findRefusal(answer, { quota, ...body } as never, NOW);
  return refusal && [refusal.exitCode, formatError(refusal)];
}

test.each([
  [
    400,
    "Adresse refusée : « https » est exigé.",
    40,
    'shipscore: the server refused the URL: "Adresse refusée : « https » est exigé." Give the https address of a page that anyone can reach. (request req-1)',
  ],
  [
    401,
    "Jeton invalide ou révoqué.",
    41,
    'shipscore: the server refused the token: "Jeton invalide ou révoqué." Put an active token of this server in SHIPSCORE_TOKEN. (request req-1)',
  ],
  [
    404,
    "Projet introuvable.",
    44,
    "shipscore: the server found nothing: \"Projet introuvable.\" Run 'shipscore projects' for the projects that this token sees. (request req-1)",
  ],
  [
    429,
    "Quota épuisé.",
    49,
    'shipscore: the month\'s quota is used up: "Quota épuisé." (30 of 30 checks used; the month turns on 2026-12-01 at 00:00 UTC). Wait until then, or ask for a larger plan. (request req-1)',
  ],
  [
    500,
    "Erreur interne.",
    50,
    'shipscore: the server failed: "Erreur interne." Try again, and give its operator the request\'s id if it happens again. (request req-1)',
  ],
  [
    503,
    "Service indisponible.",
    53,
    'shipscore: the server is unavailable for now: "Service indisponible." Try again in a moment. (request req-1)',
  ],
])("%i quotes the server and says what to do", (status, error, exitCode, line) => {
  expect(refusalOf(status, { error })).toEqual([exitCode, line]);
  expect(refusalOf(status, { error }, { "x-shipscore-error": "of_a_newer_server" })).toEqual([
    exitCode,
    line,
  ]);
});

test.each([302, 403, 418, 502, 504])("%i has no code of its own", (status) => {
  expect(refusalOf(status, { error: "Non." })).toBeUndefined();
});

test("a 429 trusts the server's Retry-After before this machine's clock", () => {
  expect(refusalOf(429, { error: "Non." }, { "retry-after": "3600" })).toEqual([
    49,
    expect.stringContaining("the month turns on 2026-11-20 at 09:30 UTC"),
  ]);
});

test("a sentence from the server stays on its line, without escape sequences", () => {
  expect(refusalOf(400, { error: "Non\u001b[2J\n::error::\u202eoui\u009b" })).toEqual([
    40,
    expect.stringContaining('"Non [2J \u2060::error:: oui"'),
  ]);
});

/** The line for a refusal with this code. */
const refusalWith = (status: number, code: string, headers = {}) =>
  refusalOf(status, { error: "Non." }, { "x-shipscore-error": code, ...headers })?.[1];

describe("errors are told apart by their code", () => {
  test.each<[number, ApiErrorCode, string]>([
    [400, "body_headers_invalid", `refused the request: "Non." Run 'shipscore doctor', which`],
    [404, "route_not_found", "Check the path in SHIPSCORE_URL: the API was not found there."],
    [404, "project_not_found", "Run 'shipscore projects' for the projects that this token sees."],
    [503, "busy", 'the server has as many checks as it takes: "Non." (request req-1)'],
    [503, "check_stopped", 'the server is unavailable for now: "Non." Try again in a moment.'],
  ])("%i %s", (status, code, part) => expect(refusalWith(status, code)).toContain(part));

  test.each([
    [408, "http_timeout"],
    [431, "http_headers_too_long"],
    [403, "of_a_newer_server"],
  ])("%i %s is our server's, though its status has no exit code", (status, code) => {
    const headers = { "x-shipscore-error": code };
    expect(refusalOf(status, { error: "Non." }, headers)).toEqual([
      3,
      "shipscore: the server refused the request: \"Non.\" Run 'shipscore doctor', which compares the versions of both sides. (request req-1)",
    ]);
  });

  test("and not by their sentence", () => {
    const headers = { "x-shipscore-error": "project_not_found" };
    expect(refusalOf(404, { error: "Route." }, headers)?.[1]).toContain("shipscore projects");
  });

  test("a wait that the server asks for comes first", () => {
    expect(refusalWith(503, "busy", { "retry-after": "60" })).toContain("left alone for 60 s");
  });
});

describe("a sentence that says what to do is quoted without a second advice", () => {
  const urlCodes = API_ERROR_CODES.filter((code) => /^url_(?!private)/.test(code));

  test.each<[status: number, code: ApiErrorCode]>([
    ...urlCodes.map((code): [number, ApiErrorCode] => [400, code]),
    [500, "internal"],
    [503, "unavailable"],
  ])("%i %s", (status, code) => {
    expect(refusalWith(status, code)).toMatch(/: "Non\." \(request req-1\)$/);
  });

  test("but one for programs says nothing to the user of a command", () => {
    expect(refusalWith(400, "body_empty")).toContain("Run 'shipscore doctor'");
  });

  test("and where it leaves out how, that is said", () => {
    expect(refusalWith(400, "url_private")).toBe(
      'shipscore: the server refused the URL: "Non." SHIPSCORE_ALLOW_NETWORKS is the server\'s setting for that. (request req-1)',
    );
  });

  test("and a wait that the server asks for is told", () => {
    expect(refusalWith(503, "unavailable", { "retry-after": "60" })).toContain(
      "left alone for 60 s",
    );
  });
});
