import { describe, expect, test } from "vitest";
import { findRefusal } from "../../cli/client/errors.ts";
import { say } from "../../shared/report/words.ts";
import { formatError } from "../../cli/terminal/errors.ts";
import { API_ERROR_CODES, API_ERRORS, sayError, type ApiErrorCode } from "../../shared/errors.ts";

const NOW = new Date("2026-11-20T08:30:00.000Z");

function refusalOf(
  status: number,
  body: { error: string; quota?: unknown },
  headers = {},
  language: "fr" | "en" = "en",
) {
  const answer = { status, headers: { "x-request-id": "req-1", ...headers }, text: "" };
  const quota = { used: 30, limit: 30, remaining: 0 };
  const refusal = findRefusal(answer, { quota, ...body } as never, NOW);
  return refusal && [refusal.exitCode, formatError(refusal, language)];
}

test.each([
  [
    400,
    "Adresse refusée : « https » est exigé.",
    40,
    'shipscore: the server refused the URL: "Adresse refusée : « https » est exigé." Use the https URL of a page that anyone can reach. (request req-1)',
  ],
  [
    401,
    "Jeton invalide ou révoqué.",
    41,
    'shipscore: the server refused the token: "Jeton invalide ou révoqué." Set SHIPSCORE_TOKEN to an active token of this server. (request req-1)',
  ],
  [
    404,
    "Projet introuvable.",
    44,
    "shipscore: the server found nothing: \"Projet introuvable.\" Run 'shipscore projects' to list the projects of this token. (request req-1)",
  ],
  [
    429,
    "Quota épuisé.",
    49,
    'shipscore: the monthly quota of checks is used up: "Quota épuisé." (30 of 30; it resets on 1 December 2026 at 00:00 UTC). Wait until then, or ask for a larger plan. (request req-1)',
  ],
  [
    500,
    "Erreur interne.",
    50,
    'shipscore: the server failed: "Erreur interne." Try again; if the error persists, send the request ID to the server\'s administrator. (request req-1)',
  ],
  [
    503,
    "Service indisponible.",
    53,
    'shipscore: the server is temporarily unavailable: "Service indisponible." Try again in a moment. (request req-1)',
  ],
])(
  "%i without a known code quotes the server and gives advice",
  (status, error, exitCode, line) => {
    expect(refusalOf(status, { error })).toEqual([exitCode, line]);
    expect(refusalOf(status, { error }, { "x-shipscore-error": "of_a_newer_server" })).toEqual([
      exitCode,
      line,
    ]);
  },
);

test.each([302, 403, 418, 502, 504])("%i has no code", (status) => {
  expect(refusalOf(status, { error: "Non." })).toBeUndefined();
});

test("a 429 uses the server's Retry-After rather than this machine's clock", () => {
  expect(refusalOf(429, { error: "Non." }, { "retry-after": "3600" })).toEqual([
    49,
    expect.stringContaining("it resets on 20 November 2026 at 09:30 UTC"),
  ]);
});

test("a sentence from the server stays on its line, without escape sequences", () => {
  expect(refusalOf(400, { error: "Non\u001b[2J\n::error::\u202eoui\u009b" })).toEqual([
    40,
    expect.stringContaining('"Non [2J \u2060::error:: oui"'),
  ]);
});

/** What is said of a code, whatever sentence the server gives. */
const refusalWith = (code: ApiErrorCode, headers = {}, language: "fr" | "en" = "en") =>
  refusalOf(
    API_ERRORS[code].status,
    { error: "Non." },
    { "x-shipscore-error": code, ...headers },
    language,
  )?.[1];

const PARAMETERS = "x-shipscore-error-parameters";
const HOST = { [PARAMETERS]: 'host="10.0.0.7"' };
const COUNTS = { [PARAMETERS]: "used=300, limit=300" };

describe("a code and its parameters are translated to the reader's language", () => {
  test.each<[ApiErrorCode, headers?: object, values?: object]>([
    ["url_private", HOST, { host: "10.0.0.7" }],
    ["too_many_reads", { "retry-after": "1" }],
    ["unauthorized"],
    ["project_not_found"],
    ["route_not_found"],
    ["mcp_team_only"],
  ])("%s, with its advice", (code, headers, values = {}) => {
    for (const language of ["fr", "en"] as const) {
      const { advice } = API_ERRORS[code];
      const sentences = [
        say(sayError(code, { ...values }), language),
        advice && `${say(advice, language)}.`,
      ];
      const request = { fr: "(requête req-1)", en: "(request req-1)" }[language];
      const line = `shipscore: ${sentences.filter(Boolean).join(" ")} ${request}`;
      expect(refusalWith(code, headers, language)).toBe(line);
    }
  });

  test.each<[ApiErrorCode, object, fr: string, en: string]>([
    [
      "quota_exceeded",
      COUNTS,
      "épuisé (300 sur 300). Il sera renouvelé le 1er décembre 2026 à 00:00 UTC.",
      "used up (300 of 300). It resets on 1 December 2026 at 00:00 UTC.",
    ],
    ["body_headers_invalid", {}, "Lancez «\u00a0shipscore doctor\u00a0»", "Run 'shipscore doctor'"],
    [
      "busy",
      { "retry-after": "60" },
      "Le serveur demande d'attendre 60\u00a0s",
      "The server asks you to wait 60 s",
    ],
  ])("%s, with more advice by the command", (code, headers, fr, en) => {
    expect(refusalWith(code, headers, "fr")).toContain(fr);
    expect(refusalWith(code, headers, "en")).toContain(en);
  });

  test.each(API_ERROR_CODES)("%s is never quoted from the server", (code) => {
    const parameters = 'max_bytes=1, max_length=1, host="a", allow="GET", used=1, limit=1';
    const told = ["fr", "en"].map((language) =>
      refusalWith(code, { [PARAMETERS]: parameters }, language as "fr" | "en"),
    );
    expect(told.join()).not.toContain("Non.");
    expect(told[0]).not.toBe(told[1]);
  });

  test.each([undefined, "", "host=10", "host=?1", 'host="a', "HOST=1", 'port="a"'])(
    "but with parameters that do not match the code (%s) the server is quoted",
    (value) =>
      expect(refusalWith("url_private", { [PARAMETERS]: value })).toContain(
        'the server refused the URL: "Non." ',
      ),
  );

  test("and not identified by its sentence or its status", () => {
    const headers = { "x-shipscore-error": "project_not_found" };
    expect(refusalOf(404, { error: "Route." }, headers)?.[1]).toContain("shipscore projects");
  });

  test("408 and 431 are answers of shipscore, though their status has no exit code", () => {
    expect(refusalOf(408, { error: "Non." }, { "x-shipscore-error": "http_timeout" })).toEqual([
      3,
      "shipscore: The request did not arrive in time. Run 'shipscore doctor', which compares the versions of both sides. (request req-1)",
    ]);
    expect(refusalOf(403, { error: "Non." }, { "x-shipscore-error": "of_a_newer_server" })).toEqual(
      [
        3,
        "shipscore: the server refused the request: \"Non.\" Run 'shipscore doctor', which compares the versions of both sides. (request req-1)",
      ],
    );
  });
});
