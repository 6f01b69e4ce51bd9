import { expect, test } from "vitest";
import { parseResponse } from "../../cli/client/api.ts";
import { ProjectList } from "../../shared/project.ts";
import { foreignResponseError, unreachableError } from "../../cli/client/errors.ts";

const BASE_URL = new URL("https://shipscore.example/");

test.each([
  [
    { status: 200, headers: {}, text: "\n<!doctype html>\n<title>Portal</title>" },
    'https://shipscore.example returned 200 with "<!doctype html>", which is not a shipscore server\'s response',
  ],
  [
    { status: 502, headers: {}, text: "" },
    "https://shipscore.example returned 502 with an empty body, which is not a shipscore server's response",
  ],
  [
    { status: 302, headers: { location: "https://login.example/" }, text: "" },
    'https://shipscore.example redirects to "https://login.example/", and the token never follows a redirect',
  ],
])("another service's answer is distinguished from this API's", (answer, message) => {
  expect(foreignResponseError(answer, BASE_URL)).toMatchObject({ exitCode: 3, message });
});

const CONTEXT = { url: BASE_URL, now: new Date() };

test("an answer without a required field is an error that names the field", () => {
  const answer = { status: 200, headers: {}, text: '{"projects":[{"id":"prj_1"}]}' };
  expect(() => parseResponse(answer, ProjectList, CONTEXT)).toThrow(
    expect.objectContaining({
      exitCode: 3,
      message:
        'https://shipscore.example returned 200 with "{"projects":[{"id":"prj_1"}]}", which is not a shipscore server\'s response: projects.0.name is missing',
      advice: expect.objectContaining({
        en: "Check SHIPSCORE_URL, and run 'shipscore doctor', which compares the versions of both sides",
      }),
    }),
  );
});

test("an answer nested too deep to print is not from this API", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const answer = { status: 200, headers: {}, text: `{"projects":[],"more":${deep}}` };
  expect(() => parseResponse(answer, ProjectList, CONTEXT)).toThrow(
    expect.objectContaining({ exitCode: 3 }),
  );
});

test.each([
  ["ECONNREFUSED", "refused the connection"],
  ["ENOTFOUND", "has a host name that DNS does not know"],
  ["EAI_AGAIN", "could not be resolved by DNS"],
  ["CERT_HAS_EXPIRED", "has an expired certificate"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "has a certificate for another name"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "has a certificate that is not trusted"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "has a certificate that is not trusted"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "does not respond as a TLS server"],
  ["HPE_INVALID_CONSTANT", "does not respond like an HTTP server"],
  ["ECONNRESET", "could not be reached, or the connection was lost"],
])("%s has an error message", (code, words) => {
  const error = Object.assign(new Error("no"), { code });
  expect(unreachableError(error, BASE_URL, null)).toMatchObject({
    exitCode: 3,
    message: `https://shipscore.example ${words} (${code})`,
  });
});

test("an error without a code is named", () => {
  const error = Object.assign(new Error("no"), { name: "SomeError" });
  expect(unreachableError(error, BASE_URL, null).message).toBe(
    "https://shipscore.example could not be reached, or the connection was lost (SomeError)",
  );
});

test("the code of the cause is used, and a proxy is named", () => {
  const refused = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
  const proxy = new URL("http://user:secret@proxy.example:3128");
  const away = unreachableError(new AggregateError([refused]), BASE_URL, proxy);
  expect(away.message).toBe("the proxy proxy.example:3128 cannot be reached (ECONNREFUSED)");
  const lost = Object.assign(new Error("no"), { code: "ECONNRESET" });
  const error = unreachableError(lost, BASE_URL, proxy);
  expect(error.message).toContain("https://shipscore.example");
  expect(error.advice?.en).toMatch(/HTTPS_PROXY is set, so check the proxy too$/);
});
