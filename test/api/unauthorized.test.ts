import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newToken } from "../../server/access/tokens.ts";
import { addPerson } from "../harness/people.ts";
import { sendRaw, type RawAnswer } from "../harness/raw-http.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let token: string;
let revoked: string;
let expected: RawAnswer;

const ask = (authorization: string[], method = "GET", path = "/api/v1/projects") =>
  sendRaw(
    server.url,
    [
      `${method} ${path} HTTP/1.1`,
      "Host: x",
      "Connection: close",
      ...authorization.map((value) => `Authorization: ${value}`),
      "",
      "",
    ].join("\r\n"),
  );

beforeAll(async () => {
  server = await startTestServer();
  const alice = await addPerson(server, "alice");
  token = alice.token;
  const second = await server.perform<{ id: string; token: string }>("token create", {
    email: alice.email,
    name: "old",
  });
  await server.perform("token revoke", { id: second.id });
  revoked = second.token;
  expected = await ask([]);
});
afterAll(() => server.close());

const sameBut = (answer: RawAnswer) => ({ ...answer, requestId: undefined });

test("an absent token is refused in French, with the scheme to use", () => {
  expect(expected.status).toBe(401);
  expect(expected.body).toBe('{"error":"Jeton invalide ou révoqué."}');
  expect(expected.headers).toContain("www-authenticate: Bearer");
  expect(expected.headers).toContain("x-shipscore-error: unauthorized");
  expect(expected.requestId).toMatch(/^req_/);
});

test.each<[string, () => string[]]>([
  ["empty", () => [""]],
  ["the scheme alone", () => ["Bearer"]],
  ["the scheme and a space", () => ["Bearer "]],
  ["two spaces", () => [`Bearer  ${token}`]],
  ["a tab", () => [`Bearer\t${token}`]],
  ["Basic", () => [`Basic ${Buffer.from(`x:${token}`).toString("base64")}`]],
  ["no scheme", () => [token]],
  ["a wrong prefix", () => [`Bearer ${token.replace("psk_", "pat_")}`]],
  ["a bad checksum", () => [`Bearer ${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`]],
  ["a token that nobody has", () => [`Bearer ${newToken()}`]],
  ["a revoked token", () => [`Bearer ${revoked}`]],
  ["two headers", () => [`Bearer ${token}`, `Bearer ${token}`]],
  ["two headers, the first without a token", () => ["", `Bearer ${token}`]],
  ["another case", () => [`Bearer ${token.toUpperCase()}`]],
  ["something after the token", () => [`Bearer ${token} x`]],
  ["two tokens in one header", () => [`Bearer ${token}, Bearer ${token}`]],
  ["over 1,000 characters", () => [`Bearer ${token}${"A".repeat(1000)}`]],
  ["non-ASCII", () => [`Bearer psk_é${token.slice(5)}`]],
])("%s: the same bytes", async (_, authorization) => {
  expect(sameBut(await ask(authorization()))).toEqual(sameBut(expected));
});

describe("before anything else is looked at", () => {
  test.each([
    ["POST", "/api/v1/check"],
    ["GET", "/api/v1/projects/abc/incidents"],
    ["GET", "/api/v1/projects/abc/last-ship"],
    ["GET", "/api/v1/nothing"],
    ["GET", "/api/v1/"],
    ["GET", "/api/v1/%zz"],
    ["GET", "/api/v1/projects/%zz/incidents"],
    ["GET", `/api/v1/projects/${"a".repeat(10_000)}/incidents`],
    ["GET", "/api/v1"],
    ["GET", "/api/v1?/nothing"],
    ["PUT", "/api/v1/projects"],
    ["DELETE", "/api/v1/check"],
    ["OPTIONS", "/api/v1/projects"],
    ["PATCH", "/api/v1/projects"],
    ["TRACE", "/api/v1/projects"],
    ["PROPFIND", "/api/v1/projects"],
    ["PURGE", "/api/v1/projects"],
    ["CONNECT", "example.com:443"],
    ["OPTIONS", "*"],
  ])("%s %s", async (method, path) => {
    expect(sameBut(await ask([], method, path))).toEqual(sameBut(expected));
  });

  test("HEAD has the same head and no body", async () => {
    const answer = await ask([], "HEAD");
    expect(answer).toEqual({ ...expected, requestId: answer.requestId, body: "" });
  });

  test.each([
    ["a body that is no JSON", "Content-Type: application/json", "{"],
    ["a content type that is no JSON", "Content-Type: text/plain", "x"],
    ["a body over the limit", "Content-Type: application/json", `"${"x".repeat(20_000)}"`],
    ["an odd Expect", "Expect: nothing\r\nContent-Type: text/plain", "x"],
  ])("POST /check with %s", async (_, header, body) => {
    const request = `POST /api/v1/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(sameBut(await sendRaw(server.url, request))).toEqual(sameBut(expected));
  });
});

test.each(["Bearer", "bearer", "BEARER"])(
  "with a valid token the scheme may be written %s",
  async (scheme) => {
    expect((await ask([`${scheme} ${token}`])).status).toBe(200);
  },
);

test("without a Host too, and nobody is told to go on before they are known", async () => {
  expect(
    sameBut(
      await sendRaw(server.url, "GET /api/v1/projects HTTP/1.1\r\nConnection: close\r\n\r\n"),
    ),
  ).toEqual(sameBut(expected));
  const waiting =
    "POST /api/v1/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n";
  expect(sameBut(await sendRaw(server.url, `${waiting}\r\n`))).toEqual(sameBut(expected));
  const known = `${waiting}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n\r\n{}`;
  expect(await sendRaw(server.url, known)).toMatchObject({
    status: 100,
    body: expect.stringContaining("« url »"),
  });
});
