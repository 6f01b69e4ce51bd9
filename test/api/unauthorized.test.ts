import { beforeAll, expect, test } from "vitest";
import { newToken } from "../../server/access/tokens.ts";
import { addPerson } from "../harness/people.ts";
import { sendRaw, type RawAnswer } from "../harness/raw-http.ts";
import { useServer } from "../harness/server.ts";

let token: string;
let revoked: string;
let expected: RawAnswer;

const ask = (authorization: string[]) =>
  sendRaw(
    server.url,
    [
      "GET /api/v1/projects HTTP/1.1",
      "Host: localhost",
      "Connection: close",
      ...authorization.map((value) => `Authorization: ${value}`),
      "",
      "",
    ].join("\r\n"),
  );

const server = useServer();
beforeAll(async () => {
  const alice = await addPerson(server, "alice");
  token = alice.token;
  const second = await server.perform<{ id: string; token: string }>("token add", {
    email: alice.email,
    name: "old",
  });
  await server.perform("token remove", { id: second.id });
  revoked = second.token;
  expected = await ask([]);
});

const sameBut = (answer: RawAnswer) => ({ ...answer, requestId: undefined });

test("a missing token is rejected in French, with the scheme to use", () => {
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

test.each(["Bearer", "bearer", "BEARER"])(
  "with a valid token the scheme may be written %s",
  async (scheme) => {
    expect((await ask([`${scheme} ${token}`])).status).toBe(200);
  },
);

test("a request without a Host gets them too", async () => {
  const bytes = "GET /api/v1/projects HTTP/1.1\r\nConnection: close\r\n\r\n";
  expect(sameBut(await sendRaw(server.url, bytes))).toEqual(sameBut(expected));
});
