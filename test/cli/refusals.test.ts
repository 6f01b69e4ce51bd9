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

/** A refusal of a server that says its code, whose sentence tells nothing. */
const refusalWith = (status: number, code: string, headers = {}) =>
  refusalOf(status, { error: "Non." }, { "x-shipscore-error": code, ...headers })?.[1];

describe("errors are told apart by their code", () => {
  test.each<[number, ApiErrorCode, string]>([
    [400, "url_not_https", 'refused the URL: "Non." Give an address that begins with https://.'],
    [400, "url_private", "or ask the server's operator to allow its network with SHIPSCORE_ALLOW"],
    [400, "url_not_found", "Check the spelling of the host, or publish it in DNS."],
    [400, "body_headers_invalid", `refused the request: "Non." Run 'shipscore doctor', which`],
    [404, "route_not_found", "Check the path in SHIPSCORE_URL: the API was not found there."],
    [404, "project_not_found", "Run 'shipscore projects' for the projects that this token sees."],
    [503, "busy", 'the server has as many checks as it takes: "Non." Try again in a moment.'],
    [503, "check_stopped", 'the server is unavailable for now: "Non." Try again in a moment.'],
  ])("%i %s", (status, code, part) => {
    expect(refusalWith(status, code)).toContain(part);
  });

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

  test("each reason to refuse a URL has an advice of its own", () => {
    const codes = API_ERROR_CODES.filter((code) => code.startsWith("url_"));
    const lines = codes.map((code) => refusalWith(400, code));
    expect(new Set(lines).size).toBe(codes.length);
    expect(lines.join()).not.toContain("anyone can reach");
  });

  test("a wait that the server asks for comes first", () => {
    expect(refusalWith(503, "busy", { "retry-after": "60" })).toContain("left alone for 60 s");
  });
});

describe("a sentence that says what to do is quoted without a second advice", () => {
  test.each<[status: number, error: string, advice: string]>([
    [404, "Rien chez nous, ni assez près.", "Run 'shipscore projects' for the projects that"],
    [400, "Adresse en fr.", "Give the https address of a page that anyone can reach."],
  ])("%i %s says nothing to do", (status, error, advice) => {
    expect(refusalOf(status, { error })?.[1]).toContain(`"${error}" ${advice}`);
  });

  test.each([
    [400, "Adresse refusée. Donnez une adresse en https."],
    [400, "Hôte introuvable. Retirez-le, ou publiez-le dans le DNS."],
    [500, "Erreur interne ; RÉESSAYEZ."],
    [503, "La base ne répond pas. Réessayez dans un instant."],
  ])("%i %s", (status, error) => {
    expect(refusalOf(status, { error })?.[1]).toMatch(/: ".*" \(request req-1\)$/);
  });

  test("but one for programs says nothing to the user of a command", () => {
    const error = "Le corps est vide ; envoyez du JSON.";
    const refusal = refusalOf(400, { error }, { "x-shipscore-error": "body_empty" });
    expect(refusal?.[1]).toContain("Run 'shipscore doctor'");
  });

  test("and where it leaves out how, that is said", () => {
    const error = "L'hôte est privé. Demandez à l'exploitant d'autoriser ce réseau.";
    const refusal = refusalOf(400, { error }, { "x-shipscore-error": "url_private" });
    expect(refusal?.[1]).toBe(
      `shipscore: the server refused the URL: "${error}" SHIPSCORE_ALLOW_NETWORKS is the server's setting for that. (request req-1)`,
    );
  });

  test("and a wait that the server asks for is told", () => {
    const refusal = refusalOf(503, { error: "Réessayez." }, { "retry-after": "60" });
    expect(refusal?.[1]).toContain("left alone for 60 s");
  });
});

describe("of a server that says no code, as 0.1.0", () => {
  test("a route is told from a project by its sentence", () => {
    expect(refusalOf(404, { error: "Route introuvable." })?.[1]).toContain("SHIPSCORE_URL");
  });

  test("one that is busy says so in a header of its own", () => {
    const busy = refusalOf(503, { error: "Non." }, { "x-shipscore-busy": "1" });
    expect(busy?.[1]).toContain("has as many checks as it takes");
  });
});
