import { expect, test } from "vitest";
import { formatError } from "../../cli/terminal/errors.ts";
import { findRefusal, foreignResponseError, unreachableError } from "../../cli/client/failures.ts";

const NOW = new Date("2026-11-20T08:30:00.000Z");
const BASE_URL = new URL("https://shipscore.example/");

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

test.each([
  [
    { status: 200, headers: {}, text: "\n<!doctype html>\n<title>Portal</title>" },
    'https://shipscore.example answered 200 with "<!doctype html>", which is not a shipscore server\'s answer',
  ],
  [
    { status: 502, headers: {}, text: "" },
    "https://shipscore.example answered 502 with an empty body, which is not a shipscore server's answer",
  ],
  [
    { status: 302, headers: { location: "https://login.example/" }, text: "" },
    'https://shipscore.example redirects to "https://login.example/", and the token never follows a redirect',
  ],
])("another service's answer is told from this API's", (answer, message) => {
  expect(foreignResponseError(answer, BASE_URL)).toMatchObject({ exitCode: 3, message });
});

test.each([
  ["ECONNREFUSED", "refused the connection"],
  ["ENOTFOUND", "has a name that leads nowhere"],
  ["EAI_AGAIN", "could not be looked up"],
  ["CERT_HAS_EXPIRED", "has a certificate that has expired"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "has a certificate for another name"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "has a certificate that is not trusted"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "has a certificate that is not trusted"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "does not answer as a TLS server"],
  ["HPE_INVALID_CONSTANT", "does not answer as an HTTP server"],
  ["ECONNRESET", "could not be reached, or the connection was lost"],
])("%s is put in words", (code, words) => {
  const error = Object.assign(new Error("no"), { code });
  expect(unreachableError(error, BASE_URL, null)).toMatchObject({
    exitCode: 3,
    message: `https://shipscore.example ${words} (${code})`,
  });
});

test("a code-less error is named", () => {
  const error = Object.assign(new Error("no"), { name: "SomeError" });
  expect(unreachableError(error, BASE_URL, null).message).toBe(
    "https://shipscore.example could not be reached, or the connection was lost (SomeError)",
  );
});

test("the code of a cause counts, and a proxy is named", () => {
  const refused = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
  const proxy = new URL("http://user:secret@proxy.example:3128");
  const away = unreachableError(new AggregateError([refused]), BASE_URL, proxy);
  expect(away.message).toBe("the proxy proxy.example:3128 can't be reached (ECONNREFUSED)");
  const lost = Object.assign(new Error("no"), { code: "ECONNRESET" });
  const error = unreachableError(lost, BASE_URL, proxy);
  expect(error.message).toContain("https://shipscore.example");
  expect(error.advice).toMatch(/HTTPS_PROXY is set, so check the proxy too$/);
});
